/// A logical expression of a filter (RFC 9535, section 2.3.5).
indirect enum JSONPathExpression: Sendable {
    case any([JSONPathExpression])
    case all([JSONPathExpression])
    case not(JSONPathExpression)
    case comparison(JSONPathOperand, JSONPathComparison, JSONPathOperand)
    /// True if the query gives any value.
    case exists(JSONPathQuery)
    /// `match` or `search`: true if the pattern matches the whole text, or any part of it.
    case matches(text: JSONPathOperand, pattern: JSONPathOperand, isWhole: Bool)
}

/// An operand of a comparison, or an argument of a function that takes a value.
indirect enum JSONPathOperand: Sendable {
    case string(JSONPathBytes)
    case number(JSONPathBytes)
    case `true`, `false`, null
    /// A singular query: it gives at most one value.
    case query(JSONPathQuery)
    case length(JSONPathOperand)
    case count(JSONPathQuery)
    /// The value of a query that gives exactly one.
    case value(JSONPathQuery)
}

/// A comparison operator.
enum JSONPathComparison: String, Sendable, CaseIterable {
    // Two-character operators first: the parser takes the first that fits.
    case equal = "=="
    case notEqual = "!="
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case less = "<"
    case greater = ">"
}
