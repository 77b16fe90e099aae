/// The body of a saved request: one case and one kind for each type of content.
package enum SavedBody: Sendable, Equatable {
    case json(JSONContent)
    case text(TextContent)
    case form(FormContent)
    case multipart(MultipartContent)
    case file(FileContent)
    case graphql(GraphQLContent)

    /// The kinds of body in the order of the request pane. The raw value is the key in the file.
    package enum Kind: String, CaseIterable, Sendable {
        case json, text, form, multipart, file, graphql

        var content: any BodyContent.Type {
            switch self {
            case .json: JSONContent.self
            case .text: TextContent.self
            case .form: FormContent.self
            case .multipart: MultipartContent.self
            case .file: FileContent.self
            case .graphql: GraphQLContent.self
            }
        }
    }

    var content: any BodyContent {
        switch self {
        case .json(let content): content
        case .text(let content): content
        case .form(let content): content
        case .multipart(let content): content
        case .file(let content): content
        case .graphql(let content): content
        }
    }
}

/// A kind of body: its value, and how it is read, written, prepared and edited.
protocol BodyContent: Sendable, Equatable {
    static var kind: SavedBody.Kind { get }
    /// A remark for the picker of kinds.
    static var note: String { get }
    /// The JSON Schema of each key in the file, starting with the kind's.
    static var schemas: [JSONValue.Member] { get }
    /// Keys in the file other than the kind's.
    static var otherKeys: [String] { get }
    /// The keys in the file whose values are JSON of the user, who may give a key twice there.
    static var jsonKeys: [String] { get }
    /// True for a content that may be read from files.
    static var namesFiles: Bool { get }
    /// The parts that are edited as one line each.
    static var descriptors: [FieldDescriptor<Self>] { get }

    init(reading object: ObjectReader)
    /// Converts the text of a body of another kind as far as possible.
    init(text: String)

    func write(to writer: inout ObjectWriter)
    /// Returns the bytes or the stream to send, with their content type.
    /// - Parameter open: opens a file, and throws for one that cannot be read.
    func prepare(_ fill: TemplateFill, _ open: BodyOpener) throws(ResolveError) -> PreparedBody

    var body: SavedBody { get }
    var form: ExportedBody { get }
    /// False if the content is known to have no templates, without searching each text in it.
    var mayHoldTemplates: Bool { get }
    /// The part that is edited as several lines; nil for none.
    var editableText: String? { get }
    /// The content type of the editable text, for its colours.
    var editableType: String? { get }
    /// The text that a body of another kind is made of.
    var convertibleText: String { get }
    /// Returns the body with an edited text, and a warning about it.
    func replacingText(_ text: String) -> (body: SavedBody, warning: String?)
    /// The part that is edited as rows of names and values; nil for none.
    var rows: [Field]? { get set }
}

extension BodyContent {
    static var otherKeys: [String] { [] }
    static var jsonKeys: [String] { [] }
    static var namesFiles: Bool { false }
    static var descriptors: [FieldDescriptor<Self>] { [] }
    var mayHoldTemplates: Bool { true }
    var editableText: String? { nil }
    var editableType: String? { nil }
    var convertibleText: String { editableText ?? "" }
    func replacingText(_ text: String) -> (body: SavedBody, warning: String?) { (body, nil) }
    var rows: [Field]? {
        get { nil }
        set {}
    }

    fileprivate static var bodyDescriptors: [FieldDescriptor<SavedBody>] {
        descriptors.map { descriptor in
            descriptor.nested {
                $0.content as? Self
            } set: {
                $0 = $1.body
            }
        }
    }
}

extension SavedBody.Kind {
    /// A remark for the picker of kinds.
    package var note: String { content.note }
}

extension SavedBody {
    /// Creates a body of a kind from the text of another one, as far as it can be converted.
    package init(_ kind: Kind, text: String = "") { self = kind.content.init(text: text).body }

    /// Returns a body of another kind with the same content, as far as it can hold it.
    package func converted(to kind: Kind) -> SavedBody {
        switch (self, kind) {
        case (.form(let form), .multipart):
            .multipart(
                MultipartContent(
                    form.fields.map { field in
                        MultipartPart(field.name, .text(field.value), enabled: field.enabled)
                            .described(field.description ?? "")
                    }))
        case (.multipart(let form), .form):
            .form(
                FormContent(
                    form.parts.compactMap { part in
                        if case .text(let text) = part.content {
                            Field(part.name, text, enabled: part.enabled).described(part.description ?? "")
                        } else {
                            nil
                        }
                    }))
        default: SavedBody(kind, text: content.convertibleText)
        }
    }

