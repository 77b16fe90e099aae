/// The context on one side of a position in a text, as `^`, `$` and `\b` distinguish it.
enum RegexContext: UInt8, Sendable {
    case edge, lineFeed, carriageReturn, word, other

    init(_ byte: UInt8) {
        switch byte {
        case 0x0A: self = .lineFeed
        case 0x0D: self = .carriageReturn
        case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A, 0x80...0xFF: self = .word
        default: self = .other
        }
    }

    /// Returns true if an assertion holds between the contexts before and after a position.
    static func holds(
        _ assertion: RegexNode.Assertion, _ before: RegexContext, _ after: RegexContext
    ) -> Bool {
        switch assertion {
        case .textStart: before == .edge
        case .textEnd: after == .edge
        case .lineStart: before == .edge || before == .lineFeed || before == .carriageReturn && after != .lineFeed
        case .lineEnd: after == .edge || after == .carriageReturn || after == .lineFeed && before != .carriageReturn
        case .wordEdge: (before == .word) != (after == .word)
        case .notWordEdge: (before == .word) == (after == .word)
        }
    }
}
