import OmbiDocument

/// A pattern, and the form of the body to search.
package struct FindQuery: Equatable, Sendable {
    var text: String
    var syntax: SearchPattern.Syntax
    /// True to search the bytes as received, not the text.
    var isRaw: Bool
    /// True when JSON is shown laid out, with spaces that the body may not have.
    var isLaidOut = false
    /// Identifies the query: results for another number are ignored.
    var number: Int

    /// Throws for a text that cannot be searched for.
    func pattern() throws(PatternError) -> SearchPattern {
        guard isLaidOut, syntax == .text, let layout = Self.anyLayout(of: text) else {
            return try SearchPattern(text, syntax: syntax)
        }
        return try SearchPattern(layout, syntax: .regex)
    }

    /// `"id": 10` with any spaces around its colon, as a regular expression; nil for a text that no layout changes.
    private static func anyLayout(of text: String) -> String? {
        var pattern = ""
        var before: Character?
        var left = text[...]
        var isLayout = false
        while let sign = left.popFirst() {
            if sign == ":" && before == "\"" || sign == "," && left.first == " " {
                isLayout = true
                pattern += (sign == ":" ? "\\s*" : "") + String(sign) + "\\s*"
                left = left.drop { $0 == " " }
            } else {
                pattern += ("\\^$.|?*+()[]{}".contains(sign) ? "\\" : "") + String(sign)
            }
            before = sign
        }
        return isLayout ? pattern : nil
    }
}
