/// Turns the text of a body of another tool into a body, by its content type.
struct ForeignBody {
    /// True for a text in which braces never are templates.
    var isLiteral = false
    /// The only functions that stay templates, with their `$`; nil for all.
    var functions: Set<String>? = TemplateText.foreignFunctions

    /// True for a form whose values are encoded once they are filled in, though the rest is then encoded anew.
    var encodesValues = false

    func escaped(_ text: String) -> String {
        isLiteral ? TemplateText.literal(text) : TemplateText.escaped(text, functions: functions)
    }

    /// JSON or a form if the text is one, and the text for another type.
    func body(_ text: String, _ type: String?) -> SavedBody {
        let kind = Self.kind(of: type ?? "")
        if Self.isJSON(kind), let value = json(text) { return .json(JSONContent(value.mappingTexts(escaped))) }
        if kind == FormContent.note, let rows = rows(ofForm: text) { return .form(FormContent(rows)) }
        return .text(TextContent(escaped(text), contentType: type.map { escaped($0) }))
    }

    private func json(_ text: String) -> JSONValue? {
        if isLiteral { return try? JSONValue.parse(text) }
        guard case .json(let content) = JSONContent.parse(text).body else { return nil }
        return content.value
    }

    /// The rows of a form; nil if they would send other bytes than the text, or other values.
    func rows(ofForm text: String) -> [Field]? {
        guard !text.isEmpty else { return nil }
        var rows: [Field] = []
        let isFree = encodesValues && TemplateText.plainParts(of: text, functions: functions).joined() != text
        for pair in text.split(separator: "&", omittingEmptySubsequences: false) {
            guard let equals = pair.firstIndex(of: "=") else { return nil }
            let parts = [pair[..<equals], pair[pair.index(after: equals)...]].map(String.init)
            let plain = parts.flatMap { isLiteral ? [$0] : TemplateText.plainParts(of: $0, functions: functions) }
            let isKept = plain.allSatisfy {
                PercentEncoding.escapeForm(PercentEncoding.unescapeForm($0)) == $0
            }
            guard isKept || isFree, !parts[0].isEmpty else { return nil }
            let texts = parts.map { escaped(PercentEncoding.unescapeForm($0)) }
            rows.append(Field(texts[0], texts[1]))
        }
        return rows
    }

    /// Returns JSON without the comments that some tools allow in it and do not send.
    static func withoutComments(_ json: String) -> String {
        guard json.contains("//") || json.contains("/*") else { return json }
        var result: [UInt8] = []
        var rest = Array(json.utf8)[...]
        var isInString = false
        while let byte = rest.first {
            if !isInString, rest.starts(with: "//".utf8) {
                rest = rest.drop { $0 != 0x0A }
            } else if !isInString, rest.starts(with: "/*".utf8) {
                rest = rest.firstRange(of: "*/".utf8).map { rest[$0.upperBound...] } ?? []
            } else {
                if byte == UInt8(ascii: "\"") { isInString.toggle() }
                let count = isInString && byte == UInt8(ascii: "\\") ? 2 : 1
                result += rest.prefix(count)
                rest = rest.dropFirst(count)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns JSON without the commas in front of brackets that some tools allow.
    static func withoutTrailingCommas(_ json: String) -> String {
        var (result, isInString, isEscaped) = ([UInt8](), false, false)
        for byte in json.utf8 {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\"") {
                isInString.toggle()
            } else if isInString {
                isEscaped = byte == UInt8(ascii: "\\")
            } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]"),
                let end = result.lastIndex(where: { $0 > 0x20 }), result[end] == UInt8(ascii: ",")
            {
                result[end] = 0x20
            }
            result.append(byte)
        }
        return String(decoding: result, as: UTF8.self)
    }

    // MARK: Content types

    /// Returns `application/json` for `Application/JSON; charset=utf-8`.
    static func kind(of type: String) -> String { type.prefix { $0 != ";" }.trimmed.lowercased() }

    static func isJSON(_ kind: String) -> Bool { kind == JSONContent.note || kind.hasSuffix("+json") }

    /// A parameter of a header such as `multipart/form-data; boundary="x"`, without its quotes.
    static func parameter(_ name: String, of header: String) -> String? {
        for piece in FieldText.parts(ofHeader: header).dropFirst() {
            let pair = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, pair[0].trimmed.lowercased() == name else { continue }
            let value = pair[1].trimmed
            let isInQuotes = value.count > 1 && value.hasPrefix("\"") && value.hasSuffix("\"")
            return isInQuotes ? String(value.dropFirst().dropLast()) : value
        }
        return nil
    }
}

/// A part of a multipart body that is written as text.
struct ForeignPart {
    /// Their names are in lower case.
    let headers: [(name: String, value: String)]
    let content: String

    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    var name: String? { header("content-disposition").flatMap { ForeignBody.parameter("name", of: $0) } }
    var fileName: String? { header("content-disposition").flatMap { ForeignBody.parameter("filename", of: $0) } }

    private init(_ lines: [Substring], of text: String) {
        let end = lines.firstIndex { $0.trimmed.isEmpty } ?? lines.endIndex
        headers = lines[..<end].compactMap { line in
            let pair = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return pair.count == 2 ? (name: pair[0].trimmed.lowercased(), value: pair[1].trimmed) : nil
        }
        let rest = lines.dropFirst(end + 1)
        guard let first = rest.first, let last = rest.last else {
            content = ""
            return
        }
        content = String(text[first.startIndex..<last.endIndex])
    }

    /// The parts of a text, whose line breaks stay; none for one without the boundary.
    static func parts(of text: String, boundary: String) -> [ForeignPart] {
        var parts: [ForeignPart] = []
        var lines: [Substring]?
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" }) {
            let mark = line.hasPrefix("--") ? line.trimmed : ""
            guard mark == "--" + boundary || mark == "--\(boundary)--" else {
                lines?.append(line)
                continue
            }
            if let lines { parts.append(ForeignPart(lines, of: text)) }
            lines = mark.count == boundary.count + 2 ? [] : nil
        }
        if let lines, lines.contains(where: { !$0.isEmpty }) { parts.append(ForeignPart(lines, of: text)) }
        return parts
    }
}
