/// Header fields in the order of insertion. Names are compared without case (RFC 9110 §5.1).
///
/// Any text is accepted; text that HTTP forbids makes the request malformed (`MalformedRequest.Part.header`).
public struct RequestHeaders: Sendable {
    /// One header field.
    public struct Field: Sendable, Hashable {
        /// The name.
        public var key: Key
        /// The value.
        public var value: Value

        /// Creates a field.
        public init(_ key: Key, _ value: Value) {
            self.key = key
            self.value = value
        }
    }

    /// Every field, in order; names may repeat.
    public private(set) var fields: [Field]

    /// Creates headers with all fields, including those with equal names.
    public init(_ fields: [Field] = []) {
        self.fields = fields
    }

    /// The first value of a name; setting replaces every field of the name, nil removes them.
    public subscript(key: Key) -> Value? {
        get { value(for: key) }
        set { set(value: newValue, forKey: key) }
    }

    /// Returns the first value of a name.
    public func value(for key: Key) -> Value? {
        fields.first { $0.key == key }?.value
    }

    /// Replaces every field of the name, at the position of the first; nil removes them.
    public mutating func set(value: Value?, forKey key: Key) {
        guard let value else { return removeValue(forKey: key) }
        guard let index = fields.firstIndex(where: { $0.key == key }) else {
            return fields.append(Field(key, value))
        }
        fields[index].value = value
        fields[(index + 1)...].removeAll { $0.key == key }
    }

    /// Adds a field after the fields of the same name (`Set-Cookie` may repeat).
    public mutating func append(_ value: Value, forKey key: Key) {
        fields.append(Field(key, value))
    }

    /// Removes every field of the name.
    public mutating func removeValue(forKey key: Key) {
        fields.removeAll { $0.key == key }
    }

    /// Returns these headers, with each field of `other` replacing the fields of the same name.
    public func merging(_ other: RequestHeaders) -> RequestHeaders {
        var merged = self
        merged.merge(other)
        return merged
    }

    /// Replaces the fields with names in `other`, and adds the rest of `other`.
    public mutating func merge(_ other: RequestHeaders) {
        guard !isEmpty else { return self = other }
        guard !other.isEmpty else { return }
        fields.removeAll { other.contains($0.key) }
        fields += other.fields
    }

    mutating func reserveCapacity(_ count: Int) { fields.reserveCapacity(count) }

    private func contains(_ key: Key) -> Bool { fields.contains { $0.key == key } }

    /// True without any field.
    public var isEmpty: Bool { fields.isEmpty }

    /// Returns every value of a name, in order.
    public func values(for key: Key) -> [Value] {
        fields.filter { $0.key == key }.map(\.value)
    }

    /// Combines the fields in order.
    public func reduce<Result>(
        _ initial: Result, _ combine: (Result, Field) throws -> Result
    ) rethrows -> Result {
        try fields.reduce(initial, combine)
    }
}

extension RequestHeaders: ExpressibleByDictionaryLiteral {
    /// Creates headers; the first of equal names wins.
    public init(dictionaryLiteral elements: (Key, Value)...) {
        self.init()
        for (key, value) in elements where self.value(for: key) == nil {
            append(value, forKey: key)
        }
    }
}

extension RequestHeaders: Hashable {
    /// Returns true if both hold the same fields; the order of different names is ignored.
    public static func == (left: RequestHeaders, right: RequestHeaders) -> Bool {
        left.grouped == right.grouped
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(grouped) }

    private var grouped: [Key: [Value]] {
        Dictionary(grouping: fields, by: \.key).mapValues { $0.map(\.value) }
    }
}

extension RequestHeaders {
    /// Creates headers from a dictionary, sorted by name.
    public init(_ fields: [String: String]) {
        self.init(fields.sorted { $0.key < $1.key }.map { Field(Key($0.key), Value($0.value)) })
    }
}

extension RequestHeaders {
    /// The name of a header field; compared without case, and sent as written.
    public struct Key: Sendable, Hashable, ExpressibleByStringInterpolation, CustomStringConvertible {
        /// The name as sent.
        public let name: String

