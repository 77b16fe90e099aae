/// A selector of values in a container (RFC 9535, section 2.3).
enum JSONPathSelector: Sendable {
    case name(JSONPathName)
    case wildcard
    /// From 0, or from the end if negative.
    case index(Int)
    case slice(JSONPathSlice)
    case filter(JSONPathExpression)
}
