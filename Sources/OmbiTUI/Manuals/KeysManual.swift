import OmbiTerminal

/// The manual page that lists the keys, from the keymap.
enum KeysManual {
    static func page(_ keymap: Keymap) -> ManualPage {
        ManualPage(.keys, abstract: "keys of Ombi's explorer", seeAlso: [.command(["ombi"]), .collection]) { mdoc in
            mdoc.macro("Sh DESCRIPTION")
            mdoc.text(
                """
                In Ombi, ? shows the same list, and the bottom line of the screen the keys of the focused part. Where \
                text is edited, letters are typed. The words in parentheses are the names of scopes and actions for \
                settings.
                """)
            for section in keymap.sections {
                let name = section.settingName.map { " Pq Cm " + Mdoc.word($0) } ?? ""
                mdoc.macro("Ss " + Mdoc.word(section.title) + name)
                mdoc.list(section.bindings) { mdoc, binding in
                    let keys = binding.sequences.map { "Ic " + Mdoc.word(Key.names(of: $0)) }
                    mdoc.macro("It " + keys.joined(separator: " , "))
                    mdoc.text(binding.label)
                    if let name = binding.settingName { mdoc.macro("Pq Cm " + Mdoc.word(name)) }
                }
            }
        }
    }
}
