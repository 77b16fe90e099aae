/// The formatting of a text, for the lines that are added to it.
struct JSONStyle {
    /// The indentation of a value within its container.
    var indentation = "  "
    var lineBreak = "\n"
    /// True for a text without line breaks, which gets none.
    var isOneLine = false
    /// True for a text without spaces between keys and values.
    var isTight = false

    /// The formatting of new files.
    static let standard = JSONStyle()

    init() {}

    /// Detects the formatting of a text from its outermost container.
    init(of document: JSONDocument) {
        guard let root = document.firstRoot, let first = document.pieces(of: root).first else { return }
        isOneLine = !document.hasLineBreak(in: root)
        isTight = document.colon(of: first.node) == ":"
        let bytes = document.bytes
        if let end = ByteScan.first(0x0A, or: 0x0D, in: bytes, document.range(of: root)) {
            lineBreak = bytes.text(end..<end + (bytes.starts(with: [0x0D, 0x0A], at: end) ? 2 : 1))
        }
        guard bytes.buffer(first.lead).contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return }
        let inner = document.indentation(ofLineAt: first.lead.upperBound)
        let outer = document.indentation(ofLineAt: document.range(of: root).lowerBound)
        if inner.count > outer.count, inner.hasPrefix(outer) { indentation = String(inner.dropFirst(outer.count)) }
    }
}

extension JSONDocument {
    /// Returns the text between a key and its value; nil for elements, and when a line ends there.
    func colon(of node: JSONNode) -> String? {
        guard let key = keyBytes(of: node) else { return nil }
        let colon = key.upperBound..<range(of: node).lowerBound
        return bytes.buffer(colon).contains { $0 == 0x0A || $0 == 0x0D } ? nil : bytes.text(colon)
    }

    /// Returns the spaces and tabs that the line of a byte begins with.
    func indentation(ofLineAt offset: Int) -> String {
        var start = offset
        while start > 0, bytes.base[start - 1] != 0x0A, bytes.base[start - 1] != 0x0D { start -= 1 }
        var end = start
        while end < offset, bytes.base[end] == 0x20 || bytes.base[end] == 0x09 { end += 1 }
        return bytes.text(start..<end)
    }
}
