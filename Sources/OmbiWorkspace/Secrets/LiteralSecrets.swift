/// Credentials that a collection has in clear, which are masked wherever they come back: in a response, in the history.
struct LiteralSecrets {
    private(set) var values: Set<String> = []

    /// Takes the secrets in a text of a field.
    mutating func add(_ text: String, named name: String) {
        for finding in SecretDetector.find(in: text, named: name) where Self.isTellable(text[finding.range]) {
            values.insert(String(text[finding.range]))
        }
    }

    /// False for short values and for words: they would be masked in texts that have nothing to do with them.
    private static func isTellable(_ value: Substring) -> Bool {
        let isWord = value.allSatisfy { $0.isLowercase || $0 == "-" || $0 == "_" }
        return value.utf8.count >= minimumLength && !isWord && !value.contains(where: \.isWhitespace)
            && !SecretDetector.isPlaceholder(value)
    }

    /// In bytes.
    private static let minimumLength = 5
}
