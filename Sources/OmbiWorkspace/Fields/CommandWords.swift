import OmbiDocument

/// The words of a command as one line of text: those with spaces are in quotes. It is no shell: nothing is expanded.
enum CommandWords {
    /// Returns the line that `words(of:)` reads back.
    static func text(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }

    private static func quoted(_ word: String) -> String {
        let needsQuotes = word.unicodeScalars.contains { scalar in
            scalar.properties.isWhitespace || "'\"\\".unicodeScalars.contains(scalar)
        }
        let isPlain = !word.isEmpty && !needsQuotes
        return isPlain ? word : "'" + word.replacing(scalar: "'", with: #"'\''"#) + "'"
    }

    /// Splits a line at its spaces. Returns nil where a quote is not closed.
    static func words(of text: String) -> [String]? {
        var words: [String] = []
        var word: String?
        var quote: Unicode.Scalar?
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if isEscaped {
                word = (word ?? "") + String(scalar)
                isEscaped = false
            } else if scalar == "\\", quote != "'" {
                isEscaped = true
            } else if let open = quote {
                if scalar == open { quote = nil } else { word = (word ?? "") + String(scalar) }
            } else if scalar == "'" || scalar == "\"" {
                (quote, word) = (scalar, word ?? "")
            } else if scalar.properties.isWhitespace {
                if let done = word { words.append(done) }
                word = nil
            } else {
                word = (word ?? "") + String(scalar)
            }
        }
        guard quote == nil, !isEscaped else { return nil }
        return words + (word.map { [$0] } ?? [])
    }
}
