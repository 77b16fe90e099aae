/// The page of the documentation that lists the keys, generated from the keymap so that it is always right.
enum KeysPage {
    /// Markdown: a table for each scope.
    static func text(_ keymap: Keymap) -> String {
        let sections = KeyScope.allCases.compactMap { scope -> String? in
            let bindings = keymap.bindings.filter { $0.scope == scope }
            return bindings.isEmpty ? nil : section(scope, bindings)
        }
        return ([head] + sections).joined(separator: "\n")
    }

    private static let head = """
        # Keys

        Written from `Sources/OmbiTUI/Input/DefaultKeymap.swift`: change it there. In Ombi, `?` shows the same list, and
        the last line of the screen shows what works where you are. Letters are typed wherever text is edited.

        """

    private static func section(_ scope: KeyScope, _ bindings: [Binding]) -> String {
        let rows = bindings.map { binding in
            "| \(binding.keys.map { code($0.name) }.joined(separator: " ")) | \(escaped(binding.label)) |\n"
        }
        return "## \(scope.rawValue)\n\n| Keys | What they do |\n|---|---|\n" + rows.joined()
    }

    private static func code(_ name: String) -> String {
        name.contains("`") ? "`` \(name) ``" : "`\(escaped(name))`"
    }

    /// A bar would end the cell, even in code.
    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { $0 += $1 == "|" ? "\\|" : String($1) }
    }
}
