import Testing

@testable import OmbiBase

/// Texts in texts: where they are, and others in their places.
@Suite struct StringSearchTests {
    @Test(arguments: [
        ("https://a", "://", 5), ("://", "://", 0), (":/://", "://", 2), ("a", "", 0), ("", "", 0),
        ("aab", "ab", 1), ("é{{x", "{{", 2), ("a very long text that no small string holds: {{x}}", "{{", 45),
    ])
    func `the first place is found, wherever it is`(text: String, part: String, offset: Int) throws {
        let range = try #require(text.firstRange(of: part))
        #expect(text.utf8.distance(from: text.startIndex, to: range.lowerBound) == offset)
        #expect(text[range] == part)
        #expect(text.contains(part))
    }

    @Test(arguments: [("", "a"), ("a", "ab"), ("{x{", "{{"), ("https:/a", "://"), ("ä", "a")])
    func `nothing is found where it is not`(text: String, part: String) {
        #expect(text.firstRange(of: part) == nil)
        #expect(!text.contains(part))
    }

    @Test func `a part of a text is looked at alone`() throws {
        let text = "a://b://c"
        let rest = text[text.index(text.startIndex, offsetBy: 2)...]
        let range = try #require(rest.firstRange(of: "://"))
        #expect(text[..<range.lowerBound] == "a://b")
    }

    @Test func `what an accent stands behind is found, as the bytes are those that are sent`() {
        #expect("https://\u{301}a".contains("://"))
        #expect("{{\u{301}x}}".firstRange(of: "{{") != nil)
    }

    @Test(arguments: [
        ("a+b+c", "+", "%2B", "a%2Bb%2Bc"), ("+", "+", "", ""), ("++++", "++", "+", "++"), ("a", "b", "c", "a"),
        ("a", "", "c", "a"), ("", "a", "c", ""), ("it's", "'", "''", "it''s"), ("é", "é", "e", "e"),
        ("~1~0", "~1", "/", "/~0"), ("\u{65}\u{301}", "e", "E", "E\u{301}"), ("'\u{301}", "'", "''", "''\u{301}"),
    ])
    func `a text is replaced in all its places, also with a mark behind it`(
        text: String, part: String, other: String, replaced: String
    ) {
        #expect(Array(text.replacing(part, with: other).utf8) == Array(replaced.utf8))
        #expect(Array("-\(text)-".dropFirst().dropLast().replacing(part, with: other).utf8) == Array(replaced.utf8))
    }

    /// Copying the text for each one takes minutes.
    @Test(.timeLimit(.minutes(2))) func `millions of places are replaced in one pass`() {
        let text = String(repeating: "'", count: 2_000_000)
        #expect(text.replacing("'", with: "''").utf8.count == 4_000_000)
    }

    @Test func `every part of a text is found where a simple search finds it`() {
        let texts = ["abracadabra", "aaaa", "mississippi", "äöäöü", "{{a}}{{b}}"]
        for text in texts {
            let bytes = Array(text.utf8)
            for start in bytes.indices {
                for end in start..<bytes.count {
                    guard let part = String(validating: bytes[start...end], as: UTF8.self) else { continue }
                    let simple = bytes.indices.first { bytes[$0...].starts(with: part.utf8) }
                    let found = text.firstRange(of: part).map {
                        text.utf8.distance(from: text.startIndex, to: $0.lowerBound)
                    }
                    #expect(found == simple, "\(part) in \(text)")
                }
            }
        }
    }
}
