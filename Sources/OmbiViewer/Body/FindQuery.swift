import OmbiDocument

/// A pattern, and the form of the body to search.
package struct FindQuery: Equatable, Sendable {
    var text: String
    var syntax: SearchPattern.Syntax
    /// True to search the bytes as received, not the text.
    var isRaw: Bool
    /// True when JSON is shown formatted, with spaces that the body may not have; a text may be escaped in it.
    var isFormatted = false
    /// Identifies the query: results for another number are ignored.
    var number: Int

    /// Throws for a text that cannot be searched for.
    func pattern() throws(PatternError) -> SearchPattern {
        isFormatted && syntax == .text
            ? try SearchPattern(inJSON: text) : try SearchPattern(text, syntax: syntax)
    }
}
