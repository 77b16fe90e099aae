import Testing

@testable import OmbiTerminal

/// Text in the colours of a theme, outside of a screen.
@Suite struct TextPainterTests {
    private static let pieces: [(text: String, style: Style)] = [
        ("  ", .plain), ("\"a\"", Style(.key)), (": ", Style(.punctuation)), ("1", Style(.number)),
    ]

    @Test func `a text has the colours of the theme, and none behind it`() {
        let painter = TextPainter(Theme(ThemeChoice(.dark), depth: .many))
        #expect(
            painter.text(Self.pieces)
                == "  \u{1B}[38;5;110m\"a\"\u{1B}[38;5;247m: \u{1B}[38;5;215m1\u{1B}[m")
        #expect(painter.text([("x", .plain)]) == "x")
        #expect(painter.text([]) == "")
    }

    @Test func `a theme without colours leaves the emphasis`() {
        let painter = TextPainter(Theme(ThemeChoice(.none), depth: .many))
        #expect(painter.text(Self.pieces) == "  \"a\"\u{1B}[2m: \u{1B}[m1")
    }

    @MainActor
    @Test(arguments: [("xterm-256color", "1"), ("no such terminal", nil), ("", nil)] as [(String, String?)])
    func `NO_COLOR and a terminal that is not known leave no colours`(name: String, plain: String?) {
        let painter = TextPainter.terminal(.auto) { $0 == "TERM" ? name : $0 == "NO_COLOR" ? plain : nil }
        #expect(!painter.text(Self.pieces).contains("\u{1B}[38;5;"))
    }
}
