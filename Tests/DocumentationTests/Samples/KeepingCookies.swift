import OmbiCore

// sample: Cookies/saving
func save(_ jar: CookieJar) throws -> Data {
    try JSONEncoder().encode(jar.persistentCookies)
}

func jar(from saved: Data) throws -> CookieJar {
    CookieJar(try JSONDecoder().decode([Cookie].self, from: saved))
}
// end

enum KeepingCookies {
    static func jar(_ manager: RequestManager) {
        // sample: Cookies/jar
        manager.cookieJar = CookieJar()
        // end
    }

    static func edit(_ jar: CookieJar) {
        // sample: Cookies/edit
        for cookie in jar.cookies where cookie.domain == "example.com" && !cookie.isSecure {
            jar.remove(cookie)
        }
        jar.set(Cookie(name: "theme", value: "dark", domain: "example.com", isHostOnly: false))
        // end
    }
}
