import OmbiPlatform

/// The sequences of the terminal, read once from its description (terminfo). Nearly all terminals understand those of
/// xterm (ECMA-48), which `TerminalPen` writes; they differ in the few that are stored here. The others have
/// `described`.
@MainActor
struct TerminalSequences {
    /// Takes the screen: the alternate one, blank, with plain attributes.
    let enter: [UInt8]
    let leave: [UInt8]
    let hideCursor: [UInt8]
    let showCursor: [UInt8]
    /// True when characters can be erased in the middle of a row (ECH, `ESC [ n X`).
    let erasesCharacters: Bool
    /// True when the rest of a row can be erased.
    let erasesRows: Bool
    /// True when a part of the screen can be scrolled (DECSTBM, SU and SD).
    let scrolls: Bool
    /// False when a character in the last column of the last row scrolls the screen.
    let fillsCorner: Bool
    let colors: Int
    /// Nil for a terminal that understands the sequences of xterm.
    let described: DescribedSequences?
    /// The traits that it shows, and those among them that it cannot combine with colours.
    private let traits: Traits
    private let colorlessTraits: Traits

    /// Reads the current terminal. Nil for one that cannot move its cursor.
    init?() {
        guard Capability.exists("cup") else { return nil }
        described = Self.isLikeXterm ? nil : DescribedSequences()
        colors = described?.colors ?? Capability.number("colors")
        erasesRows = described?.eraseToEnd != []
        erasesCharacters = erasesRows && Capability.is("ech", "\u{1B}[%p1%dX")
        scrolls =
            described == nil && Capability.is("csr", "\u{1B}[%i%p1%d;%p2%dr")
            && Capability.is("indn", "\u{1B}[%p1%dS") && Capability.is("rin", "\u{1B}[%p1%dT")
        fillsCorner = described == nil || Capability.isSet("xenl") || !Capability.isSet("am")
        traits = described?.traits ?? Self.traits()
        colorlessTraits = Self.colorlessTraits()
        hideCursor = Capability.bytes("civis")
        showCursor = Capability.bytes("cnorm")
        enter = ["smcup", "rmir", "smam", "sgr0"].flatMap(Capability.bytes)
        leave = Self.leaving
    }

    /// Plain text in the terminal's own colours, the cursor, and the screen from before.
    static var leaving: [UInt8] { ["sgr0", "op", "cnorm", "rmcup"].flatMap(Capability.bytes) }

    /// False for a terminal with other sequences, or one that needs pauses after them.
    private static var isLikeXterm: Bool {
        // With the flag, what is written into the last column leaves the cursor there.
        Capability.is("cup", "\u{1B}[%i%p1%d;%p2%dH") && Capability.is("hpa", "\u{1B}[%i%p1%dG")
            && Capability.is("el", "\u{1B}[K") && Capability.is("cuf", "\u{1B}[%p1%dC")
            && Capability.is("cub", "\u{1B}[%p1%dD") && Capability.isSet("xenl") && setsColors
    }

    /// True for 256 colours or more: all such terminals know the numbers of the palette, whatever their description
    /// says.
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

    /// The bits of `ncv` are in terminfo(5).
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

/// The sequences outside of frames: to take the terminal, to restore it, around a large frame.
@MainActor
struct ScreenSequences {
    let enter: [UInt8]
    let leave: [UInt8]
    /// `leave`, preceded by the sequences that the frame writer would have written.
    let leaveAfterCrash: [UInt8]
    /// A request for the colour of the background (OSC 11), ignored by terminals that do not know it.
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
        leaveAfterCrash = endFrame + leave + TerminalSequences.leaving
    }
}

/// Output to the terminal, to files and to pipes.
package enum Descriptor {
    /// Writes all bytes, in one call if the system accepts them, and waits for a descriptor that does not block.
    /// - Returns: The `errno` of a failure; nil on success.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32? {
        var start = 0
        while start < bytes.count {
            let count = OmbiPlatform.write(descriptor, bytes.baseAddress.map { $0 + start }, bytes.count - start)
            if count > 0 {
                start += count
            } else if count == 0 {
                return ENOSPC
            } else if errno == EAGAIN {
                // Shared with a program that made it non-blocking: wait until it takes more.
                var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                if poll(&ready, 1, -1) < 0, errno != EINTR { return errno }
            } else if errno != EINTR {
                return errno
            }
        }
        return nil
    }

    /// True once nobody can read any more what is written.
    package static func isHungUp(_ descriptor: Int32) -> Bool {
        var request = pollfd(fd: descriptor, events: 0, revents: 0)
        return poll(&request, 1, 0) > 0 && request.revents & Int16(POLLERR | POLLHUP) != 0
    }
}

