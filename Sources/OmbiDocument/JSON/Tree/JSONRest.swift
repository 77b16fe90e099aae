/// What comes behind the last good value of broken JSON: the mistake, and the text from there on as it is.
struct JSONRest: Sendable {
    let error: JSONSyntaxError
    /// Where the text begins in the body.
    let start: Int
    private(set) var layout: TextLayout
    /// Whether all of it has come.
    private let isWhole: Bool

    var lines: LineIndex { layout.lines }
    /// Whether its lines are known as far as it has come.
    var isIndexed: Bool { lines.isComplete || !isWhole && lines.indexed + 1 >= layout.bytes.count }

    /// Nil where nothing is wrong.
    init?(_ document: JSONDocument, columns: Int, lines: LineIndex? = nil) {
        guard let error = document.error else { return nil }
        self.error = error
        isWhole = document.isFinished
        start = document.restStart(before: error.offset)
        let text = document.bytes[start..<document.bytes.count]
        layout = TextLayout(bytes: text, lines: lines ?? LineIndex(), columns: max(1, columns))
    }

    mutating func extend(limit: Int) {
        guard !isIndexed else { return }
        var lines = layout.lines
        lines.extend(over: layout.bytes, isComplete: isWhole, limit: limit << 3)
        layout = TextLayout(bytes: layout.bytes, lines: lines, columns: layout.columns)
    }

    var first: JSONRow? { layout.bytes.isEmpty ? nil : JSONRow(behind: .raw, offset: start) }

    var last: JSONRow? {
        first.map { _ in JSONRow(behind: .raw, offset: start + layout.row(at: layout.bytes.count).range.lowerBound) }
    }

    func row(after row: JSONRow) -> JSONRow? {
        layout.row(after: layout.row(at: row.offset - start)).map(self.row)
    }

    func row(before row: JSONRow) -> JSONRow? {
        layout.row(before: layout.row(at: row.offset - start)).map(self.row)
    }

    /// The row that shows a byte of the body.
    func row(atByte offset: Int) -> JSONRow { row(layout.row(at: offset - start)) }

    /// The bytes that a row shows.
    func range(of row: JSONRow) -> ByteRange {
        let range = layout.row(at: row.offset - start).range
        return start + range.lowerBound..<start + range.upperBound
    }

    private func row(_ row: TextRow) -> JSONRow { JSONRow(behind: .raw, offset: start + row.range.lowerBound) }
}

extension JSONDocument {
    /// Where the text begins that is in no value: behind the last entry, and what separates it from the next.
    fileprivate func restStart(before end: Int) -> Int {
        var next = 0
        if count > 0 {
            let last = JSONNode(count - 1)
            next = isContainer(count - 1) || isEnd(count - 1) ? offset(count - 1) + 1 : range(of: last).upperBound
        } else if hasByteOrderMark {
            next = 3
        }
        while next < end, bytes.base[next] <= 0x20 { next += 1 }
        if next < end, bytes.base[next] == UInt8(ascii: ",") { next += 1 }
        while next < end, bytes.base[next] <= 0x20 { next += 1 }
        return min(next, bytes.count)
    }
}
