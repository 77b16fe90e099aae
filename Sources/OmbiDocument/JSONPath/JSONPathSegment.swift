/// A step of a query: selectors that are applied to a value, or to it and everything in it (RFC 9535, section 2.5).
struct JSONPathSegment: Sendable {
    var isDescendant = false
    var selectors: [JSONPathSelector]
    /// Whether there is white space in its brackets, which the grammar has not for queries that are compared.
    var hasInnerSpace = false
}
