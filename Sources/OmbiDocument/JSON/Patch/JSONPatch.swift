/// An edit of a text that makes it represent a new value, and keeps every byte outside of the edit: white space, the
/// order of members, the spelling of numbers and strings.
package struct JSONPatch {
    let document: JSONDocument
    let style: JSONStyle
    private let identifyingKeys: [String]
    private let old: JSONValue
    private let earlier: Source?
    private lazy var moved: JSONMovedElements? = movedElements(in: (document, old))
    private lazy var recalled: JSONMovedElements? = earlier.flatMap { movedElements(in: $0) }
    var result: [UInt8] = []

    /// A text that `JSONDocument(checking:)` has read, and the value that it represents.
    package typealias Source = (document: JSONDocument, value: JSONValue)

    /// Returns the text of a document that `JSONDocument(checking:)` has read, with the changes from `old` to `new`.
    ///
    /// `old` is the value that the text represents, which may differ from the value in it: members that are in neither
    /// `old` nor `new` stay. Where `old` and the text differ in shape, the value is rewritten.
    /// - Parameters:
    ///   - identifyingKeys: The keys whose values identify the elements of an array.
    ///   - earlier: A text from which new elements take their formatting, if it has them.
    package static func text(
        _ document: JSONDocument, from old: JSONValue, to new: JSONValue, identifyingKeys: [String] = [],
        recalling earlier: Source? = nil
    ) -> [UInt8] {
        guard let root = document.firstRoot else { return Array(new.text.utf8) }
        var patch = JSONPatch(document, from: old, identifyingKeys, earlier)
        let range = document.range(of: root)
        patch.copy(0..<range.lowerBound)
        patch.write(root, from: old, to: new)
        patch.copy(range.upperBound..<document.bytes.count)
        return patch.result
    }

    private init(_ document: JSONDocument, from old: JSONValue, _ identifyingKeys: [String], _ earlier: Source?) {
        self.document = document
        style = JSONStyle(of: document)
        self.identifyingKeys = identifyingKeys
        self.old = old
        self.earlier = earlier
    }

    private func movedElements(in source: Source) -> JSONMovedElements? {
        source.document.firstRoot.map {
            JSONMovedElements(in: source.document, below: $0, source.value, identifyingKeys: identifyingKeys)
        }
    }

    mutating func copy(_ range: ByteRange) { copy(range, of: document) }

    private mutating func copy(_ range: ByteRange, of document: JSONDocument) {
        result.append(contentsOf: document.bytes.buffer(range))
    }

    private mutating func write(_ node: JSONNode, from old: JSONValue, to new: JSONValue) {
        let range = document.range(of: node)
        if old == new { return copy(range) }
        if let new = list(new, replacing: old, at: node) { return write(node, from: .array([old]), to: new) }
        if let entries = entries(of: node, from: old, to: new) {
            let line = line(of: node, with: entries)
            if line == .tooShort { return spread(entries, over: node) }
            let pieces = document.pieces(of: node)
            copy(range.prefix(1))
            for index in entries.indices { write(entries, index, among: pieces, isOnLine: line == .fitting) }
            copy(range.suffix(1))
        } else {
            let form = JSONPatchForm.of(node, in: document, for: old)
            add(
                form?.applied(to: new) ?? new, isElement: false,
                indentation: document.indentation(ofLineAt: range.lowerBound), isOnLine: false)
        }
    }

    /// Returns the new value as a list, if the text has a list of one in place of its element; nil otherwise.
    private func list(_ new: JSONValue, replacing old: JSONValue, at node: JSONNode) -> JSONValue? {
        guard document.kind(of: node) == .array, document.childCount(of: node) == 1 else { return nil }
        switch (old, new) {
        case (.string, .array), (.number, .array): return new
        case (.string, .string), (.string, .number), (.number, .string), (.number, .number): return .array([new])
        default: return nil
        }
    }

    /// Returns the new content of a container; nil if it has to be rewritten.
    private func entries(of node: JSONNode, from old: JSONValue, to new: JSONValue) -> [JSONPatchEntry]? {
        let pieces = document.pieces(of: node)
        guard !pieces.isEmpty else { return nil }
        switch (document.kind(of: node), old, new) {
        case (.object, .object(let old), .object(let new)):
            return JSONPatchEntry.members(pieces, of: document, from: old, to: new)
        case (.array, .array(let old), .array(let new)) where old.count == pieces.count:
            let origins = JSONElementMatches(from: old, to: new, identifyingKeys).origins
            let form = origins.contains(nil) ? JSONPatchForm.of(node, in: document, for: .array(old)) : nil
            return zip(new, origins).map { value, origin in
                guard let origin else { return JSONPatchEntry(new: form?.applied(to: value) ?? value) }
                return JSONPatchEntry(piece: pieces[origin], old: old[origin], new: value)
            }
        default: return nil
        }
    }

    // MARK: The elements of a container

    private mutating func write(
        _ entries: [JSONPatchEntry], _ index: Int, among pieces: [JSONPiece], isOnLine: Bool
    ) {
        let entry = entries[index]
        let lead = lead(of: index, in: entries, pieces)
        if index > 0 { result.append(UInt8(ascii: ",")) }
        copy(lead)
        // A single element has no white space before it for a second one to copy.
        if index > 0, lead == pieces[0].lead, lead.isEmpty, !style.isTight { result.append(0x20) }
        let isNew = entry.piece == nil
        let colon = isNew ? document.colon(of: pieces[0].node) : nil
        let indentation = isNew ? document.indentation(ofLineAt: lead.upperBound) : ""
        write(entry, colon: colon ?? ": ", indentation: indentation, isOnLine: isOnLine)
        copy(tail(of: entry, isLast: index == entries.count - 1, pieces))
    }

    /// Writes an entry without the white space around it.
    mutating func write(_ entry: JSONPatchEntry, colon: String, indentation: String, isOnLine: Bool) {
        guard let piece = entry.piece else {
            if let key = entry.key { result += (JSONValue.quoted(key) + colon).utf8 }
            return add(entry.new, isElement: entry.key == nil, indentation: indentation, isOnLine: isOnLine)
        }
        copy(piece.body.lowerBound..<document.range(of: piece.node).lowerBound)
        write(piece.node, from: entry.old, to: entry.new)
    }

    /// Writes a new value in place: with its old text if it is an element that moved here or was restored.
    private mutating func add(_ value: JSONValue, isElement: Bool, indentation: String, isOnLine: Bool) {
        if isElement, let node = moved?.node(of: value) {
            copy(node, of: document, indentation: indentation)
        } else if let earlier, let node = recalled?.node(of: value) {
            copy(node, of: earlier.document, indentation: indentation)
        } else {
            let text =
                isOnLine
                ? JSONValueWriter.oneLine(value)
                : JSONValueWriter.text(value, style: style, indentation: indentation)
            result += text.utf8
        }
    }

    /// Copies the text of a value, with its lines indented as deep as the first one now is.
    private mutating func copy(_ node: JSONNode, of document: JSONDocument, indentation: String) {
        let body = document.range(of: node)
        let old = Array(document.indentation(ofLineAt: body.lowerBound).utf8)
        var next = body.lowerBound
        while let end = ByteScan.first(0x0A, or: 0x0D, in: document.bytes, next..<body.upperBound) {
            let isPair = document.bytes.starts(with: [0x0D, 0x0A], at: end)
            copy(next..<end + (isPair ? 2 : 1), of: document)
            next = end + (isPair ? 2 : 1)
            guard document.bytes.starts(with: old, at: next) else { continue }
            result += indentation.utf8
            next += old.count
        }
        copy(next..<body.upperBound, of: document)
    }

    /// Returns the white space before an element: its own; for a new one, and for the former first one, that of its
    /// neighbours.
    private func lead(of index: Int, in entries: [JSONPatchEntry], _ pieces: [JSONPiece]) -> ByteRange {
        let first = pieces[0].lead
        if index == 0 { return first }
        let neighbors = [entries[index], entries[index - 1]] + entries[(index + 1)...].prefix(1)
        let near = neighbors.map(\.piece) + [pieces.last]
        return near.compactMap { $0?.lead }.first { $0 != first } ?? first
    }

    private func tail(of entry: JSONPatchEntry, isLast: Bool, _ pieces: [JSONPiece]) -> ByteRange {
        let last = pieces[pieces.count - 1].tail
        if isLast { return last }
        if let own = entry.piece?.tail, own != last { return own }
        return pieces.count > 1 ? pieces[0].tail : last.prefix(0)
    }
}

