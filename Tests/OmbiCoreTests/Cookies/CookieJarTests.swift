import Foundation
import Testing

@testable import OmbiCore

/// RFC 6265bis §5.7 and §5.8.3, rule by rule.
@Suite struct CookieJarTests {
    /// A clock that a test moves.
    final class Clock: Sendable {
        private let seconds = Lock(1_700_000_000.0)
        var now: Date { Date(timeIntervalSince1970: seconds.withLock { $0 }) }
        func advance(by step: Double) { seconds.withLock { $0 += step } }
    }

    private static let suffixes = PublicSuffixes { ["com", "uk", "co.uk", "localhost", "github.io"].contains($0) }

    private func jar(_ clock: Clock = Clock(), perDomain: Int = 180, count: Int = 3000) -> CookieJar {
        CookieJar(
            publicSuffixes: Self.suffixes, maximumCount: count, maximumCountPerDomain: perDomain, now: { clock.now })
    }

    private func url(_ text: String) -> URL { URL(string: text)! }

    /// What is sent to `target` after `origin` has set these cookies.
    private func sent(_ fields: [String], from origin: String, to target: String) -> String? {
        let jar = jar()
        jar.store(fields, from: url(origin))
        return jar.header(for: url(target))
    }

    @Test(arguments: [
        // Host only, and the domains of a host.
        ("http://a.example.com/", "n=v", "http://a.example.com/", true),
        ("http://a.example.com/", "n=v", "http://b.example.com/", false),
        ("http://a.example.com/", "n=v", "http://x.a.example.com/", false),
        ("http://a.example.com/", "n=v", "http://example.com/", false),
        ("http://a.example.com/", "n=v; Domain=example.com", "http://b.example.com/", true),
        ("http://a.example.com/", "n=v; Domain=.example.com", "http://example.com/", true),
        ("http://a.example.com/", "n=v; Domain=EXAMPLE.com", "http://B.Example.COM/", true),
        ("http://a.example.com/", "n=v; Domain=example.com", "http://badexample.com/", false),
        ("http://a.example.com/", "n=v; Domain=a.example.com", "http://x.a.example.com/", true),
        ("http://a.example.com/", "n=v; Domain=b.example.com", "http://b.example.com/", false),
        ("http://a.example.com/", "n=v; Domain=x.a.example.com", "http://x.a.example.com/", false),
        ("http://a.example.com/", "n=v; Domain=xample.com", "http://a.example.com/", false),
        ("http://a.example.com/", "n=v; Domain=", "http://a.example.com/", true),
        ("http://a.example.com/", "n=v; Domain=", "http://x.a.example.com/", false),
        ("http://a.example.com/", "n=v; Domain=.", "http://x.a.example.com/", false),
        ("http://a.example.com/", "n=v; Domain=..example.com", "http://a.example.com/", false),
        ("http://a.example.com/", "n=v; Domain=other.com; Domain=example.com", "http://example.com/", true),
        ("http://a.example.com/", "n=v; Domain=example.com; Domain=", "http://b.example.com/", false),
        ("http://a.example.com/", "n=v; Domain=ex\u{E4}mple.com", "http://a.example.com/", false),
        // A dot at the end makes another host.
        ("http://a.example.com./", "n=v", "http://a.example.com./", true),
        ("http://a.example.com./", "n=v", "http://a.example.com/", false),
        ("http://a.example.com./", "n=v; Domain=example.com", "http://a.example.com./", false),
        ("http://a.example.com./", "n=v; Domain=example.com.", "http://b.example.com./", true),
        ("http://a.example.com./", "n=v; Domain=com.", "http://b.com./", false),
        // Public suffixes.
        ("http://a.co.uk/", "n=v; Domain=co.uk", "http://b.co.uk/", false),
        ("http://a.co.uk/", "n=v; Domain=uk", "http://b.co.uk/", false),
        ("http://github.io/", "n=v; Domain=github.io", "http://github.io/", true),
        ("http://github.io/", "n=v; Domain=github.io", "http://me.github.io/", false),
        // Addresses.
        ("http://127.0.0.1/", "n=v", "http://127.0.0.1/", true),
        ("http://127.0.0.1/", "n=v; Domain=127.0.0.1", "http://127.0.0.1/", true),
        ("http://127.0.0.1/", "n=v; Domain=0.0.1", "http://127.0.0.1/", false),
        ("http://127.0.0.1/", "n=v; Domain=.0.0.1", "http://9.0.0.1/", false),
        ("http://1.127.0.0.1/", "n=v; Domain=127.0.0.1", "http://127.0.0.1/", false),
        ("http://[::1]/", "n=v", "http://[::1]:8080/", true),
        ("http://[::1]/", "n=v; Domain=[::1]", "http://[::1]/", true),
        ("http://[::1]/", "n=v; Domain=::1", "http://[::1]/", true),
        ("http://[::1]/", "n=v; Domain=1", "http://[::1]/", false),
        // Ports and schemes do not matter.
        ("http://a.example.com:8080/", "n=v", "http://a.example.com:9090/", true),
        ("https://a.example.com/", "n=v", "http://a.example.com/", true),
        ("http://localhost/", "n=v; Domain=localhost", "http://localhost/", true),
        ("http://localhost/", "n=v; Domain=localhost", "http://a.localhost/", false),
    ])
    func `a cookie goes to its host, or to its domain`(origin: String, field: String, target: String, isSent: Bool) {
        #expect(sent([field], from: origin, to: target) == (isSent ? "n=v" : nil))
    }

