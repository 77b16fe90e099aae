import OmbiTerminal

/// The manual page that lists the keys, from the keymap.
enum KeysManual {
    static func page(_ keymap: Keymap) -> ManualPage {
        let sections = keymap.sections.flatMap { section -> [ManualBlock] in
            [
                .subsection(section.title, name: section.settingName),
                .list(KeymapRow.rows(of: section.bindings).map(item)),
            ]
        }
        return ManualPage(
            .keys, abstract: "keys of Ombi's explorer", seeAlso: [.command(["ombi"]), .collection],
            introduction + sections)
    }

    private static let introduction: [ManualBlock] = [
        .section("DESCRIPTION"),
        .text(
            """
            In Ombi, ? shows the same list, and the bottom line of the screen the keys of the focused part. Where text \
            is edited, letters are typed. The words in parentheses are the names of scopes and actions for settings.
            """),
    ]

    private static func item(_ row: KeymapRow) -> ManualBlock.Item {
        let keys = row.keys.map { [ManualWord.key($0)] }
        let names = row.settingNames.joined(separator: " … ")
        return ManualBlock.Item(
            term: Array(keys.joined(separator: [ManualWord.comma])), text: row.label,
            name: names.isEmpty ? nil : names)
    }
}
