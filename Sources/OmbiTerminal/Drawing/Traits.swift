/// The emphasis of a text besides its role; without `highlight`, all that is left of a look on a terminal without colours.
package struct Traits: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    // Inlinable, since every `[]` of another module is made by it.
    @inlinable
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// In place of the general one, which is slow in other modules.
    package init(arrayLiteral traits: Traits...) {
        rawValue = traits.reduce(0) { $0 | $1.rawValue }
    }

    package static let bold = Traits(rawValue: 1)
    package static let dim = Traits(rawValue: 2)
    package static let underline = Traits(rawValue: 4)
    package static let reverse = Traits(rawValue: 8)
    package static let italic = Traits(rawValue: 16)
    /// The row under the cursor: a background of its own where there are colours for it, reversed elsewhere.
    package static let highlight = Traits(rawValue: 32)
}
