/// The lines of a file of Hurl that divide it.
enum HurlLine {
    /// `GET https://example.com`, with spaces in front only if a URL follows: a text may begin with any word.
    static func request(_ written: String) -> (method: String, url: String)? {
        let line = written.trimmed
        let word = line.prefix { $0.isASCII && $0.isUppercase }
        guard !word.isEmpty, line[word.endIndex...].first?.isWhitespace ?? false, word != "HTTP" else { return nil }
        let url = value(line[word.endIndex...])
        let isIndented = written.first == " " || written.first == "\t"
        if url.isEmpty || isIndented && !url.hasPrefix("{{") && !url.contains("://") { return nil }
        return (String(word), url)
    }

    /// `200` of `HTTP/1.1 200`, or `*`.
    static func response(_ line: String) -> String? {
        guard begins(line, with: "HTTP") else { return nil }
        let words = value(line[...]).split(whereSeparator: \.isWhitespace)
        guard words.count == 2, words[0] == "HTTP" || words[0].hasPrefix("HTTP/"),
            words[1] == "*" || Int(words[1]) != nil
        else { return nil }
        return String(words[1])
    }

    /// Returns true for a text that begins with a mark; spaces may stand in front. Long lines are of other kinds.
    private static func begins(_ line: String, with mark: String) -> Bool {
        line.drop { $0 == " " || $0 == "\t" }.hasPrefix(mark)
    }

    static func section(_ line: String) -> String? {
        guard begins(line, with: "[") else { return nil }
        let text = value(line[...])
        guard text.hasPrefix("["), text.hasSuffix("]") else { return nil }
        let name = String(text.dropFirst().dropLast())
        return sections[name] ?? (sections.values.contains(name) ? name : nil)
    }

    /// The names of older versions.
    private static let sections = [
        "QueryStringParams": "Query", "FormParams": "Form", "MultipartFormData": "Multipart", "Cookies": "Cookies",
        "BasicAuth": "BasicAuth", "Options": "Options", "Captures": "Captures", "Asserts": "Asserts",
    ]

    /// The text without a comment behind it, and with its escapes decoded.
    /// - Parameter isExpression: true for one in which other tools' escapes stay, such as the `\d` of a pattern.
    static func value(_ text: Substring, isExpression: Bool = false) -> String {
        var isBehindSpace = true
        let end = index(in: text) { character in
            defer { isBehindSpace = character.isWhitespace }
            return character == "#" && isBehindSpace
        }
        return unescaped(text[..<(end ?? text.endIndex)].trimmed, isExpression: isExpression)
    }

    /// `name: value`
    /// - Returns: the value as it is written, too.
    static func pair(
        _ line: String, isExpression: Bool = false
    ) -> (name: String, value: String, written: Substring)? {
        guard let colon = index(in: line[...], where: { $0 == ":" }), colon > line.startIndex else { return nil }
        let (name, written) = (value(line[..<colon]), line[line.index(after: colon)...])
        return name.isEmpty ? nil : (name, value(written, isExpression: isExpression), written)
    }

    /// `file,path; type`
    /// - Returns: nil for any other text.
    static func file(_ written: some StringProtocol) -> (path: String, type: String)? {
        let text = written.trimmed
        guard text.hasPrefix("file,") else { return nil }
        let rest = text.dropFirst(5)
        let end = index(in: rest) { $0 == ";" } ?? rest.endIndex
        return (value(rest[..<end]), value(rest[end...].dropFirst()))
    }

    /// The text in backticks, from behind the first.
    static func quoted(_ text: Substring) -> String {
        unescaped(String(text[..<(index(in: text) { $0 == "`" } ?? text.endIndex)]), isExpression: false)
    }

    /// The index of the first character without a backslash that is one.
    private static func index(
        in text: Substring, where isOne: (_ character: Character) -> Bool
    ) -> Substring.Index? {
        var index = text.startIndex
        while index < text.endIndex {
            let character = text[index]
            if isOne(character) { return index }
            index = text.index(after: index)
            if character == "\\", index < text.endIndex { index = text.index(after: index) }
        }
        return nil
    }

    /// Decodes the escapes of a text; what is none stays.
    static func unescaped(_ text: String, isExpression: Bool = false) -> String {
        guard text.contains("\\") else { return text }
        var result = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            guard character == "\\", let next = rest.first else {
                result.append(character)
                continue
            }
            if let plain = escapes[next], !isExpression || "#\\:".contains(next) {
                result.append(plain)
                rest.removeFirst()
            } else if !isExpression, rest.hasPrefix("u{"), let end = rest.firstIndex(of: "}"),
                let scalar = UInt32(rest[..<end].dropFirst(2), radix: 16).flatMap({ Unicode.Scalar($0) })
            {
                result.unicodeScalars.append(scalar)
                rest = rest[rest.index(after: end)...]
            } else {
                result.append(character)
            }
        }
        return result
    }

    private static let escapes: [Character: Character] = [
        "#": "#", "\\": "\\", ":": ":", ";": ";", " ": " ", "\"": "\"", "`": "`", "n": "\n", "r": "\r", "t": "\t",
        "b": "\u{8}", "f": "\u{C}",
    ]
}
