/// A file, read while it is sent.
package struct FileContent: Sendable, Equatable {
    /// Relative to the folder of the collection; `~/` is the home folder. It may hold templates.
    package var path: String
    /// Nil sends the type of the extension.
    package var contentType: String?

    package init(_ path: String, contentType: String? = nil) {
        self.path = path
        self.contentType = contentType
    }
}

extension FileContent: BodyContent {
    static let kind = SavedBody.Kind.file
    static let note = "the bytes of a file"
    static let otherKeys = ["contentType"]
    static var schemas: [JSONValue.Member] {
        [
            JSONValue.Member("file", Schema.reference("path", "Sent as it is, and read while it is sent.")),
            JSONValue.Member("contentType", Schema.text("By the extension by default.")),
        ]
    }
    static let namesFiles = true

    static let descriptors: [FieldDescriptor<FileContent>] = [
        FieldDescriptor("file", \.path, isPath: true, example: "./photo.jpg", need: { _ in .required }),
        FieldDescriptor("content type", optional: \.contentType, example: "image/jpeg", check: Field.checkContentType),
    ]

    init(reading object: ObjectReader) {
        self.init(object.path("file"), contentType: object.string("contentType"))
    }

    init(text: String) { self.init("") }

    func write(to writer: inout ObjectWriter) {
        writer.add("file", text: path)
        writer.add("contentType", text: contentType)
    }

    var body: SavedBody { .file(self) }

    var form: ExportedBody { .file(path, contentType: contentType ?? FileType.named(path)) }

    func prepare(_ fill: TemplateFill, _ open: BodyOpener) throws(ResolveError) -> PreparedBody {
        let path = try fill(path, "body file")
        let type = try contentType.map { text throws(ResolveError) in try fill(text, "body content type") }
        let stream = try open(path, "body file")
        let sent = type ?? FileType.named(path)
        return PreparedBody(
            .file(path, contentType: sent), stream: stream, contentType: .string(sent),
            outline: stream.outline(of: path))
    }
}

/// The `Content-Encoding` of a request. Without `compression`, only a file can have the coding that such a header
/// names.
enum ContentCoding {
    /// Returns a warning for a header whose body is sent without that coding; nil if it may be right.
    static func warning(of coding: String, isFile: Bool) -> String? {
        guard !isFile, !["", "identity"].contains(coding.lowercased()) else { return nil }
        return "\"Content-Encoding\" is \(JSONValue.quoted(coding)), and the body is sent as it is; "
            + "set \"compression\" instead, or send a compressed file"
    }

    /// Returns the warning of a header in whose place another one is sent.
    static func warning(of coding: String, under compression: RequestCompression) -> String {
        "\"Content-Encoding\" is \(JSONValue.quoted(coding)), and \"compression\" sends "
            + "\(compression.rawValue) in its place; remove the header"
    }
}
