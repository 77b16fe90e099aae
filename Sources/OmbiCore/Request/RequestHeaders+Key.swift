extension RequestHeaders {
    /// The name of a header field, compared without case and written as given.
    public struct Key: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
        /// As it is sent.
        public let name: String

        /// The text as it is.
        public init(_ name: String) { self.name = name }
        public init(stringLiteral name: String) { self.name = name }
        /// The description of the value.
        public init(_ name: some CustomStringConvertible) { self.name = name.description }
        /// The raw value, for an enum of names of one's own.
        public init<Name: RawRepresentable>(_ name: Name) where Name.RawValue == String { self.name = name.rawValue }

        /// The same as `name`.
        public var description: String { name }

        public static func == (left: Key, right: Key) -> Bool {
            guard left.name.utf8.count == right.name.utf8.count else { return false }
            return left.name == right.name
                || zip(left.name.utf8, right.name.utf8).allSatisfy { $0 == $1 || lowered($0) == lowered($1) }
        }

        public func hash(into hasher: inout Hasher) {
            for byte in name.utf8 { hasher.combine(Self.lowered(byte)) }
        }

        private static func lowered(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

        /// What the response may be (RFC 9110 §12.5.1).
        public static let acceptType: Key = "Accept"
        /// Which content codings the response may have (RFC 9110 §12.5.3).
        public static let acceptEncoding: Key = "Accept-Encoding"
        /// Which languages are preferred (RFC 9110 §12.5.4).
        public static let acceptLanguage: Key = "Accept-Language"
        /// Credentials for the server (RFC 9110 §11.6.2).
        public static let authorization: Key = "Authorization"
        /// What caches may do (RFC 9111 §5.2).
        public static let cacheControl: Key = "Cache-Control"
        /// How to present a body, and its file name (RFC 6266).
        public static let contentDisposition: Key = "Content-Disposition"
        /// How the body is compressed (RFC 9110 §8.4).
        public static let contentEncoding: Key = "Content-Encoding"
        /// The length of the body in bytes (RFC 9110 §8.6). A transport sets it itself.
        public static let contentLength: Key = "Content-Length"
        /// Which bytes of the whole the body is (RFC 9110 §14.4).
        public static let contentRange: Key = "Content-Range"
        /// What the body is (RFC 9110 §8.3).
        public static let contentType: Key = "Content-Type"
        /// Cookies of the client (RFC 6265 §5.4).
        public static let cookie: Key = "Cookie"
        /// The version of what was sent (RFC 9110 §8.8.3).
        public static let etag: Key = "ETag"
        /// The host that is asked (RFC 9110 §7.2).
        public static let host: Key = "Host"
        /// Makes a request safe to repeat (draft-ietf-httpapi-idempotency-key-header).
        public static let idempotencyKey: Key = "Idempotency-Key"
        /// The version that a `Range` is for (RFC 9110 §13.1.5).
        public static let ifRange: Key = "If-Range"
        /// When what was sent has changed (RFC 9110 §8.8.2).
        public static let lastModified: Key = "Last-Modified"
        /// Where a redirect leads (RFC 9110 §10.2.2).
        public static let location: Key = "Location"
        /// Where a request comes from (RFC 6454 §7).
        public static let origin: Key = "Origin"
        /// Credentials for a proxy (RFC 9110 §11.7.2).
        public static let proxyAuthorization: Key = "Proxy-Authorization"
        /// Which bytes are wanted (RFC 9110 §14.2).
        public static let range: Key = "Range"
        /// The page that led here (RFC 9110 §10.1.3).
        public static let referer: Key = "Referer"
        /// When to try again (RFC 9110 §10.2.3).
        public static let retryAfter: Key = "Retry-After"
        /// A cookie for the client to keep (RFC 6265 §4.1).
        public static let setCookie: Key = "Set-Cookie"
        /// Which program asks (RFC 9110 §10.1.5).
        public static let userAgent: Key = "User-Agent"
        /// What a server asks for with a 401 (RFC 9110 §11.6.1).
        public static let wwwAuthenticate: Key = "WWW-Authenticate"

        /// Whether fields of this name carry credentials: `Authorization`, `Cookie`, and names such as `X-Api-Key`.
        /// They are masked in logs, and a redirect does not take them to another host.
        public var isSensitive: Bool { LogMask.isSensitive(name) }
    }
}
