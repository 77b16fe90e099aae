/// The lines and containers of a `JSONTree` at every 1024th entry of the tape: positions are counted from there instead
/// of from the start of the body. It is built in steps while the body is already shown, and costs about 16 bytes for
/// each thousand values.
///
/// Lines are counted in the whole tree, unfolded, as in a file.
package struct JSONRowIndex: Sendable {
    static let shift = 10
    static let stride = 1 << shift

    /// The state before an entry that is a multiple of `stride`.
    private struct Mark {
        var lines: Int
        /// The innermost container around it, in `containers`; -1 for none.
        var container: Int32
        /// The number of children of that container before the entry.
        var children: UInt32
    }

    /// A container that spans a mark.
    private struct Container {
        var entry: UInt32
        var outer: Int32
        var position: UInt32
        var depth: UInt32
    }

    private var marks: [Mark] = []
    private var containers: [Container] = []

    private(set) var indexed = 0
    /// The number of lines that begin in them.
    private(set) var lineCount = 0
    /// True when no more will come.
    package private(set) var isComplete = false
    /// The containers around the next entry, outermost first, each with the number of siblings before it.
    private var open: [(entry: UInt32, position: UInt32)] = []
    /// The indices in `containers` of those that span a mark.
    private var recorded: [Int32] = []
    /// The number of children of the innermost container before the next entry.
    private var children: UInt32 = 0
    /// The end of the one-line container around the next entry.
    private var lineEnd = 0

    /// Indexes at most `limit` more entries.
    mutating func extend(over document: JSONDocument, limit: Int) {
        let end = min(document.count, indexed + max(0, limit))
        while indexed < end {
            if document.mayBecomeOneLine(indexed) { return }
            if indexed & (Self.stride - 1) == 0 { mark() }
            pass(document)
            indexed += 1
        }
        isComplete = indexed == document.count && (document.isFinished || document.error != nil)
    }

    @inline(__always) private mutating func pass(_ document: JSONDocument) {
        if indexed >= lineEnd { lineCount += 1 }
        if document.isScalar(indexed) {
            children += 1
        } else if document.isEnd(indexed) {
            if let last = open.popLast() { children = last.position + 1 }
            if recorded.count > open.count { recorded.removeLast() }
        } else {
            if indexed >= lineEnd, document.isOneLine(indexed) { lineEnd = document.after(indexed) }
            open.append((UInt32(truncatingIfNeeded: indexed), children))
            children = 0
        }
    }

    private mutating func mark() {
        for depth in recorded.count..<open.count {
            let container = Container(
                entry: open[depth].entry, outer: recorded.last ?? -1, position: open[depth].position,
                depth: UInt32(truncatingIfNeeded: depth))
            recorded.append(Int32(truncatingIfNeeded: containers.count))
            containers.append(container)
        }
        marks.append(Mark(lines: lineCount, container: recorded.last ?? -1, children: children))
    }
}

/// Lookups. Each reads at most some thousand entries, and the containers around them.
extension JSONRowIndex {
    /// Returns the position of the value at `index`; nil when the index has not got that far.
    func location(of index: Int, in document: JSONDocument) -> JSONLocation? { walk(to: index, document) { _ in } }

    /// Returns the value at `index` and the containers around it, outermost first, each with the number of siblings
    /// before it; nil when the index has not got that far.
    func branch(to index: Int, in document: JSONDocument) -> [(index: Int, position: Int)]? {
        var inner: [(index: Int, position: Int)] = []
        var outermost = Int32(-1)
        guard let location = walk(to: index, document, { inner.append($0) }, &outermost) else { return nil }
        var outer: [(index: Int, position: Int)] = []
        while outermost >= 0 {
            let container = containers[Int(outermost)]
            outer.append((Int(container.entry), Int(container.position)))
            outermost = container.outer
        }
        return outer.reversed() + inner + [(index, location.position)]
    }

    private func walk(
        to index: Int, _ document: JSONDocument, _ enter: ((index: Int, position: Int)) -> Void
    ) -> JSONLocation? {
        var record = Int32(-1)
        return walk(to: index, document, enter, &record)
    }

    /// Walks from the mark before `index` to it, and passes the containers that it enters to `enter`. `record` becomes
    /// the innermost container around it that spans the mark.
    private func walk(
        to index: Int, _ document: JSONDocument, _ enter: ((index: Int, position: Int)) -> Void, _ record: inout Int32
    ) -> JSONLocation? {
        guard index >= 0, index < document.count, index <= indexed, index >> Self.shift < marks.count else {
            return nil
        }
        let mark = marks[index >> Self.shift]
        record = mark.container
        var location = JSONLocation(parent: nil, position: Int(mark.children), depth: 0)
        if record >= 0 {
            location.parent = Int(containers[Int(record)].entry)
            location.depth = Int(containers[Int(record)].depth) + 1
        }
        var next = index & ~(Self.stride - 1)
        while next < index {
            if document.isEnd(next) {
                guard record >= 0 else { return nil }
                let container = containers[Int(record)]
                record = container.outer
                location.parent = record >= 0 ? Int(containers[Int(record)].entry) : nil
                location.position = Int(container.position) + 1
                location.depth -= 1
                next += 1
                continue
            }
            let after = document.after(next)
            if after <= index {
                location.position += 1
                next = after
            } else {
                enter((next, location.position))
                location = JSONLocation(parent: next, position: 0, depth: location.depth + 1)
                next += 1
            }
        }
        return location
    }

    /// Returns the number of lines that begin before the entry at `index`; nil when the index has not got that far.
    func lines(before index: Int, in document: JSONDocument) -> Int? {
        guard index <= indexed, index < document.count || index == indexed else { return nil }
        if index == indexed { return lineCount }
        var (lines, next, end) = start(at: index >> Self.shift, document)
        while next < index {
            if next >= end {
                lines += 1
                if document.isContainer(next), document.isOneLine(next) { end = document.after(next) }
            }
            next += 1
        }
        return lines
    }

    /// Returns the entry that begins a line, from 0; nil if the line is not indexed yet or does not exist.
    func entry(atLine line: Int, in document: JSONDocument) -> Int? {
        guard line >= 0, line < lineCount, !marks.isEmpty else { return nil }
        let mark = max(0, marks.partitioningIndex { $0.lines > line } - 1)
        var (lines, next, end) = start(at: mark, document)
        while next < indexed {
            if next >= end {
                if lines == line { return next }
                lines += 1
                if document.isContainer(next), document.isOneLine(next) { end = document.after(next) }
            }
            next += 1
        }
        return nil
    }

    /// Returns the lines before a mark, its entry, and the end of the one-line container around it.
    private func start(at mark: Int, _ document: JSONDocument) -> (lines: Int, entry: Int, lineEnd: Int) {
        let (entry, container) = (mark << Self.shift, marks[mark].container)
        guard container >= 0 else { return (marks[mark].lines, entry, 0) }
        let around = Int(containers[Int(container)].entry)
        return (marks[mark].lines, entry, document.isOneLine(around) ? document.after(around) : 0)
    }
}

/// The rest of a broken JSON text after the last valid value: the error, and the text from there on as it is.
struct JSONRest: Sendable {
    let error: JSONSyntaxError
    /// The offset of the text in the body.
    let start: Int
    private(set) var layout: TextLayout
    /// True when all of it has been received.
    private let isWhole: Bool

    var lines: LineIndex { layout.lines }
    /// True when all lines of the received part are known.
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

    func row(atByte offset: Int) -> JSONRow { row(wrapped(at: offset - start)) }

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
