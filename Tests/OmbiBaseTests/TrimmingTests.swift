import OmbiBase
import Testing

@Suite struct TrimmingTests {
    @Test(arguments: [("", ""), (" \t ", ""), (" a b\t", "a b"), ("\na ", "\na"), (" \u{301}a ", " \u{301}a")])
    func `a text is trimmed of the spaces and tabs around it`(text: String, trimmed: String) {
        #expect(text.trimmed == trimmed)
        #expect(text[...].trimmed == trimmed)
    }

    @Test func `a collection is trimmed at both ends, and keeps its indices`() {
        #expect([0, 0, 1, 0, 2, 0].trimming { $0 == 0 } == [1, 0, 2])
        let none = [0, 0].trimming { $0 == 0 }
        #expect(none.isEmpty && none.startIndex == 2)
    }

    @Test(
        arguments: [("a?b?c", "a", "b?c"), ("a?", "a", ""), ("?", "", ""), ("a", "a", nil)]
            as [(String, String, String?)])
    func `a text is cut at the first of a byte`(text: String, before: String, after: String?) {
        let cut = text.cut(at: UInt8(ascii: "?"))
        #expect(cut.0 == before)
        #expect(cut.1 == after)
    }
}
