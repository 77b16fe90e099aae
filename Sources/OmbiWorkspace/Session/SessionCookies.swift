/// The owner of a cookie jar: an environment of a file.
package struct CookieHome: Hashable, Sendable {
    package var file: String
    /// Nil for requests without an environment.
    package var environment: String?

    package init(file: String, environment: String?) {
        self.file = file
        self.environment = environment
    }

    package init(_ order: RunOrder) { self.init(file: order.file, environment: order.environment) }
}

/// A cookie in a jar, without its value.
package struct KeptCookie: Hashable, Sendable {
    package var name: String
    package var domain: String
    package var path = "/"
    /// Excludes subdomains.
    package var isHostOnly = true
    /// Nil for a session cookie.
    package var expiresAt: Date?
    package var isSecure = false
    package var isHTTPOnly = false
    package var sameSite: Cookie.SameSite?
}

extension KeptCookie {
    init(_ cookie: Cookie) {
        self.init(
            name: cookie.name, domain: cookie.domain, path: cookie.path, isHostOnly: cookie.isHostOnly,
            expiresAt: cookie.expiresAt, isSecure: cookie.isSecure, isHTTPOnly: cookie.isHTTPOnly,
            sameSite: cookie.sameSite)
    }

    fileprivate func identifies(_ cookie: Cookie) -> Bool {
        cookie.name == name && cookie.domain == domain && cookie.path == path && cookie.isHostOnly == isHostOnly
    }
}

/// A change of a cookie jar by the user.
package enum CookieEdit: Equatable, Sendable {
    case set(KeptCookie, value: String)
    case remove(KeptCookie)
    case removeAll
}

/// The cookies of a session, a jar for each environment. They are in memory only, and end with the session. Others see
/// them without their values.
package final class SessionCookies: Sendable {
    private struct Entry {
        var jar: CookieJar
        /// True for a jar of the program, which all requests use that do not switch cookies off.
        var isGiven: Bool
    }

    /// A jar for each way to the servers: cookies that came one way do not leave by another, such as a proxy that is new.
    private let jars = Lock<[CookieHome: [String: Entry]]>([:])
    private let given: @Sendable (RunOrder) -> CookieJar?

    /// - Parameter given: returns the jar of an environment; nil for one in which cookies are off by default.
    init(_ given: @escaping @Sendable (RunOrder) -> CookieJar?) { self.given = given }

    /// Returns the jar for a request; nil if cookies are off.
    func jar(for order: RunOrder, _ request: ResolvedRequest) -> CookieJar? {
        let keeps = request.keepsCookies
        if keeps == false { return nil }
        let way = Destination.way(request.connection, via: request.via?.description)
        return jars.withLock { jars in
            if let known = jars[CookieHome(order)]?[way] { return keeps == true || known.isGiven ? known.jar : nil }
            // The jar of the program has the cookies of the first way.
            let given = given(order)
            let own = given != nil && jars[CookieHome(order)] != nil ? CookieJar() : given
            guard let jar = own ?? (keeps == true ? CookieJar() : nil) else { return nil }
            jars[CookieHome(order), default: [:]][way] = Entry(jar: jar, isGiven: given != nil)
            return jar
        }
    }

    /// The cookies of an environment, the oldest first; nil before any request kept some.
    package func cookies(of home: CookieHome) -> [KeptCookie]? {
        let jars = jars(of: home)
        return jars.isEmpty ? nil : jars.flatMap { $0.cookies.map(KeptCookie.init) }
    }

    /// Returns false for a value that no cookie can have.
    @discardableResult
    package func perform(_ edit: CookieEdit, in home: CookieHome) -> Bool {
        let jars = jars(of: home)
        for jar in jars {
            switch edit {
            case .removeAll: jar.removeAll()
            case .remove(let kept): for cookie in jar.cookies where kept.identifies(cookie) { jar.remove(cookie) }
            case .set(let kept, let value):
                guard var cookie = jar.cookies.first(where: kept.identifies) else { continue }
                cookie.value = value
                return jar.set(cookie)
            }
        }
        if case .set = edit { return false }
        return !jars.isEmpty
    }

    private func jars(of home: CookieHome) -> [CookieJar] {
        jars.withLock { jars in (jars[home] ?? [:]).sorted { $0.key < $1.key }.map(\.value.jar) }
    }
}
