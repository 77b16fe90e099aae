import Testing

@testable import OmbiTerminal

/// A change of attributes is one short sequence.
@Suite struct TextAttributesTests {
    private static let plain = TextAttributes()
    private static let bold = TextAttributes(.bold, foreground: nil, background: nil)
    private static let reverse = TextAttributes(.reverse, foreground: nil, background: nil)
    private static let grey = TextAttributes(foreground: 243, background: nil)
    private static let greyReverse = TextAttributes(.reverse, foreground: 243, background: nil)

    @Test(
        arguments: [
            // Of an unknown terminal everything is said.
            (nil, plain, "\u{1B}[m"), (nil, bold, "\u{1B}[0;1m"), (nil, grey, "\u{1B}[0;38;5;243m"),
            // Else what changes.
            (plain, bold, "\u{1B}[1m"), (bold, greyReverse, "\u{1B}[0;7;38;5;243m"), (grey, greyReverse, "\u{1B}[7m"),
            // Something goes: by its own number, or with all the rest.
            (bold, plain, "\u{1B}[m"), (greyReverse, grey, "\u{1B}[27m"), (greyReverse, reverse, "\u{1B}[39m"),
            (greyReverse, plain, "\u{1B}[m"),
            (
                TextAttributes([.bold, .dim], foreground: 200, background: 17),
                TextAttributes(.dim, foreground: 200, background: 17), "\u{1B}[22;2m"
            ),
            (
                TextAttributes([.italic, .underline], foreground: 200, background: 17),
                TextAttributes(.italic, foreground: 200, background: nil), "\u{1B}[24;49m"
            ),
            // The colours of the palette by their shortest numbers.
            (plain, TextAttributes(foreground: 7, background: 0), "\u{1B}[37;40m"),
            (plain, TextAttributes(foreground: 8, background: 15), "\u{1B}[90;107m"),
            (plain, TextAttributes(foreground: 255, background: 16), "\u{1B}[38;5;255;48;5;16m"),
        ] as [(TextAttributes?, TextAttributes, String)])
    func `the shortest sequence leads from one to the other`(
        _ shown: TextAttributes?, _ wanted: TextAttributes, _ sequence: String
    ) {
        var bytes = Array("a".utf8)
        wanted.write(after: shown, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == "a" + sequence)
    }
}
