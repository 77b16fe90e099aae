import OmbiCore

/// Text, sent without any change but its templates.
public struct TextContent: Sendable, Equatable {
    @Stored public var text: String
    /// Nil sends `text/plain; charset=utf-8`.
    public var contentType: String?

    public init(_ text: String, contentType: String? = nil) {
        self.text = text
        self.contentType = contentType
    }
}

extension TextContent: BodyContent {
    static let kind = SavedBody.Kind.text
    static let note = "as it is"
    static let otherKeys = ["contentType"]
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
