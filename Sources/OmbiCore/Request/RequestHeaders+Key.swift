extension RequestHeaders {
    /// The name of a header field, compared without case and written as given.
    public struct Key: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
        /// As it is sent.
        public let name: String

        public init(_ name: String) { self.name = name }
        public init(stringLiteral name: String) { self.name = name }
        /// The description of the value.
        public init(_ name: some CustomStringConvertible) { self.name = name.description }
        /// The raw value, for an enum of names of one's own.
        public init<Name: RawRepresentable>(_ name: Name) where Name.RawValue == String { self.name = name.rawValue }

        public var description: String { name }

        public static func == (left: Key, right: Key) -> Bool {
            left.name.utf8.count == right.name.utf8.count
                && zip(left.name.utf8, right.name.utf8).allSatisfy { $0 == $1 || lowered($0) == lowered($1) }
        }

        public func hash(into hasher: inout Hasher) { hasher.combine(name.lowercased()) }

        private static func lowered(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

        /// `Accept`: what the response may be.
        public static let acceptType: Key = "Accept"
        public static let acceptEncoding: Key = "Accept-Encoding"
        public static let acceptLanguage: Key = "Accept-Language"
        public static let authorization: Key = "Authorization"
        public static let cacheControl: Key = "Cache-Control"
        public static let contentDisposition: Key = "Content-Disposition"
        public static let contentEncoding: Key = "Content-Encoding"
        public static let contentLength: Key = "Content-Length"
        public static let contentType: Key = "Content-Type"
        public static let cookie: Key = "Cookie"
        public static let host: Key = "Host"
        public static let idempotencyKey: Key = "Idempotency-Key"
        public static let location: Key = "Location"
        public static let origin: Key = "Origin"
        public static let proxyAuthorization: Key = "Proxy-Authorization"
        public static let referer: Key = "Referer"
        public static let retryAfter: Key = "Retry-After"
        public static let setCookie: Key = "Set-Cookie"
        public static let userAgent: Key = "User-Agent"

        /// Whether fields of this name carry credentials: `Authorization`, `Cookie`, and names such as `X-Api-Key`.
        /// They are masked in logs, and a redirect does not take them to another host.
        public var isSensitive: Bool { LogMask.isSensitive(name) }
    }
}
