/// What is wrong with a pattern, and where.
public struct PatternError: Error, Sendable, Equatable, CustomStringConvertible {
    public var reason: String
    /// The character of the pattern that it is about, from 1.
    public var column: Int

    public var description: String { "\(reason) (column \(column))" }
}
