import OmbiDocument

/// A key that a JSON Schema describes: a line of the manual page of a file format.
struct SchemaKey: Equatable, Sendable {
    /// The key, after those of the objects around it: `messages[].name`. A `*` stands for any key.
    let path: String
    /// The type, and the rules for it: `string, required`.
    let type: String
    /// The description of the key, or of the definition that it refers to.
    let text: String

    /// Returns the keys of an object and of the objects in it, without those of other definitions.
    static func all(of schema: JSONValue, in definitions: JSONValue) -> [SchemaKey] {
        let keys = keys(of: schema, below: "", isChoice: false, definitions)
        return keys.enumerated().filter { index, key in
            // One of several choices often names a key again, only to require or forbid it.
            !key.text.isEmpty || !keys[..<index].contains { $0.path == key.path }
        }.map(\.element)
    }

    /// - Parameter isChoice: true for one of several schemas, whose keys are not always required.
    private static func keys(
        of schema: JSONValue, below path: String, isChoice: Bool, _ definitions: JSONValue
    ) -> [SchemaKey] {
        let required: [String] = isChoice ? [] : schema["required"]?.list.compactMap(\.stringValue) ?? []
        let own = (schema["properties"]?.members ?? []).filter { $0.value != .bool(false) }
        var keys: [SchemaKey] = own.flatMap { property in
            let key = SchemaKey(
                path: path + property.key,
                type: SchemaType.text(property.value, isRequired: required.contains(property.key)),
                text: description(of: property.value, in: definitions))
            return [key] + Self.keys(of: property.value, below: key.path + ".", isChoice: false, definitions)
        }
        if let items = schema["items"] {
            let place = path.isEmpty ? path : String(path.dropLast())
            keys += Self.keys(of: items, below: place + "[].", isChoice: false, definitions)
        }
        if let others = schema["additionalProperties"] {
            keys += Self.keys(of: others, below: path + "*.", isChoice: false, definitions)
        }
        for choice in SchemaType.choices(of: schema) {
            keys += Self.keys(of: choice, below: path, isChoice: true, definitions)
        }
        return keys
    }

    private static func description(of schema: JSONValue, in definitions: JSONValue) -> String {
        let own = schema["description"]?.stringValue
        let referred = SchemaType.reference(of: schema).flatMap { definitions[$0]?["description"]?.stringValue }
        return own ?? referred ?? ""
    }
}
