import Testing

@testable import OmbiDocument

/// Scalars that are replaced by texts.
@Suite struct ScalarReplacementTests {
    @Test(arguments: [("it's", "it''s"), ("'\u{301}", "''\u{301}"), ("", ""), ("é", "é")])
    func `a scalar is replaced also with a mark behind it`(text: String, replaced: String) {
        #expect(Array(text.replacing(scalar: "'", with: "''").unicodeScalars) == Array(replaced.unicodeScalars))
    }

    /// Copying the text for each one takes minutes.
    @Test(.timeLimit(.minutes(2))) func `millions are replaced in one pass`() {
        let text = String(repeating: "'", count: 2_000_000)
        #expect(text.replacing(scalar: "'", with: "''").utf8.count == 4_000_000)
    }
}
