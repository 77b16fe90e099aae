/// Edits a text so that it represents a new value, and keeps every byte that the edit does not touch: white space, the
/// order of members, the spelling of numbers and strings.
package struct JSONPatch {
    private let document: JSONDocument
    private let style: JSONStyle
    private let identifyingKeys: [String]
    private let old: JSONValue
    private lazy var moved = document.firstRoot.map {
        JSONMovedElements(in: document, below: $0, old, identifyingKeys: identifyingKeys)
    }
    private var result: [UInt8] = []

    /// Returns the text of a document that `JSONDocument(checking:)` has read, with what changed from `old` to `new`.
    ///
    /// `old` is the value that the text represents, which may differ from the value in it: members that are in neither
    /// `old` nor `new` stay. Where `old` and the text differ in shape, the value is rewritten.
    /// - Parameter identifyingKeys: the keys whose values identify the elements of an array.
    package static func text(
        _ document: JSONDocument, from old: JSONValue, to new: JSONValue, identifyingKeys: [String] = []
    ) -> [UInt8] {
        guard let root = document.firstRoot else { return Array(new.text.utf8) }
        var patch = JSONPatch(document, from: old, identifyingKeys)
        let range = document.range(of: root)
        patch.copy(0..<range.lowerBound)
        patch.write(root, from: old, to: new)
        patch.copy(range.upperBound..<document.bytes.count)
        return patch.result
    }

    private init(_ document: JSONDocument, from old: JSONValue, _ identifyingKeys: [String]) {
        self.document = document
        style = JSONStyle(of: document)
        self.identifyingKeys = identifyingKeys
        self.old = old
    }

    private mutating func copy(_ range: ByteRange) { result.append(contentsOf: document.bytes.buffer(range)) }

    private mutating func write(_ node: JSONNode, from old: JSONValue, to new: JSONValue) {
        let range = document.range(of: node)
        if old == new { return copy(range) }
        if let entries = entries(of: node, from: old, to: new) {
            let pieces = document.pieces(of: node)
            copy(range.prefix(1))
            for index in entries.indices { write(entries, index, among: pieces) }
            copy(range.suffix(1))
        } else {
            write(new, indentation: document.indentation(ofLineAt: range.lowerBound))
        }
    }

    private mutating func write(_ value: JSONValue, indentation: String) {
        result += JSONValueWriter.text(value, style: style, indentation: indentation).utf8
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
            return zip(new, origins).map { value, origin in
                JSONPatchEntry(piece: origin.map { pieces[$0] }, old: origin.map { old[$0] } ?? .null, new: value)
            }
        default: return nil
        }
    }

    // MARK: The elements of a container

    private mutating func write(_ entries: [JSONPatchEntry], _ index: Int, among pieces: [JSONPiece]) {
        let entry = entries[index]
        let lead = lead(of: index, in: entries, pieces)
        if index > 0 { result.append(UInt8(ascii: ",")) }
        copy(lead)
        // A single element has no white space before it for a second one to copy.
        if index > 0, lead == pieces[0].lead, lead.isEmpty, !style.isTight { result.append(0x20) }
        if let piece = entry.piece {
            copy(piece.body.lowerBound..<document.range(of: piece.node).lowerBound)
            write(piece.node, from: entry.old, to: entry.new)
        } else {
            if let key = entry.key {
                result += (JSONValue.quoted(key) + (document.colon(of: pieces[0].node) ?? ": ")).utf8
            }
            add(entry, indentation: document.indentation(ofLineAt: lead.upperBound))
        }
        copy(tail(of: entry, isLast: index == entries.count - 1, pieces))
    }

    /// Writes an element that is new to the container: with its old text if it moved here.
    private mutating func add(_ entry: JSONPatchEntry, indentation: String) {
        guard entry.key == nil, let node = moved?.node(of: entry.new) else {
            return write(entry.new, indentation: indentation)
        }
        let body = document.range(of: node)
        let old = Array(document.indentation(ofLineAt: body.lowerBound).utf8)
        var next = body.lowerBound
        while let end = ByteScan.first(0x0A, or: 0x0D, in: document.bytes, next..<body.upperBound) {
            let isPair = document.bytes.starts(with: [0x0D, 0x0A], at: end)
            copy(next..<end + (isPair ? 2 : 1))
            next = end + (isPair ? 2 : 1)
            guard document.bytes.starts(with: old, at: next) else { continue }
            result += indentation.utf8
            next += old.count
        }
        copy(next..<body.upperBound)
    }

    /// Returns the white space before an element: its own, and for one that is new or was the first, that of the
    /// elements beside it.
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
