/// Texts of other tools as names, words and parts of URLs.
enum ForeignText {
    /// A name on one line; the other one for none.
    static func name(_ name: String, or other: String) -> String {
        let line = line(name).trimmed
        if !line.isEmpty { return line }
        return other.isEmpty ? "unnamed" : Self.line(other)
    }

    /// The words of a heading without the lines that are drawn around them: `Users` for `---- Users ----`.
    static func heading(_ text: String) -> String {
        let isDrawn = { (character: Character) in "-=*#~_+\u{2014}\u{2500}\u{2501}\u{2550}".contains(character) }
        let (start, end) = (text.prefix(while: isDrawn).count, text.reversed().prefix(while: isDrawn).count)
        return text.dropFirst(start > 2 ? start : 0).dropLast(end > 2 ? end : 0).trimmed
    }

    /// A text with spaces for control characters and line breaks.
    static func line(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { line.append(isControl(scalar) ? " " : scalar) }
        return String(line)
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.value == 0x2028 || scalar.value == 0x2029
    }

    /// A name of ASCII letters, digits and single underscores; empty for a text without a letter or a digit.
    static func word(_ text: String) -> String {
        let letters = text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
        return String(letters).split(separator: "_").joined(separator: "_")
    }

    /// Returns a name that is not taken: the given one, or with the lowest number from 2 on.
    static func unused(_ base: String, separator: String = "", where isTaken: (String) -> Bool) -> String {
        var (name, number) = (base, 2)
        while isTaken(name) {
            name = "\(base)\(separator)\(number)"
            number += 1
        }
        return name
    }

    /// Returns true for the name or the path of a value that is a credential.
    static func namesSecret(_ text: String) -> Bool {
        let text = text.lowercased()
        return ["token", "password", "secret", "key"].contains { text.contains($0) }
    }

    /// Returns an expression without the texts in quotes, which may be credentials.
    static func withoutTexts(_ expression: String) -> String {
        var (result, rest) = ("", expression[...])
        while let character = rest.popFirst() {
            result.append(character)
            guard "'\"`".contains(character) else { continue }
            if rest.first != character { result += "…" }
            while let next = rest.popFirst() {
                if next == "\\" { _ = rest.popFirst() }
                guard next == character else { continue }
                result.append(next)
                break
            }
        }
        return result
    }

    /// The format of strftime for the tokens of Day.js, or also of date-fns; nil for others.
    static func format(ofTokens text: Substring, isDateFns: Bool = false) -> String? {
        let tokens = dayTokens + (isDateFns ? [("yyyy", "%Y"), ("dd", "%d")] : [])
        var (format, rest) = ("", text)
        while let character = rest.first {
            // Another number of the same letter means something else.
            let token = character.isLetter ? rest.prefix { $0 == character } : rest.prefix(1)
            if let known = tokens.first(where: { $0.0 == token }) {
                format += known.1
            } else if character.isLetter || "[%'\\".contains(character) {
                return nil
            } else {
                format.append(character)
            }
            rest = rest.dropFirst(token.count)
        }
        return format
    }

    private static let dayTokens = [
        ("YYYY", "%Y"), ("MM", "%m"), ("DD", "%d"), ("HH", "%H"), ("mm", "%M"), ("ss", "%S"), ("T", "T"), ("Z", "Z"),
    ]

    /// The text of a note about a script.
    static func leftOut(script: String) -> String {
        let lines = script.count { $0.isNewline } + 1
        return "\(lines) \(lines == 1 ? "line is" : "lines are") left out: scripts are not run"
    }

    /// Splits a URL at its query, which is nil without a `?`.
    static func split(_ url: String) -> (base: String, query: String?, hasFragment: Bool) {
        var mark: String.Index?
        var end = url.endIndex
        var index = url.startIndex
        while index < url.endIndex {
            if url[index] == "{", url[index...].hasPrefix("{{"), let close = url[index...].firstRange(of: "}}") {
                index = close.upperBound
                continue
            }
            if url[index] == "#" {
                end = index
                break
            }
            if url[index] == "?", mark == nil { mark = index }
            index = url.index(after: index)
        }
        guard let mark else { return (String(url[..<end]), nil, end < url.endIndex) }
        return (String(url[..<mark]), String(url[url.index(after: mark)..<end]), end < url.endIndex)
    }
}

extension String {
    /// The text as a message quotes it.
    var excerpted: String { ForeignText.line(self).excerpt(60) }
}

