import Testing

@testable import OmbiDocument

/// Queries that would never come to an end.
@Suite struct JSONPathTimeTests {
    private static let deep = String(repeating: "{\"a\":", count: 200) + "1" + String(repeating: "}", count: 200)
    private static let wide =
        "[" + (0..<3000).map { "{\"n\":\($0),\"t\":\"aaaaaaaaaaaaaaab\"}" }.joined(separator: ",") + "]"

    @Test(
        arguments: [
            (deep, "$..a..a..a..a"), (deep, "$..*..*..*"), (deep, "$..[?count(@..*)>-1]..*..*"),
            (deep, "$..[?@..a..a==1]..a"), (wide, "$..[?count($..*)>1]"), (wide, "$[?count($..*)<1]"),
            (wide, "$[?@.n==$[-1].n][?$==@]"),
            (wide, "$[?count($[?$[0].t==$[1].t])<1]"), (wide, "$[?$[1:]==$[2:]]"), (wide, "$[?value($..n)==1]"),
            (wide, "$[?count($[?search($[0].t, '(a|aa)+c')])<1]"), (wide, "$[?length($[?@.n<0])<0]"),
        ] as [(String, String)])
    func `a query ends with its time`(text: String, query: String) throws {
        // Some are no queries by the types of RFC 9535, and have no end to wait for.
        guard let path = try? JSONPath(query) else { return }
        let document = JSONIndex.document(Bytes(text.utf8))
        let time = EvaluationTime(.zero)
        for _ in path.matches(in: document, within: time) {}
        #expect(time.interruption == .tooLong, "\(query)")
        let cancelled = EvaluationTime(nil) { true }
        for _ in path.matches(in: document, within: cancelled) {}
        #expect(cancelled.interruption == .cancelled, "\(query)")
    }

    @Test func `what is ignored in a comparison is looked for within the time`() throws {
        let document = JSONIndex.document(Bytes(Self.deep.utf8))
        let path = try JSONPath("$..a..a..a..a")
        #expect(JSONIgnored([path], in: document) { true } == nil)
    }

    @Test func `an object is compared within the time`() throws {
        let text = "{" + (0..<300).map { "\"k\($0)\":1" }.joined(separator: ",") + "}"
        let document = JSONIndex.document(Bytes(text.utf8))
        let root = try #require(document.firstRoot)
        let value = document.value(of: root)
        #expect(document.isEqual(root, to: value))
        let time = EvaluationTime(nil) { true }
        #expect(!document.isEqual(root, to: value, within: time))
        #expect(time.interruption == .cancelled)
    }
}
