/// Named values, sent as a form: `name=value&name=value` with every reserved character escaped. Names may repeat.
public struct RequestParameters: Sendable, Hashable {
    /// A value, sent as text.
    public enum Value: Sendable, Hashable {
        /// Unmodified text.
        case string(String)
        /// A number in decimal.
        case int(Int)
        /// A number in Swift's notation: "1.5".
        case double(Double)
        /// "true" or "false".
        case bool(Bool)

        /// The text before escaping: "true", "1.5".
        public var text: String {
            switch self {
            case .string(let value): value
            case .int(let value): String(value)
            case .double(let value): String(value)
            case .bool(let value): String(value)
            }
        }
    }

    /// A name and its value.
    public struct Parameter: Sendable, Hashable {
        /// The name before escaping.
        public var name: String
        /// The value before escaping.
        public var value: Value

        /// Creates a parameter.
        public init(_ name: String, _ value: Value) {
            self.name = name
            self.value = value
        }
    }

    /// The parameters in the order of insertion.
    public private(set) var allParameters: [Parameter]

    /// Creates parameters, including those with equal names.
    public init(_ parameters: [Parameter] = []) { allParameters = parameters }

    /// The first value of a name; setting replaces it, nil removes it.
    public subscript(name: String) -> Value? {
        get { allParameters.first { $0.name == name }?.value }
        set {
            guard let newValue else { return allParameters.removeAll { $0.name == name } }
            guard let index = allParameters.firstIndex(where: { $0.name == name }) else {
                return allParameters.append(Parameter(name, newValue))
            }
            allParameters[index].value = newValue
        }
    }

    /// The text of a form (`application/x-www-form-urlencoded`); a space is `%20`, which every form parser accepts.
    public var encoded: String {
        allParameters
            .map { "\(PercentEncoding.escape($0.name))=\(PercentEncoding.escape($0.value.text))" }
            .joined(separator: "&")
    }

    /// Parses the text of a form; every value is a string.
    public init(encoded text: String) {
        self.init(
            text.split(separator: "&").map { pair in
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return Parameter(
                    PercentEncoding.unescapeForm(parts[0]),
                    .string(parts.count > 1 ? PercentEncoding.unescapeForm(parts[1]) : ""))
            })
    }
}

extension RequestParameters: ExpressibleByDictionaryLiteral {
    /// Creates parameters in order, including those with equal names.
    public init(dictionaryLiteral elements: (String, Value)...) {
        self.init(elements.map { Parameter($0.0, $0.1) })
    }
}

extension RequestParameters.Value: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int) { self = .int(value) }
    public init(floatLiteral value: Double) { self = .double(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

/// One segment of a path with any value: slashes in it are escaped.
///
///     var path: String { "/files/\(PathSegment(name))/versions" }
///
/// A request with the segment `.` or `..` is malformed, since servers and proxies resolve these.
public struct PathSegment: Sendable, Hashable, CustomStringConvertible {
    /// The value, percent-encoded (RFC 3986 §3.3).
    public let description: String

    /// Creates a segment from an unescaped value.
    public init(_ value: some StringProtocol) {
        description = PercentEncoding.escape(String(value))
    }
}
