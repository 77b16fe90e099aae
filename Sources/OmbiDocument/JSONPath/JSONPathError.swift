/// An error in a JSONPath expression: its column and what was expected.
public struct JSONPathError: Error, Equatable, Sendable, CustomStringConvertible {
    /// From 1, in Unicode scalars.
    public let column: Int
    public let reason: String

    public var description: String { "column \(column): \(reason)" }
}
