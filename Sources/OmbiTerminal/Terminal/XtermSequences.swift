/// The sequences of a terminal that understands those of xterm (ECMA-48), as nearly all do. They differ in the few that
/// are kept here.
@MainActor
struct XtermSequences {
    /// Takes the screen: the alternate one, blank, with plain attributes.
    let enter: [UInt8]
    let leave: [UInt8]
    let hideCursor: [UInt8]
    let showCursor: [UInt8]
    /// True when characters can be erased in the middle of a row (ECH, `ESC [ n X`).
    let erasesCharacters: Bool
    /// True when a part of the screen can be scrolled (DECSTBM, SU and SD).
    let scrolls: Bool
    let colors: Int
    /// The traits that it shows, and those among them that it cannot combine with colours.
    private let traits: Traits
    private let colorlessTraits: Traits

    /// Reads the current terminal. Nil for one with other sequences, or one that needs pauses after them.
    init?() {
        // With the flag, what is written into the last column leaves the cursor there.
        guard Capability.is("cup", "\u{1B}[%i%p1%d;%p2%dH"), Capability.is("hpa", "\u{1B}[%i%p1%dG"),
            Capability.is("el", "\u{1B}[K"), Capability.is("cuf", "\u{1B}[%p1%dC"),
            Capability.is("cub", "\u{1B}[%p1%dD"), Capability.isSet("xenl"), Self.setsColors
        else { return nil }
        colors = Capability.number("colors")
        erasesCharacters = Capability.is("ech", "\u{1B}[%p1%dX")
        scrolls =
            Capability.is("csr", "\u{1B}[%i%p1%d;%p2%dr") && Capability.is("indn", "\u{1B}[%p1%dS")
            && Capability.is("rin", "\u{1B}[%p1%dT")
        traits = Self.traits()
        colorlessTraits = Self.colorlessTraits()
        hideCursor = Capability.bytes("civis")
        showCursor = Capability.bytes("cnorm")
        enter = ["smcup", "rmir", "smam", "sgr0"].flatMap(Capability.bytes)
        leave = Self.leaving
    }

    /// Plain text in the terminal's own colours, the cursor, and the screen from before.
    static var leaving: [UInt8] { ["sgr0", "op", "cnorm", "rmcup"].flatMap(Capability.bytes) }

    /// Terminals with 256 colours or more all know the palette's numbers, whatever else they know.
    private static var setsColors: Bool {
        let colors = Capability.number("colors")
        return colors == 0
            || Capability.is("op", "\u{1B}[39;49m") && (colors >= 256 || Capability.is("setaf", "\u{1B}[3%p1%dm"))
    }

    private static func traits() -> Traits {
        let known: [(String, String, Traits)] = [
            ("bold", "1", .bold), ("dim", "2", .dim), ("sitm", "3", .italic), ("smul", "4", .underline),
            ("rev", "7", .reverse),
        ]
        return known.reduce(into: []) { traits, known in
            if Capability.is(known.0, "\u{1B}[\(known.1)m") { traits.formUnion(known.2) }
        }
    }

    /// The bits of `ncv` are those of terminfo(5).
    private static func colorlessTraits() -> Traits {
        let known: [(Int, Traits)] = [(1 << 1, .underline), (1 << 2, .reverse), (1 << 4, .dim), (1 << 5, .bold)]
        let bits = Capability.number("ncv")
        return known.reduce(into: []) { traits, known in
            if bits & known.0 != 0 { traits.formUnion(known.1) }
        }
    }

    nonisolated func attributes(of look: Look) -> TextAttributes {
        let isColored = look.foreground != nil || look.background != nil
        return TextAttributes(
            look.traits.intersection(isColored ? traits.subtracting(colorlessTraits) : traits),
            foreground: look.foreground, background: look.background)
    }
}
