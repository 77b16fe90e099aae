import Testing

@testable import OmbiDocument

struct SpanBuilderTests {
    private func spans(
        _ text: [UInt8], skipping: Int = 0, columns: Int = 80, styles: [StyledRange] = [], matches: [ByteRange] = []
    ) -> [TextSpan] {
        let bytes = Bytes(text)
        return SpanBuilder.spans(
            of: 0..<bytes.count, in: bytes, skipping: skipping, columns: columns, styles: styles, matches: matches)
    }

    private func text(_ text: String, skipping: Int = 0, columns: Int = 80) -> String {
        spans(Array(text.utf8), skipping: skipping, columns: columns).map(\.text).joined()
    }

    @Test func `plain text is one span`() {
        let span = TextSpan(text: "größe", style: .plain, range: 0..<7, columns: 5)
        #expect(spans(Array("größe".utf8)) == [span])
    }

    @Test func `what must not be drawn is replaced`() {
        #expect(
            spans(Array("a\u{1B}[31m\u{202E}b".utf8)) == [
                TextSpan(text: "a", style: .plain, range: 0..<1, columns: 1),
                TextSpan(text: "␛", style: .control, range: 1..<2, columns: 1),
                TextSpan(text: "[31m", style: .plain, range: 2..<6, columns: 4),
                TextSpan(text: "\u{FFFD}", style: .control, range: 6..<9, columns: 1),
                TextSpan(text: "b", style: .plain, range: 9..<10, columns: 1),
            ])
    }

    @Test func `bytes that are no text are marked`() {
        let found = spans([0x61, 0xFF, 0xC3, 0x62, 0xE2, 0x82])
        #expect(found.map(\.style) == [.plain, .invalid, .plain, .invalid])
        #expect(found.map(\.text) == ["a", "\u{FFFD}\u{FFFD}", "b", "\u{FFFD}"])
    }

    @Test func `tabs are blanks up to their stop`() {
        #expect(text("a\tb") == "a       b")
        #expect(text("a\tb", skipping: 4) == "    b")
    }

    @Test func `sideways a half of a wide letter is a blank`() {
        #expect(text("東京x", skipping: 1) == " 京x")
        #expect(text("東京x", skipping: 2) == "京x")
        #expect(text("東京x", columns: 3) == "東 ")
        #expect(text("abcdef", skipping: 2, columns: 3) == "cde")
        #expect(text("abc", skipping: 9).isEmpty)
    }

    @Test func `marks and joined pictures are as the surface draws them`() {
        #expect(text("e\u{301}") == "e\u{301}")
        #expect(text("\u{301}x") == "\u{25CC}\u{301}x")
        #expect(text("👍🏽❤\u{FE0F}👩\u{200D}💻") == "👍❤👩💻")
        #expect(text("a\u{200D}b") == "a\u{FFFD}b")
    }

    @Test func `styles and matches cut spans`() {
        let found = spans(
            Array("key: value".utf8), styles: [.init(0..<3, .key), .init(5..<10, .string)], matches: [1..<6])
        #expect(found.map(\.text) == ["k", "ey", ": ", "v", "alue"])
        #expect(found.map(\.style) == [.key, .key, .plain, .string, .string])
        #expect(found.map(\.isMatch) == [false, true, true, true, false])
        #expect(found.map(\.range) == [0..<1, 1..<3, 3..<5, 5..<6, 6..<10])
    }
}
