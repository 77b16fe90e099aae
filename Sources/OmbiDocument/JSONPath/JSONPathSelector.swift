/// What picks values out of a container (RFC 9535, section 2.3).
enum JSONPathSelector: Sendable {
    case name(JSONPathName)
    case wildcard
    /// Counted from 0, or from the end when it is negative.
    case index(Int)
    case slice(JSONPathSlice)
    case filter(JSONPathExpression)
}
