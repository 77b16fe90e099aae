/// A Unicode category or a group of them, `\p{Lu}` or `\P{L}`.
struct IRegexpCategory: Sendable {
    private let categories: [Unicode.GeneralCategory]
    private let isNegated: Bool

    /// Returns nil for a name that RFC 9485 does not define.
    init?(_ name: String, isNegated: Bool) {
        guard name.unicodeScalars.count <= 2 else { return nil }
        categories = Self.names.filter { name.unicodeScalars.count == 1 ? $0.key.hasPrefix(name) : $0.key == name }
            .map(\.value)
        guard !categories.isEmpty else { return nil }
        self.isNegated = isNegated
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        categories.contains(scalar.properties.generalCategory) != isNegated
    }

    private static let names: [String: Unicode.GeneralCategory] = [
        "Ll": .lowercaseLetter, "Lm": .modifierLetter, "Lo": .otherLetter, "Lt": .titlecaseLetter,
        "Lu": .uppercaseLetter, "Mc": .spacingMark, "Me": .enclosingMark, "Mn": .nonspacingMark,
        "Nd": .decimalNumber, "Nl": .letterNumber, "No": .otherNumber, "Pc": .connectorPunctuation,
        "Pd": .dashPunctuation, "Pe": .closePunctuation, "Pf": .finalPunctuation, "Pi": .initialPunctuation,
        "Po": .otherPunctuation, "Ps": .openPunctuation, "Zl": .lineSeparator, "Zp": .paragraphSeparator,
        "Zs": .spaceSeparator, "Sc": .currencySymbol, "Sk": .modifierSymbol, "Sm": .mathSymbol, "So": .otherSymbol,
        "Cc": .control, "Cf": .format, "Cn": .unassigned, "Co": .privateUse,
    ]
}
