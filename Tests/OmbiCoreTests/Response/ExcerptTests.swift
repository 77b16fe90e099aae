import Testing

@testable import OmbiCore

/// What others have sent, as a part of a message.
@Suite struct ExcerptTests {
    @Test(arguments: [
        ("plain ä 日本 👩‍👩‍👧", "plain ä 日本 👩\\u{200D}👩\\u{200D}👧"), ("", ""),
        ("\u{1B}]0;x\u{07}", "\\u{1B}]0;x\\u{07}"), ("a\nb\tc", "a\\nb\\tc"), ("\u{9B}2J", "\\u{009B}2J"),
        ("\u{202E}abc", "\\u{202E}abc"), ("\u{2028}", "\\u{2028}"), ("\u{FEFF}x", "\\u{FEFF}x"), ("\u{7F}", "\\u{7F}"),
    ]) func `what does not show is written out`(text: String, excerpt: String) {
        #expect(text.excerpt() == excerpt)
    }

    @Test func `long text is cut`() {
        let text = String(repeating: "x", count: 1_000_000)
        #expect(text.excerpt() == String(repeating: "x", count: 120) + "…")
        #expect(text.excerpt(3) == "xxx…")
        #expect("xxx".excerpt(3) == "xxx")
        // One character of a million scalars.
        #expect(("e" + String(repeating: "\u{301}", count: 1_000_000)).excerpt().unicodeScalars.count == 121)
    }

    @Test(arguments: [("Connection refused", "connection refused"), ("SSL", "SSL"), ("A", "a"), ("", "")])
    func `a sentence becomes a clause`(text: String, clause: String) {
        #expect(text.asClause == clause)
    }
}
