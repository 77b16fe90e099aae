import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// Keys of settings: what they change, and what is said of those that cannot be.
@Suite struct KeySettingsTests {
    private static func read(_ keys: String) -> Configuration {
        ConfigurationFile.read(Array("{\"keys\": \(keys)}".utf8), path: "c", PosixFileSystem())
    }

    private static func keymap(_ keys: String) -> Keymap { read(keys).keymap(over: .standard) }

    private static func names(_ action: Action, _ scope: KeyScope, in keymap: Keymap) -> String? {
        keymap.bindings.first { $0.scope == scope && $0.action == action }?.keyNames
    }

    @Test func `every action of the keymap has a name of its own in its scope`() {
        for scope in KeyScope.allCases {
            let bindings = (Keymap.standard.bindings + Keymap.pager.bindings).filter { $0.scope == scope }
            var seen: [String: Action] = [:]
            for binding in bindings {
                let name = binding.action.name
                #expect(name != nil, "\(scope): \(binding.label)")
                let other = seen.updateValue(binding.action, forKey: name ?? "")
                #expect(other == nil || other == binding.action, "\(scope): \(name ?? "")")
            }
        }
        #expect(Set(KeyScope.allCases.map(\.title)).count == KeyScope.allCases.count)
    }

    @Test(arguments: [
        ("{\"everywhere\": {\"send\": \"F5\"}}", Action.run(.send), KeyScope.everywhere, "F5"),
        ("{\"everywhere\": {\"send\": [\"F5\", \"Ctrl+X s\"]}}", .run(.send), .everywhere, "F5, Ctrl+X s"),
        ("{\"everywhere\": {\"suspend\": null}}", .app(.suspend), .everywhere, ""),
        ("{\"everywhere\": {\"suspend\": \"\"}}", .app(.suspend), .everywhere, ""),
        ("{\"everywhere\": {\"suspend\": []}}", .app(.suspend), .everywhere, ""),
        ("{\"requests\": {\"delete\": \"Shift+x\"}}", .tree(.delete), .tree, "X"),
        ("{\"editor\": {\"undo\": \"Alt+Backspace\"}}", .text(.undo), .area, "Alt+Backspace"),
        // A key that settings give to one action is taken from another.
        ("{\"requests\": {\"rename\": \"d\"}}", .tree(.delete), .tree, ""),
        ("{\"lists\": {\"bottom\": \"g e\"}}", .move(.top), .lists, "Home"),
    ])
    func `settings change the keys of an action`(keys: String, action: Action, scope: KeyScope, names: String) {
        #expect(Self.names(action, scope, in: Self.keymap(keys)) == names)
    }

    @Test func `a key that a nearer part takes is not offered`() {
        let keymap = Self.keymap("{\"everywhere\": {\"send\": \"d\"}}")
        let names = { (scopes: [KeyScope]) in keymap.footer(in: scopes).map { "\($0.footerKey) \($0.footer ?? "")" } }
        #expect(!names([.tree, .lists, .everywhere]).contains("d send"), "there it deletes")
        #expect(names([.response, .lists, .everywhere]).first == "d send")
    }