extension ImportLog {
    /// Returns the template of a variable with a fixed value, in place of one that another tool computes.
    /// - Parameters:
    ///   - text: the computation, from which the variable has its name.
    ///   - written: the text of the note.
    ///   - value: the fixed value.
    ///   - taken: the names that others have.
    mutating func sample(
        of text: String, _ written: String, value: String = "sample", taken: Set<String> = [],
        among variables: inout [Variable], at offset: Int
    ) -> String {
        let word = ForeignText.word(ForeignText.withoutTexts(text).excerpt(40))
        let name =
            sampleNames[text]
            ?? ForeignText.unused(word.isEmpty ? "value" : word) { name in
                taken.contains(name) || variables.contains { $0.name == name }
            }
        sampleNames[text] = name
        if !variables.contains(where: { $0.name == name }) { variables.append(Field(name, value)) }
        loss(
            offset, ForeignText.withoutTexts(written).excerpted,
            "a fixed value of the variable \(name), in place of a computed one")
        return "{{\(name)}}"
    }
}

/// The dynamic variables of Postman, which Bruno has, too.
private enum DynamicVariable {
    /// The functions of Ombi, by the names of dynamic variables.
    static let functions = [
        "$guid": "$uuid", "$randomUUID": "$uuid", "$timestamp": "$timestamp",
        "$randomInt": "$randomInt(0, 1000)", "$randomAlphaNumeric": "$randomString(1)",
        "$randomPassword": "$randomString(15)",
    ]

    /// Fixed values, by the ends of the names of random ones.
    private static let samplesByEnd = [
        ("Email", "ada@example.com"), ("FirstName", "Ada"), ("LastName", "Lovelace"), ("FullName", "Ada Lovelace"),
        ("UserName", "ada"), ("Name", "Ada"), ("Boolean", "true"), ("Url", "https://example.com"),
        ("DomainName", "example.com"), ("IP", "192.0.2.1"), ("IPV6", "2001:db8::1"), ("Number", "555-0100"),
        ("Price", "9.99"), ("BankAccount", "12345678"), ("CreditCardMask", "1234"), ("Country", "Norway"),
        ("City", "Oslo"), ("CountryCode", "NO"), ("Color", "blue"),
        ("Latitude", "59.91"), ("Longitude", "10.75"), ("DateFuture", "2030-01-01T00:00:00Z"),
        ("DatePast", "2020-01-01T00:00:00Z"), ("DateRecent", "2025-01-01T00:00:00Z"),
    ]

    /// A fixed value in place of a random one.
    static func sample(of variable: String) -> String {
        samplesByEnd.filter { variable.hasSuffix($0.0) }.max { $0.0.count < $1.0.count }?.1 ?? "sample"
    }
}

extension ImportLog {
    /// Returns the template of the current time, in which other tools have a fraction of a second.
    mutating func isoTimestamp(_ written: String, at offset: Int) -> String {
        remark(offset, written.excerpted, "without the fraction of a second")
        return "{{$isoTimestamp}}"
    }

    /// Returns the template for a dynamic variable: a function of Ombi, or a variable with a fixed value.
    mutating func dynamicVariable(_ name: String, among variables: inout [Variable], at offset: Int) -> String {
        if name == "$isoTimestamp" { return isoTimestamp("{{\(name)}}", at: offset) }
        if let function = DynamicVariable.functions[name] { return "{{\(function)}}" }
        let variable = variableName(String(name.dropFirst()), at: offset)
        if !variables.contains(where: { $0.name == variable }) {
            variables.append(Field(variable, DynamicVariable.sample(of: variable)))
        }
        loss(offset, "{{\(name)}}".excerpted, "a fixed value of the variable \(variable), in place of a random one")
        return "{{\(variable)}}"
    }
}

/// Captures by the requests that they belong to.
extension [String: [Capture]] {
    /// Returns a name for a text that no capture has.
    func unusedName(_ text: String) -> String {
        let names = Set(values.joined().map(\.name))
        return ForeignText.unused(ForeignText.word(text), where: names.contains)
    }

    /// The template for a part of the response to a request; nil for one that is not captured yet.
    func template(for source: Capture.Source, of request: String, maximumAge: Duration? = nil) -> String? {
        self[request]?.first { $0.source == source && $0.maximumAge == maximumAge }.map { "{{\($0.name)}}" }
    }
}
