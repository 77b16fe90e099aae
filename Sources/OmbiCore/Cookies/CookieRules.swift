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
