import OmbiDocument

/// Selecting rows, and copying.
extension ViewerPage {
    /// A part of a body to copy.
    package enum Part: Equatable, Sendable {
        case value, selection, all
    }

    var selection: (first: ViewerPosition, last: ViewerPosition)? {
        anchor.map { (min($0, cursor), max($0, cursor)) }
    }

    func isSelected(_ position: ViewerPosition) -> Bool {
        selection.map { rows.selects(position, from: $0.first, through: $0.last) } ?? false
    }

    /// Starts a selection at the cursor, or clears it.
    mutating func toggleSelection() { anchor = anchor == nil ? cursor : nil }

    /// `5 rows selected`
    var selectionText: String? {
        guard let selection else { return nil }
        let noun = type(of: rows).noun
        guard let count = rows.count(from: selection.first, through: selection.last) else {
            return "many \(noun)s selected"
        }
        return "\(count) \(noun)\(count == 1 ? "" : "s") selected"
    }

    /// Returns true for a part so small that copying it takes no time.
    func isSmall(_ part: Part) -> Bool {
        switch part {
        case .value: rows.value(at: cursor).count <= BodyOutput.maximumCopied
        case .all: !document.isFiltered && searched.count <= BodyOutput.maximumCopied
        case .selection: false
        }
    }

    /// A part as text in UTF-8, in portions. A large one is written off the main thread.
    package func writer(of part: Part) -> BodyWriter {
        switch part {
        case .value: return BodyWriter(Bytes(rows.text(at: cursor).utf8))
        case .all: return document.isFiltered ? BodyWriter(document, .raw) : BodyWriter(searched)
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
