/// A parsed JSON value that keeps the positions of itself and its keys in the file, for error messages.
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

    /// The offset of the value's first byte.
    var offset: Int
    var content: Content

    /// The value without positions.
    var value: JSONValue {
        switch content {
        case .scalar(let value): value
        case .array(let nodes): .array(nodes.map(\.value))
        case .object(let members): .object(members.map { JSONValue.Member($0.key, $0.value.value) })
        }
    }

    /// The type of the value as error messages name it: "a string", "null".
    var kind: String {
        switch content {
        case .scalar(let value): value.kind
        case .array: JSONValue.array([]).kind
        case .object: JSONValue.object([]).kind
        }
    }
}
