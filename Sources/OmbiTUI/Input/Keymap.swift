import OmbiTerminal

/// The scope of a binding: a pane, or an overlay that takes its keys.
enum KeyScope: String, CaseIterable, Sendable {
    case everywhere = "Everywhere"
    case lists = "Lists and bodies"
    case tree = "Collections"
    case request = "Request"
    case response = "Response"
    case viewer = "Body"
    case folding = "Body with folds"
    case selecting = "Selected rows"
    case line = "Prompts in a body"
    case field = "Editing a field"
    case area = "Editing a body"
    case finding = "Finding in a body under edit"
    case picker = "Lists of choices"
    case question = "Questions"
    case decision = "Questions at the start"
    case help = "Help"
}

/// One line of the keymap: the keys, their action, and its texts on the screen.
struct Binding: Equatable, Sendable {
    let keys: [Key]
    let action: Action
    let scope: KeyScope
    /// The text in the help.
    let label: String
    /// The word in the footer; nil when the binding does not show there.
    private(set) var footer: String?
    /// The key that the footer names: the first one.
    let footerKey: String

    init(_ keys: String..., does action: Action, in scope: KeyScope, _ label: String, footer: String? = nil) {
        self.keys = keys.compactMap { Key(name: $0) }
        self.action = action
        self.scope = scope
        self.label = label
        self.footer = footer
        footerKey = footer == nil ? "" : self.keys.first?.name ?? ""
    }

    /// Returns a copy with another word in the footer.
    func saying(_ word: String) -> Binding {
        var copy = self
        copy.footer = word
        return copy
    }
}

/// Looks keys up. The footer, the help and docs/keys.md are written from the same bindings.
struct Keymap: Equatable, Sendable {
    let bindings: [Binding]
    /// The bindings that the footer may show, stored because every frame reads them.
    private let shown: [Binding]

    init(_ bindings: [Binding]) {
        self.bindings = bindings
        shown = bindings.filter { $0.footer != nil }
    }

    /// The action of a key in the first of the scopes that binds it.
    func action(for key: Key, in scopes: [KeyScope]) -> Action? {
        // A hundred comparisons for a key are nothing; dictionaries would cost a tenth of the start-up.
        for scope in scopes {
            if let found = bindings.first(where: { $0.scope == scope && $0.keys.contains(key) }) { return found.action }
        }
        guard let scope = scopes.first, scope.takesText else { return nil }
        guard case .character(let character) = key.code, key.modifiers.subtracting(.shift).isEmpty else { return nil }
        return .text(.insert(String(character)))
    }

    /// The bindings for the footer, in the order of the keymap.
    func footer(in scopes: [KeyScope]) -> [Binding] {
        scopes.flatMap { scope in shown.filter { $0.scope == scope } }
    }
}

extension KeyScope {
    /// True when keys without a binding are typed as text.
    var takesText: Bool { [.field, .area, .finding, .picker, .line].contains(self) }
}
