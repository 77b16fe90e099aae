/// Reads the pairs and the names in a block of a `.bru` file.
struct BruPairReader {
    private var lines: ArraySlice<TextLine>
    private var description = ""

    private init(_ lines: [TextLine]) { self.lines = lines[...] }

    static func pairs(_ lines: [TextLine]) throws(BruFile.Failure) -> [BruFile.Pair] {
        var reader = BruPairReader(lines)
        var pairs: [BruFile.Pair] = []
        while let line = reader.lines.popFirst() {
            if line.isBlank || reader.takeAnnotation(line) { continue }
            pairs.append(try reader.pair(line))
        }
        return pairs
    }

    /// The names of a list, one on a line.
    static func names(_ lines: [TextLine]) -> [BruFile.Pair] {
        var reader = BruPairReader(lines)
        var pairs: [BruFile.Pair] = []
        while let line = reader.lines.popFirst() {
            if line.isBlank || reader.takeAnnotation(line) { continue }
            for word in line.text.split(separator: ",") {
                var name = word.trimmed
                let isEnabled = !name.hasPrefix("~")
                if !isEnabled { name.removeFirst() }
                guard !name.isEmpty else { continue }
                let offset = line.offset + line.indentation
                pairs.append(BruFile.Pair(name: name, isEnabled: isEnabled, offset: offset))
            }
        }
        return pairs
    }

    /// Takes `@description('…')` or `@number`, with the lines of its text; false for another line. A pair that is
    /// local begins with an `@`, too.
    private mutating func takeAnnotation(_ line: TextLine) -> Bool {
        let text = line.text.trimmed
        guard text.hasPrefix("@") else { return false }
        let name = text.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
        let rest = text[name.endIndex...]
        guard !name.isEmpty, rest.isEmpty || rest.first == "(" else { return false }
        var written = String(rest)
        if line.isInText(behind: false) {
            var isInText = true
            while isInText, let next = lines.popFirst() {
                isInText = next.isInText(behind: true)
                written += "\n" + next.outdented(by: 4)
            }
        }
        if name == "description" { description = Self.text(inParentheses: written) }
        return true
    }

    /// Returns `a` for `('a')`, `("a")`, `('''a''')` and `(a)`.
    private static func text(inParentheses written: String) -> String {
        var text = written.trimming(while: \.isWhitespace)
        if text.first == "(" { text = text.dropFirst() }
        if text.last == ")" { text = text.dropLast() }
        for quote in ["'''", "'", "\""] where text.count >= 2 * quote.count {
            guard text.hasPrefix(quote), text.hasSuffix(quote) else { continue }
            text = text.dropFirst(quote.count).dropLast(quote.count)
            break
        }
        return String(text.trimming(while: \.isWhitespace))
    }

    // MARK: Pairs

    private mutating func pair(_ line: TextLine) throws(BruFile.Failure) -> BruFile.Pair {
        let offset = line.offset + line.indentation
        var rest = Substring(line.text.trimmed)
        var pair = BruFile.Pair(name: "", offset: offset, description: description)
        description = ""
        if rest.first == "~" {
            pair.isEnabled = false
            rest = rest.dropFirst()
        }
        // A local variable.
        if rest.first == "@" { rest = rest.dropFirst() }
        guard let name = Self.takeName(&rest) else {
            throw BruFile.Failure(offset: offset, reason: "expected a name, a colon and a value")
        }
        pair.name = name
        let value = rest.trimmed
        if value.hasPrefix("'''") {
            try takeText(String(value.dropFirst(3)), of: &pair)
        } else if value == "[" {
            try takeWords(of: &pair)
        } else {
            pair.value = value
        }
        return pair
    }

    /// Takes `name:` or `"a \"name\"":`.
    private static func takeName(_ rest: inout Substring) -> String? {
        guard rest.first == "\"" else {
            guard let colon = rest.firstIndex(of: ":") else { return nil }
            defer { rest = rest[rest.index(after: colon)...] }
            return rest[..<colon].trimmed
        }
        var name = ""
        var behind = rest.dropFirst()
        while let character = behind.popFirst(), character != "\"" {
            let isEscape = character == "\\" && (behind.first == "\"" || behind.first == "\\")
            name.append(isEscape ? behind.removeFirst() : character)
        }
        behind = behind.drop { $0 == " " || $0 == "\t" }
        guard behind.popFirst() == ":" else { return nil }
        rest = behind
        return name
    }

    /// Takes the rest of a text in `'''`, which may go over several lines.
    private mutating func takeText(_ start: String, of pair: inout BruFile.Pair) throws(BruFile.Failure) {
        if let end = start.firstRange(of: "'''") {
            pair.value = String(start[..<end.lowerBound])
            pair.trailer = start[end.upperBound...].trimmed
            return
        }
        var content = start.trimmed.isEmpty ? [] : [start]
        while let line = lines.popFirst() {
            guard let end = line.text.firstRange(of: "'''") else {
                content.append(line.outdented(by: 4))
                continue
            }
            let last = line.text[..<end.lowerBound]
            if !last.trimmed.isEmpty { content.append(String(last)) }
            pair.value = content.joined(separator: "\n")
            pair.trailer = line.text[end.upperBound...].trimmed
            return
        }
        throw BruFile.Failure(offset: pair.offset, reason: "the text is not closed: a line with ''' is missing")
    }

    /// Takes the words of a list, one on a line.
    private mutating func takeWords(of pair: inout BruFile.Pair) throws(BruFile.Failure) {
        while let line = lines.popFirst() {
            var word = line.text.trimmed
            if word == "]" { return }
            while word.last == "," { word.removeLast() }
            if !word.isEmpty { pair.words.append(word) }
        }
        throw BruFile.Failure(offset: pair.offset, reason: "the list is not closed: a line with ] is missing")
    }
}
