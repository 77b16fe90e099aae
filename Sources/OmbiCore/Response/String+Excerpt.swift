extension StringProtocol {
    /// Returns the text for a message: at most `limit` characters, then "…", with invisible characters (control
    /// characters, bidirectional marks) escaped.
    package func excerpt(_ limit: Int = 120) -> String {
        // A character may be any number of scalars.
        let start = unicodeScalars.prefix(limit)
        let text = start.reduce(into: "") { text, scalar in
            if scalar.isInvisible { text += scalar.escaped(asASCII: true) } else { text.unicodeScalars.append(scalar) }
        }
        return start.endIndex == unicodeScalars.endIndex ? text : text + "…"
    }

    /// The text with its first letter in lower case, unless it starts with an abbreviation.
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
