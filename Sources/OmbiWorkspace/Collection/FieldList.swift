import OmbiDocument

/// Lists of names and values that are objects in the file: variables, environment headers, path parameters, secrets.
///
/// `{ "name": "value" }` is an ordered list. A value with more than a text is an object itself:
/// `{ "name": { "value": "…", "enabled": false } }`. A list with a duplicate name is an array.
extension ObjectReader {
    func fields(_ key: String) -> [Field] {
        named(key) { value, name in
            if let text = value.string { return Field(name, text) }
            guard value.kind == .object, let object = ObjectReader(value) else {
                log.error(
                    at: value.offset,
                    "\(JSONValue.quoted(name)): expected a string, found \(value.kindName)"
                        + Self.quoteHint("a string", value))
                return nil
            }
            return Field(reading: object, name: name)
        }
    }

    func secrets(_ key: String) -> [Secret] {
        named(key) { value, name in ObjectReader(value).map { Secret(reading: $0, name: name) } }
    }

    func captures(_ key: String) -> [Capture] {
        named(key) { value, name in ObjectReader(value).map { Capture(reading: $0, name: name) } }
    }

    private func named<Value: JSONObjectConvertible>(
        _ key: String, read: (FileValue, String) -> Value?
    ) -> [Value] {
        guard let value = value(key) else { return [] }
        switch value.kind {
        case .object: return ObjectReader(value)?.entries.compactMap { read($0.value, $0.key) } ?? []
        case .array: return list(key, of: Value.self)
        case .null, .true, .false, .number, .string:
            error(key, "expected an object, found \(value.kindName)")
            return []
        }
    }
}

extension ObjectWriter {
    mutating func add(_ key: String, fields: [Field]) {
        add(key, named: fields.map { ($0.name, $0.json, $0.valueJSON) })
    }

    mutating func add(_ key: String, secrets: [Secret]) {
        add(key, named: secrets.map { ($0.name, $0.json, $0.valueJSON) })
    }

    mutating func add(_ key: String, captures: [Capture]) {
        add(key, named: captures.map { ($0.name, $0.json, $0.valueJSON) })
    }

    private mutating func add(_ key: String, named entries: [(name: String, whole: JSONValue, value: JSONValue)]) {
        guard !entries.isEmpty else { return add(key, nil) }
        let areUnique = Set(entries.map { Array($0.name.utf8) }).count == entries.count
        add(
            key,
            areUnique
                ? .object(entries.map { JSONValue.Member($0.name, $0.value) }) : .array(entries.map(\.whole)))
    }
}