        /// Creates a name without any change.
        public init(_ name: String) { self.name = name }
        public init(stringLiteral name: String) { self.name = name }
        /// Creates a name from the description of a value.
        public init(_ name: some CustomStringConvertible) { self.name = name.description }
        /// Creates a name from the raw value, for a custom enum of names.
        public init<Name: RawRepresentable>(_ name: Name) where Name.RawValue == String { self.name = name.rawValue }

        /// The same as `name`.
        public var description: String { name }

        public static func == (left: Key, right: Key) -> Bool {
            // Not as texts, which are equal in other bytes, too: the hash is that of the bytes.
            guard left.name.utf8.count == right.name.utf8.count else { return false }
            var (one, other) = (left.name.utf8.makeIterator(), right.name.utf8.makeIterator())
            while let byte = one.next(), let next = other.next() {
                if byte != next, byte.lowercasedASCII != next.lowercasedASCII { return false }
            }
            return true
        }

        public func hash(into hasher: inout Hasher) {
            for byte in name.utf8 { hasher.combine(byte.lowercasedASCII) }
        }

        /// The acceptable media types of the response (RFC 9110 §12.5.1).
        public static let acceptType: Key = "Accept"
        /// The acceptable content codings of the response (RFC 9110 §12.5.3).
        public static let acceptEncoding: Key = "Accept-Encoding"
        /// The preferred languages (RFC 9110 §12.5.4).
        public static let acceptLanguage: Key = "Accept-Language"
        /// Credentials for the server (RFC 9110 §11.6.2).
        public static let authorization: Key = "Authorization"
        /// Directives for caches (RFC 9111 §5.2).
        public static let cacheControl: Key = "Cache-Control"
        /// The presentation and the file name of a body (RFC 6266).
        public static let contentDisposition: Key = "Content-Disposition"
        /// The compression of the body (RFC 9110 §8.4).
        public static let contentEncoding: Key = "Content-Encoding"
        /// The length of the body in bytes (RFC 9110 §8.6). Set by the transport.
        public static let contentLength: Key = "Content-Length"
        /// The range of the whole in the body (RFC 9110 §14.4).
        public static let contentRange: Key = "Content-Range"
        /// The media type of the body (RFC 9110 §8.3).
        public static let contentType: Key = "Content-Type"
        /// Cookies of the client (RFC 6265 §5.4).
        public static let cookie: Key = "Cookie"
        /// The version of the representation (RFC 9110 §8.8.3).
        public static let etag: Key = "ETag"
        /// The requested host (RFC 9110 §7.2).
        public static let host: Key = "Host"
        /// Makes a request safe to repeat (draft-ietf-httpapi-idempotency-key-header).
        public static let idempotencyKey: Key = "Idempotency-Key"
        /// The version to which a `Range` applies (RFC 9110 §13.1.5).
        public static let ifRange: Key = "If-Range"
        /// The time of the last change (RFC 9110 §8.8.2).
        public static let lastModified: Key = "Last-Modified"
        /// The target of a redirect (RFC 9110 §10.2.2).
        public static let location: Key = "Location"
        /// The origin of a request (RFC 6454 §7).
        public static let origin: Key = "Origin"
        /// Credentials for a proxy (RFC 9110 §11.7.2).
        public static let proxyAuthorization: Key = "Proxy-Authorization"
        /// The requested range of bytes (RFC 9110 §14.2).
        public static let range: Key = "Range"
        /// The referring page (RFC 9110 §10.1.3).
        public static let referer: Key = "Referer"
        /// The wait before another try (RFC 9110 §10.2.3).
        public static let retryAfter: Key = "Retry-After"
        /// A cookie for the client to store (RFC 6265 §4.1).
        public static let setCookie: Key = "Set-Cookie"
        /// The name of the client program (RFC 9110 §10.1.5).
        public static let userAgent: Key = "User-Agent"
        /// The challenges of a server with a 401 (RFC 9110 §11.6.1).
        public static let wwwAuthenticate: Key = "WWW-Authenticate"

        /// True for names of credentials: `Authorization`, `Cookie`, and names such as `X-Api-Key`. Such fields are
        /// masked in logs, and withheld from another host after a redirect.
        public var isSensitive: Bool { LogMask.isSensitive(name) }
    }
}

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
