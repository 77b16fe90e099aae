import OmbiCore

/// A failure after which an attempt is repeated, as a policy lists it: `"connection"`, `"timeout"`, `"5xx"`, `"429"`.
public enum RetryCondition: Sendable, Hashable {
    case connection
    case timeout
    case status(StatusPattern)

    /// Nil for any other text.
    public init?(_ text: String) {
        switch text {
        case "connection": self = .connection
        case "timeout": self = .timeout
        default:
            guard let pattern = StatusPattern(text) else { return nil }
            self = .status(pattern)
        }
    }
}

extension RetryCondition: CustomStringConvertible {
    public var description: String {
        switch self {
        case .connection: "connection"
        case .timeout: "timeout"
        case .status(let pattern): pattern.description
        }
    }
}
