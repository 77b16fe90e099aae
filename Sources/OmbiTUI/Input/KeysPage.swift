/// The page of the documentation that lists the keys, generated from the keymap so that it is always right.
enum KeysPage {
    /// Markdown: a table for each scope.
    static func text(_ keymap: Keymap) -> String {
        ([head] + keymap.sections.map(table)).joined(separator: "\n")
    }

    private static let head = """
        # Keys

        Generated from `Sources/OmbiTUI/Input/DefaultKeymap.swift`. In Ombi, `?` shows the same list, and the bottom line of
        the screen the keys of the focused part. Where text is edited, letters are typed.
        What has no key is in the palette (`:`). The words in code are the names of scopes and actions for
        [settings](configuration.md).

        """

    private static func table(_ section: KeymapSection) -> String {
        let rows = KeymapRow.rows(of: section.bindings).map { row in
            let keys = row.keys.isEmpty ? "palette" : row.keys.map(code).joined(separator: " ")
            let name = row.settingNames.map(code).joined(separator: " … ")
            return "| \(keys) | \(escaped(row.label)) | \(name) |\n"
        }
        let title = section.title + (section.settingName.map { ": \(code($0))" } ?? "")
        return "## \(title)\n\n| Keys | Action | Name |\n|---|---|---|\n" + rows.joined()
    }

    private static func code(_ name: String) -> String {
        name.contains("`") ? "`` \(name) ``" : "`\(escaped(name))`"
    }

    /// A bar would end the cell, even in code.
    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { $0 += $1 == "|" ? "\\|" : String($1) }
    }
}

/// The bindings of a scope, for the pages that list all keys.
struct KeymapSection {
    let scope: KeyScope
    let bindings: [Binding]

    var title: String { scope.rawValue }
    /// The name of the scope in settings; nil where they change no keys.
    var settingName: String? { scope.isConfigurable ? scope.name : nil }
}

extension Keymap {
    /// The bindings of each scope that has some.
    var sections: [KeymapSection] {
        KeyScope.allCases.compactMap { scope in
            let own = bindings.filter { $0.scope == scope }
            return own.isEmpty ? nil : KeymapSection(scope: scope, bindings: own)
        }
    }
}

extension Binding {
    /// The name of the action in settings; nil where they change no keys, and for an action without a name.
    var settingName: String? { scope.isConfigurable ? action.name : nil }
}

/// A row in the lists of keys: a binding, or those of the tabs of a pane, which differ in their number alone.
struct KeymapRow: Equatable, Sendable {
    /// The keys and chords, as they are named; none for an action that the palette alone has.
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
        let keys = Keymap.tabKeys(number)
        return !keys.isEmpty && binding.sequences == keys ? number : nil
    }
}
