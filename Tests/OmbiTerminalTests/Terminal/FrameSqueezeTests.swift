import Testing

@testable import OmbiTerminal

@Test(arguments: [
    ("a\u{1B}(B\u{1B}[mb", "a\u{1B}[mb"), ("\u{1B}[39m\u{1B}(B\u{1B}[m x", "\u{1B}[m x"),
    ("\u{1B}[39;49m\u{1B}(B\u{1B}[0;7mx", "\u{1B}[0;7mx"), ("\u{1B}[39mx\u{1B}[m", "\u{1B}[39mx\u{1B}[m"),
    ("\u{1B}]104\u{7}\u{1B}[m", "\u{1B}[m"), ("日本\u{1B}[1m", "日本\u{1B}[1m"), ("\u{1B}", "\u{1B}"), ("", ""),
])
func aFrameLosesWhatHasNoEffect(_ written: String, _ sent: String) {
    #expect(String(decoding: FrameSqueeze.squeezed(Array(written.utf8)), as: UTF8.self) == sent)
}
