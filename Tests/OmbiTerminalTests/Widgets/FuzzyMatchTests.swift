import Testing

@testable import OmbiTerminal

@Suite struct FuzzyMatchTests {
    /// The texts that match, the closest first.
    private static func found(_ query: String, in texts: [String]) -> [String] {
        let match = FuzzyMatch(query)
        return texts.compactMap { text in match.score(text).map { (text: text, score: $0) } }
            .sorted { $0.score > $1.score }.map(\.text)
    }

    @Test func `nothing typed matches everything`() {
        #expect(FuzzyMatch("  ").isEmpty)
        #expect(FuzzyMatch("").score("anything") == 0)
    }

    @Test func `the start of a word is closer than its middle, and letters in order come last`() {
        let texts = ["reorder", "list orders", "one real dear"]
        #expect(Self.found("order", in: texts) == ["list orders", "reorder", "one real dear"])
        #expect(Self.found("ord", in: ["open read", "order", "reorder"]) == ["order", "reorder", "open read"])
    }

    @Test func `every word must be found, in any order and case`() {
        #expect(Self.found("user GET", in: ["GET user", "POST user"]) == ["GET user"])
    }

    @Test func `one or two letters are not scattered over a text`() {
        #expect(FuzzyMatch("lu").score("list users") == nil)
        #expect(FuzzyMatch("lus").score("list users") != nil)
        #expect(FuzzyMatch("x").score("") == nil)
    }

    @Test func `of equal matches the shorter text is closer`() {
        #expect(Self.found("user", in: ["users of all orders", "user"]) == ["user", "users of all orders"])
    }
}
