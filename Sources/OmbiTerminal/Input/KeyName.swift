/// The name of a key in help, footer and settings: `Ctrl+P`, `Shift+Tab`, `g`, `F5`, `Space`.
extension Key {
    private static let modifierNames: [(name: String, modifier: Modifiers)] = [
        ("Ctrl", .control), ("Alt", .alt), ("Shift", .shift),
    ]

    private static let codeNames: [(name: String, code: Code)] = [
        ("Enter", .enter), ("Tab", .tab), ("Esc", .escape), ("Backspace", .backspace), ("Delete", .delete),
        ("Insert", .insert), ("Up", .up), ("Down", .down), ("Left", .left), ("Right", .right), ("Home", .home),
        ("End", .end), ("PageUp", .pageUp), ("PageDown", .pageDown), ("Space", .character(" ")),
    ]

    /// Other accepted spellings, which are never written.
    private static let otherNames: [(name: String, code: Code)] = [
        ("Return", .enter), ("Escape", .escape), ("Del", .delete), ("Ins", .insert), ("PgUp", .pageUp),
        ("PgDn", .pageDown),
    ]

    /// The key of a name, in upper or lower case; nil when there is none. A letter after `Ctrl+` may be written
    /// in either case and means the same key.
    package init?(name: String) {
        if name.utf8.count == 1, let character = name.first {
            self.init(.character(character))
            return
        }
        var rest = Substring(name)
        var modifiers: Modifiers = []
        while let plus = rest.dropFirst().firstIndex(of: "+"), rest.index(after: plus) < rest.endIndex {
            let word = rest[..<plus].lowercased()
            guard let known = Self.modifierNames.first(where: { $0.name.lowercased() == word }) else { return nil }
            modifiers.insert(known.modifier)
            rest = rest[rest.index(after: plus)...]
        }
        guard let code = Self.code(named: rest, control: modifiers.contains(.control)) else { return nil }
        self.init(code, modifiers)
    }

    package var name: String {
        let prefix = Self.modifierNames.filter { modifiers.contains($0.modifier) }.map { $0.name + "+" }.joined()
        return prefix + codeName
    }

    private var codeName: String {
        if let known = Self.codeNames.first(where: { $0.code == code }) { return known.name }
        switch code {
        case .function(let number): return "F\(number)"
        case .character(let character):
            return modifiers.contains(.control) ? character.uppercased() : String(character)
        default: return ""
        }
    }

    private static func code(named word: Substring, control: Bool) -> Code? {
        if word.count == 1, let character = word.first {
            let lowered = control ? character.lowercased() : String(character)
            return .character(lowered.count == 1 ? lowered.first ?? character : character)
        }
        if let known = codeNames.first(where: { $0.name == word }) { return known.code }
        let lowered = word.lowercased()
        if let known = (codeNames + otherNames).first(where: { $0.name.lowercased() == lowered }) { return known.code }
        if lowered.first == "f", let number = Int(lowered.dropFirst()), (1...63).contains(number) {
            return .function(number)
        }
        return nil
    }
}
