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
