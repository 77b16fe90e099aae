import Foundation
import Testing

@testable import OmbiCore

@Suite struct CookieEditingTests {
    private let origin = URL(string: "https://h.example.com/")!

    @Test func `cookies that outlive the session are saved and read again, in their order`() throws {
        let jar = CookieJar(publicSuffixes: .singleLabels)
        jar.store(
            ["b=2; Max-Age=1000; Domain=example.com; Secure; HttpOnly; SameSite=Lax", "a=1; Max-Age=2000"], from: origin
        )
        jar.store(["session=3"], from: origin)
        let saved = try JSONEncoder().encode(jar.persistentCookies)
        let read = CookieJar(try JSONDecoder().decode([Cookie].self, from: saved))
        #expect(read.header(for: origin) == "b=2; a=1")
        #expect(read.cookies == jar.persistentCookies)
        #expect(read.header(for: URL(string: "https://x.example.com/")!) == "b=2")
    }

    @Test func `what is saved is checked when it is read`() {
        let cookies = [
            Cookie(name: "over", value: "1", domain: "h.example.com", expiresAt: .distantPast),
            Cookie(name: "line", value: "1\r\nX-Injected: 1", domain: "h.example.com"),
            Cookie(name: "two", value: "1; other=2", domain: "h.example.com"),
            Cookie(name: "a=b", value: "1", domain: "h.example.com"),
            Cookie(name: "", value: "", domain: "h.example.com"),
            Cookie(name: "path", value: "1", domain: "h.example.com", path: "x"),
            Cookie(name: "host", value: "1", domain: ""),
            Cookie(name: "good", value: "1", domain: "H.Example.com"),
            Cookie(name: "good", value: "2", domain: "h.example.com"),
        ]
        let jar = CookieJar(cookies)
        #expect(jar.header(for: origin) == "good=2")
        #expect(cookies.map { jar.set($0) } == [true, false, false, false, false, false, false, true, true])
    }

    @Test func `cookies are changed and removed one by one`() throws {
        let jar = CookieJar()
        jar.store(["a=1; HttpOnly", "b=2"], from: origin)
        var cookie = try #require(jar.cookies.first)
        cookie.value = "changed"
        #expect(jar.set(cookie))
        #expect(jar.header(for: origin) == "a=changed; b=2")
        jar.remove(cookie)
        #expect(jar.header(for: origin) == "b=2")
        cookie.expiresAt = .distantPast
        #expect(jar.set(cookie))
        #expect(jar.cookies.count == 1)
    }

    @Test(arguments: [
        ("example.com", ["other"]), ("EXAMPLE.com", ["other"]), ("h.example.com", ["parent", "other"]),
        ("xample.com", ["host", "child", "parent", "other"]), ("com", []), ("", ["host", "child", "parent", "other"]),
    ])
    func `the cookies of a domain and its subdomains are removed`(domain: String, left: [String]) {
        let jar = CookieJar()
        for (name, host) in [
            ("host", "h.example.com"), ("child", "x.h.example.com"), ("parent", "example.com"), ("other", "other.com"),
        ] {
            jar.set(Cookie(name: name, value: "1", domain: host))
        }
        jar.removeAll(inDomain: domain)
        #expect(jar.cookies.map(\.name) == left)
    }

    @Test func `the session ends, and the rest stays`() {
        let jar = CookieJar()
        jar.store(["session=1", "kept=2; Max-Age=100"], from: origin)
        jar.removeSessionCookies()
        #expect(jar.cookies.map(\.name) == ["kept"])
        jar.removeAll()
        #expect(jar.cookies.isEmpty && jar.header(for: origin) == nil)
    }

    @Test func `a description does not show the value`() {
        let cookie = Cookie(name: "session", value: "s3cret", domain: "h.example.com", isSecure: true, sameSite: .lax)
        var dumped = ""
        dump(cookie, to: &dumped)
        for text in ["\(cookie)", String(reflecting: cookie), dumped, "\([cookie])"] {
            #expect(!text.contains("s3cret") && text.contains("session="), "\(text)")
        }
    }

    @Test func `the system's list knows suffixes of two labels where there is one`() {
        let suffixes = PublicSuffixes.system
        for name in ["com", "uk", "localhost"] { #expect(suffixes.contains(name), "\(name)") }
        for name in ["example.com", "127.0.0.1", "::1", ""] { #expect(!suffixes.contains(name), "\(name)") }
        #expect(suffixes.contains("co.uk") == suffixes.isComplete && suffixes.contains("CO.UK.") == suffixes.isComplete)
        #expect(!PublicSuffixes.singleLabels.isComplete && !PublicSuffixes.singleLabels.contains("co.uk"))
    }

    @Test func `many threads store, send, list and clear`() async {
        let jar = CookieJar(maximumCount: 50, maximumCountPerDomain: 10)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let url = URL(string: "https://h\(number % 10).example.com/")!
                    jar.store(["n\(number)=1", "shared=\(number); Domain=example.com"], from: url)
                    _ = jar.header(for: url)
                    if number % 20 == 0 { jar.removeAll(inDomain: "h\(number % 10).example.com") }
                    #expect(jar.cookies.count <= 50)
                }
            }
        }
    }
}
