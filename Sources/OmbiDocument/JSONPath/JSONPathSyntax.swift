/// A step of a query: selectors applied to a value, or to it and all its descendants (RFC 9535, section 2.5).
struct JSONPathSegment: Sendable {
    var isDescendant = false
    var selectors: [JSONPathSelector]
    /// True if there is white space in the brackets, which the grammar forbids in a compared query.
    var hasInnerSpace = false
}

/// A selector of values in a container (RFC 9535, section 2.3). Indirect, so that it is passed on for each container of
/// a body by counting one reference.
indirect enum JSONPathSelector: Sendable {
    case name(JSONPathName)
    case wildcard
    /// From 0, or from the end if negative.
    case index(Int)
    case slice(JSONPathSlice)
    case filter(JSONPathExpression)
}

/// The name in a name selector.
struct JSONPathName: Sendable {
    let bytes: JSONPathBytes
    /// True if JSON cannot hold the name without an escape: then no key is equal to it byte by byte.
    let needsEscape: Bool

    init(_ text: String) {
        bytes = JSONPathBytes(text)
        needsEscape = text.utf8.contains { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }
    }
}

/// A name or a literal of an expression as UTF-8, at a stable address: it is compared with the body in place.
struct JSONPathBytes: Sendable {
    private let bytes: Bytes

    init(_ text: String) { bytes = Bytes(text.utf8) }

    @inline(__always) func withBuffer<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        withExtendedLifetime(bytes) { body(UnsafeBufferPointer(start: bytes.base, count: bytes.count)) }
    }
}

/// A slice of an array, `start:end:step` (RFC 9535, section 2.3.4). Bounds are below 2^53 in magnitude.
struct JSONPathSlice: Sendable {
    var start: Int?
    var end: Int?
    var step = 1

    /// True if the positions depend on the number of elements.
    var needsLength: Bool { step < 0 || (start ?? 0) < 0 || (end ?? 0) < 0 }

    /// Returns the first position and the number of positions. Unless `needsLength`, `length` may be too large.
    func positions(length: Int) -> (first: Int, count: Int) {
        func normalized(_ bound: Int) -> Int { bound >= 0 ? bound : length + bound }
        if step > 0 {
            let lower = min(max(normalized(start ?? 0), 0), length)
            let upper = min(max(normalized(end ?? length), 0), length)
            return (lower, upper > lower ? (upper - lower - 1) / step + 1 : 0)
        }
        guard step < 0 else { return (0, 0) }
        let upper = min(max(start.map(normalized) ?? length - 1, -1), length - 1)
        let lower = min(max(end.map(normalized) ?? -1, -1), length - 1)
        return (upper, upper > lower ? (upper - lower - 1) / -step + 1 : 0)
    }
}

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

/// A query within an expression: from the current value (`@`) or from the root (`$`).
struct JSONPathQuery: Sendable {
    var isRelative: Bool
    var segments: [JSONPathSegment]

    /// True if the query can give at most one value (RFC 9535, section 2.3.5.1).
    var isSingular: Bool {
        segments.allSatisfy { segment in
            guard !segment.isDescendant, segment.selectors.count == 1 else { return false }
            switch segment.selectors[0] {
            case .name, .index: return true
            case .wildcard, .slice, .filter: return false
            }
        }
    }

    var hasInnerSpace: Bool { segments.contains { $0.hasInnerSpace } }
}
