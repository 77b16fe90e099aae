/// Captures and assertions.
extension HurlReader {
    /// A word, or a text in quotes.
    struct Word: Equatable {
        var text: String
        var isQuoted: Bool

        /// A text, a number, true, false or null.
        var literal: JSONValue? {
            if isQuoted { return .string(text) }
            return try? JSONValue.parse(text)
        }
    }

    static func words(_ line: String) -> [Word] {
        var words: [Word] = []
        var rest = line[...]
        while let character = rest.first {
            if character.isWhitespace {
                rest.removeFirst()
            } else if character == "#" {
                break
            } else if "\"/`".contains(character) {
                rest.removeFirst()
                words.append(Word(text: quoted(&rest, until: character), isQuoted: true))
            } else {
                let word = rest.prefix { !$0.isWhitespace }
                words.append(Word(text: String(word), isQuoted: false))
                rest = rest[word.endIndex...]
            }
        }
        return words
    }

    /// Takes a text up to its quote, or a pattern up to its slash.
    private static func quoted(_ rest: inout Substring, until quote: Character) -> String {
        var text = ""
        while let next = rest.popFirst(), next != quote {
            if next == "\\", let escaped = rest.popFirst() {
                if quote != "/" || escaped != "/" { text.append(next) }
                text.append(escaped)
            } else {
                text.append(next)
            }
        }
        return quote == "/" ? text : HurlLine.unescaped(text)
    }

    // MARK: Captures

    mutating func capture(_ name: String, _ query: String, of request: inout SavedRequest, at offset: Int) {
        var words = Self.plainQuery(Self.words(query))
        let isRedacted = words.last?.text == "redact"
        if isRedacted { words.removeLast() }
        guard let source = Self.source(words) else {
            return log.loss(offset, name.excerpted, "this capture has no counterpart")
        }
        do throws(FieldError) { try source.check() } catch {
            return log.loss(offset, name.excerpted, "left out: \(error.message)")
        }
        let isSecret = isRedacted || ForeignText.namesSecret(name)
        request.captures.append(Capture(log.variableName(name, at: offset), source, isSecret: isSecret))
    }

    private static func source(_ words: [Word]) -> Capture.Source? {
        switch (words.first?.text, words.count) {
        case ("status", 1): .status
        case ("header", 2): .header(words[1].text)
        case ("cookie", 2): cookie(words[1].text).map { .cookie($0) }
        case ("header", 4) where words[1].text.lowercased() == "set-cookie" && words[2].text == "regex":
            cookie(inPattern: words[3].text).map { .cookie($0) }
        case ("jsonpath", 2...):
            path(words.dropFirst()).flatMap { $0.rest.isEmpty ? Capture.Source.path($0.path) : nil }
        case ("body", 3) where words[1].text == "regex", ("regex", 2): words.last.map { .regex($0.text) }
        default: nil
        }
    }

    /// `jsonpath "$.id"` for `body jsonpath "$.id"`; other words as they are.
    static func plainQuery(_ words: [Word]) -> [Word] {
        words.prefix(2).map(\.text) == ["body", "jsonpath"] ? Array(words.dropFirst()) : words
    }

    /// The name of `sid` and of `sid[Value]`; nil for another attribute, which is no value.
    static func cookie(_ written: String) -> String? {
        let value = "[value]"
        let name = written.lowercased().hasSuffix(value) ? String(written.dropLast(value.count)) : written
        return name.isEmpty || name.hasSuffix("]") ? nil : name
    }

    /// The name of a cookie whose value a pattern takes from the header that sets it: `sid=([^;]+)`; nil for others.
    private static func cookie(inPattern pattern: String) -> String? {
        let text = pattern.hasPrefix("^") ? pattern.dropFirst() : pattern[...]
        guard let end = ["=([^;]+)", "=([^;]*)"].first(where: { text.hasSuffix($0) }) else { return nil }
        let name = String(text.dropLast(end.count))
        return name.allSatisfy { $0.isLetter || $0.isNumber || "_-".contains($0) } && !name.isEmpty ? name : nil
    }

    // MARK: Paths

    /// Returns the path of words such as `"$.items" nth 2 count`, and the words behind it; nil for no path.
    static func path(_ words: ArraySlice<Word>) -> (path: String, rest: ArraySlice<Word>)? {
        guard let written = words.first?.text, var path = standard(written) else { return nil }
        var rest = words.dropFirst()
        // The elements of a list are not those of several values.
        while let word = rest.first, !word.isQuoted, (try? JSONPath(path))?.isSingular ?? false {
            if word.text == "nth", let index = rest.dropFirst().first.flatMap({ Int($0.text) }) {
                path += "[\(index)]"
                rest = rest.dropFirst(2)
            } else if word.text == "first" || word.text == "last" {
                path += word.text == "first" ? "[0]" : "[-1]"
                rest = rest.dropFirst()
            } else {
                // A further `jsonpath` reads JSON in a text.
                break
            }
        }
        return (path, rest)
    }

    /// The path as RFC 9535 has it, in which `$.a-b` is `$['a-b']`, and `$.[0]` is `$[0]`; nil for another text.
    private static func standard(_ text: String) -> String? {
        if (try? JSONPath(text)) != nil { return text }
        guard !text.contains("'") else { return nil }
        let pieces = text.split(separator: ".", omittingEmptySubsequences: false)
        var path = String(pieces[0])
        var dots = "."
        for piece in pieces.dropFirst() {
            let name = piece.prefix { $0 != "[" }
            if piece.isEmpty {
                dots = ".."
                continue
            }
            if name.isEmpty, dots == "." {
                path += piece
            } else if name.contains("-") {
                path += (dots == "." ? "" : dots) + "['\(name)']\(piece[name.endIndex...])"
            } else {
                path += "\(dots)\(piece)"
            }
            dots = "."
        }
        return (try? JSONPath(path)) == nil ? nil : path
    }
}

extension HurlReader: TemplateReader {
    mutating func reference(_ inner: Substring, at offset: Int) -> String? {
        let words = Self.words(String(inner))
        guard let first = words.first, !inner.contains(where: \.isNewline) else { return nil }
        switch (first.text, words.count) {
        case ("newUuid", 1): return "{{$uuid}}"
        case ("newDate", 1): return log.isoTimestamp("{{newDate}}", at: offset)
        case ("getEnv", 2):
            let name = log.variableName(words[1].text, at: offset)
            processSecrets[name] = words[1].text
            return "{{\(name)}}"
        case (let name, 1)
        where !first.isQuoted && name.allSatisfy({ $0.isLetter || $0.isNumber || "_-".contains($0) }):
            return "{{\(log.variableName(name, at: offset))}}"
        default:
            return log.sample(of: String(inner), "{{\(inner.trimmed)}}", among: &samples, at: offset)
        }
    }
}
