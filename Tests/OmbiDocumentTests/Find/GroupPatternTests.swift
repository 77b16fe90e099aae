import OmbiDocument
import TestSupport
import Testing

@testable import OmbiDocument

@Suite struct GroupPatternTests {
    private static func found(_ pattern: String, _ text: String) throws -> String? {
        let bytes = Bytes(text.utf8)
        return switch try GroupPattern(pattern).first(in: bytes, within: EvaluationTime()) {
        case .nothing: nil
        case .noGroup: "no group"
        case .text(let range): bytes.text(range)
        }
    }

    @Test(
        arguments: [
            ("token=(\\w+)", "a token=x1; token=y", "x1"), ("b+", "abbc", "bb"), ("x*", "abc", ""), ("(x*)b", "ab", ""),
            ("(a)|b", "cb", "no group"), ("(?:a|b)(c)(d)", "abcd", "c"), ("((a)(b))", "xab", "ab"),
            ("(?<n>a+)", "baa", "aa"),
            ("(a|ab)(c|bcd)", "abcd", "a"), ("(a+?)a*", "aaa", "a"), ("(?:(a)|(b))+", "ab", "a"),
            ("(ab|a)+", "aabab", "ab"),
            ("^k: (.*)$", "a\nk: v w\nb", "v w"), ("\\Ak=(.)", "k=é", "é"), ("(?s)<(.*)>", "<a\nb>", "a\nb"),
            ("(?i)TOKEN=(.)", "token=A", "A"), ("(\\p{Lu}+)", "abÄÖc", "ÄÖ"), ("(\\P{L})", "ab1", "1"),
            ("q", "abc", nil),
            ("\\b(\\d{2,3})\\b", "1 1234 567", "567"), ("(a{2}){2}", "aaaa", "aa"), ("((a*)*)*b", "aab", "aa"),
        ] as [(String, String, String?)])
    func `the first group of the first match is found`(pattern: String, text: String, group: String?) throws {
        #expect(try Self.found(pattern, text) == group)
    }

    @Test(arguments: [
        "(a)b", "a(b*)", "(a|b)*c", "(a|ab)(c|bcd)?", "(a+?)b", "x|(b)", "(?:a|(b))c", "(a*)(b|c)", "^(.)b", "(\\w+) ",
        "\\b(a)", "(a{1,2}?)a", "(b??)(b*)", "(?:(a)|b)*d",
    ])
    func `the group is that of Swift's engine`(pattern: String) throws {
        let reference = try Regex(pattern).anchorsMatchLineEndings().matchingSemantics(.unicodeScalar)
            .asciiOnlyWordCharacters().wordBoundaryKind(.simple)
        var random = SeededRandom(seed: pattern.utf8.count)
        for _ in 0..<60 {
            let text = String(decoding: random.pick(12, of: Array("aabbccd \n".utf8)), as: UTF8.self)
            let expected = try reference.firstMatch(in: text).map { match in
                match.output[1].substring.map(String.init) ?? "no group"
            }
            #expect(try Self.found(pattern, text) == expected, "in \(text.debugDescription)")
        }
    }

    @Test(arguments: [
        "(a+)+$b", "(a|a)*b", "((a*)*)*b", "(a?){30}a{30}b", "(.*)(.*)(.*)b", "token=(.+);$", "(a+)b|(a+)c",
    ])
    func `a pattern that makes others try all ways takes one`(pattern: String) throws {
        for text in [String(repeating: "a", count: 2000), String(repeating: "token=", count: 400)] {
            #expect(try Self.found(pattern, text) == nil)
        }
    }

    @Test func `a long match is followed to its end`() throws {
        let text = "<" + String(repeating: "ab", count: 1 << 12) + ">"
        #expect(try Self.found("<((?:a|b)+)>", text) == String(text.dropFirst().dropLast()))
    }

    @Test(arguments: [
        ("(", 1), ("(?=a)b", 1), ("(a)\\1", 4), ("\\p{Greek}", 1), ("(?x)a", 1), ("[[:alpha:]]", 2), ("a{2,1}", 2),
    ])
    func `a pattern that is not supported says where`(pattern: String, column: Int) {
        let error = #expect(throws: PatternError.self) { try GroupPattern(pattern) }
        #expect(error?.column == column, "\(String(describing: error))")
    }

    @Test func `a pattern with more states than a table is given up once the time is over`() throws {
        var random = SeededRandom(seed: 1)
        let text = Bytes(random.pick(1 << 14, of: Array("ab".utf8)))
        let time = EvaluationTime(.zero)
        #expect(try GroupPattern("(?:a|b)*a[ab]{400}c").first(in: text, within: time) == .nothing)
        #expect(time.interruption == .tooLong)
        let cancelled = EvaluationTime(nil) { true }
        #expect(try !TextPattern("(?:a|b)*a[ab]{400}c").matches(text, within: cancelled))
        #expect(cancelled.interruption == .cancelled)
    }
}
