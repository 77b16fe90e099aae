/// Text from files and the network, made safe for a terminal.
enum SafeText {
    /// Returns the text as one line without control characters.
    static func line(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        var result = String.UnicodeScalarView()
        for glyph in Glyphs(text) {
            result.append(glyph.scalar)
            // A view of scalars that takes several at once is copied for it.
            for mark in glyph.marks { result.append(mark) }
        }
        return String(result)
    }

    /// Returns a text as a terminal may get it: control and format characters have pictures, but for line ends, tabs and the
    /// colours of `Paint`.
    static func terminal(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F || $0 == 0x0A || $0 == 0x09 }) { return text }
        var result = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.first {
            if let kept = kept(rest) {
                for scalar in kept.unicodeScalars { result.append(scalar) }
                rest = rest.dropFirst(kept.unicodeScalars.count)
                continue
            }
            rest.removeFirst()
            if case .unprintable(let picture) = ScalarClass(scalar) {
                result.append(picture)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// The control characters at the start of a text that a terminal gets as they are.
    private static func kept(_ rest: Substring.UnicodeScalarView) -> String? {
        switch rest.first {
        case "\n": "\n"
        case "\t": "\t"
        case "\r": rest.starts(with: "\r\n".unicodeScalars) ? "\r\n" : nil
        case "\u{1B}": Paint.sequences.first { rest.starts(with: $0.unicodeScalars) }
        default: nil
        }
    }

    /// Returns the text with each of its lines made safe.
    static func lines(_ text: String) -> String { lines(text, each: line) }

    /// Returns a text that is written into a file, too, with each of its lines made safe. Its tabs stay.
    static func code(_ text: String) -> String {
        lines(text) { text in
            text.utf8.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
                .map { line(String(Substring($0))) }.joined(separator: "\t")
        }
    }

    /// Returns the text with each of its lines changed. A carriage return belongs to its line.
    static func lines(_ text: String, each change: (String) -> String) -> String {
        text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { change(String(Substring($0))) }.joined(separator: "\n")
    }
}

/// The colours and the emphasis of texts on a terminal, the only sequences that the command line writes (`SafeText.terminal`).
enum Paint: Int, CaseIterable {
    case bold = 1
    case red = 31
    case green = 32
    case yellow = 33

    private static let end = "\u{1B}[m"
    private var start: String { "\u{1B}[\(rawValue)m" }

    /// Every sequence that such a text has.
    static let sequences = Paint.allCases.map(\.start) + [end]

    func text(_ text: String) -> String { start + text + Self.end }
}
