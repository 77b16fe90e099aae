/// The rest of a broken JSON text after the last valid value: the error, and the text from there on as it is.
struct JSONRest: Sendable {
    let error: JSONSyntaxError
    /// The offset of the text in the body.
    let start: Int
    private(set) var layout: TextLayout
    /// True when all of it has been received.
    private let isWhole: Bool

    var lines: LineIndex { layout.lines }
    /// True when its lines are known as far as it has been received.
    var isIndexed: Bool { lines.isComplete || !isWhole && lines.indexed + 1 >= layout.bytes.count }

    /// Returns nil for a document without an error.
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

    var last: JSONRow? { first.map { _ in row(wrapped(at: layout.bytes.count - 1)) } }

    func row(after row: JSONRow) -> JSONRow? {
        let current = wrapped(at: row.offset - start)
        var next = current.range.upperBound
        if current.endsLine {
            if layout.bytes[next] == 0x0D, layout.bytes[next + 1] == 0x0A { next += 1 }
            if layout.bytes[next] == 0x0A { next += 1 }
        }
        return next < layout.bytes.count ? self.row(wrapped(at: next)) : nil
    }

    func row(before row: JSONRow) -> JSONRow? {
        let current = wrapped(at: row.offset - start).range.lowerBound
        return current > 0 ? self.row(wrapped(at: current - 1)) : nil
    }

    /// Returns the row that shows a byte of the body.
    func row(atByte offset: Int) -> JSONRow { row(wrapped(at: offset - start)) }

    /// Returns the bytes that a row shows.
    func range(of row: JSONRow) -> ByteRange {
        let range = wrapped(at: row.offset - start).range
        return start + range.lowerBound..<start + range.upperBound
    }

    private func row(_ row: TextRow) -> JSONRow { JSONRow(behind: .raw, offset: start + row.range.lowerBound) }

    private func wrapped(at offset: Int) -> TextRow {
        let line = line(around: min(max(0, offset), layout.bytes.count - 1))
        return layout.row(at: offset, of: line)
    }

    /// The maximum length of the part of a line that is read: a row depends on no more, even in a line of gigabytes.
    private static let portion = 1 << 16

    /// Returns the line around an offset, or the part of it that is read, without its line ending.
    private func line(around offset: Int) -> ByteRange {
        var lower = seam(offset & ~(Self.portion - 1))
        if lower > offset { lower = seam((offset & ~(Self.portion - 1)) - Self.portion) }
        let upper = seam(min((lower | (Self.portion - 1)) + 1, layout.bytes.count))
        let begin = ByteScan.last(0x0A, or: 0x0A, in: layout.bytes, lower..<offset).map { $0 + 1 } ?? lower
        let end = ByteScan.first(0x0A, or: 0x0A, in: layout.bytes, offset..<upper) ?? upper
        let isPair = end > begin && layout.bytes[end] == 0x0A && layout.bytes[end - 1] == 0x0D
        return begin..<(isPair ? end - 1 : end)
    }

    /// Returns the start of a part, after the character that lies across it.
    private func seam(_ nominal: Int) -> Int {
        var offset = max(0, nominal)
        while offset > 0, offset < layout.bytes.count, offset - nominal < 3, layout.bytes[offset] & 0xC0 == 0x80 {
            offset += 1
        }
        return offset
    }
}

extension JSONDocument {
    /// Returns the start of the text that is in no value: after the last entry and its separator.
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
