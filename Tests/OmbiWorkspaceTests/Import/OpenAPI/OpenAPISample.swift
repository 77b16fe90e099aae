import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Documents of OpenAPI, made for a test.
enum OpenAPISample {
    /// A document in JSON with these paths.
    static func document(_ paths: String, _ more: String = "", version: String = "3.0.3") -> String {
        let key = version.hasPrefix("2") ? "swagger" : "openapi"
        return """
            {"\(key)": "\(version)", "info": {"title": "Shop", "version": "1"},
            "paths": {\(paths)}\(more)}
            """
    }

    /// The collection that a document is imported as, and all notes.
    static func imported(_ text: String) throws -> (imported: Imported, notes: [ImportNote]) {
        let file = try Importer.read(Array(text.utf8), from: "files/sample.yaml")
        let joined = try Imported.joined([file])
        return (joined, file.notes + joined.notes)
    }

    /// The one request of a document with one operation at `/x`.
    static func only(
        _ members: String, _ more: String = "", method: String = "post", version: String = "3.0.3"
    ) throws -> (request: SavedRequest, notes: [ImportNote]) {
        let (imported, notes) = try Self.imported(
            document("\"/x\": {\"\(method)\": {\(members)}}", more, version: version))
        return (try #require(imported.collection.requests.first), notes)
    }

    /// The JSON body of a request.
    static func json(_ request: SavedRequest) throws -> JSONValue {
        guard case .json(let content)? = request.body else {
            Issue.record("the body is no JSON")
            return .null
        }
        return content.value
    }

    /// What of a value does not meet a schema.
    static func failures(_ value: JSONValue, _ schema: JSONValue) throws -> [String] {
        let document = try JSONDocument(checking: Bytes(value.compact.utf8))
        let root = try #require(document.firstRoot)
        return try JSONSchema(schema).failures(in: document, at: root).map { "\($0.keyword) \($0.expected)" }
    }
}
