/// An error in a pattern: its reason and column.
public struct PatternError: Error, Sendable, Equatable, CustomStringConvertible {
    public var reason: String
    /// The character of the pattern at fault, from 1.
    public var column: Int

    public init(reason: String, column: Int) {
        self.reason = reason
        self.column = column
    }

    public var description: String { "\(reason) (column \(column))" }
}
