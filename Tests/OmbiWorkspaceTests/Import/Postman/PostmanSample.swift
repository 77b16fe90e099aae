import Testing

@testable import OmbiWorkspace

/// Files of Postman, made for a test.
enum PostmanSample {
    /// A collection of format 2.1 with these items.
    static func collection(_ items: String, _ more: String = "") -> String {
        """
        {"info": {"name": "Shop", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
        "item": [\(items)]\(more)}
        """
    }

    /// A request named `r` with further members.
    static func request(_ members: String, _ more: String = "") -> String {
        "{\"name\": \"r\", \"request\": {\(members)}\(more)}"
    }

    static func environment(_ name: String, _ values: String, scope: String = "environment") -> String {
        "{\"name\": \"\(name)\", \"values\": [\(values)], \"_postman_variable_scope\": \"\(scope)\"}"
    }

    /// The collection that files are imported as, and all notes.
    static func imported(_ texts: String...) throws -> (imported: Imported, notes: [ImportNote]) {
        let files = try texts.map { try Importer.read(Array($0.utf8), from: "files/sample.json") }
        let joined = try Imported.joined(files)
        return (joined, files.flatMap(\.notes) + joined.notes)
    }

    /// The one request of a collection.
    static func only(_ members: String, _ more: String = "") throws -> (SavedRequest, notes: [ImportNote]) {
        let (imported, notes) = try Self.imported(collection(request(members, more)))
        return (try #require(imported.collection.requests.first), notes)
    }
}
