import Testing

@testable import OmbiWorkspace

/// What is kept of a description.
@Suite struct GraphQLRemarkTests {
    @Test(arguments: [
        ("The name. It may be empty.", "The name."), ("  Two\n  lines\twith tabs  ", "Two lines with tabs"),
        ("One of them, e.g. the first. More.", "One of them, e.g. the first."), ("A title\n\nand more", "A title"),
        ("Version 1.2 of it", "Version 1.2 of it"), ("Really? Yes.", "Really?"), ("", ""), (" \n ", ""),
        ("\u{1B}[31mred\u{7F}", "[31mred"),
    ])
    func `the first sentence of a description is kept, on one line`(text: String, sentence: String) {
        #expect(GraphQLSentence.first(of: text) == sentence)
    }

    @Test(arguments: [
        String(repeating: "é", count: 300), String(repeating: "e.g. ", count: 100), String(repeating: "a ", count: 300),
        String(repeating: "x", count: 200), String(repeating: "日", count: 66) + "ab. c",
    ])
    func `a long sentence is cut off, and stays as it is when it is read again`(text: String) {
        let sentence = GraphQLSentence.first(of: text)
        #expect(!sentence.isEmpty && sentence.utf8.count <= 200 && !sentence.contains("\u{FFFD}"))
        #expect(GraphQLSentence.first(of: sentence) == sentence)
    }
}
