/// What a filter asks of each value (RFC 9535, section 2.3.5).
indirect enum JSONPathExpression: Sendable {
    case any([JSONPathExpression])
    case all([JSONPathExpression])
    case not(JSONPathExpression)
    case comparison(JSONPathOperand, JSONPathComparison, JSONPathOperand)
    /// Whether a query gives anything.
    case exists(JSONPathQuery)
    /// `match` or `search`: whether a text is, or holds, what a regular expression describes.
    case matches(text: JSONPathOperand, pattern: JSONPathOperand, isWhole: Bool)
}

/// What stands on either side of a comparison, or is given to a function that takes a value.
indirect enum JSONPathOperand: Sendable {
    case string(JSONPathBytes)
    case number(JSONPathBytes)
    case `true`, `false`, null
    /// A query that gives one value at most.
    case query(JSONPathQuery)
    case length(JSONPathOperand)
    case count(JSONPathQuery)
    /// The value of a query that gives exactly one.
    case value(JSONPathQuery)
}

/// How two values are compared.
enum JSONPathComparison: String, Sendable, CaseIterable {
    // Those of two characters first: the parser takes the first that fits.
    case equal = "=="
    case notEqual = "!="
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case less = "<"
    case greater = ">"
}
