import Testing

@testable import OmbiDocument

/// The formats of texts, for the schemas that mean them.
@Suite struct TextFormatTests {
    private static let cases: [(name: String, right: [String], wrong: [String])] = [
        (
            "date", ["2024-02-29", "2000-02-29", "0000-01-01"],
            ["2023-02-29", "1900-02-29", "2024-1-01", "01.02.2024", ""]
        ),
        ("time", ["00:00:00Z", "23:59:60z", "12:00:00.25+01:30"], ["24:00:00Z", "12:00:00", "12:00Z", "12:00:00.Z"]),
        (
            "date-time", ["2024-01-31T12:00:00Z", "2024-01-31t12:00:00.5-01:00"],
            ["2024-01-31", "2024-01-31 12:00:00Z", "2024-02-30T12:00:00Z", "2024-01-31T12:00:00", "2024-01-31T"]
        ),
        (
            "duration", ["P1D", "P1Y2M3DT4H5M6S", "P4W", "PT0.5S", "P1Y2D"],
            ["", "P", "PT", "P1", "1D", "P1H", "PT1D", "P1D2Y", "p1d", "PT.5S", " P1D"]
        ),
        (
            "email", ["a@example.com", "\"a b\"@example.com", "a@[192.0.2.1]", "ü@straße.de"],
            ["a", "@b", "a@", "a b@c.de", "a@b@c"]
        ),
        ("hostname", ["example.com", "a", "xn--a-1.de"], ["-a", "a-", "a_b", "a..b", "", "ä.de"]),
        (
            "ipv4", ["192.0.2.1", "0.0.0.0", "255.255.255.255"],
            ["256.0.0.1", "01.2.3.4", "1.2.3", "1.2.3.4.5", "1..2.3"]
        ),
        (
            "ipv6", ["::", "::1", "2001:db8::1", "1:2:3:4:5:6:7:8", "::ffff:192.0.2.1"],
            [
                "1::2::3", ":::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "12345::", "1:2:3:4:5:6:7::8", "192.0.2.1::",
                ":1", "",
            ]
        ),
        (
            "uri", ["https://example.com/a?b=%20#c", "urn:isbn:1", "mailto:a@b"],
            ["/a", "no uri", "a:b c", "https://a/%2", "1:a"]
        ),
        (
            "uuid", ["00000000-0000-0000-0000-000000000000", "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6"],
            ["123", "g1d4fae-7dec"]
        ),
        ("color", ["red", ""], []),
    ]

    @Test(arguments: cases)
    func `a text is in its format, or not`(name: String, right: [String], wrong: [String]) throws {
        let schema = try JSONSchema(["format": .string(name)], assertsFormats: true)
        let failures = { (text: String) in
            let document = JSONIndex.document(Bytes(JSONValue.quoted(text).utf8))
            return try schema.failures(in: document, at: try #require(document.firstRoot))
        }
        for text in right { #expect(try failures(text).isEmpty, "\(text)") }
        for text in wrong { #expect(try failures(text).map(\.keyword) == ["format"], "\(text)") }
    }

    @Test func `a format says nothing of other values, and nothing unless it is asked for`() throws {
        let number = JSONIndex.document(Bytes("1".utf8))
        let asserted = try JSONSchema(["format": "date"], assertsFormats: true)
        #expect(try asserted.failures(in: number, at: try #require(number.firstRoot)).isEmpty)
        let text = JSONIndex.document(Bytes("\"x\"".utf8))
        let annotated = try JSONSchema(["format": "date"])
        #expect(try annotated.failures(in: text, at: try #require(text.firstRoot)).isEmpty)
    }
}
