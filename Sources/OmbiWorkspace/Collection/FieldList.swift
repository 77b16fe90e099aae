import OmbiCore
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

    func named<Value: NamedObject>(_ key: String, of _: Value.Type) -> [Value] {
        named(key) { value, name in ObjectReader(value).map { Value(reading: $0, name: name) } }
    }

    private func named<Value: NamedObject>(_ key: String, read: (FileValue, String) -> Value?) -> [Value] {
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
