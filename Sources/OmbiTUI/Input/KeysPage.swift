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

        Generated from `Sources/OmbiTUI/Input/DefaultKeymap.swift`. In Ombi, `?` shows the same list, and the bottom line of
        the screen the keys of the focused part. Where text is edited, letters are typed.

        """

    private static func section(_ scope: KeyScope, _ bindings: [Binding]) -> String {
        let rows = bindings.map { binding in
            "| \(binding.keys.map { code($0.name) }.joined(separator: " ")) | \(escaped(binding.label)) |\n"
        }
        return "## \(scope.rawValue)\n\n| Keys | Action |\n|---|---|\n" + rows.joined()
    }

    private static func code(_ name: String) -> String {
        name.contains("`") ? "`` \(name) ``" : "`\(escaped(name))`"
    }

    /// A bar would end the cell, even in code.
    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { $0 += $1 == "|" ? "\\|" : String($1) }
    }
}