    @Test(arguments: [
        ("{\"requets\": {}}", ["1:11: warning: unknown key \"requets\"; did you mean \"requests\"?"]),
        ("{\"requests\": {\"delte\": \"x\"}}", ["1:24: warning: unknown key \"delte\"; did you mean \"delete\"?"]),
        (
            "{\"requests\": {\"delete\": \"Ctlr+X\"}}",
            [
                "1:34: error: \"Ctlr+X\" is not a key; write one such as g, G, Ctrl+X, Alt+Left, F5, Space or Enter, "
                    + "and several for a chord: \"g g\""
            ]
        ),
        ("{\"requests\": {\"delete\": 5}}", ["1:34: error: expected a key, an array of keys or null, found a number"]),
        ("{\"requests\": {\"delete\": [5]}}", ["1:35: error: expected a key in quotes, found a number"]),
        (
            "{\"requests\": {\"delete\": \" \"}}",
            ["1:34: error: no key; write Space for the space bar, and null for no key at all"]
        ),
        ("{\"requests\": 1}", ["1:23: error: \"requests\": expected an object, found a number"]),
        // Two actions with one key, and a key that begins the chord of another.
        ("{\"requests\": {\"delete\": \"F6\", \"rename\": \"F6\"}}", ["1:50: error: F6 is \"delete\" already (1:34)"]),
        (
            "{\"requests\": {\"delete\": \"F6 a\", \"rename\": \"F6\"}}",
            ["1:52: error: F6 collides with F6 a, \"delete\" already (1:34)"]
        ),
        ("{\"requests\": {\"rename\": \"d\"}}", ["1:34: warning: d was \"delete\", which has no key now"]),
        (
            "{\"everywhere\": {\"send\": \"d\"}}",
            ["1:34: warning: d is \"delete\" in requests, which comes first there"]
        ),
        // What terminals keep or change.
        ("{\"everywhere\": {\"send\": \"Ctrl+M\"}}", ["1:34: warning: Ctrl+M: terminals send it as Enter"]),
        (
            "{\"everywhere\": {\"send\": \"Ctrl+S\"}}",
            ["1:34: warning: Ctrl+S: some terminals keep it to stop and resume the output"]
        ),
        (
            "{\"everywhere\": {\"send\": \"Ctrl+Enter\"}}",
            ["1:34: warning: Ctrl+Enter: most terminals send it without Ctrl"]
        ),
        // What would be typed, and what there must be.
        ("{\"editor\": {\"undo\": \"u\"}}", ["1:30: error: u is typed as text in editor; take a key with Ctrl or Alt"]),
        ("{\"everywhere\": {\"quit\": null}}", ["1:34: error: \"quit\" needs a key, or there is no way out"]),
        ("{\"choices\": {\"leave\": []}}", ["1:32: error: \"leave\" needs a key, or there is no way out"]),
        ("{\"questions\": {}}", ["1:11: warning: unknown key \"questions\""]),
    ])
    func `a mistake has a place, and its default stays`(keys: String, expected: [String]) {
        let configuration = Self.read(keys)
        #expect(configuration.problems.map { String($0.description.dropFirst(2)) } == expected)
        if expected.contains(where: { $0.contains("error") }), configuration.keys.isEmpty {
            #expect(configuration.keymap(over: .standard) == .standard)
        }
    }

    @Test func `of two actions with one key the first has it, and the other its default`() {
        let keymap = Self.keymap("{\"requests\": {\"delete\": \"F6\", \"rename\": \"F6\"}}")
        #expect(Self.names(.tree(.delete), .tree, in: keymap) == "F6")
        #expect(Self.names(.tree(.askForName), .tree, in: keymap) == "R")
    }

    // MARK: Vim

    @Test func `the preset vim names actions that there are, once`() {
        for change in KeyPreset.vim {
            #expect(
                Keymap.standard.bindings.contains { $0.scope == change.scope && $0.action == change.action },
                "\(change)")
            #expect(change.sequences.allSatisfy { !$0.isEmpty })
        }
        let keymap = Self.keymap("{\"preset\": \"vim\"}")
        for scope in KeyScope.allCases {
            let all = keymap.bindings.filter { $0.scope == scope }.flatMap(\.sequences)
            for (index, keys) in all.enumerated() {
                #expect(!all[..<index].contains { Keymap.collide($0, keys) }, "\(scope): \(Key.names(of: keys))")
            }
        }
        #expect(Self.read("{\"preset\": \"vim\"}").problems == [])
    }

    @Test func `the preset vim takes no action its last key`() {
        let keymap = Self.keymap("{\"preset\": \"vim\"}")
        let pairs = zip(Keymap.standard.bindings, keymap.bindings)
        let lost = pairs.filter { !$0.sequences.isEmpty && $1.sequences.isEmpty }
        #expect(lost.map(\.1.label) == [])
    }

    @Test func `settings go over the preset`() {
        let keymap = Self.keymap("{\"preset\": \"vim\", \"requests\": {\"delete\": \"F8\"}}")
        #expect(Self.names(.tree(.delete), .tree, in: keymap) == "F8")
        #expect(Self.names(.move(.top), .lists, in: keymap) == "Home, g g")
    }
}
