import CNcurses

/// Colours text that is written line by line, outside of a screen, as a theme has it.
package struct TextPainter: Sendable {
    private let theme: Theme

    package init(_ theme: Theme) { self.theme = theme }

    /// Returns the painter for the terminal on standard output. One without the sequences of xterm has no colours.
    /// - Parameter choice: the theme that the settings name; `NO_COLOR` overrides it.
    @MainActor
    package static func terminal(
        _ choice: ThemeChoice, environment: (String) -> String? = Screen.environment
    ) -> TextPainter {
        let isPlain = !(environment("NO_COLOR") ?? "").isEmpty
        let count = isPlain ? 0 : Self.colors(of: environment("TERM") ?? "")
        let background = environment("COLORFGBG").flatMap { Background(colorFGBG: $0) }
        return TextPainter(Theme(choice, depth: ColorDepth(colors: count), background: background))
    }

    @MainActor
    private static func colors(of terminal: String) -> Int {
        guard !terminal.isEmpty,
            TerminalName.candidates(for: terminal).contains(where: { ombi_use_terminal($0) })
        else { return 0 }
        defer { ombi_forget_terminal() }
        guard let sequences = TerminalSequences(), sequences.described == nil else { return 0 }
        return sequences.colors
    }

    /// Returns pieces of safe text as one, each in its style, and with plain attributes at the end.
    package func text(_ pieces: [(text: String, style: Style)]) -> String {
        var bytes: [UInt8] = []
        var shown = TextAttributes()
        for piece in pieces {
            let look = theme.look(of: piece.style)
            let wanted = TextAttributes(look.traits, foreground: look.foreground, background: look.background)
            if wanted != shown { wanted.write(after: shown, to: &bytes) }
            shown = wanted
            bytes += piece.text.utf8
        }
        if shown != TextAttributes() { TextAttributes().write(after: shown, to: &bytes) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
