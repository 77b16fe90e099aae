import CNcurses
import Testing

@testable import OmbiTerminal

/// Terminals that lack sequences of xterm are written to as their descriptions say.
@MainActor
@Suite struct DescribedSequencesTests {
    /// The sequences of a terminal; nil when the machine has no description of it.
    private func sequences(of name: String) -> DescribedSequences? {
        guard ombi_use_terminal(name) else { return nil }
        defer { ombi_forget_terminal() }
        return TerminalSequences()?.described
    }

    /// The bytes that a pen writes on a blank screen of 80x24.
    private func text(_ described: DescribedSequences, _ write: (inout TerminalPen) -> Void) -> String {
        var pen = TerminalPen(size: Size(columns: 80, rows: 24), described: described)
        pen.clear()
        _ = pen.take()
        write(&pen)
        return String(decoding: pen.take(), as: UTF8.self)
    }

    @Test(arguments: [
        ("vt52", "\u{1B}H\u{1B}J", "\u{1B}Y$)x\u{1B}K"), ("sun", "\u{1B}[m\u{C}", "\u{1B}[5;10Hx\u{1B}[K"),
        ("vt100", "\u{1B}[m\u{F}\u{1B}[H\u{1B}[J", "\u{1B}[5;10Hx\u{1B}[K"),
        ("cons25", "\u{1B}[m\u{1B}[x\u{1B}[H\u{1B}[J", "\u{1B}[5;10Hx\u{1B}[K"),
    ])
    func `a description says how to clear, move and erase, and its pauses are left out`(
        _ name: String, _ clear: String, _ row: String
    ) throws {
        let described = try #require(sequences(of: name))
        #expect(String(decoding: described.reset + described.clear, as: UTF8.self) == clear)
        let written = text(described) { pen in
            pen.move(to: Point(column: 9, row: 4))
            pen.write("x", [], width: 1)
            pen.erase(nil, in: TextAttributes())
        }
        #expect(written == row)
    }

    @Test(arguments: [
        ("vt52", ""), ("vt100", "\u{1B}[7m\u{1B}[m\u{F}\u{1B}[1m"),
        ("xterm-color", "\u{1B}[7m\u{1B}[32m\u{1B}[m\u{1B}[1m\u{1B}[44m"),
        ("cons25", "\u{1B}[7m\u{1B}[32m\u{1B}[m\u{1B}[x\u{1B}[1m\u{1B}[44m"),
    ])
    func `what an attribute lacks is turned off with all others`(_ name: String, _ bytes: String) throws {
        let described = try #require(sequences(of: name))
        let written = text(described) { pen in
            pen.set(TextAttributes(.reverse, foreground: 2, background: nil))
            pen.set(TextAttributes(.bold, foreground: 200, background: 4))
        }
        #expect(written == bytes)
    }

    @Test func `a terminal that must not move its cursor with attributes on turns them off before`() throws {
        let described = try #require(sequences(of: "mach"))
        let written = text(described) { pen in
            pen.set(TextAttributes(.reverse, foreground: nil, background: nil))
            pen.move(to: Point(column: 0, row: 0))
        }
        #expect(written == "\u{1B}[7m\u{1B}[0m\u{1B}[1;1H")
    }

    @Test(arguments: [("vt100", "\u{8}", "\r\n"), ("ansi", "\u{1B}[D", "\r\u{1B}[B")])
    func `the cursor goes in steps where these are shorter, and by its position where its column is not certain`(
        _ name: String, _ back: String, _ nextRow: String
    ) throws {
        let described = try #require(sequences(of: name))
        let way = { (start: Point, text: Unicode.Scalar?, target: Point) in
            self.text(described) { pen in
                pen.move(to: start)
                if let text { pen.write(text, [], width: 1) }
                _ = pen.take()
                pen.move(to: target)
            }
        }
        let start = Point(column: 20, row: 4)
        #expect(way(start, nil, Point(column: 19, row: 4)) == back)
        #expect(way(start, nil, Point(column: 0, row: 4)) == "\r")
        #expect(way(start, "…", Point(column: 0, row: 4)) == "\r")
        #expect(way(start, nil, Point(column: 0, row: 5)) == nextRow)
        #expect(way(start, "…", Point(column: 20, row: 4)) == "\u{1B}[5;21H")
        #expect(way(start, nil, Point(column: 21, row: 4)) == "\u{1B}[5;22H")
        #expect(way(start, nil, Point(column: 2, row: 4)) == "\u{1B}[5;3H", "many steps are longer")
        #expect(way(Point(column: 79, row: 4), "x", Point(column: 0, row: 5)) == "\u{1B}[6;1H")
    }

    @Test func `blanks that are erased turn on no attributes`() throws {
        let described = try #require(sequences(of: "vt100"))
        let bold = TextAttributes(.bold, foreground: nil, background: nil)
        #expect(text(described) { $0.erase(nil, in: bold) } == "\u{1B}[K")
    }

    @Test(arguments: [("qansi", 8), ("vwmterm", 8), ("st52-color", 0), ("wy350", 0)])
    func `colors need an end, and attributes that take no cell`(_ name: String, _ colors: Int) {
        // Not all machines have the descriptions of old terminals.
        guard let described = sequences(of: name) else { return }
        #expect(described.colors == colors)
    }

    @Test func `colors in the older order are swapped`() {
        guard let described = sequences(of: "qansi") else { return }
        let written = text(described) { pen in
            pen.set(TextAttributes(foreground: 1, background: 4))
            pen.set(TextAttributes(foreground: 2, background: nil))
        }
        #expect(written == "\u{1B}[31m\u{1B}[44m\u{1B}[m\u{F}\u{1B}[32m")
    }

    @Test(arguments: [("hp2392", Traits.reverse), ("tvi925", [])] as [(String, Traits)])
    func `standout stands in for reverse, but not where it takes a cell`(_ name: String, _ traits: Traits) {
        // Not all machines have the descriptions of old terminals.
        guard let described = sequences(of: name) else { return }
        #expect(described.traits.intersection(.reverse) == traits)
    }

    @Test(arguments: ["xterm", "xterm-256color", "screen", "tmux-256color", "linux", "rxvt"])
    func `a terminal that understands xterm's sequences has no others`(_ name: String) {
        let isDescribed = sequences(of: name) != nil
        #expect(!isDescribed)
    }
}