/// The notation of a value in a text that allows several: a number with or without quotes.
enum JSONPatchForm {
    /// `200` for the value `"200"`.
    case number
    /// `"5"` for the value `5`.
    case string

    /// Returns the notation of a value, or of the elements of an array; nil if it is the usual one.
    static func of(_ node: JSONNode, in document: JSONDocument, for old: JSONValue) -> JSONPatchForm? {
        guard case .array(let elements) = old, document.kind(of: node) == .array else {
            return form(document.kind(of: node), for: old)
        }
        for (child, element) in zip(document.children(of: node), elements) {
            if let form = form(document.kind(of: child), for: element) { return form }
        }
        return nil
    }

    private static func form(_ kind: JSONKind, for old: JSONValue) -> JSONPatchForm? {
        switch (kind, old) {
        case (.number, .string): .number
        case (.string, .number): .string
        default: nil
        }
    }

    /// Returns a value, or the elements of an array, in this form where they can have it.
    func applied(to value: JSONValue) -> JSONValue {
        switch (self, value) {
        case (.number, .string(let text)):
            if case .number(let digits)? = try? JSONValue.parse(text), digits == text { .number(digits) } else { value }
        case (.string, .number(let digits)): .string(digits)
        case (_, .array(let elements)): .array(elements.map(applied))
        default: value
        }
    }
}

