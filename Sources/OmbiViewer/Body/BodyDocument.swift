import OmbiCore
import OmbiDocument

/// The part of a body that has arrived, recognised and indexed, for a viewer to show. A small value; copying it copies no
/// bytes.
package struct BodyDocument: Sendable, Equatable {
    /// The basis of the formatted view.
    package enum Shape: Sendable {
        case empty
        case json(JSONTree)
        case text(LineHighlighter?)
        case markup(MarkupIndex)
        case table(TableIndex, TableShape)
        case events(EventIndex)
        case form([FormField])
        case picture(Picture)
        case hex
    }

    package var kind: BodyKind
    /// The bytes as received.
    package var raw: Bytes
    /// The same as UTF-8, without a byte order mark. Empty if it is not text.
    var text: Bytes
    var lines: LineIndex
    package var shape: Shape
    /// A note for the reader: the encoding, or a problem.
    var note: String?
    /// True once all of the body has arrived and been indexed.
    package var isComplete: Bool
    /// The times at which its bytes arrived; nil where nobody noted them.
    package var arrivals: BodyArrivals?

    static let empty = BodyDocument(
        kind: .empty, raw: .empty, text: .empty, lines: LineIndex(), shape: .empty, note: nil, isComplete: true)

    /// Indexes a complete body.
    package init(_ bytes: Bytes, contentType: String?) {
        let indexer = BodyIndexer(contentType: contentType)
        self = indexer.read(bytes, isComplete: true, budget: .max)
    }

    /// A text that is not looked into.
    init(plain bytes: Bytes) {
        self.init(
            kind: .text, raw: bytes, text: bytes, lines: LineIndex(bytes), shape: .text(nil), note: nil,
            isComplete: true)
    }

    init(
        kind: BodyKind, raw: Bytes, text: Bytes, lines: LineIndex, shape: Shape, note: String?,
        isComplete: Bool
    ) {
        self.kind = kind
        self.raw = raw
        self.text = text
        self.lines = lines
        self.shape = shape
        self.note = note
        self.isComplete = isComplete
    }

    package static func == (left: BodyDocument, right: BodyDocument) -> Bool {
        left.kind == right.kind && left.note == right.note && left.isComplete == right.isComplete
            && left.isFiltered == right.isFiltered && left.matchCount == right.matchCount
            && left.raw.isSame(as: right.raw)
    }

    private var tree: JSONTree? { if case .json(let tree) = shape { tree } else { nil } }
    var json: JSONDocument? { tree?.document }

    /// True for JSON, and for events, whose data may be.
    var hasPaths: Bool { if case .events = shape { true } else { tree != nil } }

    /// True for a body that is text only because its index was given up.
    var isOverLimit: Bool {
        guard case .text(nil) = shape else { return false }
        return [.json, .jsonLines].contains(kind)
    }

    /// True for the values that a filter selected of a body, `matchCount` in number.
    var isFiltered: Bool { tree?.isFiltered ?? false }
    var matchCount: Int { tree?.matchCount ?? 0 }

    /// Returns true when a filter selected the same values of both.
    func selectsSame(as other: BodyDocument) -> Bool {
        guard let tree, let otherTree = other.tree else { return isFiltered == other.isFiltered }
        return tree.hasSameMatches(as: otherTree)
    }

    /// Returns a finder for the visible text; nil for a pattern with an error.
    func finder(_ query: FindQuery) -> Finder? {
        guard let pattern = try? query.pattern() else { return nil }
        guard let tree, tree.isFiltered else { return Finder(pattern) }
        return Finder(pattern, within: tree.matchRange)
    }

    /// The note on a table with a quote that is never closed.
    var tableNote: String? {
        guard case .table(let index, _) = shape, let quote = index.openQuote(in: text) else { return nil }
        return "a quote in line \(lines.line(at: quote, in: text) + 1) is never closed: all behind it is one cell"
    }
}

extension Bytes {
    /// Returns true for the same memory, or equal bytes.
    func isSame(as other: Bytes) -> Bool {
        guard count == other.count else { return false }
        if base == other.base { return true }
        return withUnsafeBytes(0..<count) { mine in
            other.withUnsafeBytes(0..<count) { mine.elementsEqual($0) }
        }
    }
}
