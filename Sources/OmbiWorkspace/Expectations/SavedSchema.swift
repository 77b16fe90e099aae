/// The JSON Schema that a body is expected to meet: in a file, or in the collection itself.
package enum SavedSchema: Sendable, Equatable {
    /// The path of a file, which starts at the folder of the collection.
    case file(String)
    case inline(JSONValue)

    /// Reads the value of a key. A schema without a meaning is reported at its place.
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

    /// Reads a text of the screen: a path, or a schema in braces.
    init(text: String) throws(FieldError) {
        guard text.trimmed.first == "{" else {
            self = .file(text)
            return
        }
        let value: JSONValue
        do throws(JSONSyntaxError) { value = try JSONValue.parse(text) } catch {
            throw FieldError("not JSON: \(error)")
        }
        if let problem = Self.problem(value) { throw FieldError("not a schema: \(problem)") }
        self = .inline(value)
    }

    var text: String {
        switch self {
        case .file(let path): path
        case .inline(let schema): schema.compact
        }
    }

    private static func check(_ value: FileValue) {
        guard let problem = problem(value.value) else { return }
        value.log.error(at: value.offset(of: problem.pointer), "\"schema\": \(problem)")
    }

    /// Files that the schema refers to are not read for this.
    private static func problem(_ value: JSONValue) -> JSONSchemaError? {
        do throws(JSONSchemaError) {
            _ = try JSONSchema(value) { uri throws(JSONSchemaError) in throw LoadedSchema.unread(uri) }
            return nil
        } catch { return error.reason.hasPrefix(LoadedSchema.unreadPrefix) ? nil : error }
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

/// A JSON Schema with all files that it refers to, read before a request is sent.
///
/// Files are those of the workspace: a foreign schema reads no others, and never the network.
package struct LoadedSchema: Sendable, Equatable {
    /// For messages: the path of its file.
    let name: String
    private let location: String
    private let root: JSONValue
    /// The other files by their URIs.
    private var others: [String: JSONValue] = [:]

    static let unreadPrefix = "not read: "

    /// Returns the content of a file.
    typealias Read = @Sendable (_ path: String) throws(JSONSchemaError) -> [UInt8]

    init(_ schema: SavedSchema, folder: String, read content: @escaping Read) throws(JSONSchemaError) {
        let base = Workspace.real(folder.isEmpty ? "." : folder) ?? folder
        switch schema {
        case .file(let path):
            name = path
            let place = RelativePath.resolve(path, folder: folder)
            location = "file://" + PercentEncoding.escapePath(Workspace.real(place) ?? place)
            root = try Self.read(path, content)
        case .inline(let value):
            (name, root) = ("the schema", value)
            location = "file://" + PercentEncoding.escapePath(base + "/")
        }
        let read = Lock<[String: JSONValue]>([:])
        do throws(JSONSchemaError) {
            _ = try JSONSchema(root, location: location) { uri throws(JSONSchemaError) in
                let value = try Self.read(uri: uri, content)
                read.withLock { $0[uri] = value }
                return value
            }
        } catch {
            guard case .file(let path) = schema else { throw error }
            throw JSONSchemaError("\(path): \(error)")
        }
        others = read.withLock { $0 }
    }

    /// The error for a schema that is not in this file or another one.
    static func unread(_ uri: String) -> JSONSchemaError {
        JSONSchemaError("\(unreadPrefix)\(uri.excerpt(120)); only files beside the collection are")
    }

    private static func read(uri: String, _ content: Read) throws(JSONSchemaError) -> JSONValue {
        guard uri.hasPrefix("file:///") else { throw unread(uri) }
        return try read(SchemaURI.unescaped(uri.dropFirst("file://".count)), content)
    }

    private static func read(_ path: String, _ content: Read) throws(JSONSchemaError) -> JSONValue {
        let bytes = try content(path)
        let document: JSONDocument
        do throws(JSONSyntaxError) { document = try JSONDocument(checking: Bytes(bytes)) } catch {
            throw JSONSchemaError("\(path) is not JSON: \(error)")
        }
        guard let root = document.firstRoot else { throw JSONSchemaError("\(path) is empty") }
        return document.value(of: root)
    }

    /// Returns the schema ready to evaluate, which belongs to one thread.
    func compiled(assertsFormats: Bool = false) throws(JSONSchemaError) -> JSONSchema {
        let others = others
        return try JSONSchema(root, location: location, assertsFormats: assertsFormats) { uri throws(JSONSchemaError) in
            guard let value = others[uri] else { throw Self.unread(uri) }
            return value
        }
    }
}
