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

    @Test func `words in one piece come before scattered letters, however many there are`() {
        let texts = ["list of open red days", "enlisted proof border"]
        #expect(Self.found("list of ord", in: texts) == texts.reversed())
        #expect(FuzzyMatch("list").score("enlisted") ?? -1 >= 0 && FuzzyMatch("lst").score("list") ?? 0 < 0)
    }

    @Test(arguments: [
        ("sorted", "send one request to each digit", true), ("sorted", "a list, sorted by each digit", false),
        ("lus", "list users", false), ("sort", "send one request", false), ("", "anything at all", false),
        ("list sorted", "list: send one request to each digit", true), ("sorted", "nothing of it", false),
    ])
    func `a match is loose where its letters are scattered over more than three words`(
        query: String, text: String, isLoose: Bool
    ) {
        #expect(FuzzyMatch(query).isLoose(text) == isLoose)
    }

    @Test func `every word must be found, in any order and case`() {
        #expect(Self.found("user GET", in: ["GET user", "POST user"]) == ["GET user"])
    }

    @Test func `one or two letters are not scattered over a text`() {
        #expect(FuzzyMatch("lu").score("list users") == nil)
        #expect(FuzzyMatch("lus").score("list users") != nil)
        #expect(FuzzyMatch("x").score("") == nil)
    }

    @Test(arguments: [
        ("ep 33-4", "endpoint 33-4", true), ("33-4 ep", "endpoint 33-4", true), ("ep 33-4", "e 33-4 p", false),
        ("e 33", "endpoint 33", true), ("/p 33", "/ p 33", false), ("-4 et", "endpoint 33-4", true),
    ])
    func `two letters next to other words are found in order within one word`(
        query: String, text: String, isFound: Bool
    ) {
        #expect((FuzzyMatch(query).score(text) != nil) == isFound)
    }

    @Test func `words in the order in which they were typed, near to each other, are closer`() {
        let texts = ["folder 0 › request 7", "folder 70 › request 1", "folder 7 › request 12"]
        #expect(Self.found("folder 7 req", in: texts) == texts.reversed())
        #expect(
            Self.found("user list", in: ["list user", "user list of orders"]) == ["user list of orders", "list user"])
        #expect(Self.found("a b", in: ["a c b", "a c a b c d"]).first == "a c a b c d", "a later start is nearer")
    }

    @Test(arguments: ["ÉCOLE › LISTE", "école › liste", "Ein › ÉCOLE", "› É"])
    func `case counts in no script`(text: String) {
        #expect(FuzzyMatch("é").score(text) != nil)
        #expect(FuzzyMatch("É").score(text) != nil)
    }

    @Test func `of equal matches the shorter text is closer`() {
        #expect(Self.found("user", in: ["users of all orders", "user"]) == ["user", "users of all orders"])
    }
}
