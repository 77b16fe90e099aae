/// The bytes of a file and the offsets of its lines: turns a byte offset into a line and a column.
struct SourceText: Sendable {
    let bytes: [UInt8]
    /// The offset of the text: behind a byte order mark when there is one.
    let start: Int
    private let lineStarts: [Int]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        lineStarts = Self.lineStarts(of: bytes, from: start)
    }

    /// The line and column of the byte at `offset`; offsets outside of the text count as its ends.
    func position(at offset: Int) -> Position {
        let offset = min(max(offset, start), bytes.count)
        let line = lineStarts.partition(where: { $0 > offset })
        let text = String(decoding: bytes[lineStarts[line - 1]..<offset], as: UTF8.self)
        return Position(line: line, column: text.count + 1)
    }

    /// A line ends with LF, CR LF or CR.
    private static func lineStarts(of bytes: [UInt8], from start: Int) -> [Int] {
        var starts = [start]
        for index in start..<bytes.count {
            let isLineFeed = bytes[index] == UInt8(ascii: "\n")
            let isLoneReturn =
                bytes[index] == UInt8(ascii: "\r")
                && (index + 1 == bytes.count || bytes[index + 1] != UInt8(ascii: "\n"))
            if isLineFeed || isLoneReturn { starts.append(index + 1) }
        }
        return starts
    }
}

extension [Int] {
    /// The index of the first element for which `isBehind` holds, in a sorted array; `count` when there is none.
    fileprivate func partition(where isBehind: (Int) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
