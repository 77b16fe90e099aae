import Foundation
import OmbiTerminal
import Testing

@testable import OmbiTUI

/// The table of keys, and what is written from it.
@Suite struct KeymapTests {
    private static let keymap = Keymap.standard

    @Test(arguments: KeyScope.allCases) func `no key has two meanings in one place`(scope: KeyScope) {
        let keys = Self.keymap.bindings.filter { $0.scope == scope }.flatMap(\.keys)
        let twice = Dictionary(grouping: keys) { $0 }.filter { $0.value.count > 1 }.keys.map(\.name)
        #expect(twice.isEmpty, "bound twice in \(scope.rawValue): \(twice.sorted())")
    }

    @Test func `no key lies where terminals keep it for themselves`() {
        let taken = "himjsq".map { Key(.character($0), .control) }
        let bound = Self.keymap.bindings.filter { $0.keys.contains(where: taken.contains) }
        #expect(bound.isEmpty, "\(bound.map { "\($0.keyNames): \($0.label)" })")
    }

    @Test func `every line of the table has words, and without a key no hint in the footer`() {
        for binding in Self.keymap.bindings {
            #expect(!binding.label.isEmpty)
            #expect(!binding.keys.isEmpty || binding.footer == nil, "\(binding.scope.rawValue), \(binding.label)")
            #expect(binding.footer?.isEmpty != true, "an empty word in the footer: \(binding.label)")
        }
    }

    @Test func `every name of a key reads back as that key`() {
        for key in Self.keymap.bindings.flatMap(\.keys) {
            #expect(Key(name: key.name) == key, "\(key.name)")
        }
    }

    @Test(arguments: [
        [KeyScope.tree, .lists, .everywhere], [.request, .lists, .everywhere], [.response, .lists, .everywhere],
    ])
    func `what a pane hides of the common keys, it means to hide`(scopes: [KeyScope]) {
        let own = Set(Self.keymap.bindings.filter { $0.scope == scopes[0] }.flatMap(\.keys))
        let common = Set(Self.keymap.bindings.filter { scopes.dropFirst().contains($0.scope) }.flatMap(\.keys))
        let hidden = own.intersection(common).map(\.name)
        #expect(hidden == (scopes[0] == .request ? ["Space"] : []), "\(scopes[0].rawValue)")
    }

    @Test(arguments: [
        [KeyScope.tree, .lists, .everywhere], [.request, .lists, .everywhere], [.response, .lists, .everywhere],
        [.field], [.area], [.picker], [.question], [.quitting], [.decision], [.conflicts], [.help], [.helpSearch],
    ])
    func `every hint of the footer works where it shows`(scopes: [KeyScope]) {
        let hints = Self.keymap.footer(in: scopes)
        #expect(!hints.isEmpty)
        for hint in hints {
            let key = hint.keys.first
            #expect(key.flatMap { Self.keymap.action(for: $0, in: scopes) } == hint.action, "\(hint.label)")
        }
    }

    @Test(arguments: [[KeyScope.field], [.area], [.picker], [.question], [.help], [.line]])
    func `there is always a way out`(scopes: [KeyScope]) {
        #expect(Self.keymap.action(for: Key(.escape), in: scopes) == .leave)
        #expect(Self.keymap.action(for: Key(.character("c"), .control), in: scopes) == .leave)
    }

    @Test func `what has to be decided can be left with the program alone`() {
        #expect(Self.keymap.action(for: Key(.escape), in: [.decision]) == nil)
        #expect(Self.keymap.action(for: Key(.character("c"), .control), in: [.decision]) == .app(.quit))
    }

    @Test func `letters are typed where text is taken, and only there`() {
        for scope in KeyScope.allCases {
            let typed = Self.keymap.action(for: Key(.character("ä")), in: [scope])
            #expect(typed == (scope.takesText ? .text(.insert("ä")) : nil), "\(scope)")
            #expect(Self.keymap.action(for: Key(.character("ä"), .alt), in: [scope]) == nil)
            #expect(Self.keymap.action(for: Key(.function(9)), in: [scope]) == nil)
        }
        #expect(Self.keymap.action(for: Key(.character("A"), .shift), in: [.field]) == .text(.insert("A")))
    }

    @Test func `the help lists every binding with its keys, and in the end those of the palette`() {
        var story = Story(columns: 90, rows: 600)
        story.press("?")
        let screen = story.screen
        let palette = screen.split(separator: "\n").drop { !$0.contains("In the palette (:)") }.joined(separator: "\n")
        for row in Self.keymap.sections.flatMap({ KeymapRow.rows(of: $0.bindings) }) {
            guard !row.keys.isEmpty else {
                #expect(palette.contains(" \(row.label) "), "\(row.label)")
                continue
            }
            let keys = row.keyNames.padded(to: max(20, row.keyNames.count + 1))
            let label = WrappedText.lines(of: row.label, columns: 68 - keys.count).first ?? ""
            #expect(screen.contains(keys + label), "\(row.label)")
        }
    }

    @Test func `the tabs of a pane are one row, but for those whose keys settings have changed`() {
        let tabs = Self.keymap.bindings.filter { $0.scope == .response && $0.label.hasPrefix("Go to the tab") }
        let changed = tabs.enumerated().map { $0.offset == 2 ? $0.element.bound(to: [["e"]]) : $0.element }
        #expect(KeymapRow.rows(of: tabs).map(\.keyNames) == ["Alt+1 … 9, ; 1 … 9"])
        #expect(KeymapRow.rows(of: tabs).map(\.settingNames) == [["tab1", "tab9"]])
        #expect(
            KeymapRow.rows(of: changed).map { "\($0.keyNames): \($0.label)" } == [
                "Alt+1 … 2, ; 1 … 2: Go to a tab", "e: Go to the tab Expect", "Alt+4 … 9, ; 4 … 9: Go to a tab",
            ])
    }

    @Test func `a tab has the digit of its number, and one beyond the ninth no key`() {
        let nine = Key(.character("9"))
        #expect(Keymap.tabKeys(9) == [[.alt(nine)], [";", nine]])
        #expect(Keymap.tabKeys(10).isEmpty)
    }

    @Test func `docs/keys.md is the table of keys`() throws {
        try RecordedFile("docs/keys.md").expect(KeysPage.text(Self.keymap))
    }

    @Test func `the page escapes what a table would take for its own, and names the palette where there is no key`() {
        let keymap = Keymap([
            Binding("|", "`", does: .run(.send), in: .everywhere, "a | b"),
            Binding(does: .app(.log), in: .everywhere, "log"),
            Binding(.escape, does: .leave, in: .help, "leave"),
        ])
        #expect(
            KeysPage.text(keymap).hasSuffix(
                """
                ## Everywhere: `everywhere`

                | Keys | Action | Name |
                |---|---|---|
                | `\\|` `` ` `` | a \\| b | `send` |
                | palette | log | `messageLog` |

                ## Help: `help`

                | Keys | Action | Name |
                |---|---|---|
                | `Esc` | leave | `leave` |

                """))
    }
}