    @Test(arguments: [
        ("/", "", "/", true), ("/", "", "/a/b", true), ("/a", "", "/", true), ("/a/", "", "/a/x", true),
        ("/a/b", "", "/a", true), ("/a/b", "", "/a/", true), ("/a/b", "", "/a/c", true), ("/a/b", "", "/ab", false),
        ("/a/b", "", "/", false), ("/a/b/", "", "/a/b", true), ("/a/b/", "", "/a", false), ("", "", "/x", true),
        ("/a/b?c/d", "", "/a/x", true), ("/x", "Path=/a", "/a", true), ("/x", "Path=/a", "/a/", true),
        ("/x", "Path=/a", "/a/b", true), ("/x", "Path=/a", "/ab", false), ("/x", "Path=/a", "/A", false),
        ("/x", "Path=/a/", "/a", false), ("/x", "Path=/a/", "/a/b", true), ("/x", "Path=/a", "/a?b", true),
        ("/x/y", "Path=a", "/x", true), ("/x/y", "Path", "/z", false), ("/x", "Path=/%61", "/a", false),
        ("/x", "Path=/%61", "/%61", true), ("/x", "Path=//", "/", false), ("/x", "Path=//", "//", true),
    ])
    func `a cookie goes to its path and below`(origin: String, attribute: String, target: String, isSent: Bool) {
        let header = sent(
            ["n=v; \(attribute)"], from: "http://h.example.com" + origin, to: "http://h.example.com" + target)
        #expect(header == (isSent ? "n=v" : nil))
    }

    @Test(arguments: [
        ("https://h.example.com/", "https://h.example.com/", true),
        ("https://h.example.com/", "http://h.example.com/", false),
        ("http://h.example.com/", "https://h.example.com/", false), ("http://localhost/", "http://localhost/", true),
        ("http://a.localhost/", "http://a.localhost/", true), ("http://127.0.0.1/", "http://127.0.0.1/", true),
        ("http://127.1.2.3/", "http://127.1.2.3/", true), ("http://[::1]/", "http://[::1]/", true),
        ("http://128.0.0.1/", "http://128.0.0.1/", false),
        ("http://127.0.0.1.example.com/", "http://127.0.0.1.example.com/", false),
        ("http://localhost.example.com/", "http://localhost.example.com/", false),
        ("http://notlocalhost/", "http://notlocalhost/", false),
    ])
    func `a secure cookie needs a secure way, which this machine is`(origin: String, target: String, isSent: Bool) {
        #expect(sent(["n=v; Secure"], from: origin, to: target) == (isSent ? "n=v" : nil))
    }

