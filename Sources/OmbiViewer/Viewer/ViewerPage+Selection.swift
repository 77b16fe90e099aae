/// Selecting rows, and copying.
extension ViewerPage {
    /// A part of a body to copy.
    package enum Part: Equatable, Sendable {
        case value, row, selection, all
        /// The values that a filter selected, one per line: strings without quotes.
        case valuesAsText
    }

    var selection: (first: ViewerPosition, last: ViewerPosition)? {
        anchor.map { (min($0, cursor), max($0, cursor)) }
    }

    func isSelected(_ position: ViewerPosition) -> Bool {
        selection.map { rows.selects(position, from: $0.first, through: $0.last) } ?? false
    }

    /// True for rows of values, which fold.
    package var folds: Bool { rows.folds }

    /// False for a picture, and for a body without rows.
    package var holdsText: Bool {
        if case .picture = content { return false }
        return !rows.isEmpty
    }

    /// True for the values that a filter selected.
    package var isFiltered: Bool { document.isFiltered }

    mutating func toggleSelection() { anchor = anchor == nil ? cursor : nil }

    /// `5 rows selected`
    package var selectionText: String? {
        guard let selection else { return nil }
        let noun = type(of: rows).noun
        guard let count = rows.count(from: selection.first, through: selection.last) else {
            return "many \(noun)s selected"
        }
        return "\(count) \(noun)\(count == 1 ? "" : "s") selected"
    }

    /// The name of a part for a message: `$.users[3].email`, `line 4 of 20`, `5 rows`.
    package func name(of part: Part) -> String {
        switch part {
        case .value: rows.path(at: cursor) ?? "the value"
        case .row: rows.path(at: cursor).map { "the row of \($0)" } ?? "the row"
        case .selection: selectionText.map { String($0.dropLast(" selected".count)) } ?? "the rows"
        case .all: document.isFiltered ? "the filtered values" : "the body"
        case .valuesAsText: "the filtered values as text"
        }
    }

    /// Returns true for a part so small that copying it takes no time.
    func isSmall(_ part: Part) -> Bool {
        switch part {
        case .value: rows.value(at: cursor).count <= BodyOutput.maximumCopied
        case .all: !document.isFiltered && searched.count <= BodyOutput.maximumCopied
        case .row, .selection, .valuesAsText: false
        }
    }

    /// A part as text in UTF-8, in portions. A large one is written off the main thread.
    package func writer(of part: Part) -> BodyWriter {
        switch part {
        case .value: return BodyWriter(Bytes(rows.text(at: cursor).utf8))
        case .row: return rows.writer(from: cursor, through: cursor)
        case .all: return document.isFiltered ? BodyWriter(document, .raw) : BodyWriter(searched)
        case .valuesAsText: return BodyWriter(document, .text)
        case .selection:
            guard let selection else { return BodyWriter(.empty) }
            return rows.writer(from: selection.first, through: selection.last)
        }
    }

    func text(of part: Part) -> String { String(decoding: writer(of: part).all, as: UTF8.self) }

    /// The input of a command: the body as received, the values that a filter selected, or the selected rows.
    var input: BodyWriter { anchor == nil ? BodyWriter(document, .raw) : writer(of: .selection) }

    /// False for a body that is not text: its bytes cannot go to the clipboard.
    var isText: Bool { document.kind.isText }
}

/// Scrolling to the left and to the right.
extension ViewerPage {
    /// Scrolls, but never past the end of the longest visible row.
    mutating func scrollSideways(forward: Bool, page: Int) {
        let next = rows.stop(from: left, forward: forward)
        left = forward ? left + min(next - left, hidden(atMost: next - left, page: page)) : max(0, next)
    }

    mutating func scrollBack(page: Int) {
        guard left > 0 else { return }
        let isSeen = shown(page: page).contains {
            !rows.spans(at: $0, skipping: left, columns: columns, finder: nil).isEmpty
        }
        if !isSeen { left = 0 }
    }

    mutating func show(match range: ByteRange, _ finder: Finder?) {
        guard let finder, column(of: range, finder, skipping: left, in: columns) == nil else { return }
        left = 0
        guard column(of: range, finder, skipping: 0, in: columns) == nil else { return }
        left = column(of: range, finder, skipping: 0, in: Self.farthestMatch).map { max(0, $0 - columns / 2) } ?? 0
    }

    /// Matches in columns further to the right are not scrolled to.
    private static let farthestMatch = 20_000

    /// Returns the column of a match in the row of the cursor, or in the header; nil when it is not in that range of
    /// columns.
    private func column(of match: ByteRange, _ finder: Finder, skipping: Int, in columns: Int) -> Int? {
        let row = rows.spans(at: cursor, skipping: skipping, columns: columns, finder: finder)
        for spans in [row, rows.header(skipping: skipping, columns: columns, finder: finder)] {
            guard let index = spans.firstIndex(where: { $0.isMatch && $0.range.overlaps(match) }) else { continue }
            let column = spans[..<index].reduce(0) { $0 + $1.columns }
            // The last column is taken by the sign of a row that goes on.
            let room = spans.columns > columns ? columns - 1 : columns
            return column + min(spans[index].columns, columns / 2) <= room ? column : nil
        }
        return nil
    }

    /// The number of columns out of sight on the right, counted as far as `limit`.
    private func hidden(atMost limit: Int, page: Int) -> Int {
        let wanted = columns + limit
        var longest = rows.header(skipping: left, columns: wanted, finder: nil).columns
        for position in shown(page: page) where longest < wanted {
            longest = max(longest, rows.spans(at: position, skipping: left, columns: wanted, finder: nil).columns)
        }
        return max(0, longest - columns)
    }

    private func shown(page: Int) -> [ViewerPosition] {
        var shown = [rows.aligned(top)]
        while shown.count < page, let last = shown.last, last < rows.last {
            shown.append(rows.position(last, movedBy: 1))
        }
        return shown
    }
}

extension [TextSpan] {
    var columns: Int { reduce(0) { $0 + $1.columns } }
}
