import OmbiTerminal

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
