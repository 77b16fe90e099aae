import OmbiTerminal

/// The manual page that lists the keys, from the keymap.
enum KeysManual {
    static func page(_ keymap: Keymap) -> ManualPage {
        let sections = keymap.sections.flatMap { section -> [ManualBlock] in
            [.subsection(section.title, name: section.settingName), .list(section.bindings.map(item))]
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

    private static func item(_ binding: Binding) -> ManualBlock.Item {
        let keys = binding.sequences.map { [ManualWord.key(Key.names(of: $0))] }
        return ManualBlock.Item(
            term: Array(keys.joined(separator: [ManualWord.comma])), text: binding.label, name: binding.settingName)
    }
}
