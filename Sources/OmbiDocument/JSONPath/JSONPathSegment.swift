/// A step of a query: selectors applied to a value, or to it and all its descendants (RFC 9535, section 2.5).
struct JSONPathSegment: Sendable {
    var isDescendant = false
    var selectors: [JSONPathSelector]
    /// True if there is white space in the brackets, which the grammar forbids in a compared query.
    var hasInnerSpace = false
}
