import Foundation
import TestSupport
import Testing

@testable import OmbiCore

@Suite struct SetCookieTests {
    private let now = Date(timeIntervalSince1970: 1_700_000_000)

    @Test(arguments: [
        ("a=b", "a", "b"), (" a\t= b ", "a", "b"), ("a=b=c", "a", "b=c"), ("a=", "a", ""), ("a", "", "a"),
        ("=b", "", "b"),
        (" = b", "", "b"), ("a=\"b c\"", "a", "\"b c\""), ("a=b; Path=/", "a", "b"), ("a=b;;;", "a", "b"),
        ("a b=c d", "a b", "c d"), ("a=b,c=d", "a", "b,c=d"), ("a=\t", "a", ""), ("a=b\tc", "a", "b\tc"),
        ("\u{E4}=\u{1F36A}", "\u{E4}", "\u{1F36A}"), ("a==", "a", "="), ("==", "", "="), ("Secure", "", "Secure"),
    ])
    func `name and value are what stands around the first equals sign`(field: String, name: String, value: String) {
        let cookie = SetCookie(field)
        #expect(cookie?.name == name)
        #expect(cookie?.value == value)
    }

    @Test(arguments: [
        "", " ", "=", " = ", ";", "; Path=/", "=; Secure", "a=b\u{0}", "a=b\r", "a=b; Path=/\n", "\u{7F}=b",
    ])
    func `nothing and control characters are ignored as a whole`(field: String) {
        #expect(SetCookie(field) == nil)
    }

    @Test func `a name and a value may have 4096 bytes together`() {
        let long = String(repeating: "v", count: 4094)
        #expect(SetCookie("nn=\(long)")?.value == long)
        #expect(SetCookie("nnn=\(long)") == nil)
        #expect(SetCookie("n=\(String(repeating: "\u{E4}", count: 2048))") == nil)
        #expect(SetCookie(long + "vvv") == nil)
    }

    @Test func `attributes are read without case, and the last of a name counts`() throws {
        let cookie = try #require(
            SetCookie("a=b; PATH=/x; path=/y; SECURE; httponly=no; domain=A.Test; DOMAIN=.B.test"))
        #expect(cookie.path == "/y" && cookie.isSecure && cookie.isHTTPOnly && cookie.domain == "b.test")
    }

    @Test(
        arguments: [
            ("Path", nil, true), ("Path=", nil, true), ("Path=x", nil, true), ("Path=/", "/", true),
            ("Path=\"/\"", nil, true),
            ("Path= /a b ", "/a b", true), ("", nil, false), ("Path=/x; Path=y", nil, true),
            ("Path=/\(String(repeating: "x", count: 1024))", nil, false),
            ("Path=/\(String(repeating: "x", count: 1023))", "/\(String(repeating: "x", count: 1023))", true),
        ] as [(String, String?, Bool)])
    func `a path that begins with no slash is the default one`(attribute: String, path: String?, hasPath: Bool) {
        let cookie = SetCookie("a=b; \(attribute)")
        #expect(cookie?.path == path)
        #expect(cookie?.hasPath == hasPath)
    }

    @Test(
        arguments: [
            ("SameSite=Strict", Cookie.SameSite.strict), ("samesite=LAX", .lax),
            ("SameSite=None", Cookie.SameSite.none),
            ("SameSite=Unknown", nil), ("SameSite", nil), ("SameSite=Strict; SameSite=x", nil),
        ] as [(String, Cookie.SameSite?)])
    func `an unknown SameSite is none at all`(attribute: String, expected: Cookie.SameSite?) {
        #expect(SetCookie("a=b; \(attribute)")?.sameSite == expected)
    }

    /// Seconds from now; nil for a session cookie, .min for what has always been over.
    @Test(
        arguments: [
            ("", nil), ("Max-Age=10", 10), ("max-age=0", .min), ("Max-Age=-1", .min), ("Max-Age=-", .min),
            ("Max-Age=", nil),
            ("Max-Age", nil), ("Max-Age=1.5", nil), ("Max-Age=+10", nil), ("Max-Age=10s", nil), ("Max-Age=\"10\"", nil),
            ("Max-Age=5; Max-Age=x", 5), ("Max-Age=5; Max-Age=7", 7), ("Max-Age=99999999999999999999", 34_560_000),
            ("Max-Age=-99999999999999999999", .min), ("Max-Age=34560001", 34_560_000),
            ("Expires=Tue, 14 Nov 2023 22:13:30 GMT", 10), ("Expires=Tue, 14 Nov 2023 22:13:10 GMT", -10),
            ("Expires=Fri, 31 Dec 9999 23:59:59 GMT", 34_560_000), ("Expires=never", nil),
            ("Expires=Tue, 14 Nov 2023 22:13:30 GMT; Max-Age=20", 20),
            ("Max-Age=20; Expires=Tue, 14 Nov 2023 22:13:30 GMT", 20),
            ("Max-Age=x; Expires=Tue, 14 Nov 2023 22:13:30 GMT", 10),
            ("Expires=Tue, 14 Nov 2023 22:13:30 GMT; Expires=never", 10),
        ] as [(String, Int?)])
    func `Max-Age goes before Expires, and nothing lasts for more than 400 days`(attributes: String, seconds: Int?) {
        let expected: SetCookie.Lifetime =
            switch seconds {
            case nil: .session
            case .min?: .until(.distantPast)
            case let seconds?: .until(now.addingTimeInterval(Double(seconds)))
            }
        #expect(SetCookie("a=b; \(attributes)")?.lifetime(from: now) == expected)
    }

    @Test func `no field stops the parser, and what it gives fits into a field`() {
        var random = SeededRandom(seed: 7)
        let pieces = [
            "a", "=", ";", " ", "\t", "Path", "/", "Domain", ".", "Max-Age", "-", "9999999999", "Expires", "Secure",
            "\"",
            "01 Jan 2024 00:00:00", "SameSite", "Lax", "\u{E4}", "\u{0}", "\r\n", "__Host-",
        ]
        for _ in 0..<20_000 {
            let field = random.pick(Int(random.next() % 30), of: pieces).joined()
            guard let cookie = SetCookie(field) else { continue }
            #expect(!(cookie.name + cookie.value).contains { ";\r\n\0".contains($0) }, "\(field)")
            _ = cookie.lifetime(from: now)
            let target = CookieTarget(URL(string: "http://a.b.example.com/x/y")!)!
            let rules = CookieRules(target: target, suffixes: .singleLabels, now: now)
            guard let stored = rules.cookie(cookie) else { continue }
            #expect(target.isWithin(stored.domain) && stored.path.hasPrefix("/"), "\(field)")
        }
    }
}
