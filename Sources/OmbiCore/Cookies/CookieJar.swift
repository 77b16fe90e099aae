#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The cookies that servers have set, and those that go back to them (RFC 6265bis).
///
///     manager.cookieJar = CookieJar()
///
/// A manager has none unless it is given one; several may share it. Each request, those that follow a redirect
/// included, carries the cookies that are for it, and each response may set others. A `Cookie` field of the request
/// itself is kept: the jar adds cookies of other names to it.
///
/// A jar keeps nothing beyond its life. Its owner saves `persistentCookies`, which are `Codable`:
///
///     let saved = try JSONEncoder().encode(jar.persistentCookies)
///     let jar = CookieJar(try JSONDecoder().decode([Cookie].self, from: saved))
///
/// Cookies are shared by all ports of a host, as everywhere. A host name outside ASCII must be written as its server
/// writes it in `Domain`: "xn--…".
public final class CookieJar: Sendable {
    /// The largest number of cookies.
    public let maximumCount: Int
    /// The largest number of cookies with the same domain.
    public let maximumCountPerDomain: Int
    /// The domains that no cookie may be set for.
    public let publicSuffixes: PublicSuffixes
    private let now: @Sendable () -> Date
    private let store: Lock<CookieStore>

    /// - Parameters:
    ///   - cookies: Cookies to begin with, such as saved ones. Those that have expired, or cannot be sent, are left out.
    ///   - publicSuffixes: The domains that no cookie may be set for.
    ///   - maximumCount: Beyond it those that were not used for the longest time go.
    ///   - maximumCountPerDomain: Beyond it those go first that are not secure.
    ///   - now: The clock that cookies expire by; for tests.
    public init(
        _ cookies: [Cookie] = [], publicSuffixes: PublicSuffixes = .system, maximumCount: Int = 3000,
        maximumCountPerDomain: Int = 180, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.publicSuffixes = publicSuffixes
        self.maximumCount = max(maximumCount, 0)
        self.maximumCountPerDomain = max(maximumCountPerDomain, 0)
        self.now = now
        store = Lock(
            CookieStore(maximumCount: max(maximumCount, 0), maximumCountPerDomain: max(maximumCountPerDomain, 0)))
        for cookie in cookies.sorted(by: { $0.createdAt < $1.createdAt }) { set(cookie) }
    }

    /// The value of `Cookie` for a request, longer paths first, then older cookies; nil where there is none to send.
    public func header(for url: URL) -> String? {
        let cookies = cookies(for: url)
        return cookies.isEmpty ? nil : cookies.map(\.pair).joined(separator: "; ")
    }

    /// The cookies that go with a request, in the order in which they are sent. They count as used.
    public func cookies(for url: URL) -> [Cookie] {
        guard !store.withLock({ $0.isEmpty }), let target = CookieTarget(url) else { return [] }
        let now = now()
        return store.withLock { $0.take(for: target, now: now) }
    }

    /// Stores what a response sets. What the rules refuse is left out.
    /// - Parameters:
    ///   - setCookies: The values of its `Set-Cookie` fields, in order.
    ///   - url: Where it came from.
    public func store(_ setCookies: [String], from url: URL) {
        guard !setCookies.isEmpty, let target = CookieTarget(url) else { return }
        let now = now()
        let rules = CookieRules(target: target, suffixes: publicSuffixes, now: now)
        let cookies = setCookies.compactMap { SetCookie($0) }.compactMap(rules.cookie)
        store.withLock { store in
            for cookie in cookies { store.add(cookie, from: target, now: now) }
        }
    }
}

// For those who look at cookies, edit them and save them.
extension CookieJar {
    /// All cookies that have not expired, older ones first.
    public var cookies: [Cookie] {
        let now = now()
        return store.withLock { $0.all(at: now) }
    }

    /// The cookies to save: those that outlive the session.
    public var persistentCookies: [Cookie] { cookies.filter { $0.expiresAt != nil } }

    /// Adds a cookie, or replaces the one of the same name, domain and path. One that has expired removes it.
    /// - Returns: False for a cookie that could not be sent as it is: without a domain, with a path that does not begin
    ///   with a slash, or with a character that ends a field or a cookie. Nothing is changed then.
    @discardableResult
    public func set(_ cookie: Cookie) -> Bool {
        var cookie = cookie
        cookie.domain = CookieTarget.withoutBrackets(cookie.domain).lowercased()
        let texts = [cookie.name, cookie.value, cookie.path, cookie.domain]
        guard !cookie.domain.isEmpty, cookie.path.utf8.first == UInt8(ascii: "/"),
            !(cookie.name.isEmpty && cookie.value.isEmpty), !cookie.name.utf8.contains(UInt8(ascii: "=")),
            texts.allSatisfy({ !$0.utf8.contains { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: ";") } })
        else { return false }
        let now = now()
        store.withLock { $0.add(cookie, now: now) }
        return true
    }

    /// Removes the cookie of the same name, domain and path.
    public func remove(_ cookie: Cookie) { removeAll { $0.replaces(cookie) } }

    /// Removes the cookies of a domain and of its subdomains.
    public func removeAll(inDomain domain: String) {
        let domain = CookieTarget.withoutBrackets(domain).lowercased()
        let isAddress = CookieTarget.isAddress(domain)
        removeAll { $0.domain == domain || (!isAddress && CookieTarget.isSubdomain($0.domain, of: domain)) }
    }

    /// Ends the session: removes the cookies that do not outlive it.
    public func removeSessionCookies() { removeAll { $0.expiresAt == nil } }

    /// Removes every cookie.
    public func removeAll() { removeAll { _ in true } }

    private func removeAll(where isRemoved: (Cookie) -> Bool) {
        store.withLock { $0.removeAll(where: isRemoved) }
    }
}

extension CookieJar: Hashable {
    /// Jars are equal when they are the same object.
    public static func == (left: CookieJar, right: CookieJar) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

// For transports.
extension CookieJar {
    /// Stores what a response sets.
    func store(_ headers: RequestHeaders?, from url: URL) {
        guard let headers, headers[.setCookie] != nil else { return }
        store(headers.values(for: .setCookie).map(\.text), from: url)
    }

    /// Headers with the cookies for a request. A `Cookie` field that is there comes first, and its names win.
    func adding(to headers: RequestHeaders, for url: URL) -> RequestHeaders {
        var cookies = cookies(for: url)
        guard !cookies.isEmpty else { return headers }
        let own = headers.values(for: .cookie).map(\.text)
        if !own.isEmpty {
            let names = Set(own.flatMap { $0.split(separator: ";") }.map { SetCookie($0)?.name ?? "" })
            cookies.removeAll { names.contains($0.name) }
        }
        var headers = headers
        headers[.cookie] = .string((own + cookies.map(\.pair)).joined(separator: "; "))
        return headers
    }
}
