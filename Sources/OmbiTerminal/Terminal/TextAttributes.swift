import CNcurses

/// The attributes of text as a terminal has them (SGR, ECMA-48 §8.3.117): bold and its like, and two colours.
struct TextAttributes: Equatable {
    /// Bit n for the attribute n, from bold (1) to reverse (7).
    private var flags: UInt8 = 0
    /// The number in the palette and 1; 0 for the terminal's own colour.
    private var foreground: UInt16 = 0
    private var background: UInt16 = 0

    private static let numbers: [(trait: Traits, number: UInt8)] = [
        (.bold, 1), (.dim, 2), (.italic, 3), (.underline, 4), (.reverse, 7),
    ]
    private static let boldOrDim: UInt8 = 0b110

    init() {}

    /// - Parameters:
    ///   - foreground: a colour of the palette of 256; nil for the terminal's own.
    init(_ traits: Traits = [], foreground: UInt8?, background: UInt8?) {
        for (trait, number) in Self.numbers where traits.contains(trait) { flags |= 1 << number }
        self.foreground = foreground.map { UInt16($0) + 1 } ?? 0
        self.background = background.map { UInt16($0) + 1 } ?? 0
    }

    /// True if blanks with these attributes look erased.
    var leavesBlanksBlank: Bool { background == 0 && flags & (1 << 4 | 1 << 7) == 0 }

    /// Appends the shortest sequence from other attributes to these.
    /// - Parameter shown: nil for unknown ones.
    func write(after shown: TextAttributes?, to bytes: inout [UInt8]) {
        let start = bytes.count
        if let shown {
            writeChanges(from: shown, to: &bytes)
            guard loses(shown) else { return }
        }
        let end = bytes.count
        // Nothing at all resets, too.
        bytes.append(contentsOf: self == TextAttributes() ? [0x1B, 0x5B] : [0x1B, 0x5B, 0x30, 0x3B])
        writeAdditions(to: TextAttributes(), &bytes)
        guard shown != nil else { return }
        if bytes.count - end <= end - start {
            bytes.removeSubrange(start..<end)
        } else {
            bytes.removeSubrange(end...)
        }
    }

    /// Appends the sequences of a description that lead from other attributes to these.
    /// - Parameter shown: nil for unknown ones.
    func write(after shown: TextAttributes?, by described: DescribedSequences, to bytes: inout [UInt8]) {
        var kept = TextAttributes()
        if let shown, !loses(shown) { kept = shown } else { bytes += described.reset }
        for (trait, number) in Self.numbers where (flags & ~kept.flags) >> number & 1 == 1 {
            described.write(trait, to: &bytes)
        }
        if foreground != 0, foreground != kept.foreground {
            described.write(foreground: Int(foreground) - 1, to: &bytes)
        }
        if background != 0, background != kept.background {
            described.write(background: Int(background) - 1, to: &bytes)
        }
    }

    /// True if the others have a flag or a colour that these lack.
    private func loses(_ others: TextAttributes) -> Bool {
        others.flags & ~flags != 0 || others.foreground != 0 && foreground == 0
            || others.background != 0 && background == 0
    }

    private func writeChanges(from shown: TextAttributes, to bytes: inout [UInt8]) {
        var kept = shown
        bytes.append(contentsOf: [0x1B, 0x5B])
        let lost = shown.flags & ~flags
        if lost & Self.boldOrDim != 0 {
            kept.flags &= ~Self.boldOrDim
            bytes.append(code: 22)
        }
        for number in UInt8(3)...7 where lost >> number & 1 == 1 { bytes.append(code: Int(20 + number)) }
        if shown.foreground != 0, foreground == 0 { bytes.append(code: 39) }
        if shown.background != 0, background == 0 { bytes.append(code: 49) }
        writeAdditions(to: kept, &bytes)
    }

    /// Appends what these have and the others lack, and the end of the sequence.
    private func writeAdditions(to others: TextAttributes, _ bytes: inout [UInt8]) {
        for number in UInt8(1)...7 where (flags & ~others.flags) >> number & 1 == 1 { bytes.append(code: Int(number)) }
        if foreground != 0, foreground != others.foreground { Self.write(foreground - 1, over: 30, to: &bytes) }
        if background != 0, background != others.background { Self.write(background - 1, over: 40, to: &bytes) }
        if bytes.last == 0x3B { bytes.removeLast() }
        bytes.append(0x6D)
    }

    private static func write(_ color: UInt16, over base: Int, to bytes: inout [UInt8]) {
        switch Int(color) {
        case let color where color < 8: bytes.append(code: base + color)
        case let color where color < 16: bytes.append(code: base + 52 + color)
        case let color:
            bytes.append(code: base + 8)
            bytes.append(code: 5)
            bytes.append(code: color)
        }
    }
}

extension [UInt8] {
    /// Appends a number of at least 0 in decimal.
    mutating func append(decimal number: Int) {
        if number >= 10 { append(decimal: number / 10) }
        append(0x30 + UInt8(truncatingIfNeeded: number % 10))
    }

    /// Appends a number of a sequence and a semicolon.
    fileprivate mutating func append(code: Int) {
        append(decimal: code)
        append(0x3B)
    }
}

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
