import TestSupport
import Testing

/// The tool that the screen tests trust, against what the standards say.
@Test(arguments: [
    ("ab\r\ncd", "ab\ncd\n"), ("abcdefghij", "abcdefgh\nij\n"), ("abcdefgh\rX", "Xbcdefgh\n\n"),
    ("abcdef\u{1B}[1;3H\u{1B}[K", "ab\n\n"), ("abcdef\u{1B}[1;3H\u{1B}[2P", "abef\n\n"),
    ("abcdef\u{1B}[1;3H\u{1B}[2@", "ab  cdef\n\n"), ("abcdef\u{1B}[1;3H\u{1B}[2X", "ab  ef\n\n"),
    ("a\r\nb\r\nc\u{1B}[1;1H\u{1B}[L", "\na\nb"), ("a\r\nb\r\nc\u{1B}[1;1H\u{1B}[M", "b\nc\n"),
    ("a\r\nb\r\nc\r\nd", "b\nc\nd"), ("a\r\nb\r\nc\u{1B}[2;3r\u{1B}[3;1H\n", "a\nc\n"), ("a\u{1B}[3b", "aaaa\n\n"),
    ("日本\u{1B}[1;2Hx", " x本\n\n"), ("e\u{301}x", "e\u{301}x\n\n"), ("\u{1B}(0lqk\u{1B}(Bq", "┌─┐q\n\n"),
    ("\u{1B}]0;title\u{7}x\u{1B}]2;t\u{1B}\\y", "xy\n\n"), ("a\u{1B}[?1049hb\u{1B}[?1049lc", "ac\n\n"),
    ("x\u{1B}[2J", "\n\n"), ("a\u{1B}[4Gb\u{1B}[2db", "a  b\n    b\n"),
])
func theVirtualTerminalShows(_ written: String, _ seen: String) {
    var terminal = VirtualTerminal(columns: 8, rows: 3)
    terminal.feed(written.utf8)
    #expect(terminal.text == seen)
    #expect(terminal.unknown == [])
}

@Test func `the virtual terminal keeps attributes`() {
    var terminal = VirtualTerminal(columns: 8, rows: 1)
    terminal.feed("\u{1B}[1;7;38;5;65;41mx\u{1B}[22my\u{1B}[mz".utf8)
    #expect(terminal.cell(column: 0, row: 0).attributes == .init(traits: [1, 7], foreground: "5;65", background: "41"))
    #expect(terminal.cell(column: 1, row: 0).attributes.traits == [7])
    #expect(terminal.cell(column: 2, row: 0).attributes == .init())
}
