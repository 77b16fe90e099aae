import OmbiCore

/// Named values, sent as `application/x-www-form-urlencoded`.
public struct FormContent: Sendable, Equatable {
    public var fields: [Field]

    public init(_ fields: [Field]) { self.fields = fields }
}

extension FormContent: BodyContent {
    static let kind = SavedBody.Kind.form
    static let note = "application/x-www-form-urlencoded"

    init(reading object: ObjectReader) { self.init(object.list("form", of: Field.self)) }

    init(text: String) { self.init([]) }

    func write(to writer: inout ObjectWriter) { writer.add("form", .array(fields.map(\.json))) }

    var body: SavedBody { .form(self) }

    var form: ExportedBody { .form(fields.filter(\.enabled)) }

    var rows: [Field]? {
        get { fields }
        set { fields = newValue ?? [] }
    }

    func prepare(_ fill: TemplateFill, _ open: BodyOpener) throws(ResolveError) -> PreparedBody {
        let pairs = try Field.filled(fields, "form field", fill).map { field in
            PercentEncoding.escapeForm(field.name) + "=" + PercentEncoding.escapeForm(field.value)
        }
        return PreparedBody(pairs.joined(separator: "&"), contentType: .string(Self.note))
    }
}
