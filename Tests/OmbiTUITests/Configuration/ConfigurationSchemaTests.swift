import Foundation
import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// The schemas of settings and themes have the names that the program knows.
@Suite struct ConfigurationSchemaTests {
    private func expect(_ name: String, _ wanted: String) throws {
        try RecordedFile("schema/\(name)").expect(wanted)
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(wanted.utf8)) }
    }

    @Test func `the schema of the settings has every action of every scope`() throws {
        try expect("config.schema.json", Self.settings)
    }

    @Test func `the schema of themes has every role`() throws { try expect("theme.schema.json", Self.theme) }

    @Test func `the schema has every key of the settings`() {
        for key in Configuration.keyNames { #expect(Self.settings.contains("    \"\(key)\": {"), "\(key)") }
    }

    private static var settings: String {
        let scopes = KeyScope.allCases.filter(\.isConfigurable).map(scope).joined(separator: ",\n")
        return """
            {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "title": "Ombi settings",
              "description": "The file ombi/config.json in $XDG_CONFIG_HOME (~/.config). See docs/configuration.md.",
              "type": "object",
              "additionalProperties": false,
              "properties": {
                "$schema": { "type": "string", "description": "The location of this schema, for editors." },
                "theme": {
                  "description": "A built-in theme, or the name of a file in the folder themes beside this one.",
                  "anyOf": [{ "enum": [\(list(ThemeChoice.Base.allCases.map(\.rawValue)))] }, { "type": "string" }],
                  "default": "auto"
                },
                "mouse": { "type": "boolean", "description": "Clicks, drags and the wheel.", "default": true },
                "ascii": {
                  "description": "ASCII for lines and symbols; auto where the locale or the terminal has no others.",
                  "enum": ["auto", true, false],
                  "default": "auto"
                },
                "clipboard": {
                  "description": "The way of copies: a program of the system, else the terminal, else a file; or one of these.",
                  "enum": [\(list(ClipboardChoice.allCases.map(\.rawValue)))],
                  "default": "auto"
                },
                "history": {
                  "type": "object",
                  "description": "What the history keeps. The oldest runs go first.",
                  "additionalProperties": false,
                  "properties": {
                    "record": { "type": "boolean", "default": true, "description": "False keeps nothing." },
                    "sparklines": {
                      "type": "boolean", "default": true,
                      "description": "False leaves the last runs out of the list of requests."
                    },
                    "maximumDays": { "type": "integer", "minimum": 1, "maximum": 36500, "default": 90 },
                    "maximumRuns": { "type": "integer", "minimum": 1, "maximum": 100000000, "default": 1000000 },
                    "maximumMegabytes": {
                      "type": "integer", "minimum": 1, "maximum": 1000000, "default": 1024,
                      "description": "The size of the database, without the files of large bodies."
                    },
                    "maximumBodyMegabytes": {
                      "type": "integer", "minimum": 0, "maximum": 1024, "default": 16,
                      "description": "Of a larger body only the size is kept."
                    }
                  }
                },
                "watch": {
                  "type": "object",
                  "description": "What happens when a watched request changes.",
                  "additionalProperties": false,
                  "properties": {
                    "command": {
                      "type": "array", "items": { "type": "string" }, "minItems": 1,
                      "description": "A program and its arguments. It gets each change as a line on its standard input."
                    }
                  }
                },
                "tokens": {
                  "description": "The place of OAuth 2 tokens between two starts; memory keeps none.",
                  "enum": [\(list(TokenKeeping.allCases.map(\.rawValue)))],
                  "default": "keyring"
                },
                "keys": {
                  "type": "object",
                  "description": "Keys by scope and action.",
                  "additionalProperties": false,
                  "properties": {
                    "preset": { "enum": ["default", "vim"], "description": "The keys that the others change." },
            \(scopes)
                  }
                }
              },
              "$defs": {
                "key": {
                  "type": "string",
                  "description": "A key such as g, G, Ctrl+X, Alt+Left, F5, Space or Enter; several with spaces are a chord."
                },
                "keys": {
                  "anyOf": [
                    { "$ref": "#/$defs/key" },
                    { "type": "array", "items": { "$ref": "#/$defs/key" } },
                    { "type": "null", "description": "No key." }
                  ]
                }
              }
            }

            """
    }

    private static func scope(_ scope: KeyScope) -> String {
        var names: Set<String> = []
        let actions = Keymap.standard.bindings.filter { $0.scope == scope }.compactMap { binding -> String? in
            guard let name = binding.action.name, names.insert(name).inserted else { return nil }
            let label = binding.label.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            return "            \"\(name)\": { \"description\": \"\(label)\", \"$ref\": \"#/$defs/keys\" }"
        }
        return """
                    "\(scope.name)": {
                      "type": "object",
                      "description": "\(scope.rawValue)",
                      "additionalProperties": false,
                      "properties": {
            \(actions.joined(separator: ",\n"))
                      }
                    }
            """
    }

    private static var theme: String {
        let roles = Role.allCases.map { "        \"\($0.name)\": { \"$ref\": \"#/$defs/color\" }" }
        return """
            {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "title": "Ombi theme",
              "description": "A file NAME.json in the folder themes beside the settings. See docs/configuration.md.",
              "type": "object",
              "additionalProperties": false,
              "properties": {
                "$schema": { "type": "string", "description": "The location of this schema, for editors." },
                "base": { "enum": ["dark", "light"], "description": "The theme whose other colours count.", "default": "dark" },
                "highlight": { "description": "The background of the row under the cursor.", "$ref": "#/$defs/color" },
                "roles": {
                  "type": "object",
                  "description": "Colours by what a text means.",
                  "additionalProperties": false,
                  "properties": {
            \(roles.joined(separator: ",\n"))
                  }
                }
              },
              "$defs": {
                "color": {
                  "anyOf": [
                    { "type": "string", "pattern": "^#[0-9a-fA-F]{6}$" },
                    { "type": "integer", "minimum": 0, "maximum": 255 },
                    { "enum": ["default", \(list(PaletteColor.names))] }
                  ]
                }
              }
            }

            """
    }

    private static func list(_ words: [String]) -> String { words.map { "\"\($0)\"" }.joined(separator: ", ") }
}
