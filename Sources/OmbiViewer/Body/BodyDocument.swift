import OmbiCore

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
    package var raw: Bytes
    /// The same as UTF-8, without a byte order mark. Empty if it is not text.
    var text: Bytes
    var lines: LineIndex
    package var shape: Shape
    /// A note for the reader: the encoding, or a problem.
    var note: String?
    /// True once all of the body has arrived and been indexed.
    package var isComplete: Bool
    /// The times at which the bytes arrived; nil if they were not recorded.
    package var arrivals: BodyArrivals?

    static let empty = BodyDocument(
        kind: .empty, raw: .empty, text: .empty, lines: LineIndex(), shape: .empty, note: nil, isComplete: true)

    package static func == (left: BodyDocument, right: BodyDocument) -> Bool {
        left.kind == right.kind && left.note == right.note && left.isComplete == right.isComplete
            && left.isFiltered == right.isFiltered && left.matchCount == right.matchCount
            && left.raw.isSame(as: right.raw)
    }

    private var tree: JSONTree? { if case .json(let tree) = shape { tree } else { nil } }
    var json: JSONDocument? { tree?.document }

    /// True for JSON, and for events, whose data may be JSON.
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

extension BodyDocument {
    package init(_ bytes: Bytes, contentType: String?) {
        let indexer = BodyIndexer(contentType: contentType)
        self = indexer.read(bytes, isComplete: true, budget: .max)
    }

