import CNcurses

/// The sequences of a terminal that does not understand all of xterm's, as its description has them (terminfo), without the
/// pauses that it asks for.
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
    private let emphasis: [(trait: Traits, sequence: [UInt8])]

    /// Reads the current terminal.
    @MainActor
    init() {
        clear = Capability.bytes("clear")
        eraseToEnd = Capability.bytes("el")
        movesWithAttributes = Capability.isSet("msgr")
        position = Self.format("cup")
        foreground = Self.format("setaf")
        background = Self.format("setab")
        let setsColors = Capability.exists("setaf") && Capability.exists("setab")
        colors = setsColors ? Capability.number("colors") : 0
        let plain = Self.first(of: ["sgr0", "rmso"])
        reset = plain + Capability.bytes("op")
        emphasis = plain.isEmpty ? [] : Self.emphasis()
        traits = emphasis.reduce(into: []) { $0.formUnion($1.trait) }
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

    /// Returns the first of these strings that the terminal has.
    @MainActor
    private static func first(of names: [String]) -> [UInt8] {
        names.first { Capability.exists($0) }.map { Capability.bytes($0) } ?? []
    }

    /// Returns a string with parameters, and the zero that ends it; empty when there is none.
    @MainActor
    private static func format(_ name: String) -> [UInt8] {
        Capability.exists(name) ? Capability.bytes(name) + [0] : []
    }

    // MARK: Writing

    func write(moveTo target: Point, to bytes: inout [UInt8]) {
        Self.write(position, target.row, target.column, to: &bytes)
    }

    /// Turns a trait on.
    func write(_ trait: Traits, to bytes: inout [UInt8]) {
        if let known = emphasis.first(where: { $0.trait == trait }) { bytes += known.sequence }
    }

    /// - Parameter color: a number of the palette. One that the terminal lacks is left out.
    func write(foreground color: Int, to bytes: inout [UInt8]) { write(color, foreground, to: &bytes) }

    /// - Parameter color: a number of the palette. One that the terminal lacks is left out.
    func write(background color: Int, to bytes: inout [UInt8]) { write(color, background, to: &bytes) }

    private func write(_ color: Int, _ format: [UInt8], to bytes: inout [UInt8]) {
        if color < colors { Self.write(format, color, 0, to: &bytes) }
    }

    private static func write(_ format: [UInt8], _ first: Int, _ second: Int, to bytes: inout [UInt8]) {
        guard var next = ombi_fill(format, Int32(first), Int32(second)) else { return }
        while next.pointee != 0 {
            bytes.append(next.pointee)
            next += 1
        }
    }
}
