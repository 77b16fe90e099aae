import OmbiTerminal
import Testing

@testable import OmbiTUI

/// Letters that come together, and whether they were pasted.
@Suite struct TypedPasteTests {
    private static func keys(_ text: String) -> [InputEvent] {
        text.map { .key($0 == "\n" ? .enter : $0 == "\t" ? .tab : Key(.character($0))) }
    }

    private static func meaning(_ text: String) -> TypedPaste.Meaning {
        var paste = TypedPaste()
        return paste.meaning(of: keys(text), at: .zero)
    }

    @Test(arguments: [
        "curl https://example.com", "curl -X POST https://example.com/a -d '{\"a\": 1}'", "https://example.com/a?b=c",
        "http://127.0.0.1:8080", "curl 'https://example.com' \\\n  -H 'A: b'\n", "curl --json '{}' https://example.com",
        "curl -u a:b http://x/y", "https://user@example.com/ü", "http://localhost/\tx",
    ])
    func `a curl command or a URL in one go is pasted`(text: String) {
        #expect(Self.meaning(text) == .paste(text))
        #expect(Self.meaning("$ " + text) == .paste(text))
    }

    @Test(arguments: [
        "wget https://example.com", "http POST example.com a=b", "sk_live_4eC39HqLyjWDarjtT1zdp7dc",
        "curls it is no command", "xcurl https://example.com", "GET /users HTTP/1.1", "htp://example.com/abc",
        "# curl https://example.com", "{\"a\": 1, \"b\": 2}", "one two three\n\tfour\n",
    ])
    func `any other text in one go is dropped, as its letters would run as commands`(text: String) {
        #expect(Self.meaning(text) == .dropped(text.count))
    }

    @Test(arguments: [
        "", "j", "jjjjjjjjjjjjjjjjjjjj", "curl", "curl x", "http://", "https:/", "dddddddddd", "sssssssssss",
        "12312312312", ":rename\n", "/user by id\n", "!sed s/Ada/Bob/\n", "|$..age\n", "2]aX-Half\ttyped",
        "\n\n\n\n\n\n\n\n\n\n", "2\nnonsense", "one\n\ttwo\n",
    ])
    func `what somebody may type is typed`(text: String) {
        #expect(Self.meaning(text) == .keys)
    }

    @Test func `a key that is no letter is none of a text`() {
        var paste = TypedPaste()
        for key in [Key.up, .escape, .control("c"), .alt("x"), .function(5)] {
            let burst = Self.keys("curl https://example.com") + [.key(key)]
            #expect(paste.meaning(of: burst, at: .zero) == .keys, "\(key.name)")
        }
        #expect(paste.meaning(of: Self.keys("curl https://a") + [.focus(true)], at: .zero) == .keys)
    }

    @Test(arguments: [
        ("curl https://example.com", TypedPaste.Meaning.paste("curl https://example.com")),
        ("sk_live_4eC39HqLyj", .dropped(18)),
    ])
    func `a paste goes on with the next read, and what is typed later is typed`(
        start: String, meaning: TypedPaste.Meaning
    ) {
        func after(_ milliseconds: Int, _ text: String) -> TypedPaste.Meaning {
            var paste = TypedPaste()
            #expect(paste.meaning(of: Self.keys(start), at: .seconds(1)) == meaning)
            return paste.meaning(of: Self.keys(text), at: .seconds(1) + .milliseconds(milliseconds))
        }
        #expect(after(120, " -d s") == .dropped(5))
        #expect(after(120, "j") == .keys)
        #expect(after(400, "jjs") == .keys)
    }

    @Test func `a paste in many reads is dropped to its end`() {
        var paste = TypedPaste()
        #expect(paste.meaning(of: Self.keys("wget https://a.test"), at: .zero) == .dropped(19))
        for read in 1...5 {
            #expect(paste.meaning(of: Self.keys("/sss"), at: .milliseconds(200 * read)) == .dropped(4))
        }
    }
}
