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

/// The sequences written beside those of frames: to take the terminal, to restore it, around a large frame.
@MainActor
struct ScreenSequences {
    let enter: [UInt8]
    let leave: [UInt8]
    /// `leave`, and what the frame writer would have written itself.
    let leaveAfterCrash: [UInt8]
    /// A request for the colour of the background (OSC 11), which terminals that do not know it ignore.
    let askForBackground: [UInt8]
    /// A request for the state of the margins at the left and the right (DECRQM for the mode DECLRMM).
    let askForMargins: [UInt8]
    /// A request for the terminal's status (DSR), which it replies to once it has taken all before.
    let askForStatus: [UInt8]
    let beginFrame: [UInt8]
    let endFrame: [UInt8]

    /// Call it when a screen is open: it reads the terminal's capabilities.
    init(mouse: Bool) {
        // A terminal with an alternate screen ignores modes it does not know; older ones may not.
        let isModern = Capability.exists("smcup")
        // 1002: with drags; 1006: in decimal, with no end at column 223. 2004: pastes. 1004: focus.
        let modes = (mouse ? ["1000", "1002", "1006"] : []) + ["2004", "1004"]
        enter = isModern ? modes.flatMap { Array("\u{1B}[?\($0)h".utf8) } : []
        // Without another screen the next program's text begins on a row of its own.
        leave = isModern ? modes.reversed().flatMap { Array("\u{1B}[?\($0)l".utf8) } : Array("\r\n".utf8)
        askForBackground = isModern ? Array("\u{1B}]11;?\u{1B}\\".utf8) : []
        askForMargins = isModern ? Array("\u{1B}[?69$p".utf8) : []
        askForStatus = isModern ? Array("\u{1B}[5n".utf8) : []
        beginFrame = isModern ? Array("\u{1B}[?2026h".utf8) : []
        endFrame = isModern ? Array("\u{1B}[?2026l".utf8) : []
        leaveAfterCrash = endFrame + leave + XtermSequences.leaving
    }
}

/// Writes on a terminal that understands the sequences of xterm, in few bytes. It knows where the cursor stands and which
/// attributes are on, also from one frame to the next.
struct XtermPen {
    let size: Size
    private(set) var attributes: TextAttributes?
    /// The place of the cursor; nil where it is not known, as behind the last column.
    private(set) var position: Point?
    /// False behind characters that terminals may give different widths.
    private var columnIsCertain = true
    private var bytes: [UInt8] = []

    init(size: Size) { self.size = size }

    /// Returns what was written since the last call.
    mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    mutating func write(_ sequence: [UInt8]) { bytes.append(contentsOf: sequence) }

    mutating func forgetPosition() { position = nil }

    /// Makes the whole screen blank, without attributes.
    mutating func clear() {
        write("\u{1B}[m\u{1B}[H\u{1B}[2J")
        attributes = TextAttributes()
        (position, columnIsCertain) = (Point(column: 0, row: 0), true)
    }

    mutating func set(_ wanted: TextAttributes) {
        guard wanted != attributes else { return }
        wanted.write(after: attributes, to: &bytes)
        attributes = wanted
    }

    mutating func write(_ scalar: Unicode.Scalar, _ marks: [Unicode.Scalar], width: Int) {
        if scalar.value < 0x80, marks.isEmpty {
            bytes.append(UInt8(truncatingIfNeeded: scalar.value))
        } else {
            append(scalar)
            for mark in marks { append(mark) }
            columnIsCertain = false
        }
        position?.column += width
        if let column = position?.column, column >= size.columns { position = nil }
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }

    /// Erases columns from the cursor on, which stays where it is.
    /// - Parameter columns: nil for all to the end of the row.
    mutating func erase(_ columns: Int?) {
        bytes.append(contentsOf: [0x1B, 0x5B])
        if let columns { bytes.append(decimal: columns) }
        bytes.append(columns == nil ? 0x4B : 0x58)
    }

    /// Moves the content of a part of the screen. What nothing moves into is erased.
    mutating func scroll(_ scroll: Scroll) {
        set(TextAttributes())
        let isWide = scroll.columns == 0..<size.columns
        // The margins at the sides end with their mode.
        if !isWide { write("\u{1B}[?69h\u{1B}[\(scroll.columns.lowerBound + 1);\(scroll.columns.upperBound)s") }
        write("\u{1B}[\(scroll.rows.lowerBound + 1);\(scroll.rows.upperBound)r")
        write("\u{1B}[\(abs(scroll.distance))\(scroll.distance > 0 ? "S" : "T")\u{1B}[r")
        if !isWide { write("\u{1B}[?69l") }
        forgetPosition()
    }

    private mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

    // MARK: Moving

    mutating func move(to target: Point) {
        guard position != target else { return }
        switch position.map({ target.row - $0.row }) {
        case 0: moveInRow(by: target.column - (position?.column ?? 0), to: target.column)
        case 1:
            // The column is named, too: something on the way may turn a line feed into more.
            bytes.append(0x0A)
            moveInRow(to: target.column)
        default:
            bytes.append(contentsOf: [0x1B, 0x5B])
            bytes.append(decimal: target.row + 1)
            if target.column > 0 {
                bytes.append(0x3B)
                bytes.append(decimal: target.column + 1)
            }
            bytes.append(0x48)
        }
        (position, columnIsCertain) = (target, true)
    }

    private mutating func moveInRow(by distance: Int, to column: Int) {
        let columns = abs(distance)
        switch distance {
        case _ where !columnIsCertain || column == 0: moveInRow(to: column)
        case -3..<0: for _ in 0..<columns { bytes.append(0x08) }
        case _ where columns == 1 || Self.digits(columns) < Self.digits(column + 1):
            bytes.append(contentsOf: [0x1B, 0x5B])
            if columns > 1 { bytes.append(decimal: columns) }
            bytes.append(distance < 0 ? 0x44 : 0x43)
        default: moveInRow(to: column)
        }
    }

    private mutating func moveInRow(to column: Int) {
        guard column > 0 else { return bytes.append(0x0D) }
        bytes.append(contentsOf: [0x1B, 0x5B])
        bytes.append(decimal: column + 1)
        bytes.append(0x47)
    }

    private static func digits(_ number: Int) -> Int { number < 10 ? 1 : number < 100 ? 2 : number < 1000 ? 3 : 4 }
}
