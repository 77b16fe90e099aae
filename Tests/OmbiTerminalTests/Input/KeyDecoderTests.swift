import TestSupport
import Testing

@testable import OmbiTerminal

struct KeyDecoderTests {
    /// The events of the text, and what a time-out adds.
    private func events(_ text: String, terminalKeys: [KeySequence] = []) -> [InputEvent] {
        events(Array(text.utf8), terminalKeys: terminalKeys)
    }

    private func events(_ bytes: [UInt8], terminalKeys: [KeySequence] = []) -> [InputEvent] {
        var decoder = KeyDecoder(terminalKeys: terminalKeys)
        return decoder.decode(bytes) + decoder.timedOut()
    }

    private static func keys(_ names: String...) -> [InputEvent] {
        names.compactMap { Key(name: $0).map(InputEvent.key) }
    }

    @Test(arguments: [
        ("a", ["a"]), ("aB", ["a", "B"]), ("é", ["é"]), ("日", ["日"]), ("😀", ["😀"]), (" ", ["Space"]),
        ("\r", ["Enter"]), ("\n", ["Ctrl+J"]), ("\t", ["Tab"]), ("\u{7F}", ["Backspace"]), ("\u{8}", ["Backspace"]),
        ("\u{1}", ["Ctrl+A"]), ("\u{1A}", ["Ctrl+Z"]), ("\u{0}", ["Ctrl+Space"]), ("\u{1C}", ["Ctrl+\\"]),
        ("\u{1F}", ["Ctrl+_"]), ("\u{1B}", ["Esc"]), ("\u{1B}\u{1B}", ["Esc", "Esc"]), ("\u{1B}a", ["Alt+a"]),
        ("\u{1B}A", ["Alt+A"]), ("\u{1B}é", ["Alt+é"]), ("\u{1B}\r", ["Alt+Enter"]),
        ("\u{1B}\u{7F}", ["Alt+Backspace"]),
        ("\u{1B}\u{1}", ["Ctrl+Alt+A"]), ("\u{1B}[", ["Alt+["]), ("\u{1B}O", ["Alt+O"]), ("\u{1B}]", ["Alt+]"]),
        ("\u{1B}Px", ["Alt+P", "x"]), ("\u{1B}[A", ["Up"]), ("\u{1B}OA", ["Up"]), ("\u{1B}[1;5C", ["Ctrl+Right"]),
        ("\u{1B}[1;2D", ["Shift+Left"]), ("\u{1B}[1;3B", ["Alt+Down"]), ("\u{1B}[1;8H", ["Ctrl+Alt+Shift+Home"]),
        ("\u{1B}[Z", ["Shift+Tab"]), ("\u{1B}[H\u{1B}[F", ["Home", "End"]), ("\u{1B}[1~\u{1B}[4~", ["Home", "End"]),
        ("\u{1B}[7~\u{1B}[8~", ["Home", "End"]), ("\u{1B}[2~\u{1B}[3~", ["Insert", "Delete"]),
        ("\u{1B}[5~\u{1B}[6~", ["PageUp", "PageDown"]), ("\u{1B}[3;5~", ["Ctrl+Delete"]),
        ("\u{1B}OP\u{1B}OS", ["F1", "F4"]), ("\u{1B}[15~\u{1B}[24~", ["F5", "F12"]), ("\u{1B}[17;2~", ["Shift+F6"]),
        ("\u{1B}[[A\u{1B}[[E", ["F1", "F5"]), ("\u{1B}[1;2P", ["Shift+F1"]), ("\u{1B}O5A", ["Ctrl+Up"]),
        ("\u{1B}\u{1B}[A", ["Alt+Up"]), ("\u{1B}[a\u{1B}Oa", ["Shift+Up", "Ctrl+Up"]), ("\u{1B}[3$", ["Shift+Delete"]),
        ("\u{1B}[3^", ["Ctrl+Delete"]), ("\u{1B}OM", ["Enter"]), ("\u{1B}Oj\u{1B}Op", ["*", "0"]),
        ("\u{1B}[97;5u", ["Ctrl+A"]), ("\u{1B}[97;6u", ["Ctrl+Shift+A"]), ("\u{1B}[97;2u", ["A"]),
        ("\u{1B}[49:33;2u", ["!"]), ("\u{1B}[27u", ["Esc"]), ("\u{1B}[13;5u", ["Ctrl+Enter"]),
        ("\u{1B}[9;2u", ["Shift+Tab"]), ("\u{1B}[97;1:3u", []), ("\u{1B}[97;1:2u", ["a"]), ("\u{1B}[57399u", ["0"]),
        ("\u{1B}[57417u", ["Left"]), ("\u{1B}[57441;2u", []), ("\u{1B}[27;5;105~", ["Ctrl+I"]),
        ("\u{1B}[27;2;13~", ["Shift+Enter"]), ("\u{1B}[105;3u", ["Alt+i"]), ("\u{1B}[1;1:3A", []),
    ])
    func `keys are reported`(_ bytes: String, _ names: [String]) {
        #expect(events(bytes) == names.compactMap { Key(name: $0).map(InputEvent.key) })
        #expect(names.allSatisfy { Key(name: $0)?.name == $0 })
    }

