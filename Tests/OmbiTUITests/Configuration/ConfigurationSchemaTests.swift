import Foundation
import OmbiDocument
import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// The schemas of settings, themes and collections, and the table of settings in the documentation, have the keys that the
/// program reads.
@Suite struct ConfigurationSchemaTests {
    @Test func `the schema of the settings has every key, and every action of every scope`() throws {
        try RecordedFile("schema/config.schema.json").expect(Self.settings.text)
    }

    @Test func `the schema of themes has every role`() throws {
        try RecordedFile("schema/theme.schema.json").expect(Self.theme.text)
    }

    @Test func `the schemas of collections and of local files are those of the tables of their keys`() throws {
        try RecordedFile("collections/ombi.schema.json").expect(CollectionSchema.collection)
        try RecordedFile("schema/local.schema.json").expect(CollectionSchema.local)
    }

    @Test func `the documentation has a table of all settings`() throws {
        let page = try String(
            contentsOf: RecordedFile.root.appending(path: "docs/configuration.md"), encoding: .utf8)
        let head = "| key | default | meaning |\n|---|---|---|\n"
        let parts = page.components(separatedBy: head)
        try #require(parts.count == 2)
        let rest = parts[1].components(separatedBy: "\n").drop { $0.hasPrefix("|") }.joined(separator: "\n")
        let rows = Self.rows.map { row in
            let initial = row.form["default"].map { "`\($0.compact)`" } ?? ""
            return
                "| `\(row.keys.joined(separator: "."))` | \(initial) | \(row.form["description"]?.stringValue ?? "") |\n"
        }
        try RecordedFile("docs/configuration.md").expect(parts[0] + head + rows.joined() + rest)
    }

    @Test func `what is called a default holds without the key`() {
        for row in Self.rows {
            guard let initial = row.form["default"] else { continue }
            #expect(Self.read(initial, row.keys) == Configuration(), "\(row.keys)")
        }
    }

    @Test func `a value of another kind is an error at each key`() {
        for row in Self.rows {
            let problems = Self.read([true], row.keys).problems
            #expect(problems.map(\.severity) == [.error], "\(row.keys): \(problems)")
        }
    }

    /// The settings of a file that has one key.
    private static func read(_ value: JSONValue, _ keys: [String]) -> Configuration {
        let file = keys.reversed().reduce(value) { .object([.init($1, $0)]) }
        return ConfigurationFile.read(Array(file.text.utf8), path: "config.json", PosixFileSystem())
    }

    /// The settings behind `$schema`, with those of groups in place of the groups. Keys of scopes have a page of their own.
    private static var rows: [(keys: [String], form: JSONValue)] {
        members(of: settings).dropFirst().flatMap { member -> [(keys: [String], form: JSONValue)] in
            let inner = member.key == "keys" ? [] : members(of: member.value)
            return inner.isEmpty
                ? [([member.key], member.value)] : inner.map { ([member.key, $0.key], $0.value) }
        }
    }

    private static func members(of form: JSONValue) -> [JSONValue.Member] {
        if case .object(let members)? = form["properties"] { members } else { [] }
    }

    private static var settings: JSONValue {
        schema(
            "Ombi settings", "The file ombi/config.json in $XDG_CONFIG_HOME (~/.config). See docs/configuration.md.",
            Setting.schema(of: Configuration.settings { _ in nil }),
            #"""
            {
              "key": {
                "type": "string",
                "description": "A key such as g, G, Ctrl+X, Alt+Left, F5, Space or Enter; several with spaces are a chord."
              },
              "keys": {
                "anyOf": [
                  { "$ref": "#/$defs/key" }, { "type": "array", "items": { "$ref": "#/$defs/key" } },
                  { "type": "null", "description": "No key." }
                ]
              }
            }
            """#)
    }

    private static var theme: JSONValue {
        let names = JSONValue.strings(["default"] + PaletteColor.names)
        return schema(
            "Ombi theme", "A file NAME.json in the folder themes beside the settings. See docs/configuration.md.",
            Setting.schema(of: ThemeFile.settings),
            #"""
            {
              "color": {
                "anyOf": [
                  { "type": "string", "pattern": "^#[0-9a-fA-F]{6}$" },
                  { "type": "integer", "minimum": 0, "maximum": 255 }, { "enum": \#(names.compact) }
                ]
              }
            }
            """#)
    }

    private static func schema(
        _ title: String, _ description: String, _ form: JSONValue, _ definitions: String
    ) -> JSONValue {
        let head: JSONValue = [
            "$schema": "https://json-schema.org/draft/2020-12/schema", "title": .string(title),
            "description": .string(description),
        ]
        return head.appending(form).appending(["$defs": try? JSONValue.parse(definitions)])
    }
}
