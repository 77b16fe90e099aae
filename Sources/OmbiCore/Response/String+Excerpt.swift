extension StringProtocol {
    /// The text as a part of a message: at most `limit` characters, then "…", with what would not show as itself
    /// (control characters, marks that turn the direction of text around) written out.
    package func excerpt(_ limit: Int = 120) -> String {
        // A character may be any number of scalars.
        let start = unicodeScalars.prefix(limit)
        let text = start.reduce(into: "") { text, scalar in
            if scalar.isInvisible { text += scalar.escaped(asASCII: true) } else { text.unicodeScalars.append(scalar) }
        }
        return start.endIndex == unicodeScalars.endIndex ? text : text + "…"
    }

    /// With its first letter in lower case, unless the word is an abbreviation.
    var asClause: String {
        guard let first, dropFirst().first?.isUppercase != true else { return String(self) }
        return first.lowercased() + dropFirst()
    }
}

extension Unicode.Scalar {
    fileprivate var isInvisible: Bool {
        guard value > 0x7E || value < 0x20 else { return false }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }
}
