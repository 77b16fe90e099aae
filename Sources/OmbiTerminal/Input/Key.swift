/// A key as it was pressed. The keymap gives it a meaning.
package struct Key: Hashable, Sendable {
    package enum Code: Hashable, Sendable {
        /// A letter, a digit or a sign. With `control`, letters are lower case.
        case character(Character)
        case enter, tab, escape, backspace, delete, insert
        case up, down, left, right, home, end, pageUp, pageDown
        case function(Int)
    }

    package struct Modifiers: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let shift = Modifiers(rawValue: 1)
        package static let alt = Modifiers(rawValue: 2)
        package static let control = Modifiers(rawValue: 4)
    }

    package var code: Code
    package var modifiers: Modifiers

    package init(_ code: Code, _ modifiers: Modifiers = []) {
        self.code = code
        self.modifiers = modifiers
    }
}

/// Keys written in code: `"k"`, `.enter`, `.control("p")`, `.alt(.left)`.
extension Key: ExpressibleByExtendedGraphemeClusterLiteral {
    package init(extendedGraphemeClusterLiteral character: Character) { self.init(.character(character)) }

    package static var enter: Key { Key(.enter) }
    package static var tab: Key { Key(.tab) }
    package static var escape: Key { Key(.escape) }
    package static var backspace: Key { Key(.backspace) }
    package static var delete: Key { Key(.delete) }
    package static var space: Key { Key(.character(" ")) }
    package static var up: Key { Key(.up) }
    package static var down: Key { Key(.down) }
    package static var left: Key { Key(.left) }
    package static var right: Key { Key(.right) }
    package static var home: Key { Key(.home) }
    package static var end: Key { Key(.end) }
    package static var pageUp: Key { Key(.pageUp) }
    package static var pageDown: Key { Key(.pageDown) }

    package static func function(_ number: Int) -> Key { Key(.function(number)) }
    /// - Parameter key: a letter in lower case, as ``Code/character(_:)`` says.
    package static func control(_ key: Key) -> Key { Key(key.code, key.modifiers.union(.control)) }
    package static func alt(_ key: Key) -> Key { Key(key.code, key.modifiers.union(.alt)) }
    package static func shift(_ key: Key) -> Key { Key(key.code, key.modifiers.union(.shift)) }
}

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

    /// The key of a name, regardless of case; nil if there is none. A letter after `Ctrl+` means the same key in either
    /// case.
    package init?(name: String) {
        var rest = name.utf8[...]
        var modifiers: Modifiers = []
        while let plus = rest.dropFirst().firstIndex(of: UInt8(ascii: "+")), rest.index(after: plus) < rest.endIndex {
            guard let known = Self.modifierNames.first(where: { rest[..<plus].isWord($0.name) }) else { return nil }
            modifiers.insert(known.modifier)
            rest = rest[rest.index(after: plus)...]
        }
        guard let code = Self.code(named: rest, control: modifiers.contains(.control)) else { return nil }
        self.init(code, modifiers)
    }

    package var name: String {
        guard !modifiers.isEmpty else { return codeName }
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

    private static func code(named word: Substring.UTF8View, control: Bool) -> Code? {
        if word.count == 1, let byte = word.first {
            return .character(Character(Unicode.Scalar(control ? byte.lowercasedASCII : byte)))
        }
        if let known = codeNames.first(where: { word.isWord($0.name) }) { return known.code }
        if let known = otherNames.first(where: { word.isWord($0.name) }) { return known.code }
        let text = Substring(word)
        if text.count == 1, let character = text.first {
            let lowered = control ? character.lowercased() : String(character)
            return .character(lowered.count == 1 ? lowered.first ?? character : character)
        }
        guard text.first == "F" || text.first == "f", let number = Int(text.dropFirst()) else { return nil }
        return (1...63).contains(number) ? .function(number) : nil
    }
}

extension Substring.UTF8View {
    /// True for the bytes of an ASCII word, regardless of case.
    fileprivate func isWord(_ word: String) -> Bool {
        elementsEqual(word.utf8) { $0.lowercasedASCII == $1.lowercasedASCII }
    }
}

/// A key and the bytes that a terminal sends for it.
package struct KeySequence: Sendable {
    let bytes: [UInt8]
    let key: Key

    package init(_ bytes: [UInt8], _ key: Key) { (self.bytes, self.key) = (bytes, key) }
}

package enum InputEvent: Equatable, Sendable {
    case key(Key)
    case mouse(Mouse)
    /// Text pasted in one piece, with line feeds between its lines. It is made safe only when it is drawn.
    case paste(String)
    /// The terminal's window gained the focus, or lost it.
    case focus(Bool)
    case background(Background)
    /// The terminal replied to a status request: it has taken all output before it.
    case status
    case margins
    /// The end of the input: the terminal has closed.
    case end
}

/// A mouse event, and the cell under the pointer.
package struct Mouse: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        case press, release, drag, wheelUp, wheelDown, wheelLeft, wheelRight
    }

    package enum Button: Equatable, Sendable {
        case left, middle, right, other
        /// A wheel, or a release in an old protocol that does not name the button.
        case none
    }

    package var kind: Kind
    package var button: Button
    package var position: Point
    package var modifiers: Key.Modifiers

    package init(_ kind: Kind, button: Button = .none, position: Point, modifiers: Key.Modifiers = []) {
        self.kind = kind
        self.button = button
        self.position = position
        self.modifiers = modifiers
    }
}
