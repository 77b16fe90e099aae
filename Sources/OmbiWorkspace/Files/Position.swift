/// A position in a text file, as editors show it: lines and columns count from 1, columns count characters.
public struct Position: Sendable, Hashable, Comparable {
    public var line: Int
    public var column: Int

    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    public static func < (left: Position, right: Position) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

extension Position: CustomStringConvertible {
    public var description: String { "line \(line), column \(column)" }
}
