/// As much of a variable as the rows of data need.
public struct Variable: Sendable, Equatable {
    public var name: String
    public var value: String

    init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
}
