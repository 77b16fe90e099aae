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
