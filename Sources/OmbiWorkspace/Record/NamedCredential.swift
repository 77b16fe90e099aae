/// A value in YAML or CSV under the name of a credential: that of the key in its line, or of its column.
struct NamedCredential: Equatable {
    var name: String
    var range: Range<String.Index>

    /// Returns the credentials of a text from left to right; none for a text in another form.
    static func find(in text: String) -> [NamedCredential] {
        guard let first = text.utf8.first(where: { $0 > 0x20 }), !"{[<".utf8.contains(first) else { return [] }
        let lines = text.utf8.split(separator: UInt8(ascii: "\n")).map { Substring($0) }
        let content = lines.first { line in
            line.contains { !$0.isWhitespace } && !line.hasPrefix("#") && !line.hasPrefix("---") && !line.hasPrefix("%")
        }
        guard let content else { return [] }
        let isYAML = content.hasPrefix("- ") || entry(of: content) != nil
        return isYAML ? lines.compactMap(credential) : columns(of: text, header: lines[0])
    }

    /// Returns a text with the credentials in it masked.
    static func masked(_ text: String) -> String {
        find(in: text).reversed().reduce(into: text) { $0.replaceSubrange($1.range, with: LogMask.mask) }
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

    private static func credential(in line: Substring) -> NamedCredential? {
        guard let (name, value) = entry(of: line) else { return nil }
        return NamedCredential(name, scalar(value))
    }

    /// Returns the key and the value of a line of a mapping, which may be an element of a list.
    private static func entry(of line: Substring) -> (name: Substring, value: Substring)? {
        var rest = line.drop { $0 == " " }
        while rest.hasPrefix("- ") { rest = rest.dropFirst(2).drop { $0 == " " } }
        let name: Substring
        if let quote = rest.first, quote == "\"" || quote == "'" {
            name = rest.dropFirst().prefix { $0 != quote }
            rest = rest[name.endIndex...].dropFirst()
        } else {
            name = rest.prefix { $0.isLetter || $0.isNumber || "_-./".contains($0) }
            rest = rest[name.endIndex...]
        }
        guard !name.isEmpty, rest.first == ":" else { return nil }
        rest = rest.dropFirst()
        return rest.isEmpty || rest.first?.isWhitespace == true ? (name, rest) : nil
    }

    /// Returns the text of a value without its quotes and the comment after it; an empty one for a value of several lines,
    /// of several values, or elsewhere.
    private static func scalar(_ text: Substring) -> Substring {
        let text = text.trimming(while: \.isWhitespace)
        guard let first = text.first, !"|>&*!{[#".contains(first) else { return "" }
        if first == "\"" || first == "'" {
            let inner = text.dropFirst()
            return inner.lastIndex(of: first).map { inner[..<$0] } ?? inner
        }
        return text[..<(text.firstRange(of: " #")?.lowerBound ?? text.endIndex)].trimming(while: \.isWhitespace)
    }

    // MARK: CSV

    private static func columns(of text: String, header: Substring) -> [NamedCredential] {
        guard let delimiter = ",;\t".utf8.first(where: { header.utf8.contains($0) }) else { return [] }
        let names = rows(of: header, delimiter).first ?? []
        guard names.allSatisfy({ !$0.isEmpty }), names.contains(where: { SecretDetector.isSensitive(String($0)) })
        else { return [] }
        return rows(of: text[...], delimiter).dropFirst().filter { $0.count == names.count }.flatMap { row in
            zip(names, row).compactMap { NamedCredential($0, $1) }
        }
    }

    /// Returns the cells of each line without the quotes around them, in which a line may end.
    private static func rows(of text: Substring, _ delimiter: UInt8) -> [[Substring]] {
        var (rows, row): ([[Substring]], [Substring]) = ([], [])
        var (isQuoted, start) = (false, text.startIndex)
        func cell(to end: String.Index) -> Substring {
            let cell = text[start..<end].trimming(while: \.isWhitespace)
            return cell.utf8.count > 1 && cell.first == "\"" && cell.last == "\"" ? cell.dropFirst().dropLast() : cell
        }
        for index in text.utf8.indices {
            let byte = text.utf8[index]
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            guard !isQuoted, byte == delimiter || byte == UInt8(ascii: "\n") else { continue }
            row.append(cell(to: index))
            start = text.utf8.index(after: index)
            if byte != delimiter {
                rows.append(row)
                row = []
            }
        }
        return rows + [row + [cell(to: text.endIndex)]]
    }
}