/// The terminal as a descriptor.
package enum TerminalOutput {
    /// Writes all bytes. Returns false if the terminal has closed, which the end of the input will report.
    @discardableResult
    package static func write(_ bytes: [UInt8], to descriptor: Int32 = 1) -> Bool {
        bytes.withUnsafeBytes { Descriptor.write($0, to: descriptor) } == nil
    }

    /// The size that the terminal reports, or else 80×24.
    package static func size(of descriptor: Int32 = 1) -> Size {
        var window = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
            return Size(columns: 80, rows: 24)
        }
        return Size(columns: min(Int(window.ws_col), 4096), rows: min(Int(window.ws_row), 4096))
    }
}

/// The reason why the terminal cannot be drawn on.
package enum TerminalError: Error, Equatable {
    case inputIsNotATerminal
    case outputIsNotATerminal
    case noName
    case unknown(name: String)
    case cannotMoveCursor(name: String)
    case system(step: String, code: Int32)
}

/// The line discipline: the original one, and the raw mode in which every key arrives as bytes.
struct TerminalModes {
    let found: termios
    let input: Int32

    /// Reads the modes of the terminal on a descriptor; nil when it is not a terminal.
    init?(input: Int32) {
        var current = termios()
        guard tcgetattr(input, &current) == 0 else { return nil }
        found = current
        self.input = input
    }

    /// No echo, no lines, no signals from keys, no flow control (Ctrl+S), output as it is.
    func enterRaw() {
        var raw = found
        cfmakeraw(&raw)
        raw.c_iflag &= ~tcflag_t(IXON | IXOFF)
        withUnsafeMutableBytes(of: &raw.c_cc) { characters in
            characters[Int(VMIN)] = 1
            characters[Int(VTIME)] = 0
        }
        set(raw)
    }

    func restore() { set(found) }

    /// Reads input and drops it until a byte has come so many times, or nothing comes for half a second.
    func discardInput(until last: UInt8, times: Int) {
        var left = times
        var byte: UInt8 = 0
        while left > 0 {
            var wait = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, 500) > 0, read(input, &byte, 1) == 1 else { return }
            if byte == last { left -= 1 }
        }
    }

    private func set(_ modes: termios) {
        var modes = modes
        while tcsetattr(input, TCSADRAIN, &modes) != 0, errno == EINTR {}
    }
}

/// Writes characters and sequences in few bytes. It tracks the position of the cursor and the active attributes, also
/// across frames.
struct TerminalPen {
    let size: Size
    private let described: DescribedSequences?
    private(set) var attributes: TextAttributes?
    /// The position of the cursor; nil if unknown, as after the last column.
    private(set) var position: Point?
    /// False after characters whose width varies between terminals.
    private var columnIsCertain = true
    private var bytes: [UInt8] = []

    /// - Parameter described: the sequences of a terminal that lacks some of xterm's.
    init(size: Size, described: DescribedSequences? = nil) {
        self.size = size
        self.described = described
    }

    /// Returns what was written since the last call.
    mutating func take() -> [UInt8] { exchange(&bytes, with: []) }

    mutating func write(_ sequence: [UInt8]) { bytes.append(contentsOf: sequence) }

    mutating func forgetPosition() { position = nil }

    /// Makes the whole screen blank, without attributes.
    mutating func clear() {
        attributes = TextAttributes()
        if let described {
            write(described.reset + described.clear)
            return forgetPosition()
        }
        write("\u{1B}[m\u{1B}[H\u{1B}[2J")
        (position, columnIsCertain) = (Point(column: 0, row: 0), true)
    }

    mutating func set(_ wanted: TextAttributes) {
        guard wanted != attributes else { return }
        if let described {
            wanted.write(after: attributes, by: described, to: &bytes)
        } else {
            wanted.write(after: attributes, to: &bytes)
        }
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

    /// Erases columns from the cursor, which does not move.
    /// - Parameters:
    ///   - columns: nil for all to the end of the row.
    ///   - wanted: The attributes of the blanks; none of them is visible there.
    mutating func erase(_ columns: Int?, in wanted: TextAttributes) {
        // With attributes on, described terminals differ in what they leave behind.
        set(described == nil ? wanted : TextAttributes())
        if let described, columns == nil { return write(described.eraseToEnd) }
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
        defer { (position, columnIsCertain) = (target, true) }
        if let described {
            if !described.movesWithAttributes { set(TextAttributes()) }
            // Terminals agree about the first column, whatever the widths of characters.
            let start = columnIsCertain || target.column == 0 ? position : nil
            return described.write(moveTo: target, from: start, to: &bytes)
        }
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
