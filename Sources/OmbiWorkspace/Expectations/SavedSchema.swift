import OmbiDocument

/// The JSON Schema that a body is expected to meet: in a file, or in the collection itself.
public enum SavedSchema: Sendable, Equatable {
    /// The path of a file, which starts at the folder of the collection.
    case file(String)
    case inline(JSONValue)

    /// Reads the value of a key. A schema that means nothing is an error at its place.
    init?(_ key: String, in object: ObjectReader) {
        guard let value = object.value(key) else { return nil }
        switch value.kind {
        case .string:
            self = .file(object.path(key))
            if let path = value.string { object.log.check(schema: path, at: value.offset) }
        case .object, .true, .false:
            self = .inline(value.value)
            Self.check(value)
        case .null, .number, .array:
            object.error(key, "expected the path of a file or a schema, found \(value.kindName)")
            return nil
        }
    }

    /// Files that the schema refers to are not read for this.
    private static func check(_ value: FileValue) {
        var isPartial = false
        do throws(JSONSchemaError) {
            _ = try JSONSchema(value.value) { uri throws(JSONSchemaError) in throw LoadedSchema.unread(uri) }
        } catch {
            isPartial = error.reason.hasPrefix(LoadedSchema.unreadPrefix)
            if !isPartial { value.log.error(at: value.offset(of: error.pointer), "\"schema\": \(error)") }
        }
    }

    var json: JSONValue {
        switch self {
        case .file(let path): .string(path)
        case .inline(let schema): schema
        }
    }
}

extension FileValue {
    /// Returns the offset of the part at a JSON Pointer; its own where there is none.
    fileprivate func offset(of pointer: String) -> Int {
        let document = log.document
        var node = node
        for token in pointer.split(separator: "/") {
            let key = String(token).replacing("~1", with: "/").replacing("~0", with: "~")
            let children = document.children(of: node)
            let isArray = document.kind(of: node) == .array
            let child =
                isArray
                ? Int(key).flatMap { document.child(at: $0, of: node) }
                : children.first { document.key(of: $0)?.string == key }
            guard let child else { break }
            node = child
        }
        return document.range(of: node).lowerBound
    }
}
