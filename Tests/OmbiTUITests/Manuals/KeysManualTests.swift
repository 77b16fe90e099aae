import OmbiTerminal
import Testing

@testable import OmbiTUI

/// The manual page of the keys.
@Suite struct KeysManualTests {
    @Test func `the page names each key, its action and its name in settings`() {
        let page = KeysManual.page(.standard)
        #expect(page.path == "man7/ombi-keys.7")
        for row in Keymap.standard.sections.flatMap({ KeymapRow.rows(of: $0.bindings) }) {
            var entry = Mdoc()
            let keys = row.keys.map { "Ic " + Mdoc.word($0) }.joined(separator: " , ")
            entry.macro("It " + (keys.isEmpty ? Mdoc.word("palette") : keys))
            entry.text(row.label)
            let names = row.settingNames.joined(separator: " … ")
            if !names.isEmpty { entry.macro("Pq Cm " + Mdoc.word(names)) }
            #expect(page.source.contains(entry.source), "\(row.label)")
        }
        for section in Keymap.standard.sections {
            #expect(page.source.contains(".Ss " + Mdoc.word(section.title)))
        }
    }

    @Test func `a key is no macro, and questions have no names in settings`() {
        let keymap = Keymap([
            Binding(",", "\\", does: .run(.send), in: .everywhere, "-- a 'b'"),
            Binding(.escape, does: .leave, in: .question, "leave"),
        ])
        let end = """
            .Ss Everywhere Pq Cm everywhere
            .Bl -tag -width Ds
            .It Ic \\&,\\& , Ic \\&\\e
            \\-\\- a \\(aqb\\(aq
            .Pq Cm send
            .El
            .Ss Questions
            .Bl -tag -width Ds
            .It Ic \\&Esc
            leave
            .El
            .Sh SEE ALSO
            .Xr ombi 1 ,
            .Xr ombi-collection 5

            """
        #expect(KeysManual.page(keymap).source.hasSuffix(end))
    }
}