    /// A document of plain text, without recognition.
    init(plain bytes: Bytes, _ highlighter: LineHighlighter? = nil, note: String? = nil) {
        self.init(
            kind: .text, raw: bytes, text: bytes, lines: LineIndex(bytes), shape: .text(highlighter), note: note,
            isComplete: true)
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

/// A pattern, and the form of the body to search.
package struct FindQuery: Equatable, Sendable {
    var text: String
    var syntax: SearchPattern.Syntax
    /// True to search the bytes as received, not the text.
    var isRaw: Bool
    /// True if JSON is shown formatted, with spaces that the body may lack; a search then matches escaped text, too.
    var isFormatted = false
    /// Identifies the query: results for another number are ignored.
    var number: Int

    /// Throws for a text that cannot be searched for.
    func pattern() throws(PatternError) -> SearchPattern {
        isFormatted && syntax == .text
            ? try SearchPattern(inJSON: text) : try SearchPattern(text, syntax: syntax)
    }
}

package struct NamedBody: Equatable, Sendable {
    package var name: String
    var document: BodyDocument

    package init(name: String, document: BodyDocument) {
        self.name = name
        self.document = document
    }
}

/// The differences between two bodies: as a text for the viewer and for pipes, and as a short summary.
package struct BodyComparison: Equatable, Sendable {
    /// Nil when nothing differs.
    package var text: BodyDocument?
    /// The offset of each difference in the text; none where the bodies were compared by their bytes.
    package var positions: [Int] = []
    /// The number of differences, the first byte that differs, or how both are the same.
    package var summary: String
    /// The reason why the bodies were compared by their bytes or lines only.
    package var note: String?

    /// Compares JSON by its values, other text by its lines, and everything else by its bytes.
    /// - Parameters:
    ///   - ignored: the paths whose values are passed over in JSON.
    ///   - context: the number of lines shown around a difference.
    /// - Returns: nil when it was cancelled.
    package init?(
        from old: NamedBody, to new: NamedBody, ignoring ignored: [JSONPath] = [], context: Int = 3,
        isCancelled: () -> Bool = { false }
    ) {
        var text = DiffText(old: old.name, new: new.name, context: context)
        let (before, after) = (old.document.byItself, new.document.byItself)
        if before.raw.isSame(as: after.raw) {
            summary = "the same, byte for byte"
        } else if let left = before.wholeJSON, let right = after.wholeJSON {
            guard text.add(from: left, to: right, ignoring: ignored, isCancelled: isCancelled) else { return nil }
            summary = text.isSame ? "the same: no value differs" : Self.count(text)
        } else if before.isLines, after.isLines {
            guard text.add(from: before.text, to: after.text, isCancelled: isCancelled) else { return nil }
            summary = text.isSame ? "the same: no line differs" : Self.count(text)
            note = Self.note(old, new)
        } else {
            let place = text.addBytes(from: before.raw, to: after.raw) ?? 0
            summary = "byte \(place) is the first that differs"
        }
        positions = text.positions
        if !text.isSame { self.text = BodyDocument(plain: Bytes(text.bytes), .diff, note: note) }
    }

    private static func count(_ text: DiffText) -> String {
        "\(text.isCut ? "the first " : "")\(text.count) \(text.count == 1 ? "difference" : "differences")"
    }

    /// The reason why a body that should be JSON is not compared as such.
    private static func note(_ old: NamedBody, _ new: NamedBody) -> String? {
        let other = [old, new].filter { $0.document.json == nil }
        if let body = other.first(where: { $0.document.isOverLimit }) {
            return "compared by lines: \(body.name) is \(body.document.note ?? "too large")"
        }
        if other.count == 1 {
            return "compared by lines: \(other[0].name) is \(other[0].document.kind.name), and the other JSON"
        }
        for body in [old, new] {
            guard let error = body.document.json?.error else { continue }
            return "compared by lines: \(body.name) is not valid JSON: \(error)"
        }
        return nil
    }
}

extension BodyDocument {
    /// The values that a filter selected as a body of their own, one per line.
    fileprivate var byItself: BodyDocument {
        guard isFiltered else { return self }
        return BodyDocument(Bytes(BodyWriter(self, .raw).all), contentType: "application/x-ndjson")
    }

    fileprivate var wholeJSON: JSONTree? {
        guard case .json(let tree) = shape, isComplete, tree.document.error == nil else { return nil }
        return tree
    }

    /// True for content with lines to compare.
    fileprivate var isLines: Bool { kind.isText || kind == .empty }
}

/// The source of a body's bytes.
package enum BodySource: Equatable, Sendable {
    case data(Data)
    case store(ResponseStore)
    /// The input that the command line opened.
    case input
}

extension Bytes {
    /// The bytes so far of a body that grows in its store.
    package init(_ store: ResponseStore) {
        let (base, count) = store.withUnsafeBytes { ($0.bindMemory(to: UInt8.self).baseAddress, $0.count) }
        guard let base else {
            self = .empty
            return
        }
        self.init(base: base, count: count, owner: store)
    }

    /// The bytes of data, without a copy when it is large.
    package init(keeping data: Data) {
        guard data.count > 1 << 12 else {
            self.init(data)
            return
        }
        // Data of this size is on the heap, where it stays as long as it has an owner and is not mutated; the owner
        // owns it and cannot be mutated.
        let keeper = DataKeeper(data)
        let base = keeper.data.withUnsafeBytes { $0.bindMemory(to: UInt8.self).baseAddress }
        guard let base else {
            self = .empty
            return
        }
        self.init(base: base, count: data.count, owner: keeper)
    }
}

private final class DataKeeper: Sendable {
    let data: Data

    init(_ data: Data) { self.data = data }
}

/// The data of events as JSON lines, for JSONPath.
enum EventValues {
    /// Returns the data that is JSON, a line for each event; other data, such as `[DONE]` of a stream of tokens or a
    /// comment, has no values to select.
    static func document(of index: EventIndex, in bytes: Bytes, isComplete: Bool) -> BodyDocument {
        var lines: [UInt8] = []
        for range in index.events {
            let data = ServerEvent(in: bytes, range).data
            guard let first = data.utf8.first(where: { $0 > 0x20 }), isStart(first) else { continue }
            let line = data.utf8.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
            guard isJSON(line) else { continue }
            lines += line
            lines.append(0x0A)
        }
        var document = BodyDocument(Bytes(lines), contentType: "application/x-ndjson")
        document.isComplete = isComplete
        return document
    }

    /// Words and numbers are as likely text as JSON.
    private static func isStart(_ byte: UInt8) -> Bool { [UInt8(ascii: "{"), UInt8(ascii: "["), 0x22].contains(byte) }

    private static func isJSON(_ line: [UInt8]) -> Bool {
        JSONIndex.document(Bytes(line)).error == nil
    }
}
