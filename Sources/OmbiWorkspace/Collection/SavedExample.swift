import OmbiCore
import OmbiDocument

/// A response that is kept with its request, to be read and to be handed on. It is never sent.
public struct SavedExample: Sendable, Equatable {
    public var name: String
    public var status: Int
    public var headers: [Field]
    /// The path of a file with the body, which starts at the folder of the collection; nil for a text.
    public var file: String?
    /// Empty for a body in a file. No template in it is filled in.
    @Stored public var body: String
    public var unknown = UnknownMembers()

    public init(_ name: String, status: Int, headers: [Field] = [], body: String = "", file: String? = nil) {
        self.name = name
        self.status = status
        self.headers = headers
        self.file = file
        self.body = body
    }

    /// Empty for a response that names none.
    public var contentType: String {
        headers.first { $0.enabled && $0.name.lowercased() == "content-type" }?.value ?? ""
    }
}

extension SavedExample: JSONObjectConvertible {
    static let keys = ["name", "status", "headers", "body", "file"]

    init(reading object: ObjectReader) {
        self.init(object.name("name"), status: object.integer("status", in: 100...599) ?? 200)
        headers = object.list("headers", of: Field.self)
        if object.has("file") { file = object.path("file") }
        if object.has("body") { _body = object.storedText("body") }
        if object.has("file"), object.has("body") {
            object.log.error(at: object.offset, "an example has a \"body\" or a \"file\", not both")
        }
        unknown = object.unknown(besides: Self.keys)
    }

    var json: JSONValue {
        var writer = ObjectWriter()
        writer.add("name", text: name)
        writer.add("status", .number(status))
        writer.add("headers", list: headers.map(\.json))
        writer.add("body", optional: file == nil ? body : "")
        writer.add("file", text: file)
        return writer.object(unknown)
    }
}
