/// The emphasis of a text besides its colour; all that is left of a look on a terminal without colours.
struct Traits: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static let bold = Traits(rawValue: 1)
    static let dim = Traits(rawValue: 2)
    static let underline = Traits(rawValue: 4)
    static let reverse = Traits(rawValue: 8)
    static let italic = Traits(rawValue: 16)
}
