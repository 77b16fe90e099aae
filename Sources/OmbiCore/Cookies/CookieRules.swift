internal import OmbiBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The checks of RFC 6265bis §5.7 that do not depend on stored cookies.
struct CookieRules {
    let target: CookieTarget
    let suffixes: PublicSuffixes
    let now: Date

    /// Returns the cookie to store, or nil if it is refused.
    func cookie(_ field: SetCookie) -> Cookie? {
        guard let (domain, isHostOnly) = scope(field.domain ?? "") else { return nil }
        guard !field.isSecure || target.isSecure, field.sameSite != Cookie.SameSite.none || field.isSecure else {
            return nil
        }
        var cookie = Cookie(
            name: field.name, value: field.value, domain: domain, isHostOnly: isHostOnly,
            path: field.path ?? target.defaultPath, isSecure: field.isSecure, isHTTPOnly: field.isHTTPOnly,
            sameSite: field.sameSite, createdAt: now)
        if case .until(let date) = field.lifetime(from: now) { cookie.expiresAt = date }
        return keepsPrefix(cookie, hasPath: field.hasPath) ? cookie : nil
    }

    /// Returns the domain and whether the cookie is host-only; nil for a domain that the host may not set cookies for.
    private func scope(_ domain: String) -> (String, Bool)? {
        let domain = CookieTarget.withoutBrackets(domain)
        guard !domain.isEmpty else { return (target.host, true) }
        guard domain.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        if suffixes.contains(domain) { return domain == target.host ? (target.host, true) : nil }
        return target.isWithin(domain) ? (domain, false) : nil
    }

    /// Checks steps 20 to 22: the name prefixes, which also apply to the value of a nameless cookie.
    private func keepsPrefix(_ cookie: Cookie, hasPath: Bool) -> Bool {
        let name = (cookie.name.isEmpty ? cookie.value : cookie.name).lowercased()
        let isHost = name.hasPrefix("__host-")
        guard isHost || name.hasPrefix("__secure-") else { return true }
        guard cookie.isSecure, !cookie.name.isEmpty else { return false }
        return !isHost || (cookie.isHostOnly && hasPath && cookie.path == "/")
    }
}

/// The parts of a URL that cookies are matched against.
struct CookieTarget {
    /// The host in lower case; an IPv6 address without brackets.
    let host: String
    /// Indicates an IP address, which has no parent domains.
    let isAddress: Bool
    let path: String
    let isSecure: Bool

    /// Returns nil for a URL without a host.
    init?(_ url: URL) {
        guard let host = url.host(percentEncoded: false), !host.isEmpty else { return nil }
        self.host = Self.withoutBrackets(host).lowercased()
        isAddress = Self.isAddress(self.host)
        let path = url.path(percentEncoded: true)
        self.path = path.isEmpty ? "/" : path
        isSecure = ["https", "wss"].contains(url.scheme?.lowercased()) || Self.isThisMachine(self.host)
    }

    /// The path up to its last slash (§5.1.4).
    var defaultPath: String {
        let path = path.utf8
        guard path.first == slash, let last = path.lastIndex(of: slash), last > path.startIndex else { return "/" }
        return String(decoding: path[..<last], as: UTF8.self)
    }

    /// Returns true if the host domain-matches (§5.1.3).
    func isWithin(_ domain: String) -> Bool {
        host == domain || (!isAddress && Self.isSubdomain(host, of: domain))
    }

    /// The host and its parent domains, longest first.
    var domains: [String] {
        guard !isAddress else { return [host] }
        var domains = [host]
        var rest = host[...]
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[rest.index(after: dot)...]
            if !rest.isEmpty { domains.append(String(rest)) }
        }
        return domains
    }

    static func isSubdomain(_ host: String, of domain: String) -> Bool {
        host.utf8.count > domain.utf8.count && host.hasSuffix(domain)
            && host.utf8.dropLast(domain.utf8.count).last == UInt8(ascii: ".")
    }

    /// Returns true if the path path-matches (§5.1.4).
    static func path(_ path: String, isWithin cookiePath: String) -> Bool {
        guard path.utf8.starts(with: cookiePath.utf8) else { return false }
        return path.utf8.count == cookiePath.utf8.count || cookiePath.utf8.last == slash
            || path.utf8.dropFirst(cookiePath.utf8.count).first == slash
    }

    /// Returns true for loopback names and addresses, which browsers treat as secure.
    private static func isThisMachine(_ host: String) -> Bool {
        if ["localhost", "localhost.", "::1", "0:0:0:0:0:0:0:1"].contains(host) || host.hasSuffix(".localhost") {
            return true
        }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// Returns true for an IPv6 address, and for a name whose last label is a number: an IPv4 address in one of its forms
    /// (WHATWG URL §3.5).
    static func isAddress(_ host: String) -> Bool {
        if host.utf8.contains(UInt8(ascii: ":")) { return true }
        var labels = host.split(separator: ".", omittingEmptySubsequences: false)
        if labels.last?.isEmpty == true { labels.removeLast() }
        guard let last = labels.last, !last.isEmpty else { return false }
        return last.utf8.allSatisfy(\.isASCIIDigit)
            || (last.hasPrefix("0x") && last.dropFirst(2).allSatisfy(\.isHexDigit))
    }

    static func withoutBrackets(_ host: String) -> String {
        host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }
}

private let slash = UInt8(ascii: "/")

/// A list of domains under which anyone can register names, such as "com" and "co.uk". Cookies for them are refused (RFC
/// 6265bis §5.7 step 9).
public struct PublicSuffixes: Sendable {
    /// False if the list only knows single labels: "com", but not "co.uk".
    public let isComplete: Bool
    private let isSuffix: @Sendable (String) -> Bool

    /// Creates a custom list. The closure receives a domain in lower case, without a trailing dot, on any thread.
    public init(_ isSuffix: @escaping @Sendable (_ domain: String) -> Bool) {
        isComplete = true
        self.isSuffix = isSuffix
    }

    private init() {
        isComplete = false
        isSuffix = { !$0.utf8.contains(UInt8(ascii: ".")) }
    }

    /// All single labels.
    public static let singleLabels = PublicSuffixes()

    /// The list of the system's libpsl, loaded on first use; `singleLabels` if the library is missing.
    public static let system = load() ?? .singleLabels

    /// Returns true if a domain is a public suffix. IP addresses never are.
    public func contains(_ domain: String) -> Bool {
        let domain = domain.hasSuffix(".") ? String(domain.dropLast()) : domain
        return !domain.isEmpty && !CookieTarget.isAddress(domain) && isSuffix(domain.lowercased())
    }

    #if canImport(Darwin)
    private static let libraries = ["libpsl.5.dylib", "libpsl.dylib"]
    #else
    private static let libraries = ["libpsl.so.5"]
    #endif

    private typealias MakeList = @convention(c) @Sendable () -> UnsafeRawPointer?
    private typealias IsSuffix = @convention(c) @Sendable (UnsafeRawPointer?, UnsafePointer<CChar>?) -> CInt

    private static func load() -> PublicSuffixes? {
        guard let library = SharedLibrary(libraries), let makeList: MakeList = library.find("psl_builtin"),
            let isSuffix: IsSuffix = library.find("psl_is_public_suffix"),
            // The list is constant data of the library.
            let list = makeList().map(UInt.init(bitPattern:))
        else { return nil }
        return PublicSuffixes { isSuffix(UnsafeRawPointer(bitPattern: list), $0) != 0 }
    }
}