    @Test(arguments: [
        ("https://h.example.com/", "__Secure-n=v; Secure", true), ("https://h.example.com/", "__Secure-n=v", false),
        ("https://h.example.com/", "__SECURE-n=v", false), ("http://h.example.com/", "__Secure-n=v; Secure", false),
        ("https://h.example.com/", "__Host-n=v; Secure; Path=/", true),
        ("https://h.example.com/", "__host-n=v; Path=/", false),
        ("https://h.example.com/", "__Host-n=v; Secure", false),
        ("https://h.example.com/x/", "__Host-n=v; Secure; Path=/x", false),
        ("https://h.example.com/", "__Host-n=v; Secure; Path=/; Domain=h.example.com", false),
        ("https://h.example.com/", "__Host-n=v; Secure; Path", true),
        ("https://h.example.com/x/y", "__Host-n=v; Secure; Path", false),
        ("https://h.example.com/", "=__Secure-n=v", false), ("https://h.example.com/", "__Host-n", false),
        ("https://h.example.com/", "=__Host-n; Secure; Path=/", false),
        ("https://h.example.com/", "n=v; SameSite=None", false),
        ("https://h.example.com/", "n=v; SameSite=None; Secure", true),
    ])
    func `a prefix and SameSite promise what must hold`(origin: String, field: String, isStored: Bool) {
        let jar = jar()
        jar.store([field], from: url(origin))
        #expect(jar.cookies.count == (isStored ? 1 : 0))
    }

    @Test func `longer paths are sent first, then older cookies, and a replaced one keeps its age`() {
        let jar = jar()
        let origin = url("http://h.example.com/a/b/c")
        jar.store(["one=1; Path=/", "two=2; Path=/a", "three=3; Path=/", "four=4; Path=/a/b"], from: origin)
        jar.store(["five=5; Path=/", "one=new; Path=/"], from: origin)
        #expect(jar.header(for: origin) == "four=4; two=2; one=new; three=3; five=5")
    }

    @Test func `a cookie is told from another by name, domain, path and whether it is for one host`() {
        let jar = jar()
        let origin = url("http://h.example.com/")
        for field in ["n=1", "n=2; Domain=h.example.com", "n=3; Domain=example.com", "n=4; Path=/x", "N=5", "n=6"] {
            jar.store([field], from: origin)
        }
        #expect(jar.cookies.map(\.value) == ["6", "2", "3", "4", "5"])
    }

    @Test func `a cookie expires by the clock, and one of the session does not`() {
        let clock = Clock()
        let jar = jar(clock)
        let origin = url("http://h.example.com/")
        jar.store(["short=1; Max-Age=10", "long=2; Max-Age=20", "session=3"], from: origin)
        clock.advance(by: 9.9)
        #expect(jar.header(for: origin) == "short=1; long=2; session=3")
        clock.advance(by: 0.1)
        #expect(jar.header(for: origin) == "long=2; session=3")
        clock.advance(by: 1_000_000_000)
        #expect(jar.cookies.map(\.name) == ["session"])
    }

