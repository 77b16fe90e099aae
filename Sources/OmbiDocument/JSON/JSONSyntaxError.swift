/// The first syntax error of a JSON body (RFC 8259). Everything before it stays readable.
public struct JSONSyntaxError: Error, Equatable, Sendable, CustomStringConvertible {
    /// In bytes, from the start of the body.
    public let offset: Int
    /// From 1; lines end with a line feed.
    public let line: Int
    /// From 1, in Unicode scalars; a byte order mark does not count.
    public let column: Int
    /// Such as `expected ':' after the key, found ','`.
    public let reason: String

    public init(offset: Int, line: Int, column: Int, reason: String) {
        self.offset = offset
        self.line = line
        self.column = column
        self.reason = reason
    }

    public var description: String { "line \(line), column \(column): \(reason)" }
}

extension JSONSyntaxError {
    /// Finds the line and the column. Reads all bytes before the offset: 1 ms for each 10 MB or so.
    init(offset: Int, reason: String, in base: UnsafePointer<UInt8>, hasByteOrderMark: Bool) {
        let before = UnsafeBufferPointer(start: base, count: offset)
        let lines = before.reduce(into: 0) { $0 += $1 == 0x0A ? 1 : 0 }
        let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? (hasByteOrderMark ? 3 : 0)
        let characters = before[start...].reduce(into: 0) { $0 += $1 & 0xC0 == 0x80 ? 0 : 1 }
        self.init(offset: offset, line: lines + 1, column: characters + 1, reason: reason)
    }
}
