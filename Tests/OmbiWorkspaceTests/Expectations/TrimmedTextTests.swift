import Testing

@testable import OmbiWorkspace

@Suite struct TrimmedTextTests {
    @Test(arguments: [
        ("", ""), (" \t ", ""), ("a", "a"), (" a b\t", "a b"), ("\na ", "\na"), (" é\u{301} ", "é\u{301}"),
    ])
    func `a text is trimmed of the spaces and tabs around it`(text: String, trimmed: String) {
        #expect(text.trimmed == trimmed && text.dropFirst(0).trimmed == trimmed)
    }
}
