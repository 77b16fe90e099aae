/// The value of a Content-Type header (RFC 9110, section 8.3.1), parsed leniently. Everything is in lowercase except
/// the values of the parameters.
public struct ContentType: Sendable, Equatable {
    /// Such as `text/html`.
    public var type: String
    public var parameters: [(name: String, value: String)]

    public init?(_ text: String) {
        let parts = Self.parts(of: text)
        type = parts[0].lowercased()
        guard type.contains("/") else { return nil }
        parameters = parts.dropFirst().compactMap { part in
            guard let sign = part.firstIndex(of: "=") else { return nil }
            let name = Self.trimmed(part[..<sign]).lowercased()
            return (name, Self.unquoted(Self.trimmed(part[part.index(after: sign)...])))
        }
    }

    public static func == (left: ContentType, right: ContentType) -> Bool {
        left.type == right.type && left.parameters.elementsEqual(right.parameters, by: ==)
    }

    /// The value of a parameter; that of the first of several.
    public subscript(name: String) -> String? {
        parameters.first { $0.name == name }?.value
    }

    /// The suffix after `+`, or the whole subtype: `json` of `application/problem+json`.
    public var syntax: String {
        let subtype = type.drop { $0 != "/" }.dropFirst()
        return String(subtype.split(separator: "+").last ?? subtype)
    }

    /// Splits at semicolons, except in quotes.
    private static func parts(of text: String) -> [String] {
        var parts = [""]
        var isQuoted = false
        for character in text {
            if character == "\"" { isQuoted.toggle() }
            if character == ";", !isQuoted {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        return parts.map { trimmed($0[...]) }
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text = text.dropLast() }
        return String(text)
    }

    private static func unquoted(_ text: String) -> String {
        guard text.count >= 2, text.first == "\"", text.last == "\"" else { return text }
        return text.dropFirst().dropLast().filter { $0 != "\\" }
    }
}
