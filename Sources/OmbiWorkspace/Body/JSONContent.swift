/// A JSON value, sent as `application/json`. Its strings may hold templates. A string stays a string, unless it consists
/// of a template with a kind.
package struct JSONContent: Sendable, Equatable {
    @Stored package var value: JSONValue

    package init(_ value: JSONValue) { self.value = value }
}

extension JSONContent: BodyContent {
    static let kind = SavedBody.Kind.json
    static let note = "application/json"
    static var schemas: [JSONValue.Member] {
        let description =
            "Sent as application/json. A string that is one template with a kind, such as \"{{id:number}}\", becomes a number, "
            + "a boolean or json."
        return [JSONValue.Member("json", ["description": .string(description)])]
    }
    static let jsonKeys = [kind.rawValue]

    init(reading object: ObjectReader) { _value = object.value("json")?.storedValue ?? Stored(wrappedValue: .null) }

    init(text: String) { self.init((try? JSONValue.parse(text)) ?? .object([])) }

    func write(to writer: inout ObjectWriter) { writer.add("json", value) }

    var body: SavedBody { .json(self) }

    var form: ExportedBody { .json(value) }

    var mayHoldTemplates: Bool { _value.mayHoldTemplates }

    /// A template with a kind has no quotes there.
    var editableText: String? { JSONTemplateText.unquoted(String(value.text.dropLast())) }

    var editableType: String? { Self.note }

    func replacingText(_ text: String) -> (body: SavedBody, warning: String?) { Self.parse(text) }

    /// Text that is not JSON becomes a body of text, so that nothing typed is lost.
    static func parse(_ text: String) -> (body: SavedBody, warning: String?) {
        do throws(JSONSyntaxError) {
            var warning: String?
            // Its errors have the positions of the text.
            _ = try JSONDocument(checking: Bytes(JSONTemplateText.masked(Array(text.utf8))))
            let value = try JSONValue.parse(JSONTemplateText.quoted(text)) {
                warning = warning ?? "kept as it is: \($0)"
            }
            return (.json(JSONContent(value)), warning)
        } catch {
            return (
                .text(TextContent(text, contentType: "application/json")), "kept as text, not JSON yet: \(error)"
            )
        }
    }

    func prepare(_ fill: TemplateFill, _ open: BodyOpener) throws(ResolveError) -> PreparedBody {
        let filled = try Self.filled(value, at: "$", fill)
        return PreparedBody(filled.compact, contentType: .contentType(.json))
    }

    private static func filled(
        _ value: JSONValue, at path: String, _ fill: TemplateFill
    ) throws(ResolveError) -> JSONValue {
        switch value {
        case .string(let text):
            let filled = try fill(text, "body \(path)")
            return Template.typed(text)?.kind?.json(filled) ?? .string(filled)
        case .array(let elements):
            var result: [JSONValue] = []
            for (index, element) in elements.enumerated() {
                result.append(try filled(element, at: "\(path)[\(index)]", fill))
            }
            return .array(result)
        case .object(let members):
            var result: [JSONValue.Member] = []
            for member in members {
                let place = "\(path).\(member.key)"
                let key = try fill(member.key, "body \(place)")
                result.append(JSONValue.Member(key, try filled(member.value, at: place, fill)))
            }
            return .object(result)
        case .null, .bool, .number: return value
        }
    }
}

/// Text, sent without any change but its templates.
package struct TextContent: Sendable, Equatable {
    @Stored package var text: String
    /// Nil sends `text/plain; charset=utf-8`.
    package var contentType: String?

    package init(_ text: String, contentType: String? = nil) {
        self.text = text
        self.contentType = contentType
    }
}

extension TextContent: BodyContent {
    static let kind = SavedBody.Kind.text
    static let note = "as it is"
    static let otherKeys = ["contentType"]
    static var schemas: [JSONValue.Member] {
        [
            JSONValue.Member("text", Schema.text("Sent unchanged, but for templates.")),
            JSONValue.Member("contentType", ["type": "string", "default": .string(defaultType)]),
        ]
    }
    private static let defaultType = "text/plain; charset=utf-8"

    init(reading object: ObjectReader) {
        _text = object.storedText("text")
        contentType = object.string("contentType")
    }

    init(text: String) { self.init(text) }

    func write(to writer: inout ObjectWriter) {
        writer.add("text", text: text)
        writer.add("contentType", text: contentType)
    }

    var body: SavedBody { .text(self) }

    var form: ExportedBody { .text(text, contentType: contentType ?? Self.defaultType) }

    var editableText: String? { text }

    var editableType: String? { contentType }

    /// Text of the type that JSON is sent with becomes JSON as soon as it can be parsed.
    func replacingText(_ text: String) -> (body: SavedBody, warning: String?) {
        if contentType == JSONContent.note { return JSONContent.parse(text) }
        return (.text(TextContent(text, contentType: contentType)), nil)
    }

    func prepare(_ fill: TemplateFill, _ open: BodyOpener) throws(ResolveError) -> PreparedBody {
        let type = try fill(contentType ?? Self.defaultType, "body content type")
        return PreparedBody(try fill(text, "body"), contentType: .string(type))
    }
}
