import CNcurses
import OmbiPlatform

/// The sequences of a terminal that lacks some of xterm's, from its description (terminfo), without the requested
/// pauses.
struct DescribedSequences: Sendable {
    let clear: [UInt8]
    /// Erases the rest of a row; empty when the terminal cannot.
    let eraseToEnd: [UInt8]
    /// Ends all traits and colours.
    let reset: [UInt8]
    let traits: Traits
    /// 0 when the colours of the foreground and of the background cannot be set by themselves.
    let colors: Int
    /// False when the cursor must not move while traits are on.
    let movesWithAttributes: Bool

    /// The parametrised ones, as `ombi_fill` takes them.
    private let position: [UInt8]
    private let foreground: [UInt8]
    private let background: [UInt8]
    /// True when red and blue have each other's numbers (`setf`).
    private let swapsColors: Bool
    /// Moves to the first column, to the next row and one column back; empty when the terminal cannot.
    private let carriageReturn: [UInt8]
    private let down: [UInt8]
    private let back: [UInt8]
    private let emphasis: [(trait: Traits, sequence: [UInt8])]

    /// Reads the current terminal.
    @MainActor
    init() {
        clear = Capability.bytes("clear")
        eraseToEnd = Capability.bytes("el")
        movesWithAttributes = Capability.isSet("msgr")
        position = Self.format("cup")
        (carriageReturn, down, back) = (Self.step("cr"), Self.step("cud1"), Self.step("cub1"))
        swapsColors = !Capability.exists("setaf")
        foreground = Self.format(swapsColors ? "setf" : "setaf")
        background = Self.format(swapsColors ? "setb" : "setab")
        let plain = Self.first(of: ["sgr0", "rmso"])
        let (ownColors, endsColors) = (Capability.bytes("op"), Self.setsGraphicRendition(plain))
        reset = plain + (endsColors && ownColors.last == UInt8(ascii: "m") ? [] : ownColors)
        let setsColors = !foreground.isEmpty && !background.isEmpty && (endsColors || !ownColors.isEmpty)
        colors = setsColors && Capability.number("xmc") == 0 ? Capability.number("colors") : 0
        emphasis = plain.isEmpty ? [] : Self.emphasis()
        traits = emphasis.reduce(into: []) { $0.formUnion($1.trait) }
    }

    /// True for a sequence that begins with the default rendition of ECMA-48 (`ESC [ m`), which has no colours.
    private static func setsGraphicRendition(_ sequence: [UInt8]) -> Bool {
        ["\u{1B}[m", "\u{1B}[0m", "\u{1B}[0;"].contains { sequence.starts(with: $0.utf8) }
    }

    /// Returns a move without parameters; empty for one that needs a pause.
    @MainActor
    private static func step(_ name: String) -> [UInt8] {
        let bytes = Capability.bytes(name)
        return Capability.is(name, String(decoding: bytes, as: UTF8.self)) ? bytes : []
    }

    @MainActor
    private static func emphasis() -> [(trait: Traits, sequence: [UInt8])] {
        // A change of attributes that takes a cell for itself would shift the rest of the row.
        guard Capability.number("xmc") == 0 else { return [] }
        var known = [(trait: Traits.reverse, sequence: first(of: ["rev", "smso"]))]
        if Capability.exists("sgr0") {
            let others: [(Traits, String)] = [
                (.bold, "bold"), (.dim, "dim"), (.italic, "sitm"), (.underline, "smul"),
            ]
            known += others.map { (trait: $0.0, sequence: Capability.bytes($0.1)) }
        }
        return known.filter { !$0.sequence.isEmpty }
    }

    @MainActor
    private static func first(of names: [String]) -> [UInt8] {
        names.first { Capability.exists($0) }.map { Capability.bytes($0) } ?? []
    }

    /// Returns a string with parameters, terminated by a zero; empty if there is none.
    @MainActor
    private static func format(_ name: String) -> [UInt8] {
        Capability.exists(name) ? Capability.bytes(name) + [0] : []
    }

    // MARK: Writing

    /// Moves the cursor, in steps if these are shorter.
    /// - Parameter start: The current position; nil if unknown.
    func write(moveTo target: Point, from start: Point?, to bytes: inout [UInt8]) {
        let end = bytes.count
        Self.write(position, target.row, target.column, to: &bytes)
        let steps = start.map { self.steps(from: $0, to: target) } ?? []
        if !steps.isEmpty, steps.count < bytes.count - end { bytes.replaceSubrange(end..., with: steps) }
    }

    /// Returns the steps to a place; none where they would be many.
    private func steps(from start: Point, to target: Point) -> [UInt8] {
        switch (target.row - start.row, start.column - target.column) {
        case (0, _) where target.column == 0: carriageReturn
        // In the first column a line feed that returns does no more than one that does not.
        case (1, _) where target.column == 0 && !carriageReturn.isEmpty && !down.isEmpty: carriageReturn + down
        case (0, 1...3): (target.column..<start.column).flatMap { _ in back }
        default: []
        }
    }

