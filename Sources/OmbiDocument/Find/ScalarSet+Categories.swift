extension ScalarSet {
    /// Returns the set of a Unicode category (`Lu`) or a group of them (`L`); nil for
    /// any other name.
    static func category(_ name: String) -> ScalarSet? {
        guard name.unicodeScalars.count <= 2 else { return nil }
        let sets = names.filter { name.unicodeScalars.count == 1 ? $0.key.hasPrefix(name) : $0.key == name }
            .compactMap { categories[$0.value] }
        return sets.isEmpty ? nil : ScalarSet(sets.flatMap(\.ranges))
    }

    private static let categories: [Unicode.GeneralCategory: ScalarSet] = {
        var ranges: [Unicode.GeneralCategory: [ClosedRange<UInt32>]] = [:]
        var (first, last): (UInt32, Unicode.GeneralCategory) = (0, .control)
        for value in 1...(ScalarSet.last + 1) {
            let category = Unicode.Scalar(value)?.properties.generalCategory ?? .surrogate
            guard category != last || value > ScalarSet.last else { continue }
            ranges[last, default: []].append(first...(value - 1))
            (first, last) = (value, category)
        }
        return ranges.mapValues { ScalarSet($0) }
    }()

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
