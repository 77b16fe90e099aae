/// Text of other tools as a template: `{{name}}` stays one, and other braces are escaped.
enum TemplateText {
    /// The functions that readers write in place of those of other tools. No other one, such as `$file`, becomes a call.
    static let foreignFunctions: Set<String> = [
        "$uuid", "$timestamp", "$isoTimestamp", "$now", "$randomInt", "$randomString", "$base64", "$sha256",
    ]

    /// Returns a template that gives a text of another tool, but for the names in it and the functions of its reader.
    static func escaped(foreign text: String) -> String { escaped(text, functions: foreignFunctions) }

    /// Returns a value whose strings and keys give theirs, but for the names in them and the functions of their reader.
    static func escaped(foreign value: JSONValue) -> JSONValue { escaped(value, functions: foreignFunctions) }

    /// Returns a template that gives the text, but for the names in it.
    /// - Parameter functions: the only functions that stay templates, with their `$`; nil for all.
    static func escaped(_ text: String, functions: Set<String>? = nil) -> String {
        guard text.contains("{{") else { return text }
        var result = ""
        for piece in pieces(of: text, functions: functions) {
            switch piece {
            case .plain(let plain): result += escapedBraces(plain)
            case .template(let template):
                // A backslash would escape the template, or a single brace in front with the first of its own.
                let hasBrace = result.last == "{" && !result.hasSuffix("{{")
                let start = hasBrace ? String(result.dropLast()) : result
                result = start + String(repeating: "\\", count: trailingBackslashes(start)) + (hasBrace ? "{" : "")
                result += template
            }
        }
        return result
    }

    /// Returns a value whose strings and keys give theirs, but for the names in them.
    /// - Parameter functions: the only functions that stay templates, with their `$`; nil for all.
    static func escaped(_ value: JSONValue, functions: Set<String>? = nil) -> JSONValue {
        value.mappingTexts { escaped($0, functions: functions) }
    }

    /// Returns a template that gives the text, with all its braces.
    static func literal(_ text: String) -> String { text.contains("{{") ? escapedBraces(text) : text }

    /// Returns a value whose strings and keys give theirs, with all their braces.
    static func literal(_ value: JSONValue) -> JSONValue { value.mappingTexts { literal($0) } }

    static func names(in text: String) -> [String] {
        pieces(of: text).compactMap { piece in
            if case .template(let template) = piece { try? Template(template).names.first } else { nil }
        }
    }

    /// The texts between the templates.
    /// - Parameter functions: the only functions that are templates, with their `$`; nil for all.
    static func plainParts(of text: String, functions: Set<String>? = nil) -> [String] {
        pieces(of: text, functions: functions).compactMap { if case .plain(let plain) = $0 { plain } else { nil } }
    }

    /// Returns the text with what is between the templates changed.
    static func mapping(_ text: String, _ change: (_ plain: String) -> String) -> String {
        pieces(of: text).map { piece in
            switch piece {
            case .plain(let plain): change(plain)
            case .template(let template): template
            }
        }.joined()
    }

    /// Returns a text with what is between two pairs of braces changed, and the braces with it; nil leaves both.
    static func replacing(_ text: String, _ change: (_ inner: Substring) -> String?) -> String {
        var result = ""
        var rest = text[...]
        while let end = rest.firstRange(of: "}}") {
            var start: String.Index?
            var search = rest[..<end.lowerBound]
            while let found = search.firstRange(of: "{{") {
                start = found.lowerBound
                search = search[found.upperBound...]
            }
            // Of three braces, the last two are those of the template.
            if search.first == "{", start != nil { start = start.map { rest.index(after: $0) } }
            if let start {
                let inner = rest[rest.index(start, offsetBy: 2)..<end.lowerBound]
                result += rest[..<start]
                result += change(inner) ?? String(rest[start..<end.upperBound])
            } else {
                result += rest[..<end.upperBound]
            }
            rest = rest[end.upperBound...]
        }
        return result + rest
    }

    private enum Piece {
        case plain(String)
        case template(String)
    }

    private static func pieces(of text: String, functions: Set<String>? = nil) -> [Piece] {
        var pieces: [Piece] = []
        var plain = ""
        let bytes = Array(text.utf8)[...]
        var scanner = TemplateScanner(bytes, escapes: .none)
        while let token = scanner.next() {
            switch token {
            case .text(let range): plain += String(decoding: bytes[range], as: UTF8.self)
            case .unclosed: break
            case .template(let range):
                let template = String(decoding: bytes[range], as: UTF8.self)
                if let only = (try? Template(template))?.only, isKept(only, functions) {
                    pieces += [.plain(plain), .template(template)]
                    plain = ""
                } else {
                    plain += "{{"
                    scanner.resume(behindBracesOf: range)
                }
            }
        }
        return pieces + [.plain(plain)]
    }

    private static func isKept(_ template: TemplateExpression, _ functions: Set<String>?) -> Bool {
        guard let functions else { return true }
        return template.names.allSatisfy { !$0.hasPrefix("$") || functions.contains($0) }
    }

    /// Returns a template that gives the text with all its braces.
    private static func escapedBraces(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let open = rest.firstRange(of: "{{") {
            result += rest[..<open.lowerBound]
            result += String(repeating: "\\", count: trailingBackslashes(result) + 1) + "{{"
            rest = rest[open.upperBound...]
        }
        return result + rest
    }

    private static func trailingBackslashes(_ text: String) -> Int {
        text.reversed().prefix { $0 == "\\" }.count
    }
}

extension JSONValue {
    /// Nil for a value that is no object.
    var members: [Member]? { if case .object(let members) = self { members } else { nil } }

    /// Returns the value with its strings and keys changed.
    func mappingTexts(_ change: (_ text: String) -> String) -> JSONValue {
        switch self {
        case .string(let text): .string(change(text))
        case .array(let elements): .array(elements.map { $0.mappingTexts(change) })
        case .object(let members):
            .object(members.map { JSONValue.Member(change($0.key), $0.value.mappingTexts(change)) })
        case .null, .bool, .number: self
        }
    }
}

extension Field {
    /// The row of another tool with a name and a value that are templates, as `TemplateText` escapes them.
    var escapedForeign: Field {
        var field = self
        field.name = TemplateText.escaped(foreign: name)
        field.value = TemplateText.escaped(foreign: value)
        return field
    }
}

/// A reader of a format whose texts have templates in double braces.
protocol TemplateReader {
    /// Returns the template or the text in place of braces with this in them; nil for braces that are no template.
    mutating func reference(_ inner: Substring, at offset: Int) -> String?
}

extension TemplateReader {
    /// Returns a text as a template of Ombi: with the names and functions of Ombi, and with other braces escaped.
    mutating func template(_ text: String, at offset: Int) -> String {
        text.contains("{{") ? TemplateText.escaped(foreign: renamed(text, at: offset)) : text
    }

    /// Returns a text with the names and functions of Ombi, in which other braces are as they were.
    mutating func renamed(_ text: String, at offset: Int) -> String {
        TemplateText.replacing(text) { reference($0, at: offset) }
    }
}