    func write(_ trait: Traits, to bytes: inout [UInt8]) {
        if let known = emphasis.first(where: { $0.trait == trait }) { bytes += known.sequence }
    }

    /// - Parameter color: a number of the palette. One that the terminal lacks is left out.
    func write(foreground color: Int, to bytes: inout [UInt8]) { write(color, foreground, to: &bytes) }

    /// - Parameter color: a number of the palette. One that the terminal lacks is left out.
    func write(background color: Int, to bytes: inout [UInt8]) { write(color, background, to: &bytes) }

    private func write(_ color: Int, _ format: [UInt8], to bytes: inout [UInt8]) {
        guard color < colors else { return }
        Self.write(format, swapsColors ? color & ~5 | (color & 1) << 2 | color >> 2 & 1 : color, 0, to: &bytes)
    }

    private static func write(_ format: [UInt8], _ first: Int, _ second: Int, to bytes: inout [UInt8]) {
        guard var next = ombi_fill(format, Int32(first), Int32(second)) else { return }
        while next.pointee != 0 {
            bytes.append(next.pointee)
            next += 1
        }
    }
}

/// The entry of a terminal in the terminfo database.
package struct TerminalDescription: Equatable, Sendable {
    /// 0 for none.
    package var colors: Int
    /// False for a terminal that no screen can be drawn on.
    package var movesCursor: Bool

    /// Nil for a name that is not in the database. Not while a screen is open: ncurses has one current terminal.
    package init?(name: String) {
        guard !name.isEmpty, ombi_use_terminal(name) else { return nil }
        colors = Int(ombi_number("colors"))
        movesCursor = ombi_capability("cup") != nil
    }
}

/// The terminal descriptions to use for a `TERM`.
enum TerminalName {
    /// Newer terminals whose own descriptions are often missing on a remote machine; they all understand xterm's.
    private static let likeXterm = ["kitty", "foot", "ghostty", "alacritty", "wezterm"]

    /// The names to try, best first.
    static func candidates(for name: String) -> [String] {
        // `xterm-kitty`, `foot-extra`: a part of the name. Parts are compared rather than searched for, which would load the
        // search of strings before the first frame.
        let parts = name.lowercased().split { !$0.isLetter }
        return parts.contains { likeXterm.contains(String($0)) } ? [name, "xterm-256color"] : [name]
    }
}

/// The capabilities of the current terminal: its entry in the terminfo database.
@MainActor
enum Capability {
    /// The bytes of a string, without the padding notes of old terminals (`$<5>`); empty if there is none.
    static func bytes(_ name: String) -> [UInt8] {
        guard let value = ombi_capability(name) else { return [] }
        var bytes: [UInt8] = []
        var rest = UnsafeRawBufferPointer(start: value, count: strlen(value))[...]
        while let byte = rest.first {
            if byte == 0x24, rest.dropFirst().first == 0x3C, let end = rest.firstIndex(of: 0x3E) {
                rest = rest[(end + 1)...]
            } else {
                bytes.append(byte)
                rest = rest.dropFirst()
            }
        }
        return bytes
    }

    /// True for a string that the terminal has in exactly that form.
    static func `is`(_ name: String, _ value: String) -> Bool {
        ombi_capability(name).map { strcmp($0, value) == 0 } ?? false
    }

    static func exists(_ name: String) -> Bool { ombi_capability(name) != nil }

    static func isSet(_ name: String) -> Bool { ombi_flag(name) }

    /// A number of the terminal; 0 if there is none.
    static func number(_ name: String) -> Int { Int(ombi_number(name)) }
}

/// The keys in the terminal's own description, for terminals that differ from the common sequences.
package enum TerminalKeys {
    private static let names: [(capability: String, key: Key)] = [
        ("kcuu1", Key(.up)), ("kcud1", Key(.down)), ("kcub1", Key(.left)), ("kcuf1", Key(.right)),
        ("khome", Key(.home)), ("kend", Key(.end)), ("kpp", Key(.pageUp)), ("knp", Key(.pageDown)),
        ("kich1", Key(.insert)), ("kdch1", Key(.delete)), ("kcbt", Key(.tab, .shift)), ("kent", Key(.enter)),
        ("kLFT", Key(.left, .shift)), ("kRIT", Key(.right, .shift)), ("kri", Key(.up, .shift)),
        ("kind", Key(.down, .shift)), ("kHOM", Key(.home, .shift)), ("kEND", Key(.end, .shift)),
        ("kDC", Key(.delete, .shift)), ("kPRV", Key(.pageUp, .shift)), ("kNXT", Key(.pageDown, .shift)),
    ]

    /// Reads the keys that send two bytes or more. Requires an open `Screen`: without one there are none.
    @MainActor
    package static func read() -> [KeySequence] {
        var keys: [KeySequence] = []
        let functions = (1...12).map { (capability: "kf\($0)", key: Key(.function($0))) }
        for (capability, key) in names + functions {
            guard let value = ombi_capability(capability) else { continue }
            let bytes = Array(String(cString: value).utf8)
            if bytes.count >= 2, bytes[0] == 0x1B { keys.append(KeySequence(bytes, key)) }
        }
        return keys
    }
}
