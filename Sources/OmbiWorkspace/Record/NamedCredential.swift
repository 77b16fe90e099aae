/// A value in YAML or CSV under the name of a credential: that of a key, or of its column.
struct NamedCredential: Equatable {
    var name: String
    var range: Range<String.Index>

    /// Returns the credentials of a text from left to right; none for a text in another form.
    static func find(in text: String) -> [NamedCredential] {
        let scalars = text.unicodeScalars.drop { $0 == "\u{FEFF}" }
        let body = Substring(scalars)
        guard let first = body.utf8.first(where: { $0 > 0x20 }), !"{[<".utf8.contains(first) else { return [] }
        let lines = body.utf8.split(separator: UInt8(ascii: "\n")).map { Substring($0) }
        guard let start = lines.firstIndex(where: isContent) else { return [] }
        let isYAML = lines[start].hasPrefix("- ") || entry(of: lines[start]) != nil
        if isYAML { return entries(in: lines[start...]) }
        let separator = lines[..<start].first { $0.hasPrefix(separatorKey) }?.dropFirst(separatorKey.utf8.count)
        let delimiters = "\((separator ?? "").trimming(while: \.isWhitespace).prefix(1)),;\t"
        // A comment may name the columns: `#id,password`.
        let comment = lines[..<start].suffix(1).map { line in line.drop { $0 == "#" || $0 == " " } }
        for header in [lines[start]] + comment {
            let found = columns(of: body[header.startIndex...], delimiters)
            if !found.isEmpty { return found }
        }
        return []
    }

    /// False for a line before the first row or the first key.
    private static func isContent(_ line: Substring) -> Bool {
        let text = line.drop(while: \.isWhitespace)
        return !text.isEmpty && !["#", "---", "%", separatorKey].contains { text.hasPrefix($0) }
    }

    /// Names the delimiter to spreadsheets: `sep=;`.
    private static let separatorKey = "sep="

    /// Returns a text with the credentials in it masked.
    static func masked(_ text: String) -> String {
        var (result, end) = ("", text.startIndex)
        for credential in find(in: text) {
            result += text[end..<credential.range.lowerBound]
            result += LogMask.mask
            end = credential.range.upperBound
        }
        return result + text[end...]
    }

    private init?(_ name: Substring, _ value: Substring) {
        let isNumber = value.allSatisfy(\.isNumber)
        // A PIN, and not a number of tokens.
        let isFigure = isNumber && (value.utf8.count < 4 || name.lowercased().hasSuffix("count"))
        guard !value.isEmpty, !isFigure, !Self.settings.contains(value.lowercased()),
            SecretDetector.isSensitive(String(name))
        else { return nil }
        (self.name, range) = (String(name), value.startIndex..<value.endIndex)
    }

    private static let settings: Set<String> = ["true", "false", "yes", "no", "null", "~"]

    // MARK: YAML

    /// The name of a credential, whose value may go on in the next lines.
    private struct Key {
        var name: Substring
        /// In spaces before the name.
        var indent: Int
        /// True before lines of text, `|` or `>`, which are one value.
        var isText: Bool
        /// True after the first line of that text.
        var hasText = false

        /// Returns true for a line of the value. Elements of a list may be below their key.
        func has(_ line: Substring) -> Bool {
            let content = line.drop { $0 == " " }
            let depth = line.utf8.distance(from: line.startIndex, to: content.startIndex)
            return depth > indent || depth == indent && content.hasPrefix("- ")
        }
    }

    private static func entries(in lines: ArraySlice<Substring>) -> [NamedCredential] {
        var (found, keys): ([NamedCredential], [Key]) = ([], [])
        for line in lines {
            let content = line.trimming(while: \.isWhitespace)
            if content.isEmpty { continue }
            while let key = keys.last, !key.has(line) { keys.removeLast() }
            if let key = keys.last, key.isText {
                if key.hasText {
                    found[found.count - 1].range = found[found.count - 1].range.lowerBound..<content.endIndex
                } else if let credential = NamedCredential(key.name, content) {
                    found.append(credential)
                    keys[keys.count - 1].hasText = true
                }
                continue
            }
            let part = element(of: line)
            found += credentials(in: part, under: keys.last?.name)
            guard let pair = entry(of: part), let name = sensitive(pair.name) ?? keys.last?.name else { continue }
            let isText = plain(pair.value).first.map { "|>".contains($0) } ?? false
            let indent = line.utf8.distance(from: line.startIndex, to: part.startIndex)
            keys.append(Key(name: name, indent: indent, isText: isText))
        }
        return found
    }

    /// Returns the credentials of `name: value`, of a value alone, and of `{name: value}`.
    /// - Parameter key: the name of a credential that the element is a part of.
    private static func credentials(in element: Substring, under key: Substring?) -> [NamedCredential] {
        let pair = entry(of: element)
        let outer = pair.flatMap { sensitive($0.name) } ?? key
        let value = plain(pair?.value ?? element)
        guard value.first == "{" || value.first == "[" else {
            return outer.flatMap { NamedCredential($0, scalar(value)) }.map { [$0] } ?? []
        }
        var name = outer
        return members(of: value).compactMap { member in
            let pair = entry(of: member)
            if let pair { name = sensitive(pair.name) ?? outer }
            return name.flatMap { NamedCredential($0, scalar(pair?.value ?? member)) }
        }
    }

