import Foundation
import OmbiCore
import Testing

@testable import OmbiWorkspace

/// Names that libcurl takes for one host, and addresses that take the place of its lookup.
@Suite struct DestinationTests {
    private static func text(_ url: String, _ overrides: [(host: String, address: String)] = []) throws -> String? {
        var connection = Connection()
        connection.addresses = overrides.map {
            Connection.AddressOverride(host: $0.host, port: 80, address: $0.address)
        }
        let parsed = try #require(URL(string: url))
        return Destination(parsed, connection)?.text
    }

    @Test(arguments: [
        ("http://localhos%74/", "localhost"), ("http://%6cocalhost/", "LOCALHOST"), ("http://localhost./", "localhost"),
        ("http://localhost/", "localhost."), ("http://xn--bcher-kva.test/", "b\u{FC}cher.test"),
        ("http://xn--bcher-kva.test/", "B\u{DC}CHER.test"), ("http://2130706433/", "127.0.0.1"),
        ("http://127.1/", "127.0.0.1"), ("http://0x7f.0.0.1/", "127.0.0.1"), ("http://127.0.0.1/", "0177.0.0.1"),
    ]) func `an address shows however the host is written`(_ url: String, _ host: String) throws {
        #expect(try Self.text(url, [(host, "192.0.2.1")])?.hasSuffix(", at the address 192.0.2.1") == true)
    }

    @Test(arguments: [
        ("http://localhos%74/", "http://localhost"), ("http://127.1/", "http://127.0.0.1"),
        ("http://[::1]/", "http://[::1]"), ("http://a%2Cb/", "http://a%2cb"), ("http://1.example/", "http://1.example"),
    ]) func `a host shows as what it is`(_ url: String, _ text: String) throws {
        #expect(try Self.text(url) == text)
    }

    @Test func `the address of another host does not show`() throws {
        #expect(try Self.text("http://a.test/", [("b.test", "192.0.2.1")]) == "http://a.test")
    }
}
