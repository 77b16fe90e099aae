/// Sets of keys that settings choose by name.
enum KeyPreset {
    /// The keys of vim for moving, folding, panes and rows. Editing a text stays as it is: Ombi has no modes.
    static var vim: [KeyChange] {
        [
            change(.lists, .move(.top), "g g", "Home"),
            change(.lists, .move(.pageDown), "Ctrl+F", "PageDown", "Space"),
            change(.lists, .move(.pageUp), "Ctrl+B", "PageUp"),
            change(.everywhere, .app(.focusNext), "Ctrl+W w", "Tab"),
            change(.everywhere, .app(.focusPrevious), "Ctrl+W W", "Ctrl+W p", "Shift+Tab"),
            change(.everywhere, .app(.focus(.tree)), "1", "Ctrl+W h", "Ctrl+W t"),
            change(.everywhere, .app(.focus(.request)), "2", "Ctrl+W k"),
            change(.everywhere, .app(.focus(.response)), "3", "Ctrl+W l", "Ctrl+W j", "Ctrl+W b"),
            change(.everywhere, .app(.zoom), "Ctrl+W o"),
            change(.everywhere, .app(.moveSplit(.left)), "Ctrl+W <"),
            change(.everywhere, .app(.moveSplit(.right)), "Ctrl+W >"),
            change(.everywhere, .app(.moveSplit(.up)), "Ctrl+W -"),
            change(.everywhere, .app(.moveSplit(.down)), "Ctrl+W +"),
            change(.everywhere, .copy, "y y"),
            change(.tree, .tree(.askForRequest), "o", "a"),
            change(.tree, .tree(.askForPath), "O"),
            change(.tree, .tree(.delete), "d d"),
            change(.tree, .tree(.duplicate), "Y", "Alt+D"),
            change(.tree, .chooseCopy, "y c"),
            change(.request, .request(.edit), "i", "Enter"),
            change(.request, .request(.nextTab), "g t", "]", "Right", "l"),
            change(.request, .request(.previousTab), "g T", "[", "Left", "h"),
            change(.request, .request(.addRow), "o", "a"),
            change(.request, .request(.deleteRow), "d d"),
            change(.response, .response(.nextTab), "g t", "]", "Enter"),
            change(.response, .response(.previousTab), "g T", "["),
            change(.viewer, .view(.copyValue), "y y"),
            change(.viewer, .chooseCopy, "y c"),
            change(.viewer, .view(.copyAll), "y a", "Y"),
            change(.viewer, .view(.copyPath), "y p"),
            change(.viewer, .view(.select), "V", "v"),
            change(.viewer, .view(.firstColumn), "0", "^"),
            change(.folding, .view(.toggleFold), "z a", "Enter", "Space"),
            change(.folding, .view(.closeFold), "z c", "Left", "h"),
            change(.folding, .view(.openFold), "z o", "Right", "l"),
            change(.folding, .view(.foldMore), "z m", "-"),
            change(.folding, .view(.foldLess), "z r", "="),
            change(.folding, .view(.unfoldAll), "z R", "*"),
            change(.help, .move(.pageDown), "Ctrl+F", "PageDown", "Space"),
            change(.help, .move(.pageUp), "Ctrl+B", "PageUp"),
        ]
    }

    private static func change(_ scope: KeyScope, _ action: Action, _ sequences: String...) -> KeyChange {
        let keys = sequences.map { $0.split(separator: " ").compactMap { Key(name: String($0)) } }
        return KeyChange(scope: scope, action: action, sequences: keys)
    }
}

/// The keys that settings give an action, in place of those of the keymap.
struct KeyChange: Equatable, Sendable {
    let scope: KeyScope
    let action: Action
    /// Keys, and chords of several; empty to bind the action to no key.
    let sequences: [[Key]]
}

extension Keymap {
    /// Returns the keymap with other keys for some actions. They are taken from the actions that had them in the same scope.
    func changed(by changes: [KeyChange]) -> Keymap {
        guard !changes.isEmpty else { return self }
        return Keymap(
            bindings.map { binding in
                let own = changes.filter { $0.scope == binding.scope }
                if let change = own.last(where: { $0.action == binding.action }) {
                    return binding.bound(to: change.sequences)
                }
                let taken = own.flatMap(\.sequences)
                let left = binding.sequences.filter { mine in !taken.contains { Self.collide(mine, $0) } }
                return left.count == binding.sequences.count ? binding : binding.bound(to: left)
            }, isChanged: true)
    }

    /// The binding of an action in a scope; nil when there is none of that name.
    func binding(named name: String, in scope: KeyScope) -> Binding? {
        bindings.first { $0.scope == scope && $0.action.name == name }
    }

    /// Returns true when one of them begins with the other: only one could ever be typed.
    static func collide(_ one: [Key], _ other: [Key]) -> Bool { one.starts(with: other) || other.starts(with: one) }
}

/// The waiting for the next key of a chord, which every program on the screen does alike.
extension Action {
    var isRelease: Bool { if case .mouse(.release) = self { true } else { false } }

