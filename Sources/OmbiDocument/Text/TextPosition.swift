/// A position in a text, as editors show it: lines and columns count from 1, columns count Unicode scalars.
///
/// A line ends with LF, CR LF or CR. A byte order mark takes no column.
public struct TextPosition: Sendable, Hashable, Comparable {
    public var line: Int
    public var column: Int

    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    public static func < (left: TextPosition, right: TextPosition) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

extension TextPosition: CustomStringConvertible {
    public var description: String { "line \(line), column \(column)" }
}
