import OmbiDocument
import TestSupport
import Testing

struct FinderTests {
    private func found(
        _ pattern: String, _ text: String, _ syntax: SearchPattern.Syntax = .text, _ rule: SearchPattern.Case = .smart
    ) throws -> [String] {
        let bytes = Bytes(text.utf8)
        let finder = Finder(try SearchPattern(pattern, syntax: syntax, case: rule))
        return finder.matches(in: bytes, 0..<bytes.count).map { bytes.text($0) }
    }

    @Test(arguments: [
        ("ab", "xabyAB", ["ab", "AB"]), ("aB", "xabyaB", ["aB"]), ("größe", "GRÖSSE GRÖßE Größe", ["GRÖßE", "Größe"]),
        ("Ö", "Öö", ["Ö"]), ("σ", "Σσς", ["Σ", "σ", "ς"]), ("東", "a東京東", ["東", "東"]), ("aa", "aaaaa", ["aa", "aa"]),
        ("long enough to be compared", "it is LONG enough to be compared", ["LONG enough to be compared"]),
    ])
    func `text is found and capitals matter if there are any`(pattern: String, text: String, matches: [String]) throws {
        #expect(try found(pattern, text) == matches)
    }

    @Test(
        arguments: [
            ("Müller", #"M\u00fcller M\u00FCller Müller M\u00dcller"#, [#"M\u00fcller"#, #"M\u00FCller"#, "Müller"]),
            ("müll", #"M\u00dcLL m\u00FCll MÜLL"#, [#"M\u00dcLL"#, #"m\u00FCll"#, "MÜLL"]),
            ("a😀b", #"a\ud83d\ude00b a\uD83D\uDE00B a😀b a\ud83db"#, [#"a\ud83d\ude00b"#, #"a\uD83D\uDE00B"#, "a😀b"]),
            (
                "http://a", #"http:\/\/a http://a http:\u002f\u002Fa"#,
                [#"http:\/\/a"#, "http://a", #"http:\u002f\u002Fa"#]
            ),
            (
                #"say "hi""#, #"say \"hi\" say "hi" say \u0022hi\u0022"#,
                [#"say \"hi\""#, #"say "hi""#, #"say \u0022hi\u0022"#]
            ),
            (#"C:\dir"#, #"C:\\dir C:\dir"#, [#"C:\\dir"#, #"C:\dir"#]), (#"\u00fc"#, #"\u00fc"#, [#"\u00fc"#]),
            ("a<b&c", #"a\u003cb\u0026c a<b&c"#, [#"a\u003cb\u0026c"#, "a<b&c"]),
            (#""a": 1"#, #""a":1 "a" : 1"#, [#""a":1"#, #""a" : 1"#]), ("plain", "a PLAIN b", ["PLAIN"]),
        ] as [(String, String, [String])])
    func `a text is found in JSON whichever characters are escaped`(pattern: String, text: String, matches: [String])
        throws
    {
        let bytes = Bytes(text.utf8)
        let finder = Finder(try SearchPattern(inJSON: pattern))
        #expect(finder.matches(in: bytes, 0..<bytes.count).map { bytes.text($0) } == matches)
    }

    @Test func `whether capitals matter can be said`() throws {
        #expect(try found("A", "aA", .text, .ignored) == ["a", "A"])
        #expect(try found("a", "aA", .text, .matters) == ["a"])
    }

    @Test(
        arguments: [
            ("a.c", "abc a\nc aéc", ["abc", "aéc"]), ("\\d+", "a1 22 333", ["1", "22", "333"]),
            ("^b.*$", "a\nbc\r\nb\n", ["bc", "b"]), ("(a|ab)(c|bcd)", "abcd", ["abcd"]),
            ("a+?", "aaa", ["a", "a", "a"]),
            ("\\bfoo\\b", "foo food foo_ (foo)", ["foo", "foo"]), ("[^a-c]+", "abxyc", ["xy"]),
            ("x{2,3}", "x xx xxxx", ["xx", "xxx"]),
            ("(?i)ERR", "err", ["err"]), ("\\w+@\\w+\\.com", "me: joe@example.com!", ["joe@example.com"]),
            ("[é東]", "a東é", ["東", "é"]), ("\\u6771|\\x41", "A東", ["A", "東"]), ("a*", "baac", ["aa"]),
            ("\"id\":\\s*(\\d+)", "{\"id\": 42}", ["\"id\": 42"]), ("{\"a", "{\"a", ["{\"a"]), ("[]x]+", "a]x", ["]x"]),
            ("(?:ab)+|c", "ababc", ["abab", "c"]), ("(?<name>a)b", "ab", ["ab"]), ("\\Aa|b\\z", "aab", ["a", "b"]),
            ("fo\\.o", "foo fo.o", ["fo.o"]), ("\\Bb", "ab b", ["b"]),
        ] as [(String, String, [String])])
    func `regular expressions are found`(pattern: String, text: String, matches: [String]) throws {
        #expect(try found(pattern, text, .regex) == matches)
    }

    @Test(
        arguments: [
            ("b", .text, [1, 5, 6, 13]), ("bb", .text, [5]), ("^b", .regex, [5, 13]), ("b$", .regex, [6, 13]),
            ("a.*c", .regex, [0]), ("\\bb", .regex, [5, 13]), ("x", .text, []),
        ] as [(String, SearchPattern.Syntax, [Int])])
    func `parts of a body are texts of their own`(pattern: String, syntax: SearchPattern.Syntax, offsets: [Int]) throws
    {
        let bytes = Bytes("abc bbb bab xbx".utf8)
        let parts = [0..<3, 5..<7, 13..<14]
        let finder = Finder(try SearchPattern(pattern, syntax: syntax)) { offset in
            parts.first { $0.upperBound > offset }
        }
        #expect(finder.matches(in: bytes, 0..<bytes.count).map(\.lowerBound) == offsets)
        var (forward, backward) = ([Int](), [Int]())
        var (next, previous) = (-1, bytes.count)
        while let found = finder.next(in: bytes, after: next, wraps: false) {
            forward.append(found.lowerBound)
            next = found.lowerBound
        }
        while let found = finder.previous(in: bytes, before: previous, wraps: false) {
            backward.append(found.lowerBound)
            previous = found.lowerBound
        }
        #expect(forward == offsets && backward == offsets.reversed())
        var index = MatchIndex(count: bytes.count, from: 0)
        while index.step(finder, in: bytes) {}
        #expect(index.found == offsets.count)
    }

    @Test(arguments: [
        "a", "ab", "a|b", "a*b", "(a|b)*c", "a.c", "[ab]+c?", "^a", "c$", "a{2}", "a+?b", "(ab|a)(bc)?", "b*?c",
        "a?b?c",
        "(a*)(b|c)", "^.b", "\\ba", "c\\b", "(a|ab)(c|bcd)(d*)",
    ])
    func `a regular expression finds what Swift finds`(pattern: String) throws {
        let reference = try Regex(pattern).anchorsMatchLineEndings().matchingSemantics(.unicodeScalar)
            .asciiOnlyWordCharacters().wordBoundaryKind(.simple)
        var random = SeededRandom(seed: pattern.utf8.count)
        for _ in 0..<60 {
            let text = String(decoding: random.pick(14, of: Array("aabbccd \n".utf8)), as: UTF8.self)
            let expected = text.matches(of: reference).map { String(text[$0.range]) }.filter { !$0.isEmpty }
            #expect(try found(pattern, text, .regex, .matters) == expected, "in \(text.debugDescription)")
        }
    }

    @Test(arguments: [
        ("(a", 1), ("a)", 2), ("*a", 1), ("a[b", 2), ("a\\", 2), ("(?=a)", 1), ("\\1", 1), ("a{3,2}", 2), ("[z-a]", 2),
        ("\\q", 1), ("[[:alpha:]]", 2), ("\\x{110000}", 1), ("", 1), ("((a{999}){999}){9}", 1), ("\\u12", 1),
    ])
    func `a mistake in a pattern is reported`(pattern: String, column: Int) {
        do {
            _ = try SearchPattern(pattern, syntax: .regex)
            Issue.record("no error")
        } catch {
            #expect(error.column == column, "\(error)")
        }
    }

    @Test func `bytes are found by their numbers`() throws {
        let finder = Finder(try SearchPattern("DE ad 0xbeef", syntax: .hex))
        #expect(finder.matches(in: Bytes([0, 0xDE, 0xAD, 0xBE, 0xEF]), 0..<5) == [1..<5])
        for (pattern, column) in [("d", 1), ("de a", 4), ("zz", 1), ("d e", 2)] {
            do {
                _ = try SearchPattern(pattern, syntax: .hex)
                Issue.record("no error")
            } catch {
                #expect(error.column == column)
            }
        }
    }

    @Test(arguments: ["needle", "ne+dle", "Nädel"])
    func `next and previous go around`(pattern: String) throws {
        let word = pattern == "Nädel" ? "nädel" : "needle"
        let filler = String(repeating: "hay and more hay\n", count: 60)
        let text = filler + word + filler + word + "\n" + filler
        let bytes = Bytes(text.utf8)
        let finder = Finder(try SearchPattern(pattern, syntax: .regex, case: .ignored))
        let all = finder.matches(in: bytes, 0..<bytes.count)
        #expect(all.count == 2)
        #expect(finder.next(in: bytes, after: -1) == all[0])
        #expect(finder.next(in: bytes, after: all[0].lowerBound) == all[1])
        #expect(finder.next(in: bytes, after: all[1].lowerBound) == all[0])
        #expect(finder.next(in: bytes, after: all[1].lowerBound, wraps: false) == nil)
        #expect(finder.previous(in: bytes, before: bytes.count) == all[1])
        #expect(finder.previous(in: bytes, before: all[1].lowerBound) == all[0])
        #expect(finder.previous(in: bytes, before: all[0].lowerBound) == all[1])
        #expect(finder.next(in: bytes, after: 0, isCancelled: { true }) == nil)
    }

    @Test func `matches are counted from the middle outwards`() throws {
        let unit = String(repeating: "x", count: 9_990) + "needle\n"
        let bytes = Bytes(String(repeating: unit, count: 320).utf8)
        let finder = Finder(try SearchPattern("needle"))
        var index = MatchIndex(count: bytes.count, from: 2_000_000)
        var steps = 1
        #expect(index.number(ofMatchAt: 9_990, in: bytes) == nil)
        while index.step(finder, in: bytes) { steps += 1 }
        #expect(steps == 4)
        #expect(index.found == 320)
        #expect(index.isComplete)
        #expect(index.number(ofMatchAt: 9_990, in: bytes) == 0)
        #expect(index.number(ofMatchAt: 9_990 + 319 * 9_997, in: bytes) == 319)
        #expect(index.number(ofMatchAt: 9_991, in: bytes) == nil)
        var capped = MatchIndex(count: bytes.count, from: 0, cap: 10)
        while capped.step(finder, in: bytes) {}
        #expect(capped.found == 10)
        #expect(capped.isCapped)
    }

    @Test(arguments: ["a.*b", "[\\s\\S]+", "\\w+", "\\xFF?x", "."])
    func `any bytes can be searched`(pattern: String) throws {
        var random = SeededRandom(seed: 3)
        let noise = Bytes((0..<3000).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        let matches = Finder(try SearchPattern(pattern, syntax: .regex)).matches(in: noise, 0..<noise.count)
        #expect(zip(matches, matches.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound })
        #expect(matches.allSatisfy { !$0.isEmpty && $0.upperBound <= noise.count })
    }
}
