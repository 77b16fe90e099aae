import Testing

@testable import OmbiDocument

/// Texts that patterns match.
@Suite struct PatternExampleTests {
    @Test(arguments: [
        ("^AC[0-9a-fA-F]{32}$", 0...40, "AC" + String(repeating: "a", count: 32)),
        ("payTo|upi_collect", 0...99, "payTo"),
        ("^[A-Z]{2}-\\d+$", 0...9, "AA-0"), ("^[a-z]*$", 10...12, "aaaaaaaaaa"), ("^\\+[1-9]\\d{1,14}$", 0...16, "+10"),
        ("^(?:ab|c){2}x?$", 5...5, "ababx"), ("^$", 0...9, ""),
    ])
    func `a pattern gives a text that it matches`(pattern: String, length: ClosedRange<Int>, text: String) {
        #expect(PatternExample.text(of: pattern, length: length) == text)
    }

    @Test(arguments: [
        ("^(?=.*[0-9]).{3,}$", 0...9), ("(", 0...9), ("^a{5}$", 0...4), ("^a{1000}b{1000}c$", 0...3000), ("a^", 0...9),
        ("[^\\x00-\\u{10FFFF}]", 0...9),
    ])
    func `a pattern that no such text is made for gives none`(pattern: String, length: ClosedRange<Int>) {
        #expect(PatternExample.text(of: pattern, length: length) == nil)
    }
}