/// Containers on one line that get values which take several by themselves, in a text of more lines.
extension JSONPatch {
    /// The room that the line of a container has for its new values.
    enum Line {
        /// It does not matter: the container has several lines, the text has one, or no new value takes several.
        case any
        /// Enough for all of them.
        case fitting
        case tooShort
    }

    func line(of node: JSONNode, with entries: [JSONPatchEntry]) -> Line {
        let new = entries.filter { $0.piece == nil }
        guard !style.isOneLine, new.contains(where: { takesLines($0.new) }), !document.hasLineBreak(in: node) else {
            return .any
        }
        let range = document.range(of: node)
        var start = range.lowerBound
        while start > 0, document.bytes.base[start - 1] != 0x0A, document.bytes.base[start - 1] != 0x0D { start -= 1 }
        let columns = new.reduce(range.upperBound - start) { columns, entry in
            let key = entry.key.map { JSONValue.quoted($0) + ": " } ?? ""
            return columns + ", ".utf8.count + key.utf8.count + JSONValueWriter.oneLine(entry.new).utf8.count
        }
        return columns < JSONValueWriter.width ? .fitting : .tooShort
    }

    private func takesLines(_ value: JSONValue) -> Bool {
        JSONValueWriter.text(value, style: style).utf8.contains { $0 == 0x0A || $0 == 0x0D }
    }

    /// Writes a container that was on one line with an entry on each.
    mutating func spread(_ entries: [JSONPatchEntry], over node: JSONNode) {
        let range = document.range(of: node)
        let outer = document.indentation(ofLineAt: range.lowerBound)
        let inner = outer + style.indentation
        copy(range.prefix(1))
        for (index, entry) in entries.enumerated() {
            result += ((index == 0 ? "" : ",") + style.lineBreak + inner).utf8
            write(entry, colon: ": ", indentation: inner, isOnLine: false)
        }
        result += (style.lineBreak + outer).utf8
        copy(range.suffix(1))
    }
}
