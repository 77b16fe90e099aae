import OmbiDocument

/// The part of a request that is a WebSocket: the subprotocols that it offers, and messages to send.
public struct SavedWebSocket: Sendable, Equatable {
    public var subprotocols: [String]
    public var messages: [SavedMessage]
    public var unknown = UnknownMembers()

    public init(subprotocols: [String] = [], messages: [SavedMessage] = []) {
        self.subprotocols = subprotocols
        self.messages = messages
    }
}

/// A message of a WebSocket; its text may hold `{{templates}}`.
public struct SavedMessage: Sendable, Equatable {
    public var name: String
    public var text: String
    public var unknown = UnknownMembers()

    public init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}

extension SavedWebSocket: JSONObjectConvertible {
    static let keys = ["subprotocols", "messages"]

    init(reading object: ObjectReader) {
        self.init(
            subprotocols: Self.subprotocols(in: object), messages: object.list("messages", of: SavedMessage.self))
        unknown = object.unknown(besides: Self.keys)
    }

    private static func subprotocols(in object: ObjectReader) -> [String] {
        (object.array("subprotocols") ?? []).compactMap { value in
            if let text = value.string, !text.isEmpty { return text }
            object.log.error(at: value.offset, "\"subprotocols\": expected the name of a subprotocol")
            return nil
        }
    }

    var json: JSONValue {
        var writer = ObjectWriter()
        writer.add("subprotocols", subprotocols.isEmpty ? nil : .array(subprotocols.map { .string($0) }))
        writer.add("messages", list: messages.map(\.json))
        return writer.object(unknown)
    }
}

extension SavedMessage: JSONObjectConvertible {
    static let keys = ["name", "text"]

    init(reading object: ObjectReader) {
        self.init(name: object.name("name"), text: object.requiredString("text"))
        unknown = object.unknown(besides: Self.keys)
    }

    var json: JSONValue {
        var writer = ObjectWriter()
        writer.add("name", text: name)
        writer.add("text", text: text)
        return writer.object(unknown)
    }
}
