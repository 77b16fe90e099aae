import OmbiTerminal

/// A row in the lists of keys: a binding, or those of the tabs of a pane, which differ in their number alone.
struct KeymapRow: Equatable, Sendable {
    /// The keys and chords, as they are named.
    let keys: [String]
    let label: String
    /// The name of the action in settings, or the first and the last one of tabs; none where settings change no keys.
    let settingNames: [String]
    private let hasChords: Bool

    /// "Up k", or "g g, Home" where there are chords.
    var keyNames: String { keys.joined(separator: hasChords ? ", " : " ") }

    init(_ binding: Binding) {
        keys = binding.sequences.map(Key.names(of:))
        label = binding.label
        settingNames = binding.settingName.map { [$0] } ?? []
        hasChords = !binding.chords.isEmpty
    }

    /// - Parameters:
    ///   - first: the binding of the first tab.
    ///   - last: the binding of the last one.
    ///   - number: the number of the last tab.
    private init(tabsFrom first: Binding, to last: Binding, _ number: Int) {
        keys = first.sequences.map { "\(Key.names(of: $0)) … \(number)" }
        label = "Go to a tab"
        settingNames = [first, last].compactMap(\.settingName)
        hasChords = true
    }

    /// Returns the rows of bindings, in their order. Tabs share a row while they have their usual keys.
    static func rows(of bindings: [Binding]) -> [KeymapRow] {
        var rows: [KeymapRow] = []
        var rest = bindings[...]
        while let first = rest.popFirst() {
            var last = first
            var number = Self.tab(of: first)
            while let current = number, let next = rest.first, next.scope == first.scope,
                Self.tab(of: next) == current + 1
            {
                (last, number) = (next, current + 1)
                rest.removeFirst()
            }
            if let number, last != first {
                rows.append(KeymapRow(tabsFrom: first, to: last, number))
            } else {
                rows.append(KeymapRow(first))
            }
        }
        return rows
    }

    /// The number of the tab that a binding with the usual keys of one goes to.
    private static func tab(of binding: Binding) -> Int? {
        let number: Int
        switch binding.action {
        case .request(.showTab(let tab)), .response(.showTab(let tab)): number = tab
        default: return nil
        }
        return binding.sequences == Keymap.tabKeys(number) ? number : nil
    }
}
