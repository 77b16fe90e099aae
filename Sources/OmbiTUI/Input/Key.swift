/// A key as it was pressed. The keymap gives it a meaning.
struct Key: Hashable, Sendable {
    enum Code: Hashable, Sendable {
        /// A letter, a digit or a sign. With `control`, letters are lower case.
        case character(Character)
        case enter, tab, escape, backspace, delete, insert
        case up, down, left, right, home, end, pageUp, pageDown
        case function(Int)
    }

    struct Modifiers: OptionSet, Hashable, Sendable {
        let rawValue: UInt8

        static let shift = Modifiers(rawValue: 1)
        static let alt = Modifiers(rawValue: 2)
        static let control = Modifiers(rawValue: 4)
    }

    var code: Code
    var modifiers: Modifiers

    init(_ code: Code, _ modifiers: Modifiers = []) {
        self.code = code
        self.modifiers = modifiers
    }
}
