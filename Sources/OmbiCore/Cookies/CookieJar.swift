/// A cookie store that follows RFC 6265bis.
///
///     manager.cookieJar = CookieJar()
///
/// A manager has no jar by default; several may share one. Each request, including those that follow a redirect, carries
/// the matching cookies, and each response may set others. A `Cookie` field of the request is kept: the jar adds
/// cookies with other names to it.
///
/// A jar is not persistent by itself. Its owner saves `persistentCookies`, which are `Codable`:
///
///     let saved = try JSONEncoder().encode(jar.persistentCookies)
///     let jar = CookieJar(try JSONDecoder().decode([Cookie].self, from: saved))
///
/// Cookies are shared by all ports of a host. Write an internationalized host name in its ASCII form ("xn--…").
public final class CookieJar: Sendable {
    /// The maximum number of cookies.
    public let maximumCount: Int
    /// The maximum number of cookies with the same domain.
    public let maximumCountPerDomain: Int
    /// The domains that cookies are refused for.
    public let publicSuffixes: PublicSuffixes
    private let now: @Sendable () -> Date
    private let store: Lock<CookieStore>

    /// - Parameters:
    ///   - cookies: The initial cookies, such as saved ones. Expired and invalid ones are dropped.
    ///   - publicSuffixes: The domains that cookies are refused for.
    ///   - maximumCount: The total limit; the least recently used cookie is evicted first.
    ///   - maximumCountPerDomain: The limit per domain; insecure cookies are evicted first.
    ///   - now: The current time; for tests.
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

    /// Returns the value of `Cookie` for a request: longer paths first, then older cookies; nil if no cookie matches.
    public func header(for url: URL) -> String? {
        let cookies = cookies(for: url)
        return cookies.isEmpty ? nil : cookies.map(\.pair).joined(separator: "; ")
    }

    /// Returns the cookies that match a request, in sending order, and marks them as used.
    public func cookies(for url: URL) -> [Cookie] {
        guard !store.withLock({ $0.isEmpty }), let target = CookieTarget(url) else { return [] }
        let now = now()
        return store.withLock { $0.take(for: target, now: now) }
    }

    /// Stores the cookies of a response, except those that the rules refuse.
    /// - Parameters:
    ///   - setCookies: The values of the `Set-Cookie` fields, in order.
    ///   - url: The URL of the response.
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

// Inspection, editing and saving.
extension CookieJar {
    /// All unexpired cookies, oldest first.
    public var cookies: [Cookie] {
        let now = now()
        return store.withLock { $0.all(at: now) }
    }

    /// The cookies to save: those that are not session cookies.
    public var persistentCookies: [Cookie] { cookies.filter { $0.expiresAt != nil } }

    /// Adds a cookie, or replaces the one with the same name, domain and path. An expired cookie removes it.
    /// - Returns: False if the cookie is invalid, and nothing changed: it has no domain, a path without a leading slash,
    ///   or a control character or semicolon in its text.
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

    /// Removes the cookie with the same name, domain and path.
    public func remove(_ cookie: Cookie) { removeAll { $0.replaces(cookie) } }

    /// Removes the cookies of a domain and of its subdomains.
    public func removeAll(inDomain domain: String) {
        let domain = CookieTarget.withoutBrackets(domain).lowercased()
        let isAddress = CookieTarget.isAddress(domain)
        removeAll { $0.domain == domain || (!isAddress && CookieTarget.isSubdomain($0.domain, of: domain)) }
    }

    /// Removes all session cookies.
    public func removeSessionCookies() { removeAll { $0.expiresAt == nil } }

    /// Removes all cookies.
    public func removeAll() { removeAll { _ in true } }

    private func removeAll(where isRemoved: (Cookie) -> Bool) {
        store.withLock { $0.removeAll(where: isRemoved) }
    }
}

extension CookieJar: Hashable {
    /// Compares by identity.
    public static func == (left: CookieJar, right: CookieJar) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

// For transports.
extension CookieJar {
    /// Stores the cookies of a response, which are in its fields named `Set-Cookie`.
    public func store(_ headers: RequestHeaders?, from url: URL) {
        guard let headers, headers[.setCookie] != nil else { return }
        store(headers.values(for: .setCookie).map(\.text), from: url)
    }

    /// Returns the headers with the matching cookies. Cookies of an existing `Cookie` field come first and take
    /// precedence.
    public func adding(to headers: RequestHeaders, for url: URL) -> RequestHeaders {
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
    /// The description; the value is omitted.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
