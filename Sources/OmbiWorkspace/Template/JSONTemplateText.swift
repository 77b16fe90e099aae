/// JSON under edit, in which a template may be written without quotes if it becomes a value.
///
/// The file remains JSON: `{{id:number}}` without quotes is the string `"{{id:number}}"` there, and `{{id}}` without
/// quotes is `"{{id:json}}"`, whose value may be of any kind.
package enum JSONTemplateText {
    /// Returns JSON with the templates that have a kind unquoted.
    package static func unquoted(_ json: String) -> String {
        guard json.contains("\"{{") else { return json }
        let bytes = Array(json.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var copied = 0
        for string in strings(in: bytes) where !isKey(string, in: bytes) {
            guard let template = unquoted(bytes[string]) else { continue }
            result += bytes[copied..<string.lowerBound]
            result += template.utf8
            copied = string.upperBound
        }
        return String(decoding: result + bytes[copied...], as: UTF8.self)
    }

    /// Returns a text with its unquoted templates as strings, which is JSON if the rest is.
    package static func quoted(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let templates = bareTemplates(in: bytes)
        guard !templates.isEmpty else { return text }
        var result = ""
        var copied = 0
        for range in templates {
            result += String(decoding: bytes[copied..<range.lowerBound], as: UTF8.self)
            result += JSONValue.quoted(typed(String(decoding: bytes[range], as: UTF8.self)))
            copied = range.upperBound
        }
        return result + String(decoding: bytes[copied...], as: UTF8.self)
    }

    /// Returns the bytes with each template without quotes as a string of the same length, so that all positions stay.
    package static func masked(_ bytes: [UInt8]) -> [UInt8] {
        var masked = bytes
        for range in bareTemplates(in: bytes) {
            for index in range { masked[index] = 0x20 }
            masked[range.lowerBound] = quote
            masked[range.upperBound - 1] = quote
        }
        return masked
    }

    /// Returns a text made of masked bytes, in which all strings are in the same order, with the templates of the original.
    package static func unmasked(_ text: [UInt8], original: [UInt8]) -> [UInt8] {
        let templates = bareTemplates(in: original)
        guard !templates.isEmpty else { return text }
        let starts = Set(templates.map(\.lowerBound))
        let numbers = strings(in: masked(original)).enumerated().filter { starts.contains($0.element.lowerBound) }
        let found = strings(in: text)
        var (result, copied): ([UInt8], Int) = ([], 0)
        for (number, template) in zip(numbers.map(\.offset), templates) where number < found.count {
            result += text[copied..<found[number].lowerBound] + original[template]
            copied = found[number].upperBound
        }
        return result + text[copied...]
    }

    // MARK: Parts

    private static let quote = UInt8(ascii: "\"")
    private static let anyKind = ":json}}"

    /// The ranges of the strings with their quotes. An unclosed string ends with its line.
    private static func strings(in bytes: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var index = 0
        while let start = bytes[index...].firstIndex(of: quote) {
            index = end(ofString: start, in: bytes)
            found.append(start..<index)
        }
        return found
    }

    private static func end(ofString start: Int, in bytes: [UInt8]) -> Int {
        var index = start + 1
        while index < bytes.count, bytes[index] != 0x0A {
            if bytes[index] == quote { return index + 1 }
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index, bytes.count)
    }

    private static func isKey(_ string: Range<Int>, in bytes: [UInt8]) -> Bool {
        bytes[string.upperBound...].first { $0 > 0x20 } == UInt8(ascii: ":")
    }

    /// The template in a string; nil if it is no template, or has no kind.
    private static func unquoted(_ string: ArraySlice<UInt8>) -> String? {
        guard string.dropFirst().starts(with: "{{".utf8),
            case .string(let text)? = try? JSONValue.parse(String(decoding: string, as: UTF8.self)),
            let kind = Template.typed(text)?.kind
        else { return nil }
        // Without a kind, it is read back as one of any kind.
        return kind == .json && text.hasSuffix(anyKind) ? String(text.dropLast(anyKind.count)) + "}}" : text
    }

    /// The template with the kind of an unquoted one.
    private static func typed(_ template: String) -> String {
        let isTyped = Template.typed(template) != nil
        return isTyped ? template : String(template.dropLast(2)) + anyKind
    }

    /// The templates outside of strings, each with its braces.
    private static func bareTemplates(in bytes: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var index = 0
        while let next = bytes[index...].firstIndex(where: { $0 == quote || $0 == UInt8(ascii: "{") }) {
            index = next + 1
            if bytes[next] == quote {
                index = end(ofString: next, in: bytes)
            } else if index < bytes.count, bytes[index] == UInt8(ascii: "{"),
                let template = TemplateScanner.template(at: next, in: bytes[...])
            {
                found.append(template)
                index = template.upperBound
            }
        }
        return found
    }
}

extension TemplateExpression.Kind {
    /// Returns true for a value that JSON can represent as this kind.
    func accepts(_ text: String) -> Bool { json(text) != nil }

    /// Returns the value of this kind; nil for a text that is none.
    func json(_ text: String) -> JSONValue? {
        switch self {
        case .boolean: text == "true" ? .bool(true) : text == "false" ? .bool(false) : nil
        case .number:
            if let first = text.utf8.first, first == UInt8(ascii: "-") || first.isASCIIDigit,
                case .number(let digits)? = try? JSONValue.parse(text), digits == text
            {
                .number(digits)
            } else {
                nil
            }
        case .json: try? JSONValue.parse(text)
        }
    }

    /// A placeholder for an unknown value.
    var sample: String {
        switch self {
        case .number: "0"
        case .boolean: "false"
        case .json: "null"
        }
    }
}