    package var kind: Kind { type(of: content).kind }

    /// True for a body that is read while it is sent, and so cannot be compressed before.
    var isStreamed: Bool { namesFiles }

    static let compressionReason =
        "goes with a body of JSON, text, a form or GraphQL; send a file that is compressed already"

    /// True for a body that may be read from files.
    package var namesFiles: Bool { type(of: content).namesFiles }

    /// The parts that are edited as one line each.
    package var descriptors: [FieldDescriptor<SavedBody>] { type(of: content).bodyDescriptors }

    /// The part that is edited as several lines; nil for a body without one.
    package var text: String? { content.editableText }

    /// The content type of the text; nil for plain text.
    package var textType: String? { content.editableType }

    var mayHoldTemplates: Bool { content.mayHoldTemplates }

    var form: ExportedBody { content.form }

    /// Returns a body with an edited text, and a warning about it. Without a body before, the text is read as JSON.
    package static func replacingText(_ text: String, in body: SavedBody?) -> (body: SavedBody, warning: String?) {
        body?.content.replacingText(text) ?? JSONContent.parse(text)
    }

    /// The part that is edited as rows of names and values; nil for a body without one, which cannot be given any.
    package var rows: [Field]? {
        get { content.rows }
        set {
            var content = content
            content.rows = newValue
            self = content.body
        }
    }
}

extension SavedBody {
    /// The body without the descriptions of its rows, which are not sent.
    var withoutDescriptions: SavedBody {
        guard var rows, rows.contains(where: { $0.description != nil }) else { return self }
        for index in rows.indices { rows[index].description = nil }
        var body = self
        body.rows = rows
        return body
    }
}

extension SavedBody {
    static let keys = Kind.allCases.reduce(into: [String]()) { keys, kind in
        keys += ([kind.rawValue] + kind.content.otherKeys).filter { !keys.contains($0) }
    }
    static let index = JSONKeys(keys)
    private static let kinds = JSONKeys(Kind.allCases.map(\.rawValue))

    static let jsonKeys = Set(Kind.allCases.flatMap { $0.content.jsonKeys })

    /// The JSON Schema of the member `body`, with a choice for each kind.
    static var schema: JSONValue {
        let choices = Kind.allCases.map { kind -> JSONValue in
            ["required": .strings([kind.rawValue]), "properties": .object(kind.content.schemas)]
        }
        return ["description": "The body of the request.", "type": "object", "oneOf": .array(choices)]
    }

    /// Reads the member `body` of a request; nil, with an error in the log, for an object without a single kind.
    init?(reading object: ObjectReader) {
        let bits = object.bits(of: Self.kinds)
        guard bits.nonzeroBitCount == 1 else {
            let kinds = Kind.allCases.filter { object.has($0.rawValue) }
            let found = kinds.isEmpty ? "none of them" : kinds.map { "\"\($0.rawValue)\"" }.joined(separator: " and ")
            object.log.error(at: object.offset, "a body has one of \(Self.kindList), found \(found)")
            return nil
        }
        let kind = Kind.allCases[bits.trailingZeroBitCount]
        for key in object.count > 1 ? Self.keys : [] where key != kind.rawValue && object.has(key) {
            let owners = Kind.allCases.filter { $0.content.otherKeys.contains(key) }
            guard !owners.isEmpty, !owners.contains(kind) else { continue }
            let names = owners.map { "\"\($0.rawValue)\"" }.joined(separator: " and ")
            let remedy = key == "contentType" ? "; set a Content-Type header instead" : ""
            object.error(key, "goes with \(names) only\(remedy)")
        }
        self = kind.content.init(reading: object).body
    }

    /// `"json", "text" and "form"`
    private static var kindList: String {
        let names = Kind.allCases.map { "\"\($0.rawValue)\"" }
        return names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
    }

    func json(_ unknown: UnknownMembers) -> JSONValue {
        var writer = ObjectWriter()
        content.write(to: &writer)
        return writer.object(unknown)
    }
}
