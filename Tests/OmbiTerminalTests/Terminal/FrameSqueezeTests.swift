import TestSupport
import Testing

@testable import OmbiTerminal

/// Shortened frames show what those of ncurses show, in fewer bytes.
@Suite struct FrameSqueezeTests {
    @Test(arguments: [
        // What has no effect goes.
        (["a\u{1B}(B\u{1B}[mb"], ["\u{1B}[mab"]),
        (["\u{1B}]104\u{7}\u{1B}[mx"], ["\u{1B}[mx"]),
        (["\u{1B}[39;49m\u{1B}(B\u{1B}[0;7mx"], ["\u{1B}[0;7mx"]),
        // Several changes become one.
        (["\u{1B}[m\u{1B}[0;1m\u{1B}[38;5;63mx\u{1B}[m"], ["\u{1B}[0;1;38;5;63mx"]),
        // A frame begins where the last one ended.
        (["\u{1B}[0;4ma\u{1B}[m", "\u{1B}[0;4mb\u{1B}[m", "c"], ["\u{1B}[0;4ma", "b", "\u{1B}[mc"]),
        (["\u{1B}[0;1ma", "\u{1B}[31mb", "\u{1B}[32mc"], ["\u{1B}[0;1ma", "\u{1B}[31mb", "\u{1B}[32mc"]),
        // The cursor moves in any attributes; what erases takes them along.
        (["\u{1B}[0;7mx\u{1B}[m\u{1B}[5;1H"], ["\u{1B}[0;7mx\u{1B}[5;1H"]),
        (["\u{1B}[0;7mx\u{1B}[m\u{1B}[K"], ["\u{1B}[0;7mx\u{1B}[m\u{1B}[K"]),
        (["\u{1B}[0;7mx\u{1B}[m\r\n"], ["\u{1B}[0;7mx\r\u{1B}[m\n"]),
        // Colours of the palette and beyond it.
        (["\u{1B}[94m\u{1B}[100mx"], ["\u{1B}[0;94;100mx"]),
        (["\u{1B}[38;2;1;2;3mx\u{1B}[48;5;9my"], ["\u{1B}[0;38;2;1;2;3mx\u{1B}[101my"]),
        (["\u{1B}[0;1;3mx\u{1B}[22my\u{1B}[23mz"], ["\u{1B}[0;1;3mx\u{1B}[0;3my\u{1B}[mz"]),
        // The next row is a line feed away, wherever in it the text ended.
        (["\u{1B}[9;10Hget-6\u{1B}[10;10Hget-7"], ["\u{1B}[9;10H\u{1B}[mget-6\n\u{1B}[10Gget-7"]),
        (["\u{1B}[9;10Hé\u{1B}[10;10Hx"], ["\u{1B}[9;10H\u{1B}[mé\u{1B}[10;10Hx"]),
        (["\u{1B}[9;80Hx\u{1B}[10;1Hx"], ["\u{1B}[9;80H\u{1B}[mx\u{1B}[10;1Hx"]),
        (["\u{1B}[9;1Hx\u{1B}[11;1Hx", "\u{1B}[12;1Hx"], ["\u{1B}[9;1H\u{1B}[mx\u{1B}[11;1Hx", "\u{1B}[12;1Hx"]),
        // What is not understood passes, up to the next reset.
        (["\u{1B}[1m\u{1B}[38:2::1:2:3mx\u{1B}[4my\u{1B}[mz"], ["\u{1B}[0;1m\u{1B}[38:2::1:2:3mx\u{1B}[4my\u{1B}[mz"]),
        (["日本\u{1B}[1mx"], ["\u{1B}[m日本\u{1B}[1mx"]), (["\u{1B}"], ["\u{1B}[m\u{1B}"]), ([""], [""]),
        (["\u{1B}[", "\u{1B}[m"], ["\u{1B}[m\u{1B}[", ""]),
    ])
    func `a frame loses what has no effect`(_ written: [String], _ sent: [String]) {
        var squeeze = FrameSqueeze()
        let frames = written.map { String(decoding: squeeze.squeezed(Array($0.utf8), columns: 80), as: UTF8.self) }
        #expect(frames == sent)
    }

    @Test func `others find plain attributes`() {
        var squeeze = FrameSqueeze()
        _ = squeeze.squeezed(Array("\u{1B}[0;7mx\u{1B}[m".utf8), columns: 80)
        #expect(squeeze.end() == Array("\u{1B}[m".utf8))
        // They may leave any behind them.
        #expect(squeeze.squeezed(Array("\u{1B}[0;7mx".utf8), columns: 80) == Array("\u{1B}[0;7mx".utf8))
    }

    @Test(arguments: 0..<200) func `any frames show the same and are no longer`(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var squeeze = FrameSqueeze()
        var (plain, short) = (VirtualTerminal(columns: 12, rows: 4), VirtualTerminal(columns: 12, rows: 4))
        var (written, sent) = (0, 0)
        for _ in 0..<6 {
            let frame = Array(Self.frame(&random).utf8)
            let squeezed = squeeze.squeezed(frame, columns: 12)
            plain.feed(frame)
            short.feed(squeezed)
            (written, sent) = (written + frame.count, sent + squeezed.count)
            for row in 0..<4 {
                for column in 0..<12 {
                    let place = (column: column, row: row)
                    #expect(
                        short.cell(column: column, row: row) == plain.cell(column: column, row: row),
                        "seed \(seed), \(place)")
                }
            }
        }
        // The first sequence says everything, as nothing is known of the terminal.
        #expect(sent <= written + 4, "seed \(seed)")
    }

    /// A frame as ncurses writes it: it ends with plain attributes.
    private static func frame(_ random: inout SeededRandom) -> String {
        let attributes = [
            "\u{1B}[m", "\u{1B}(B\u{1B}[m", "\u{1B}[0;1m", "\u{1B}[0;7m", "\u{1B}[0;1;4m", "\u{1B}[38;5;243m",
            "\u{1B}[31m", "\u{1B}[97m", "\u{1B}[44m", "\u{1B}[39;49m", "\u{1B}[39m", "\u{1B}[49m", "\u{1B}[22m",
            "\u{1B}[27m",
        ]
        let others = [
            "a", "é", "日", " ", "\u{1B}[2;5H", "\u{1B}[3;12H", "\u{1B}[4;2H", "\u{1B}[K", "\u{1B}[3X", "\r", "\n",
            "\u{1B}[5n",
        ]
        var text = ""
        for piece in random.pick(Int(random.next() % 12), of: others) {
            text += random.pick(1, of: attributes).joined() + piece
        }
        return text + "\u{1B}(B\u{1B}[m"
    }
}