    /// Returns the parts of `{a: b, c: [d]}`: `a: b`, `c:` and `d`.
    private static func members(of value: Substring) -> [Substring] {
        var (members, start): ([Substring], String.Index) = ([], value.startIndex)
        var (quote, isStart, isEscaped): (UInt8?, Bool, Bool) = (nil, true, false)
        for index in value.utf8.indices {
            let byte = value.utf8[index]
            if let open = quote {
                if byte == open, !isEscaped { quote = nil }
                isEscaped = byte == UInt8(ascii: "\\") && open == UInt8(ascii: "\"") && !isEscaped
            } else if isStart, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                (quote, isStart) = (byte, false)
            } else if ",{}[]".utf8.contains(byte) {
                members.append(value[start..<index])
                (start, isStart) = (value.utf8.index(after: index), true)
            } else if byte != 0x20 {
                isStart = byte == UInt8(ascii: ":")
            }
        }
        return members + [value[start...]]
    }

    private static func sensitive(_ name: Substring) -> Substring? {
        SecretDetector.isSensitive(String(name)) ? name : nil
    }

    /// Returns a line without its indentation and the dashes of lists.
    private static func element(of line: Substring) -> Substring {
        var rest = line.drop { $0 == " " }
        while rest.hasPrefix("- ") { rest = rest.dropFirst(2).drop { $0 == " " } }
        return rest
    }

    /// Returns the key and the value of a line of a mapping, which may be an element of a list.
    private static func entry(of line: Substring) -> (name: Substring, value: Substring)? {
        var rest = element(of: line)
        let name: Substring
        let quote = rest.first.flatMap { "\"'".contains($0) ? $0 : nil }
        if let quote {
            name = rest.dropFirst().prefix { $0 != quote }
            rest = rest[name.endIndex...].dropFirst()
        } else {
            name = rest.prefix(while: isOfName)
            rest = rest[name.endIndex...]
        }
        guard !name.isEmpty, rest.first == ":" else { return nil }
        rest = rest.dropFirst()
        // `{"a":1}`
        return rest.isEmpty || quote != nil || rest.first?.isWhitespace == true ? (name, rest) : nil
    }

    /// Returns a value without its anchor and its tag.
    private static func plain(_ value: Substring) -> Substring {
        var rest = value.trimming(while: \.isWhitespace)
        while rest.first == "&" || rest.first == "!" {
            rest = rest.drop { !$0.isWhitespace }.drop(while: \.isWhitespace)
        }
        return rest
    }

    /// Returns the text of a value without its quotes and the comment after it; an empty one for a value of several lines,
    /// of several values, or elsewhere.
    private static func scalar(_ value: Substring) -> Substring {
        let text = plain(value)
        guard let first = text.first, !"|>*{[#".contains(first) else { return "" }
        if first == "\"" || first == "'" {
            let inner = text.dropFirst()
            return inner.lastIndex(of: first).map { inner[..<$0] } ?? inner
        }
        return text[..<(text.firstRange(of: " #")?.lowerBound ?? text.endIndex)].trimming(while: \.isWhitespace)
    }

    // MARK: CSV

    /// Returns the credentials of a table whose first row names its columns. A text in which most rows differ from
    /// it is none.
    private static func columns(of text: Substring, _ delimiters: String) -> [NamedCredential] {
        let header = Substring(text.utf8.prefix { $0 != UInt8(ascii: "\n") })
        guard let delimiter = delimiters.utf8.first(where: { header.utf8.contains($0) }) else { return [] }
        let names = rows(of: header, delimiter).first ?? []
        guard names.allSatisfy(isName), names.contains(where: { SecretDetector.isSensitive(String($0)) })
        else { return [] }
        let table = rows(of: text, delimiter).dropFirst().filter { row in
            row.count == names.count || !(row == [""] || row[0].hasPrefix("#"))
        }
        guard table.count(where: { $0.count == names.count }) * 2 > table.count else { return [] }
        return table.flatMap { row in zip(names, row).compactMap { NamedCredential($0, $1) } }
    }

    /// False for a part of a sentence, or of a program.
    private static func isName(_ cell: Substring) -> Bool {
        let words = cell.split(whereSeparator: \.isWhitespace)
        return words.count <= 2 && words.allSatisfy { $0.allSatisfy(isOfName) }
    }

    private static func isOfName(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || "_-./".contains(character)
    }

    /// Returns the cells of each line without the quotes around them, in which a line may end.
    private static func rows(of text: Substring, _ delimiter: UInt8) -> [[Substring]] {
        var (rows, row): ([[Substring]], [Substring]) = ([], [])
        var (isQuoted, isStart, hasClosed, start) = (false, true, false, text.startIndex)
        func cell(to end: String.Index) -> Substring {
            let cell = text[start..<end].trimming(while: \.isWhitespace)
            return cell.utf8.count > 1 && cell.first == "\"" && cell.last == "\"" ? cell.dropFirst().dropLast() : cell
        }
        for index in text.utf8.indices {
            let byte = text.utf8[index]
            guard byte != UInt8(ascii: "\"") else {
                // In `5" pipe` it is a character, and a doubled one in quotes is, too.
                (isQuoted, hasClosed, isStart) = (!isQuoted && (isStart || hasClosed), isQuoted, false)
                continue
            }
            (isStart, hasClosed) = (isStart && byte == 0x20, false)
            guard !isQuoted, byte == delimiter || byte == UInt8(ascii: "\n") else { continue }
            row.append(cell(to: index))
            (start, isStart) = (text.utf8.index(after: index), true)
            if byte != delimiter {
                rows.append(row)
                row = []
            }
        }
        return rows + [row + [cell(to: text.endIndex)]]
    }
}
