import OmbiTerminal

/// The scope of a binding: a pane, or an overlay that takes its keys.
enum KeyScope: String, CaseIterable, Sendable {
    case everywhere = "Everywhere"
    case lists = "Lists and bodies"
    case tree = "Requests"
    case request = "Request"
    case response = "Response"
    case viewer = "Body"
    case folding = "Body with folds"
    case selecting = "Selected rows"
    case environments = "Environments"
    case search = "Searching in a list"
    case line = "Prompts in a body"
    case field = "Editing a field"
    case completing = "Completing what is typed"
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
    /// The indices of the bindings that the footer may show, stored because every frame reads them.
    private let shown: [Int]

    init(_ bindings: [Binding]) {
        self.bindings = bindings
        shown = bindings.indices.filter { bindings[$0].footer != nil }
    }

    /// The action of a key in the first of the scopes that binds it.
    func action(for key: Key, in scopes: [KeyScope]) -> Action? {
        // A hundred comparisons for a key are nothing; dictionaries would cost a tenth of the start-up.
        for scope in scopes {
            // By index: a copy of each binding would cost more than the comparison.
            let index = bindings.indices.first { bindings[$0].scope == scope && bindings[$0].keys.contains(key) }
            if let index { return bindings[index].action }
        }
        guard let scope = scopes.first, scope.takesText else { return nil }
        guard case .character(let character) = key.code, key.modifiers.subtracting(.shift).isEmpty else { return nil }
        return .text(.insert(String(character)))
    }

    /// The bindings for the footer: sending first, so that it is found in the same place everywhere, and then in the order
    /// of the keymap.
    func footer(in scopes: [KeyScope]) -> [Binding] {
        var indices = scopes.flatMap { scope in shown.filter { bindings[$0].scope == scope } }
        if let sending = indices.firstIndex(where: { bindings[$0].action == .run(.send) }) {
            indices.insert(indices.remove(at: sending), at: 0)
        }
        // A key means what the nearest scope says.
        var keys: Set<String> = []
        return indices.map { bindings[$0] }.filter { keys.insert($0.footerKey).inserted }
    }
}

extension KeyScope {
    /// True when keys without a binding are typed as text.
    var takesText: Bool { [.field, .completing, .area, .finding, .picker, .line, .search].contains(self) }

    /// True for the scopes of panes.
    var isPane: Bool { [.tree, .request, .response, .viewer, .folding].contains(self) }
}
