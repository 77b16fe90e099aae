#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A cookie as a jar keeps it (RFC 6265bis §5.7). Its description does not show the value.
public struct Cookie: Sendable, Hashable, Codable {
    /// Which requests from other sites may carry it. A client without pages has no other sites: it is kept and listed.
    public enum SameSite: String, Sendable, Hashable, Codable, CaseIterable {
        /// Requests from the same site only.
        case strict = "Strict"
        /// Also requests that a user goes to another site by.
        case lax = "Lax"
        /// Any request; only over secure connections.
        case none = "None"
    }

    /// Together with domain and path what tells one cookie from another; may be empty.
    public var name: String
    /// As the server sent it, quotation marks included.
    public var value: String
    /// In lower case, without a dot in front.
    public var domain: String
    /// Whether it is for this one host alone, and not for its subdomains.
    public var isHostOnly: Bool
    /// The path that it is for, and all paths below.
    public var path: String
    /// nil for a cookie of the session, which ends when its owner says so.
    public var expiresAt: Date?
    /// Whether it goes over secure connections only: HTTPS, and whatever stays on this machine.
    public var isSecure: Bool
    /// Whether scripts of a page may not read it. Of no consequence here.
    public var isHTTPOnly: Bool
    /// nil where the server did not say.
    public var sameSite: SameSite?
    /// When it was first stored. Older ones are sent first.
    public var createdAt: Date

    /// A session cookie for one host and all its paths, unless said otherwise.
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
    /// In a `Cookie` field: "name=value"; the bare value where there is no name.
    var pair: String { name.isEmpty ? value : "\(name)=\(value)" }

    func hasExpired(at now: Date) -> Bool { expiresAt.map { $0 <= now } ?? false }

    /// Whether both cannot be in a jar at the same time (§5.7 step 23).
    func replaces(_ other: Cookie) -> Bool {
        name == other.name && path == other.path && isHostOnly == other.isHostOnly && domain == other.domain
    }
}

extension Cookie: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// "session=••••••; Domain=example.com; Path=/; Secure"
    public var description: String {
        var parts = ["\(name)=\(LogMask.mask)", "\(isHostOnly ? "Host" : "Domain")=\(domain)", "Path=\(path)"]
        if let expiresAt { parts.append("Expires=\(expiresAt)") }
        if isSecure { parts.append("Secure") }
        if isHTTPOnly { parts.append("HttpOnly") }
        if let sameSite { parts.append("SameSite=\(sameSite.rawValue)") }
        return parts.joined(separator: "; ")
    }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// Everything but the value.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
