/// The values that a tree of matches shows, in the order of the query, and the lines on which they begin. A match takes
/// four bytes and a half; four more if matches are nested or not in the order of the body.
struct JSONTreeMatches: Sendable {
    private(set) var entries: [UInt32] = []
    /// True while each match begins after the end of the previous one, as with most queries. Otherwise `outer` has the
    /// known outermost matches, ordered by their positions in the body.
    private var isOrdered = true
    private var outer: [UInt32] = []
    private var orderedCount = 0
    /// The end of the last match.
    private var end = 0
    /// The lines before every sixteenth match, and before the next one, as far as they are counted.
    private var marks: [Int] = []
    private var counted = 0
    private var lines = 0

    private static let stride = 16

    mutating func append(_ nodes: some Sequence<JSONNode>, in document: JSONDocument) {
        for node in nodes {
            if node.index < end { isOrdered = false }
            end = document.after(node.index)
            entries.append(node.position)
        }
        // Each time there are twice as many, so that all sorting takes at most twice as long as the last.
        if entries.count >= 2 * orderedCount { order(in: document) }
    }

    // MARK: Positions in the body

    mutating func order(in document: JSONDocument) {
        guard !isOrdered, orderedCount < entries.count else { return }
        var keys = entries.enumerated().map { UInt64($0.element) << 32 | UInt64($0.offset) }
        keys.sort()
        var end = 0
        outer.removeAll(keepingCapacity: true)
        for key in keys where Int(key >> 32) >= end {
            end = document.after(Int(key >> 32))
            outer.append(UInt32(truncatingIfNeeded: key))
        }
        orderedCount = entries.count
    }

    /// The number of outermost matches, which `outerMatch` returns in the order of the body.
    private var outerCount: Int { isOrdered ? entries.count : outer.count }
    private func outerMatch(_ number: Int) -> Int { isOrdered ? number : Int(outer[number]) }

    /// Returns the number of outermost matches whose entries are `isBefore`, which is true up to one of them.
    private func outerCount(where isBefore: (Int) -> Bool) -> Int {
        (0..<outerCount).partitioningIndex { !isBefore(Int(entries[outerMatch($0)])) }
    }

    /// Returns the outermost match that holds the entry.
    func match(holding entry: Int, in document: JSONDocument) -> Int? {
        let number = outerCount { $0 <= entry } - 1
        guard number >= 0, entry < document.after(Int(entries[outerMatch(number)])) else { return nil }
        return outerMatch(number)
    }

    /// Returns the range of the first outermost match, in the order of the body, that ends after a byte.
    func range(endingAfter offset: Int, in document: JSONDocument) -> ByteRange? {
        let next = outerCount { document.offset($0) <= offset }
        for number in max(0, next - 1)..<min(next + 1, outerCount) {
            let range = document.range(of: JSONNode(Int(entries[outerMatch(number)])))
            if range.upperBound > offset { return range }
        }
        return nil
    }

    // MARK: Lines

    var lineCount: Int? { counted == entries.count ? lines : nil }

    /// Counts the lines of at most `limit` more matches. Returns false while others can be counted.
    mutating func count(in document: JSONDocument, index: JSONRowIndex, limit: Int) -> Bool {
        var left = limit
        while counted < entries.count, left > 0 {
            guard let more = lines(of: counted, in: document, index) else { return true }
            if counted % Self.stride == 0 { marks.append(lines) }
            counted += 1
            lines += more
            left -= 1
        }
        return counted == entries.count
    }

    private func lines(of match: Int, in document: JSONDocument, _ index: JSONRowIndex) -> Int? {
        let entry = Int(entries[match])
        if document.isOneLine(entry) { return 1 }
        let after = document.after(entry)
        if after - entry <= JSONRowIndex.stride { return document.lines(in: entry..<after) }
        guard let start = index.lines(before: entry, in: document) else { return nil }
        return index.lines(before: after, in: document).map { $0 - start }
    }

    func line(of match: Int, in document: JSONDocument, _ index: JSONRowIndex) -> Int? {
        guard match >= 0, match < counted else { return nil }
        let mark = match / Self.stride
        return (mark * Self.stride..<match).reduce(marks[mark]) { $0 + (lines(of: $1, in: document, index) ?? 0) }
    }

    /// Returns the match that a line belongs to, and the number of its lines before that one.
    func match(atLine line: Int, in document: JSONDocument, _ index: JSONRowIndex) -> (match: Int, line: Int)? {
        guard line >= 0, line < lines else { return nil }
        let mark = marks.partitioningIndex { $0 > line } - 1
        var (match, left) = (mark * Self.stride, line - marks[mark])
        while match < counted, let count = lines(of: match, in: document, index), left >= count {
            (match, left) = (match + 1, left - count)
        }
        return match < counted ? (match, left) : nil
    }
}

extension JSONDocument {
    /// Returns the number of lines that begin with the entries of a container, which must be few.
    fileprivate func lines(in entries: Range<Int>) -> Int {
        var (lines, lineEnd) = (0, 0)
        for entry in entries where entry >= lineEnd {
            lines += 1
            if isContainer(entry), isOneLine(entry) { lineEnd = after(entry) }
        }
        return lines
    }
}

extension JSONTree {
    /// True when only the matches of a query are shown.
    package var isFiltered: Bool { matches != nil }

    package var matchCount: Int { matches?.entries.count ?? 0 }

    /// Returns true if both show the same matches in the same order, or both all of a document.
    package func hasSameMatches(as other: JSONTree) -> Bool { matches?.entries == other.matches?.entries }

    /// Appends matches; has no effect in a tree of a whole document. If they are not in the order of the body, the
    /// lookup of matches by byte is updated each time their number has doubled, and in `orderMatches`.
    package mutating func append(matches nodes: [JSONNode]) {
        let document = document
        matches?.append(nodes.lazy.filter { document.contains($0) }, in: document)
    }

    /// Updates the lookup of matches by byte. Call it after the last match: in the worst case it sorts them.
    package mutating func orderMatches() {
        let document = document
        matches?.order(in: document)
    }

    /// Adopts the state of another tree that shows the same matches or more of them, and perhaps more of the same body.
    /// Folds stay as they are.
    package mutating func update(_ other: JSONTree) {
        update(other.document)
        index = other.index
        matches = other.matches
    }

    /// Returns the range of the first outermost match that ends after an offset.
    package func matchRange(endingAfter offset: Int) -> ByteRange? {
        matches?.range(endingAfter: offset, in: document)
    }

    /// The top-level values: the roots, or the matches.
    package var tops: JSONTops { JSONTops(document, at: matches?.entries) }
}

extension JSONSelection {
    /// Runs a query on the values that a tree shows.
    package init(_ path: JSONPath, in tree: JSONTree, isCancelled: (() -> Bool)? = nil) {
        self.init(path, tree.document, tree.tops, isCancelled)
    }
}
