import Foundation
import OmbiDocument

/// `schema/run.schema.json`, the form in which other programs read runs.
public struct RunSchema {
    private let definitions: JSONValue

    public init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "schema/run.schema.json"), encoding: .utf8)
        definitions = try JSONValue.parse(text)["$defs"] ?? .null
    }

    /// Returns each part of a text that does not meet a definition, and each member that the definition does not describe.
    public func failures(_ text: String, _ definition: String) throws -> [String] {
        let schema = try JSONSchema([
            "$ref": .string("#/$defs/" + definition), "unevaluatedProperties": false, "$defs": definitions,
        ])
        let document = try JSONDocument(checking: Bytes(text.utf8))
        guard let root = document.firstRoot else { return ["no value"] }
        return try schema.failures(in: document, at: root).map { failure in
            "\(document.path(of: failure.node)): \(failure.expected) (\(failure.keyword))"
        }
    }
}