    /// The keys so far; empty when none is waited for.
    var begunKeys: [Key] {
        if case .app(.chord(let keys)) = self { keys } else { [] }
    }

    /// The notice that a chord has ended without a meaning.
    var chordNotice: Notice? {
        guard case .app(.endChord(let keys)) = self else { return nil }
        let begun = Key.names(of: keys.dropLast())
        guard keys.last != Key(.escape) else { return Notice(.info, "\(begun) cancelled") }
        return Notice(.info, "\(Key.names(of: keys)) is not bound")
    }
}

/// The keys that actions had before a letter meant one verb everywhere. One that means nothing now says where its
/// action is, as long as the version is `version`; with the next one this file goes.
enum FormerKeys {
    /// A key that an action had in a scope.
    struct Entry: Sendable {
        let key: Key
        let scope: KeyScope
        let action: Action
        /// The key that does it now, where that is bound to more than this action.
        var way: String?
    }

    /// The major and the minor number of the version that still tells them.
    static let version = "0.1"

    static let all: [Entry] =
        [
            Entry(key: "O", scope: .everywhere, action: .files(.signOut)),
            Entry(key: .alt(.left), scope: .everywhere, action: .app(.moveSplit(.left))),
            Entry(key: .alt(.right), scope: .everywhere, action: .app(.moveSplit(.right))),
            Entry(key: .alt(.up), scope: .everywhere, action: .app(.moveSplit(.up))),
            Entry(key: .alt(.down), scope: .everywhere, action: .app(.moveSplit(.down))),
            Entry(key: "m", scope: .request, action: .request(.chooseMethod), way: "Space on the URL"),
        ] + tree + response + viewer + tables

    private static let tree = [
        Entry(key: "P", scope: .marking, action: .tree(.putHere(.copy))),
        Entry(key: "D", scope: .tree, action: .tree(.duplicate)),
        Entry(key: "J", scope: .tree, action: .tree(.move(1))),
        Entry(key: "K", scope: .tree, action: .tree(.move(-1))),
        Entry(key: "<", scope: .tree, action: .tree(.moveOut)),
        Entry(key: ">", scope: .tree, action: .tree(.moveIn)),
        Entry(key: "c", scope: .tree, action: .tree(.chooseTarget(.copy))),
        Entry(key: "C", scope: .tree, action: .batch(.chooseReplay)),
        Entry(key: "M", scope: .tree, action: .files(.chooseSecrets)),
        Entry(key: "n", scope: .tree, action: .tree(.askForCollection)),
    ]

    private static let response = [
        Entry(key: "P", scope: .statistics, action: .response(.simulate)),
        Entry(key: "I", scope: .statistics, action: .app(.askForIncident)),
        Entry(key: "a", scope: .cookies, action: .response(.editCookie)),
        Entry(key: "b", scope: .response, action: .run(.toggleFallback)),
    ]

    private static let viewer = [
        Entry(key: "I", scope: .viewer, action: .run(.chooseMessage)),
        Entry(key: "A", scope: .viewer, action: .run(.allPages)),
        Entry(key: "J", scope: .viewer, action: .view(.join)),
        Entry(key: .alt("y"), scope: .viewer, action: .view(.copyAll)),
        Entry(key: "#", scope: .viewer, action: .view(.toggleNumbers)),
        Entry(key: "P", scope: .viewer, action: .view(.openInPager)),
        Entry(key: "0", scope: .viewer, action: .view(.firstColumn)),
        Entry(key: "p", scope: .folding, action: .view(.parent)),
        Entry(key: "}", scope: .folding, action: .view(.nextSibling)),
        Entry(key: "{", scope: .folding, action: .view(.previousSibling)),
    ]

    private static let tables = [
        Entry(key: "r", scope: .environments, action: .environments(.renameRow)),
        Entry(key: "f", scope: .environments, action: .environments(.showUses)),
        Entry(key: "D", scope: .environments, action: .environments(.duplicate)),
        Entry(key: "X", scope: .environments, action: .environments(.delete)),
        Entry(key: "X", scope: .batch, action: .batch(.cancelAll)),
    ]

    /// Says where the action of a former key is now; nil for any other key.
    static func notice(of key: Key, in scopes: [KeyScope], _ keymap: Keymap) -> String? {
        for scope in scopes {
            guard let entry = all.first(where: { $0.key == key && $0.scope == scope }),
                let binding = keymap.bindings.first(where: { $0.scope == scope && $0.action == entry.action })
            else { continue }
            if let way = entry.way ?? binding.sequences.first.map(Key.names(of:)) {
                return "\(key.name) is now \(way): \(binding.label)"
            }
            let palette = keymap.bindings.first { scopes.contains($0.scope) && $0.action == .app(.palette) }
            let keys = palette?.sequences.first.map { " (\(Key.names(of: $0)))" } ?? ""
            return "\(key.name) is now in the palette\(keys): \(binding.label)"
        }
        return nil
    }
}
