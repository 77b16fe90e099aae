@testable import OmbiTUI

/// The page of the documentation that lists the keys, generated from the keymap.
enum KeysPage {
    /// Markdown: a table for each scope.
    static func text(_ keymap: Keymap) -> String {
        ([head] + keymap.sections.map(table)).joined(separator: "\n")
    }

    private static let head = """
        # Keys

        Generated from `Sources/OmbiTUI/Input/DefaultKeymap.swift`. In Ombi, `?` shows the same list, and the bottom line of
        the screen the keys of the focused part. Where text is edited, letters are typed.
        What has no key is in the palette (`:`). The words in code are the names of scopes and actions for
        [settings](configuration.md).

        """

    private static func table(_ section: KeymapSection) -> String {
        let rows = KeymapRow.rows(of: section.bindings).map { row in
            let keys = row.keys.isEmpty ? "palette" : row.keys.map(code).joined(separator: " ")
            let name = row.settingNames.map(code).joined(separator: " … ")
            return "| \(keys) | \(escaped(row.label)) | \(name) |\n"
        }
        let title = section.title + (section.settingName.map { ": \(code($0))" } ?? "")
        return "## \(title)\n\n| Keys | Action | Name |\n|---|---|---|\n" + rows.joined()
    }

    private static func code(_ name: String) -> String {
        name.contains("`") ? "`` \(name) ``" : "`\(escaped(name))`"
    }

    /// A bar would end the cell, even in code.
    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { $0 += $1 == "|" ? "\\|" : String($1) }
    }
}
