/// The values that a tree of matches shows, in the order in which they were found, and on which lines they begin.
struct JSONTreeMatches: Sendable {
    private(set) var entries: [UInt32] = []
    /// The lines before each match, and before the next, as far as they are counted.
    private var lines: [Int] = [0]

    var lineCount: Int? { lines.count > entries.count ? lines[entries.count] : nil }

    mutating func append(_ nodes: some Sequence<JSONNode>) { entries.append(contentsOf: nodes.map(\.position)) }

    /// Counts the lines of some more matches; false while there are others.
    mutating func count(in document: JSONDocument, index: JSONRowIndex, limit: Int) -> Bool {
        var left = limit
        while lines.count <= entries.count, left > 0 {
            guard let more = Self.lines(of: Int(entries[lines.count - 1]), in: document, index) else { return true }
            lines.append(lines[lines.count - 1] + more)
            left -= 1
        }
        return lines.count > entries.count
    }

    private static func lines(of entry: Int, in document: JSONDocument, _ index: JSONRowIndex) -> Int? {
        if document.isOneLine(entry) { return 1 }
        guard let start = index.lines(before: entry, in: document) else { return nil }
        return index.lines(before: document.after(entry), in: document).map { $0 - start }
    }

    /// The line that the match begins on.
    func line(of match: Int) -> Int? { match < lines.count ? lines[match] : nil }

    /// The match that a line belongs to, and how many lines of it come before.
    func match(atLine line: Int) -> (match: Int, line: Int)? {
        guard line >= 0, line < lines[lines.count - 1] else { return nil }
        let match = lines.partitioningIndex { $0 > line } - 1
        return (match, line - lines[match])
    }

    /// The first match that holds the entry.
    func match(holding entry: Int, in document: JSONDocument) -> Int? {
        entries.firstIndex { Int($0) <= entry && entry < document.after(Int($0)) }
    }
}
