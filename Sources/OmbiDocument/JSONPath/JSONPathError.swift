/// A JSONPath expression that is wrong: where, and what was expected.
public struct JSONPathError: Error, Equatable, Sendable, CustomStringConvertible {
    /// From 1, in characters (Unicode scalars).
    public let column: Int
    public let reason: String

    public var description: String { "column \(column): \(reason)" }
}
