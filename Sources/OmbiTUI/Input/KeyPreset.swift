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
