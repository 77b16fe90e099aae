/// The first error in a text of markup.
public struct MarkupProblem: Error, Sendable, Equatable {
    public var offset: Int
    public var reason: String
}
