#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A stored cookie (RFC 6265bis §5.7). Its description omits the value.
public struct Cookie: Sendable, Hashable, Codable {
    /// The cross-site requests that may carry a cookie. Stored and listed only: a client without pages makes no
    /// cross-site requests.
    public enum SameSite: String, Sendable, Hashable, Codable, CaseIterable {
        /// Requests from the same site only.
        case strict = "Strict"
        /// Also top-level navigations from other sites.
        case lax = "Lax"
        /// All requests; requires `Secure`.
        case none = "None"
    }

    /// The name, which identifies a cookie together with domain and path; may be empty.
    public var name: String
    /// The value as sent, quotation marks included.
    public var value: String
    /// The domain in lower case, without a leading dot.
    public var domain: String
    /// Excludes subdomains of `domain`.
    public var isHostOnly: Bool
    /// The path prefix that a request must match.
    public var path: String
    /// The expiry; nil for a session cookie.
    public var expiresAt: Date?
    /// Restricts the cookie to secure connections: HTTPS, and loopback addresses.
    public var isSecure: Bool
    /// Hides the cookie from scripts of a page; without effect here.
    public var isHTTPOnly: Bool
    /// nil if the server did not say.
    public var sameSite: SameSite?
    /// The time at which it was first stored. Older cookies are sent first.
    public var createdAt: Date

    /// Creates a cookie; by default a host-only session cookie for all paths.
    public init(
        name: String, value: String, domain: String, isHostOnly: Bool = true, path: String = "/",
        expiresAt: Date? = nil, isSecure: Bool = false, isHTTPOnly: Bool = false, sameSite: SameSite? = nil,
        createdAt: Date = Date()
    ) {
        self.name = name
        self.value = value
        self.domain = domain
        self.isHostOnly = isHostOnly
        self.path = path
        self.expiresAt = expiresAt
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
        self.sameSite = sameSite
        self.createdAt = createdAt
    }
}

extension Cookie {
    /// The form in a `Cookie` field: "name=value", or the bare value without a name.
    var pair: String { name.isEmpty ? value : "\(name)=\(value)" }

    func hasExpired(at now: Date) -> Bool { expiresAt.map { $0 <= now } ?? false }

    /// Returns true if both have the same identity (§5.7 step 23).
    func replaces(_ other: Cookie) -> Bool {
        name == other.name && path == other.path && isHostOnly == other.isHostOnly && domain == other.domain
    }
}
