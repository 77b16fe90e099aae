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

extension SavedExample: SavedObject {
    static let members = Members<SavedExample>([
        .name("name", "The name of the example.", isRequired: true, { $0.name = $1 }, { $0.name }),
        .integer("status", nil, in: 100...599, default: 200, { $0.status = $1 }, { $0.status }),
        Member(
            "headers", Schema.reference("fields", "The headers of the response, in order."),
            read: { $0.headers = $1.list($2, of: Field.self) }, write: { JSONValue.list($0.headers) }),
        Member(
            "body", Schema.text("The text of the body. No template in it is filled in."),
            read: { $0._body = $1.storedText($2) }, write: { $0.file == nil ? JSONValue.optional($0.body) : nil }),
        Member(
            "file", Schema.reference("path", "The body."), read: { $0.file = $1.path($2) },
            write: { $0.file.map(JSONValue.string) }),
    ])

    init(reading object: ObjectReader) {
        self.init("", status: 200)
        unknown = object.read(Self.members, into: &self)
        if object.has("file"), object.has("body") {
            object.log.error(at: object.offset, "an example has a \"body\" or a \"file\", not both")
        }
    }
}
