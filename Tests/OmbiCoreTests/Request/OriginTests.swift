import Foundation
import Testing

@testable import OmbiCore

@Suite struct OriginTests {
    @Test(arguments: [
        ("http://a.test", "HTTP://A.test:80/p?q#f", true), ("https://a.test", "https://user:p@a.test:443/", true),
        ("http://A_b.test:80", "http://user@a_b.test/", true), ("http://a.test:080", "http://u@a.test:80", true),
        ("https://1.2.3.4", "https://u@1.2.3.4:443/x", true),
        ("http://[::1]:8080", "http://[::1]:8080/x", true), ("http://a.test", "https://a.test", false),
        ("http://a.test", "http://b.test", false), ("http://a.test", "http://a.test:81", false),
    ])
    func `two addresses have one origin by scheme, host and port`(first: String, second: String, isSame: Bool) throws {
        let (first, second) = (try #require(Origin(first)), try #require(Origin(second)))
        #expect((first == second) == isSame)
    }

    @Test(arguments: [
        "", "a.test", "ftp://a.test", "http://", "http://:80", "http://a b/", "http://{{a}}", "http://a.test:99999/",
        "http://a.test:0/", "http://a.test:1:2", "http://a.test:x", "//a.test",
    ])
    func `nothing else has one`(address: String) { #expect(Origin(address) == nil) }

    @Test func `https on the default port is the origin of http on its own`() throws {
        let plain = try #require(URL(string: "http://a.test/"))
        let secure = try #require(URL(string: "https://a.test/"))
        #expect(secure.hasOrigin(of: plain) && !plain.hasOrigin(of: secure))
        #expect(try #require(URL(string: "https://a.test:444/")).hasOrigin(of: plain) == false)
    }
}
