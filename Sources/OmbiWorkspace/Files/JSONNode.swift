/// A parsed JSON value that still knows where in the file it and its keys stand, for error messages.
struct JSONNode: Sendable {
    enum Content: Sendable {
        case scalar(JSONValue)
        case array([JSONNode])
        case object([Member])
    }

    struct Member: Sendable {
        var key: String
        var keyOffset: Int
        var value: JSONNode
    }

    /// The byte at which the value begins.
    var offset: Int
    var content: Content

    /// The same without positions.
    var value: JSONValue {
        switch content {
        case .scalar(let value): value
        case .array(let nodes): .array(nodes.map(\.value))
        case .object(let members): .object(members.map { JSONValue.Member($0.key, $0.value.value) })
        }
    }

    /// What this is, in the words of an error message.
    var kind: String {
        switch content {
        case .scalar(let value): value.kind
        case .array: JSONValue.array([]).kind
        case .object: JSONValue.object([]).kind
        }
    }
}
