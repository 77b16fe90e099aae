import OmbiCore
import OmbiDocument

/// A condition on a value: a header, the text of a body, or what a JSONPath selects in it.
public enum ValueCondition: Sendable, Equatable {
    /// Numbers by their exact values, objects in any order of their members.
    case equals(JSONValue)
    /// A part of a text, or an element of an array.
    case contains(JSONValue)
    /// A regular expression that matches any part of the text.
    case matches(String)
    /// One of these types.
    case type([ValueType])
    /// The number of elements, members or characters; of a query that may select several values the number of those.
    case count(NumberComparison)
    case exists(Bool)
    /// Numbers by their exact values, strings by their code points.
    case less(JSONValue)
    case atMost(JSONValue)
    case greater(JSONValue)
    case atLeast(JSONValue)

    /// The key in a file.
    public var key: String {
        switch self {
        case .equals: "equals"
        case .contains: "contains"
        case .matches: "matches"
        case .type: "type"
        case .count: "count"
        case .exists: "exists"
        case .less: "less"
        case .atMost: "atMost"
        case .greater: "greater"
        case .atLeast: "atLeast"
        }
    }

    /// The keys in canonical order.
    static let keys = [
        "equals", "contains", "matches", "type", "count", "exists", "less", "atMost", "greater", "atLeast",
    ]

    /// The value in a file.
    var json: JSONValue {
        switch self {
        case .equals(let value), .contains(let value), .less(let value), .atMost(let value), .greater(let value),
            .atLeast(let value):
            value
        case .matches(let pattern): .string(pattern)
        case .type(let types) where types.count == 1: .string(types[0].rawValue)
        case .type(let types): .array(types.map { .string($0.rawValue) })
        case .count(let comparison): comparison.json
        case .exists(let exists): .bool(exists)
        }
    }
}

extension ValueCondition {
    /// Returns the phrase that follows the word `expected`: `$.id = 5`, `count of $.items > 0`.
    package func words(of subject: String) -> String {
        switch self {
        case .equals(let value): "\(subject) = \(Self.excerpt(value))"
        case .contains(let value): "\(subject) containing \(Self.excerpt(value))"
        case .matches(let pattern): "\(subject) matching \(pattern.excerpt(80))"
        case .type(let types): "\(subject) of type \(types.map(\.rawValue).joined(separator: " or "))"
        case .count(let comparison): "count of \(subject) \(comparison.words)"
        case .exists(true): "\(subject) to exist"
        case .exists(false): "no \(subject)"
        case .less(let value): "\(subject) < \(Self.excerpt(value))"
        case .atMost(let value): "\(subject) <= \(Self.excerpt(value))"
        case .greater(let value): "\(subject) > \(Self.excerpt(value))"
        case .atLeast(let value): "\(subject) >= \(Self.excerpt(value))"
        }
    }

    private static func excerpt(_ value: JSONValue) -> String { value.compact.excerpt(80) }
}
