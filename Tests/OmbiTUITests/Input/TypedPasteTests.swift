import OmbiTerminal
import Testing

@testable import OmbiTUI

/// Letters that come together, and whether they were pasted.
@Suite struct TypedPasteTests {
    private static func keys(_ text: String) -> [InputEvent] {
        text.map { .key($0 == "\n" ? .enter : $0 == "\t" ? .tab : Key(.character($0))) }
    }

    @Test(arguments: [
        "curl https://example.com", "curl -X POST https://example.com/a -d '{\"a\": 1}'", "https://example.com/a?b=c",
        "http://127.0.0.1:8080", "curl 'https://example.com' \\\n  -H 'A: b'\n", "curl --json '{}' https://example.com",
        "curl -u a:b http://x/y", "https://user@example.com/ü", "http://localhost/\tx",
    ])
    func `a curl command or a URL in one go is pasted`(text: String) {
        #expect(TypedPaste.text(of: Self.keys(text)) == text)
    }

    @Test(arguments: [
        "", "j", "jjjjjjjjjjjjjjjjjjjj", "curl", "curl x", "http://", "https:/", "dddddddddd", "sssssssssss",
        "12312312312",
        "curls it is no command", "xcurl https://example.com", "GET /users HTTP/1.1",
        "htp://example.com/abc", ":rename\n", "/user by id\n", "\n\n\n\n\n\n\n\n\n\n",
    ])
    func `what somebody may type is typed`(text: String) {
        #expect(TypedPaste.text(of: Self.keys(text)) == nil)
    }

    @Test func `a key that is no letter is none of a text`() {
        for key in [Key.up, .escape, .control("c"), .alt("x"), .function(5)] {
            #expect(TypedPaste.text(of: Self.keys("curl https://example.com") + [.key(key)]) == nil, "\(key.name)")
        }
        #expect(TypedPaste.text(of: Self.keys("curl https://a") + [.focus(true)]) == nil)
    }
}
