extension RequestHeaders {
    /// The value of a header field, as text. Values with the same text are equal, secret or not.
    public struct Value: Sendable, CustomStringConvertible {
        /// The text as sent.
        public let text: String
        /// Hides the text in logs and descriptions, and withholds the field from other origins in redirects, regardless
        /// of its name (see ``RequestHeaders/Key/isSensitive``).
        public let isSecret: Bool

        /// Creates a value from text, without any change.
        public init(_ text: String) { self.init(text, isSecret: false) }

        private init(_ text: String, isSecret: Bool) {
            self.text = text
            self.isSecret = isSecret
        }

        /// The text; dots for a secret.
        public var description: String { isSecret ? LogMask.mask : text }

        /// Returns a value from text, without any change.
        public static func string(_ value: String) -> Value { Value(value) }
        /// Returns a value marked as secret.
        public static func secret(_ value: String) -> Value { Value(value, isSecret: true) }
        /// Returns the number in decimal.
        public static func int(_ value: Int) -> Value { Value(String(value)) }
        /// Returns the number in Swift's notation: "1.5".
        public static func double(_ value: Double) -> Value { Value(String(value)) }
        /// Returns a media type, for `Content-Type` and `Accept`.
        public static func contentType(_ type: ContentType) -> Value { Value(type.text) }
        /// Returns a directive for `Cache-Control`.
        public static func cacheControlType(_ type: CacheControlType) -> Value { Value(type.text) }
    }
}

extension RequestHeaders.Value: Hashable {
    public static func == (left: Self, right: Self) -> Bool { left.text == right.text }
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension RequestHeaders.Value: CustomReflectable {
    /// No children, since `dump` would print a secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension RequestHeaders.Value: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral
{
    public init(stringLiteral text: String) { self.init(text) }
    public init(integerLiteral value: Int) { self.init(String(value)) }
    public init(floatLiteral value: Double) { self.init(String(value)) }
}

extension RequestHeaders.Value {
    /// A media type for `Content-Type` and `Accept` (RFC 9110 §8.3).
    public enum ContentType: Sendable, Hashable, ExpressibleByStringInterpolation {
        /// "application/json" (RFC 8259).
        case json
        /// "application/xml" (RFC 7303).
        case xml
        /// "application/x-www-form-urlencoded; charset=utf-8".
        case urlencoded
        /// Any other media type, sent unmodified.
        case custom(String)

        public init(stringLiteral text: String) { self = .custom(text) }

        /// The text in the header.
        public var text: String {
            switch self {
            case .json: "application/json"
            case .xml: "application/xml"
            case .urlencoded: "application/x-www-form-urlencoded; charset=utf-8"
            case .custom(let text): text
            }
        }
    }

    /// A directive for `Cache-Control` in a request (RFC 9111 §5.2.1).
    public enum CacheControlType: Sendable, Hashable, ExpressibleByStringInterpolation {
        /// Requires caches to revalidate with the server.
        case noCache
        /// Requires caches to store nothing.
        case noStore
        /// Requires proxies not to change the body.
        case noTransform
        /// Requires a response from a cache, or 504.
        case onlyIfCached
        /// Rejects older responses.
        case maxAge(seconds: Int)
        /// Also accepts a stale response up to that age; nil for any age.
        case maxStale(seconds: Int? = nil)
        /// Requires a response that stays fresh for at least that time.
        case minFresh(seconds: Int)
        /// Any other directive, sent unmodified.
        case custom(String)

        public init(stringLiteral text: String) { self = .custom(text) }

        /// The text in the header.
        public var text: String {
            switch self {
            case .noCache: "no-cache"
            case .noStore: "no-store"
            case .noTransform: "no-transform"
            case .onlyIfCached: "only-if-cached"
            case .maxAge(let seconds): "max-age=\(seconds)"
            case .maxStale(let seconds?): "max-stale=\(seconds)"
            case .maxStale(nil): "max-stale"
            case .minFresh(let seconds): "min-fresh=\(seconds)"
            case .custom(let text): text
            }
        }
    }
}
