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
