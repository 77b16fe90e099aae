import OmbiCore
import OmbiDocument

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A JSON Schema with all the files that it refers to, read before a request is sent.
///
/// Files are those of the workspace: a schema from elsewhere reads nothing else, and never the network.
public struct LoadedSchema: Sendable, Equatable {
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

    /// The error of a schema that is neither here nor in a file.
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
    func compiled() throws(JSONSchemaError) -> JSONSchema {
        let others = others
        return try JSONSchema(root, location: location) { uri throws(JSONSchemaError) in
            guard let value = others[uri] else { throw Self.unread(uri) }
            return value
        }
    }
}
