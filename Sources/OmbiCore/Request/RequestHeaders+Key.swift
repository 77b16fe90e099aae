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
            guard left.name.utf8.count == right.name.utf8.count else { return false }
            return left.name == right.name
                || zip(left.name.utf8, right.name.utf8).allSatisfy { $0 == $1 || lowered($0) == lowered($1) }
        }

        public func hash(into hasher: inout Hasher) {
            for byte in name.utf8 { hasher.combine(Self.lowered(byte)) }
        }

        private static func lowered(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

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
