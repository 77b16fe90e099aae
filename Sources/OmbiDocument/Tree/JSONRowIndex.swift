/// The lines and containers of a `JSONTree` at every 1024th entry of the tape: positions are counted from there instead
/// of from the start of the body. It is built in steps while the body is already shown, and costs about 16 bytes for
/// each thousand values.
///
/// Lines are those of the whole tree, unfolded, as in a file.
public struct JSONRowIndex: Sendable {
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

    /// The number of entries indexed.
    private(set) var indexed = 0
    /// The number of lines that begin in them.
    private(set) var lineCount = 0
    /// True when no more will come.
    public private(set) var isComplete = false
    /// The containers around the next entry, outermost first, each with the number of siblings before it.
    private var open: [(entry: UInt32, position: UInt32)] = []
    /// The indices in `containers` of those that span a mark.
    private var recorded: [Int32] = []
    /// The number of children of the innermost container before the next entry.
    private var children: UInt32 = 0
    /// The end of the one-line container around the next entry.
    private var lineEnd = 0

    init() {}

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

    /// Returns the entry that begins a line, from 0; nil when the index has not got that far, or there is no such line.
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