    @Test func `a cookie that is over removes the one before it`() {
        let jar = jar()
        let origin = url("http://h.example.com/")
        jar.store(["a=1", "b=2", "c=3"], from: origin)
        jar.store(
            ["a=; Max-Age=0", "b=x; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "c=x; Path=/y; Max-Age=0"], from: origin)
        #expect(jar.header(for: origin) == "c=3")
    }

    @Test func `an insecure server neither replaces nor hides a secure cookie`() {
        let jar = jar()
        jar.store(["n=safe; Secure; Path=/a", "m=plain; Path=/a"], from: url("https://h.example.com/"))
        let insecure = url("http://h.example.com/a/b")
        jar.store(
            [
                "n=1; Path=/a", "n=2; Path=/a/b", "n=3; Domain=example.com; Path=/a", "n=4; Path=/a; Max-Age=0",
                "m=new; Path=/a",
            ],
            from: insecure)
        jar.store(["n=5; Path=/a"], from: url("http://x.h.example.com/a"))
        #expect(jar.header(for: url("https://h.example.com/a/b")) == "n=safe; m=new")
        // A shorter path, another name and another host hide nothing.
        jar.store(["n=6; Path=/"], from: insecure)
        jar.store(["n=7; Path=/a; Domain=other.com"], from: url("http://other.com/"))
        #expect(jar.header(for: url("https://h.example.com/a/b")) == "n=safe; m=new; n=6")
        #expect(jar.header(for: url("http://other.com/a")) == "n=7")
    }

    @Test func `a bare value is sent without an equals sign`() {
        #expect(
            sent(["v", "=w; Path=/x", "n=", "q=\"a b\""], from: "http://h.example.com/", to: "http://h.example.com/x/")
                == "w; v; n=; q=\"a b\"")
    }

    @Test func `a domain has room for so many cookies, and those that are not secure go first`() {
        let clock = Clock()
        let jar = jar(clock, perDomain: 3)
        let origin = url("https://h.example.com/")
        jar.store(["safe=1; Secure", "a=1", "b=1"], from: origin)
        jar.store(["a=2; Path=/p"], from: origin)
        #expect(jar.cookies.map(\.pair) == ["safe=1", "b=1", "a=2"])
        // A use makes a cookie younger than one that was stored after it.
        jar.store(["c=1; Path=/c"], from: origin)
        _ = jar.header(for: url("https://h.example.com/p"))
        jar.store(["d=1"], from: origin)
        #expect(jar.cookies.map(\.pair) == ["safe=1", "a=2", "d=1"])
        jar.store(["s2=1; Secure", "s3=1; Secure", "s4=1; Secure"], from: origin)
        #expect(jar.cookies.map(\.pair) == ["s2=1", "s3=1", "s4=1"])
        jar.store(["n=1"], from: origin)
        #expect(jar.cookies.map(\.pair) == ["s2=1", "s3=1", "s4=1"])
        // What has expired goes before all others.
        jar.store(["s4=2; Secure; Max-Age=5"], from: origin)
        clock.advance(by: 5)
        jar.store(["late=1"], from: origin)
        #expect(jar.cookies.map(\.pair) == ["s2=1", "s3=1", "late=1"])
        jar.store(["x=1"], from: url("https://x.h.example.com/"))
        #expect(jar.cookies.count == 4)
    }

    @Test func `a jar has room for so many cookies, and those not used for the longest time go first`() {
        let clock = Clock()
        let jar = jar(clock, count: 3)
        for number in 1...3 { jar.store(["n=\(number)"], from: url("http://h\(number).example.com/")) }
        _ = jar.header(for: url("http://h1.example.com/"))
        jar.store(["n=4"], from: url("http://h4.example.com/"))
        #expect(jar.cookies.map(\.value) == ["1", "3", "4"])
        jar.store(["n=new; Max-Age=1"], from: url("http://h1.example.com/"))
        clock.advance(by: 1)
        jar.store(["n=5"], from: url("http://h5.example.com/"))
        #expect(jar.cookies.map(\.value) == ["3", "4", "5"])
    }

    @Test func `ten thousand cookies take no time to speak of`() {
        let jar = jar(count: 20_000)
        for number in 0..<10_000 {
            jar.store(
                ["n\(number % 100)=\(number); Path=/\(number % 7)"], from: url("https://h\(number / 100).example.com/"))
        }
        #expect(jar.cookies.count == 10_000)
        let target = url("https://h5.example.com/3/x")
        let headers = Set((0..<10_000).map { _ in jar.header(for: target) })
        #expect(headers.count == 1 && headers.first??.hasPrefix("n0=500; n7=507; ") == true)
    }
}
