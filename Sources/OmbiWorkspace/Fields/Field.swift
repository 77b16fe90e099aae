import OmbiDocument

/// A name and a value that can be disabled: a header, a query item, a path parameter, a form field, a variable.
public struct Field: Sendable, Equatable {
    public var name: String
    public var value: String
    /// A disabled field stays in the file and is not sent.
    public var enabled: Bool
    /// True for one of `NAME.local.json`, which belongs to this machine.
    var isLocal = false
    public var unknown = UnknownMembers()

    public init(_ name: String, _ value: String, enabled: Bool = true) {
        self.name = name
        self.value = value
        self.enabled = enabled
    }
}

/// A named text that replaces `{{name}}`.
public typealias Variable = Field

extension Field: JSONObjectConvertible {
    static let keys = ["name", "value", "enabled"]

    init(reading object: ObjectReader) {
        self.init(reading: object, name: object.name("name"), keys: Self.keys)
    }

    /// Reads the value of a field whose name is its key in an object.
    init(reading object: ObjectReader, name: String) {
        self.init(reading: object, name: name, keys: Array(Self.keys.dropFirst()))
    }

    private init(reading object: ObjectReader, name: String, keys: [String]) {
        self.init(name, object.requiredString("value"), enabled: object.bool("enabled") ?? true)
        unknown = object.unknown(besides: keys)
    }

    var json: JSONValue {
        var writer = ObjectWriter()
        writer.add("name", text: name)
        return members(writer)
    }

    var valueJSON: JSONValue {
        enabled && unknown.entries.isEmpty ? .string(value) : members(ObjectWriter())
    }

    private func members(_ writer: ObjectWriter) -> JSONValue {
        var writer = writer
        writer.add("value", text: value)
        writer.add("enabled", enabled ? nil : .bool(false))
        return writer.object(unknown)
    }
}
