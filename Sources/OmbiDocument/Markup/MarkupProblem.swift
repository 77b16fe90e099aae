/// The first place where a text is not what it is said to be.
public struct MarkupProblem: Error, Sendable, Equatable {
    public var offset: Int
    public var reason: String
}
