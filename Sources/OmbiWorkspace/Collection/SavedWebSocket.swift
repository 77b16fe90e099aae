/// The part of a request that is a WebSocket: the subprotocols that it offers, and messages to send.
package struct SavedWebSocket: Sendable, Equatable {
    package var subprotocols: [String]
    package var messages: [SavedMessage]
    package var unknown = UnknownMembers()

    package init(subprotocols: [String] = [], messages: [SavedMessage] = []) {
        self.subprotocols = subprotocols
        self.messages = messages
    }
}

/// A message of a WebSocket; its text may hold `{{templates}}`.
package struct SavedMessage: Sendable, Equatable {
    package var name: String
    package var text: String
    package var unknown = UnknownMembers()

    package init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}

extension SavedWebSocket: SavedObject {
    static let members = Members<SavedWebSocket>([
        Member(
            "subprotocols", Schema.list("The subprotocols to offer, the preferred one first.", of: Schema.name()),
            read: { $0.subprotocols = subprotocols($2, in: $1) },
            write: { $0.subprotocols.isEmpty ? nil : .strings($0.subprotocols) }),
        Member(
            "messages",
            Schema.list(
                "Messages to send. A run without the explorer sends all of them in turn.",
                of: SavedMessage.members.schema()), read: { $0.messages = $1.list($2, of: SavedMessage.self) },
            write: { JSONValue.list($0.messages) }),
    ])

    init(reading object: ObjectReader) {
        self.init()
        unknown = object.read(Self.members, into: &self)
    }

    private static func subprotocols(_ key: String, in object: ObjectReader) -> [String] {
        (object.array(key) ?? []).compactMap { value in
            if let text = value.string, !text.isEmpty { return text }
            object.log.error(at: value.offset, "\"\(key)\": expected the name of a subprotocol")
            return nil
        }
    }
}

extension SavedWebSocket {
    /// The reason why its subprotocols cannot be offered; nil where they can.
    var problem: String? {
        var offered: Set<String> = []
        for name in subprotocols {
            if !HeaderCheck.isToken(name) {
                return "\(JSONValue.quoted(name.excerpt(40))) is not the name of a subprotocol"
            }
            if !offered.insert(name).inserted { return "the subprotocol \(name) is offered twice" }
        }
        return nil
    }
}

extension SavedMessage: SavedObject {
    static let members = Members<SavedMessage>([
        .name("name", nil, isRequired: true, { $0.name = $1 }, { $0.name }),
        .text(
            "text", Schema.text("The message; may hold {{templates}}."), isRequired: true, { $0.text = $1 },
            { $0.text }),
    ])

    init(reading object: ObjectReader) {
        self.init(name: "", text: "")
        unknown = object.read(Self.members, into: &self)
    }
}