    /// What is no key disappears whole and takes nothing after it along.
    @Test(arguments: [
        "\u{1B}[?2026;1$y", "\u{1B}[?64;1;2c", "\u{1B}[>1;10;0c", "\u{1B}]10;rgb:0000/0000/0000\u{7}",
        "\u{1B}]52;c;YQ==\u{1B}\\", "\u{1B}P>|xterm\u{1B}\\", "\u{1B}P1$r0m\u{1B}\\", "\u{1B}[99~",
        "\u{1B}[5;5Y", "\u{1B}[201~", "\u{1B}[24;80R",
        "\u{1B}[99999999999999999999999u", "\u{1B}[;;;;~\u{1B}[:::u",
        "\u{1B}[1;\u{1B}[?1;2",
    ])
    func `answers and unknown sequences are left out`(_ bytes: String) {
        #expect(events(bytes + "\u{7}x").filter { $0 != Self.keys("Ctrl+G")[0] } == Self.keys("x"))
    }

    @Test(
        arguments: [
            ([0xFF], "\u{FFFD}"), ([0xC3, 0x41], "\u{FFFD}A"), ([0xE2, 0x82], "\u{FFFD}"), ([0xE2, 0x82, 0xAC], "€"),
            ([0xED, 0xA0, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}"), ([0xF0, 0x9F, 0x98, 0x80], "😀"),
            ([0xC0, 0x80], "\u{FFFD}\u{FFFD}"), ([0xF4, 0x90, 0x80, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
            ([0xC2, 0x9B, 0x41], "A"), ([0x80, 0x78], "\u{FFFD}x"),
        ] as [([UInt8], String)])
    func `broken text is repaired`(_ bytes: [UInt8], _ text: String) {
        #expect(events(bytes) == text.map { .key(Key(.character($0))) })
    }

    @Test(arguments: [
        ("\u{1B}[<0;10;5M", Mouse(.press, button: .left, position: Point(column: 9, row: 4))),
        ("\u{1B}[<0;10;5m", Mouse(.release, button: .left, position: Point(column: 9, row: 4))),
        ("\u{1B}[<34;300;2M", Mouse(.drag, button: .right, position: Point(column: 299, row: 1))),
        ("\u{1B}[<64;1;1M", Mouse(.wheelUp, position: Point(column: 0, row: 0))),
        ("\u{1B}[<65;1;1M", Mouse(.wheelDown, position: Point(column: 0, row: 0))),
        ("\u{1B}[<66;1;1M", Mouse(.wheelLeft, position: Point(column: 0, row: 0))),
        ("\u{1B}[<67;1;1M", Mouse(.wheelRight, position: Point(column: 0, row: 0))),
        (
            "\u{1B}[<21;2;3M",
            Mouse(.press, button: .middle, position: Point(column: 1, row: 2), modifiers: [.shift, .control])
        ),
        ("\u{1B}[<8;0;0M", Mouse(.press, button: .left, position: Point(column: 0, row: 0), modifiers: .alt)),
        ("\u{1B}[<128;2;2M", Mouse(.press, button: .other, position: Point(column: 1, row: 1))),
        ("\u{1B}[M !!", Mouse(.press, button: .left, position: Point(column: 0, row: 0))),
        ("\u{1B}[M#*%", Mouse(.release, button: .none, position: Point(column: 9, row: 4))),
        ("\u{1B}[M`!!", Mouse(.wheelUp, position: Point(column: 0, row: 0))),
    ])
    func `the mouse is reported`(_ bytes: String, _ mouse: Mouse) {
        #expect(events(bytes) == [.mouse(mouse)])
    }

    @Test func `focus and its loss are reported`() {
        #expect(events("\u{1B}[I\u{1B}[O") == [.focus(true), .focus(false)])
    }

    @Test func `a paste is one piece whatever it holds`() {
        let paste = "\u{1B}[200~one\rtwo\r\nthree\u{1B}[A\u{3}é~\u{1B}[201~"
        #expect(events(paste + "x") == [.paste("one\ntwo\nthree\u{1B}[A\u{3}é~"), .key(Key(.character("x")))])
        var decoder = KeyDecoder()
        #expect(decoder.decode(Array("\u{1B}[200~abc\u{1B}[20".utf8)) == [])
        #expect(decoder.decode(Array("1~".utf8)) == [.paste("abc")])
    }

    @Test func `a paste whose end is lost ends with the timeout`() {
        var decoder = KeyDecoder()
        #expect(decoder.decode(Array("\u{1B}[200~abc\r".utf8)) == [])
        #expect(decoder.patience == KeyDecoder.pastePatience)
        #expect(decoder.timedOut() == [.paste("abc\n")])
        #expect(decoder.patience == nil)
        #expect(decoder.decode(Array("q\u{1B}[201~".utf8)) == Self.keys("q"))
        #expect(decoder.decode(Array("\u{1B}[200~".utf8)) == [] && decoder.timedOut() == [])
    }

    @Test func `a paste without end comes in pieces`() {
        var decoder = KeyDecoder()
        var pasted = 0
        let chunk = [UInt8](repeating: 0x61, count: 1 << 20)
        var found = decoder.decode(Array("\u{1B}[200~".utf8))
        for _ in 0..<18 { found += decoder.decode(chunk) }
        found += decoder.decode(Array("\u{1B}[201~".utf8))
        for case .paste(let text) in found { pasted += text.utf8.count }
        #expect(found.count == 2)
        #expect(pasted == 18 << 20)
    }

    @Test func `a lone escape waits for the timeout`() {
        var decoder = KeyDecoder()
        #expect(decoder.decode([0x1B]) == [])
        #expect(decoder.patience == KeyDecoder.escapePatience)
        #expect(decoder.timedOut() == Self.keys("Esc"))
        #expect(decoder.patience == nil)
        #expect(decoder.decode([0x1B]) + decoder.decode([0x5B]) + decoder.decode([0x42]) == Self.keys("Down"))
    }

    @Test func `the terminal's own keys come first`() {
        let own = [
            KeySequence(Array("\u{1B}[[A".utf8), Key(.function(11))),
            KeySequence(Array("\u{1B}q1".utf8), Key(.home)), KeySequence([8], Key(.delete)),
        ]
        #expect(events("\u{1B}[[A", terminalKeys: own) == Self.keys("F11"))
        #expect(events("\u{1B}q1\u{1B}q2", terminalKeys: own) == Self.keys("Home", "Alt+q", "2"))
        #expect(events("\u{8}\u{1B}q", terminalKeys: own) == Self.keys("Backspace", "Alt+q"))
        #expect(events("\u{1B}[A", terminalKeys: own) == Self.keys("Up"))
    }

    /// Every start of every sequence, by itself and with a key after it.
    @Test func `every truncation ends in something`() {
        let whole = [
            "\u{1B}[1;5C", "\u{1B}[<35;100;200M", "\u{1B}[M!!!", "\u{1B}OP", "\u{1B}O5A", "\u{1B}[[A", "😀",
            "\u{1B}日", "\u{1B}[97:65;5:1u",
            "\u{1B}]52;c;YQ==\u{1B}\\", "\u{1B}P1$r0m\u{1B}\\", "\u{1B}[27;5;105~", "\u{1B}\u{1B}[A", "\u{1B}[3$",
            "\u{1B}\u{1B}[0n",
        ]
        for bytes in whole.map({ Array($0.utf8) }) {
            for length in 1...bytes.count {
                var decoder = KeyDecoder()
                _ = decoder.decode(bytes.prefix(length)) + decoder.timedOut()
                #expect(decoder.patience == nil)
                #expect(decoder.decode([0x71]) == Self.keys("q"), "after \(bytes.prefix(length))")
            }
        }
    }

    /// In pieces that a slow line delivers one by one: only the time limit of a lone Esc is short.
    @Test(arguments: [
        "\u{1B}[A", "\u{1B}[B", "\u{1B}OA", "\u{1B}OP", "\u{1B}O5A", "\u{1B}[1;5C", "\u{1B}[3~", "\u{1B}[15~",
        "\u{1B}[17;2~", "\u{1B}[Z", "\u{1B}[[A", "\u{1B}[3$", "\u{1B}[97;5u", "\u{1B}[27;5;105~", "\u{1B}\u{1B}[A",
        "\u{1B}\u{1B}OA", "\u{1B}[<0;10;5M", "\u{1B}[<65;1;1M", "\u{1B}[M !!", "\u{1B}[I",
        "\u{1B}]11;rgb:ffff/ffff/dddd\u{1B}\\", "\u{1B}]52;c;YQ==\u{7}", "\u{1B}P1$r0m\u{1B}\\",
        "\u{1B}[?2026;1$y", "\u{1B}[200~q\u{1B}[201~", "é", "日", "😀", "\u{1B}é",
    ])
    func `a sequence in pieces is one key, however slow the line is`(_ text: String) {
        let bytes = Array(text.utf8)
        let start = bytes.prefix { $0 == 0x1B }.count + 1
        for split in start..<bytes.count {
            var decoder = KeyDecoder()
            let first = decoder.decode(bytes[..<split])
            if first.isEmpty { #expect(decoder.patience ?? .zero >= .milliseconds(500), "after \(bytes[..<split])") }
            #expect(first + decoder.decode(bytes[split...]) == events(text), "after \(bytes[..<split])")
        }
    }

    /// A line that stalls behind the first byte: the Esc has acted, and nothing after it is typed.
    @Test(
        arguments: [
            "[B", "OB", "[1;5C", "[15~", "[<0;10;6M", "[<0;10;6m\u{1B}[<0;11;6M", "]11;rgb:1e1e/1e1e/2e2e\u{1B}\\",
            "P>|xterm\u{1B}\\", "[200~s\rq\u{1B}[201~", "[I", "[?2026;1$y", "[Bj", "[M !!",
        ], [40, 450, 990])
    func `what comes late behind an Esc is the rest of its sequence`(_ rest: String, milliseconds: Int) {
        var decoder = KeyDecoder()
        let late = Duration.milliseconds(30 + milliseconds)
        #expect(decoder.decode([0x1B], at: .zero) == [])
        #expect(decoder.timedOut(at: .milliseconds(30)) == Self.keys("Esc"))
        #expect(decoder.decode(Array(rest.utf8), at: late) + decoder.timedOut(at: late) == events("\u{1B}" + rest))
        #expect(decoder.decode(Array("[B".utf8), at: late) == Self.keys("[", "B"))
    }

    /// A line that delivers each byte by itself: the Esc has acted, and nothing after it is typed.
    @Test(
        arguments: [
            "[B", "OB", "OP", "[Z", "[I", "[1;5C", "[15~", "[[A", "[97;5u", "[<0;10;6M", "[<0;10;6m", "[M !!",
            "]11;rgb:1e1e/1e1e/2e2e\u{1B}\\", "P>|xterm\u{1B}\\", "[200~s\rq\u{1B}[201~", "[?2026;1$y",
        ], [40, 150, 200])
    func `bytes that come one by one after an Esc are the rest of its sequence`(_ rest: String, gap: Int) throws {
        var decoder = KeyDecoder()
        var time = Duration.milliseconds(30)
        #expect(decoder.decode([0x1B]) + decoder.timedOut(at: time) == Self.keys("Esc"))
        var found: [InputEvent] = []
        for byte in rest.utf8 {
            time += .milliseconds(gap)
            if let patience = decoder.patience { try #require(patience > .milliseconds(gap), "before \(byte)") }
            found += decoder.decode([byte], at: time)
        }
        #expect(found == events("\u{1B}" + rest))
        #expect(decoder.patience == nil)
    }

    @Test(arguments: ["[", "O", "]", "P", "[[", "[[[", "]]", "[j", "[1", "Oz", "]x", "Pq", "jk"])
    func `keys that are typed quickly one by one after an Esc are typed`(_ text: String) {
        var decoder = KeyDecoder()
        #expect(decoder.decode([0x1B]) + decoder.timedOut(at: .milliseconds(30)) == Self.keys("Esc"))
        var found: [InputEvent] = []
        for (index, byte) in text.utf8.enumerated() {
            found += decoder.decode([byte], at: .milliseconds(130 + 100 * index))
        }
        found += decoder.timedOut(at: .seconds(1))
        #expect(found == text.compactMap { Key(name: String($0)).map(InputEvent.key) })
        #expect(decoder.decode(Array("[B".utf8), at: .seconds(1)) == Self.keys("[", "B"))
    }

    @Test(arguments: [
        ("[B", 1100, ["[", "B"]), ("[", 40, ["["]), ("jk", 40, ["j", "k"]), ("Px", 40, ["P", "x"]),
        ("]x", 40, ["]", "x"]), ("O", 40, ["O"]),
    ]) func `what is typed after an Esc is typed`(_ text: String, milliseconds: Int, names: [String]) {
        var decoder = KeyDecoder()
        #expect(decoder.decode([0x1B]) + decoder.timedOut() == Self.keys("Esc"))
        let typed = decoder.decode(Array(text.utf8), at: .milliseconds(milliseconds))
        let events = typed + decoder.timedOut(at: .seconds(2))
        #expect(events == names.compactMap { Key(name: $0).map(InputEvent.key) })
    }

    @Test(arguments: ["\u{1B}[1;", "\u{1B}O5", "\u{1B}]11;rgb:ff", "\u{1B}P1$", "\u{1B}[<0;10", "\u{1B}[M!"])
    func `a sequence that never ends types nothing`(_ text: String) { #expect(events(text) == []) }

    @Test func `any bytes split anywhere give the same`() {
        var random = SeededRandom(seed: 42)
        let likely: [UInt8] =
            Array("\u{1B}\u{1B}\u{1B}[[O<>?;:0123456789~$^uMmIABZP]\\\u{7}\u{0} é日\r".utf8)
            + [0xFF, 0xC3]
        let own = [
            KeySequence(Array("\u{1B}[12;".utf8), Key(.up)), KeySequence(Array("\u{1B}O0".utf8), Key(.down)),
        ]
        for round in 0..<20 {
            let bytes = (0..<5000).map { _ in
                round % 2 == 0 ? UInt8.random(in: 0...255, using: &random) : likely.randomElement(using: &random) ?? 0
            }
            let whole = events(bytes, terminalKeys: own)
            var decoder = KeyDecoder(terminalKeys: own)
            var pieces: [InputEvent] = []
            var start = 0
            while start < bytes.count {
                let end = min(bytes.count, start + Int.random(in: 1...9, using: &random))
                pieces += decoder.decode(bytes[start..<end])
                start = end
            }
            pieces += decoder.timedOut()
            #expect(pieces == whole)
            #expect(!whole.isEmpty)
        }
    }

    @Test(arguments: ["", "Ctrl+", "Hyper+x", "F0", "F99", "Nonsense", "ab"])
    func `what names no key is none`(_ name: String) {
        #expect(Key(name: name) == nil)
    }

    @Test func `names may be written in other ways`() {
        #expect(Key(name: "ctrl+p") == Key(name: "Ctrl+P"))
        #expect(Key(name: "pgup") == Key(.pageUp))
        #expect(Key(name: "+") == Key(.character("+")))
        #expect(Key(name: "Ctrl++") == Key(.character("+"), .control))
        #expect(Key(name: "G") != Key(name: "g"))
    }
}
