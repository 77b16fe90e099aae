import OmbiDocument

/// The characters that a terminal can show. Panes draw as if it could show all; others are replaced when they are
/// written.
package enum GlyphSet: Equatable, Sendable {
    case unicode
    /// Letters of all scripts, but ASCII for lines and symbols.
    case letters
    /// ASCII only; `?` for a character without a substitute.
    case ascii

    /// The set for a locale and a terminal.
    /// - Parameters:
    ///   - environment: Returns a variable of the process environment.
    ///   - wanted: The setting: true for ASCII, false for Unicode, nil to follow the environment.
    package init(environment: (String) -> String?, wanted: Bool?) {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(environment).first { !$0.isEmpty }
        // Without any locale nobody has said anything: containers are like that, in terminals that know UTF-8.
        let isUnicode = locale.map(Self.isUTF8) ?? true
        switch wanted {
        case false?: self = .unicode
        case true?: self = isUnicode ? .letters : .ascii
        case nil: self = !isUnicode ? .ascii : Self.lacksSymbols(environment("TERM") ?? "") ? .letters : .unicode
        }
    }

    private static func isUTF8(_ locale: String) -> Bool {
        let name = locale.prefix { $0 != "@" }.lowercased()
        return name.hasSuffix("utf-8") || name.hasSuffix("utf8")
    }

    /// Returns true for the consoles and for terminals older than Unicode, whose fonts have letters and few symbols.
    private static func lacksSymbols(_ name: String) -> Bool {
        let families = [
            "linux", "vt52", "vt100", "vt102", "vt220", "vt320", "vt420", "ansi", "cons25", "sun", "wsvt25",
        ]
        let family = name.prefix { $0 != "-" }
        return families.contains { $0 == family }
    }

    /// The ASCII character to show instead, one per column; nil for none.
    package func substitute(for scalar: Unicode.Scalar) -> Unicode.Scalar? {
        guard self != .unicode, scalar.value >= 0x80 else { return nil }
        return Self.substitute(for: scalar.value) ?? (self == .ascii ? "?" : nil)
    }

    /// The text with a substitute for each symbol that cannot be shown. Letters stay, in ASCII alone, too: a text that is
    /// not on a screen may go to where they can be read.
    package func text(_ text: String) -> String {
        guard self != .unicode, text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
        let shown = text.unicodeScalars.map { Self.substitute(for: $0.value) ?? $0 }
        return String(String.UnicodeScalarView(shown))
    }

    /// The one list of all symbols that Ombi draws. Symbols that appear next to each other have different substitutes:
    /// the focused frame, the phases of an attempt.
    private static func substitute(for value: UInt32) -> Unicode.Scalar? {
        switch value {
        case 0x2500...0x259F: lineOrBlock(value)
        case 0x00B7, 0x2022: "."
        case 0x00D7, 0x2717, 0x2718: "x"
        case 0x2010...0x2015, 0x2212: "-"
        case 0x2018, 0x2019: "'"
        case 0x201C, 0x201D: "\""
        case 0x2026: "~"
        case 0x203A, 0x2192, 0x25B8, 0x25B6: ">"
        case 0x2039, 0x2190, 0x25C2, 0x25C0: "<"
        case 0x2191, 0x25B4, 0x25B2: "^"
        case 0x2193, 0x25BE, 0x25BC: "v"
        case 0x21BB: "@"
        case 0x23CE: "$"
        case 0x25CF: "*"
        case 0x25C6: "&"
        case 0x25CB, 0x25CC: "o"
        case 0x2713, 0x2714: "+"
        case 0x2400...0x2421, 0xFFFD: "?"
        default: nil
        }
    }

    private static func lineOrBlock(_ value: UInt32) -> Unicode.Scalar {
        switch value {
        case 0x2500, 0x2504, 0x2508, 0x254C, 0x2574, 0x2576: "-"
        case 0x2501, 0x2505, 0x2509, 0x254D, 0x2550, 0x2578, 0x257A: "="
        case 0x2502, 0x2503, 0x2506, 0x2507, 0x250A, 0x250B, 0x254E, 0x254F, 0x2551, 0x2575, 0x2577, 0x2579, 0x257B: "|"
        case 0x257C, 0x257E: "-"
        case 0x257D, 0x257F: "|"
        case 0x2581: "_"
        case 0x2582: "."
        case 0x2583: "-"
        case 0x2585: "="
        case 0x2586: "+"
        case 0x2587: "*"
        case 0x2580, 0x2584, 0x2588: "#"
        case 0x2589...0x2590, 0x2594, 0x2595: "|"
        case 0x2591: ":"
        case 0x2592: "%"
        case 0x2593: "="
        case 0x259A: "&"
        case 0x2596...0x259F: "#"
        default: "+"
        }
    }
}

/// Splits a text into glyphs and makes it safe on the way (see `ScalarClass`). It goes by scalars and not by
/// `Character`s, because that is how terminals count columns: one `Character` of Hindi may need two cells.
package struct Glyphs<Text: StringProtocol>: Sequence, IteratorProtocol {
    private var scalars: Text.UnicodeScalarView.Iterator
    private var pending: Unicode.Scalar?

    package init(_ text: Text) {
        scalars = text.unicodeScalars.makeIterator()
        pending = scalars.next()
    }

    package mutating func next() -> Glyph? {
        guard let first = pending else { return nil }
        pending = scalars.next()
        var glyph = Self.start(with: first)
        while let scalar = pending, attach(scalar, to: &glyph) {
            pending = scalars.next()
        }
        return glyph
    }

    private static func start(with scalar: Unicode.Scalar) -> Glyph {
        switch ScalarClass(scalar) {
        case .printable(let width): Glyph(scalar: scalar, width: width)
        case .skinTone: Glyph(scalar: scalar, width: 2)
        case .unprintable(let picture): Glyph(scalar: picture, width: 1)
        case .mark: Glyph(scalar: "\u{25CC}", width: 1, marks: [scalar])
        case .selector, .joiner: Glyph(scalar: "\u{FFFD}", width: 1)
        }
    }

    /// Attaches the scalar to the glyph, as a mark or by leaving it out. Returns false if it begins a glyph.
    private func attach(_ scalar: Unicode.Scalar, to glyph: inout Glyph) -> Bool {
        if scalar.value < 0x300 { return false }
        switch ScalarClass(scalar) {
        case .mark:
            if glyph.marks.count < Glyph.maximumMarks { glyph.marks.append(scalar) }
            return true
        case .selector: return true
        case .joiner: return glyph.scalar.properties.isEmoji && glyph.scalar.value > 0xFF
        case .skinTone: return glyph.scalar.properties.isEmojiModifierBase
        case .printable, .unprintable: return false
        }
    }
}
