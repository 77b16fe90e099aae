import Testing

@testable import OmbiTerminal

@Suite struct TerminalReplyTests {
    private static func events(_ text: String) -> [InputEvent] {
        var decoder = KeyDecoder()
        return decoder.decode(Array(text.utf8)) + decoder.timedOut()
    }

    @Test(arguments: [
        ("\u{1B}]11;rgb:1e1e/1e1e/2e2e\u{1B}\\", Background.dark), ("\u{1B}]11;rgb:ffff/ffff/ffff\u{07}", .light),
        ("\u{1B}]11;rgb:f/f/f\u{07}", .light), ("\u{1B}]11;rgb:00/00/ff\u{1B}\\", .dark),
        ("\u{1B}]11;rgba:fd/f6/e3/ff\u{1B}\\", .light),
    ])
    func `a terminal reports its background`(text: String, background: Background) {
        #expect(Self.events(text) == [.background(background)])
        #expect(Self.events(text + "q") == [.background(background), .key(Key(.character("q")))])
    }

    @Test func `a terminal says whether it has margins`() {
        for state in [1, 2] {
            #expect(Self.events("\u{1B}[?69;\(state)$yq") == [.margins, .key(Key(.character("q")))])
        }
        for other in ["69;0", "69;3", "69;4", "2026;2", "69", ""] {
            #expect(Self.events("\u{1B}[?\(other)$yq") == [.key(Key(.character("q")))])
        }
    }

    @Test(arguments: [
        "\u{1B}]11;rgb:1e1e/1e1e\u{07}", "\u{1B}]11;rgb:12345/0/0\u{07}", "\u{1B}]11;rgb:-1/0/0\u{07}",
        "\u{1B}]11;rgb:x/y/z\u{07}", "\u{1B}]10;rgb:0/0/0\u{07}", "\u{1B}P11;rgb:0/0/0\u{1B}\\", "\u{1B}]11;?\u{07}",
    ])
    func `what is no such report is dropped, and the key after it is not`(text: String) {
        #expect(Self.events(text + "q") == [.key(Key(.character("q")))])
    }

    @Test(arguments: [
        "\u{1B}[0n", "\u{1B}]11;rgb:f/f/f\u{07}", "\u{1B}[I", "\u{1B}[<0;1;1M", "\u{1B}[200~a\u{1B}[201~",
        "\u{1B}[?1;2c",
    ])
    func `Esc just before a reply, a click or a paste is Esc`(text: String) {
        let bytes = Array(("\u{1B}" + text).utf8)
        for split in 0...bytes.count {
            var decoder = KeyDecoder()
            let events = decoder.decode(bytes[..<split]) + decoder.decode(bytes[split...]) + decoder.timedOut()
            #expect(events == [.key(Key(.escape))] + Self.events(text), "split at \(split)")
        }
    }

    @Test func `a terminal reports its status, once for each request`() {
        #expect(Self.events("\u{1B}[0n\u{1B}[0nq") == [.status, .status, .key(Key(.character("q")))])
        #expect(Self.events("\u{1B}[3n") == [.status], "also when it says that something is wrong")
    }
}
