extension RequestHeaders {
    /// The value of a header field, as text. Values with the same text are equal, secret or not.
    public struct Value: Sendable, CustomStringConvertible {
        /// As it is sent.
        public let text: String
        /// Hides the text in logs and descriptions, and keeps the field from other origins in redirects, whatever the
        /// name of the field (see ``RequestHeaders/Key/isSensitive``).
        public let isSecret: Bool

        /// The text as it is.
        public init(_ text: String) { self.init(text, isSecret: false) }

        private init(_ text: String, isSecret: Bool) {
            self.text = text
            self.isSecret = isSecret
        }

        /// The text; dots for a secret.
        public var description: String { isSecret ? LogMask.mask : text }

        /// The text as it is.
        public static func string(_ value: String) -> Value { Value(value) }
        /// The text as it is, marked as a secret.
        public static func secret(_ value: String) -> Value { Value(value, isSecret: true) }
        /// In decimal.
        public static func int(_ value: Int) -> Value { Value(String(value)) }
        /// As Swift writes it: "1.5".
        public static func double(_ value: Double) -> Value { Value(String(value)) }
        /// A media type, for `Content-Type` and for `Accept`.
        public static func contentType(_ type: ContentType) -> Value { Value(type.text) }
        /// A directive for `Cache-Control`.
        public static func cacheControlType(_ type: CacheControlType) -> Value { Value(type.text) }
    }
}

extension RequestHeaders.Value: Hashable {
    public static func == (left: Self, right: Self) -> Bool { left.text == right.text }
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension RequestHeaders.Value: CustomReflectable {
    /// Without children, since `dump` would print a secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension RequestHeaders.Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    public init(stringLiteral text: String) { self.init(text) }
    public init(integerLiteral value: Int) { self.init(String(value)) }
    public init(floatLiteral value: Double) { self.init(String(value)) }
}

extension RequestHeaders.Value {
    /// A media type for `Content-Type` and `Accept` (RFC 9110 §8.3).
    public enum ContentType: Sendable, Hashable, ExpressibleByStringLiteral {
        /// "application/json" (RFC 8259).
        case json
        /// "application/xml" (RFC 7303).
        case xml
        /// "application/x-www-form-urlencoded; charset=utf-8".
        case urlencoded
        /// Any other media type, as it is.
        case custom(String)

        public init(stringLiteral text: String) { self = .custom(text) }

        /// As it stands in the header.
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
    public enum CacheControlType: Sendable, Hashable, ExpressibleByStringLiteral {
        /// Asks for a response that was checked with the server.
        case noCache
        /// Asks caches to keep nothing.
        case noStore
        /// Asks proxies to leave the body as it is.
        case noTransform
        /// Asks for a response from a cache, or for 504.
        case onlyIfCached
        /// Takes no response that is older.
        case maxAge(seconds: Int)
        /// Takes a stale response, too, up to that age; nil accepts any age.
        case maxStale(seconds: Int? = nil)
        /// Takes a response that stays fresh for at least as long.
        case minFresh(seconds: Int)
        /// Any other directive, as it is.
        case custom(String)

        public init(stringLiteral text: String) { self = .custom(text) }

        /// As it stands in the header.
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
