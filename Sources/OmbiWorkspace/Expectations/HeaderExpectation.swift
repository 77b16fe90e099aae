import OmbiDocument

/// The conditions on a header of the response. Without conditions the header has to be there.
public struct HeaderExpectation: Sendable, Equatable {
    public var name: String
    public var conditions: [ValueCondition]
    public var unknown = UnknownMembers()

    public init(_ name: String, _ conditions: [ValueCondition] = []) {
        self.name = name
        self.conditions = conditions
    }

    /// The conditions that text can meet.
    static let keys = ["equals", "contains", "matches", "exists"]
}

extension HeaderExpectation: JSONObjectConvertible {
    /// An element of a list, which has its name in itself.
    init(reading object: ObjectReader) {
        self.init(reading: object, name: object.name("name"), keys: ["name"] + Self.keys)
    }

    init(reading object: ObjectReader, name: String, keys: [String] = Self.keys) {
        self.init(name, object.conditions().filter { Self.keys.contains($0.key) })
        for key in ValueCondition.keys where object.has(key) && !Self.keys.contains(key) {
            object.error(key, "a header is text; the conditions on it are \(Self.keys.joined(separator: ", "))")
        }
        for case .equals(let value) in conditions where value.stringValue == nil {
            object.error("equals", "the value of a header is a string; write \(JSONValue.quoted(value.compact))")
        }
        // Other conditions are errors already.
        unknown = object.unknown(besides: keys + ValueCondition.keys)
    }

    /// With its name.
    var json: JSONValue {
        var writer = ObjectWriter()
        writer.add("name", text: name)
        return members(writer)
    }

    /// Without its name.
    var valueJSON: JSONValue {
        if case .equals(let value)? = conditions.first, conditions.count == 1, unknown.entries.isEmpty { return value }
        return members(ObjectWriter())
    }

    private func members(_ writer: ObjectWriter) -> JSONValue {
        var writer = writer
        for key in Self.keys { writer.add(key, conditions.first { $0.key == key }?.json) }
        return writer.object(unknown)
    }
}

extension ObjectReader {
    /// Reads `{ "name": "value" }` or `{ "name": { "contains": "…" } }`; a list where a name is there twice.
    func headerExpectations(_ key: String) -> [HeaderExpectation] {
        guard let value = value(key) else { return [] }
        if value.kind == .array { return list(key, of: HeaderExpectation.self) }
        return object(key)?.entries.compactMap { name, value in
            if let text = value.string { return HeaderExpectation(name, [.equals(.string(text))]) }
            guard value.kind == .object else {
                log.error(
                    at: value.offset,
                    "\(JSONValue.quoted(name)): expected a string or an object, found \(value.kindName)"
                        + Self.quoteHint("a string", value))
                return nil
            }
            return ObjectReader(value).map { HeaderExpectation(reading: $0, name: name) }
        } ?? []
    }
}

extension ObjectWriter {
    mutating func add(_ key: String, headers: [HeaderExpectation]) {
        guard !headers.isEmpty else { return add(key, nil) }
        let areUnique = Set(headers.map { Array($0.name.utf8) }).count == headers.count
        add(
            key,
            areUnique
                ? .object(headers.map { JSONValue.Member($0.name, $0.valueJSON) }) : .array(headers.map(\.json)))
    }
}
