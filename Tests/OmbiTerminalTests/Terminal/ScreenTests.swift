import CNcurses
import Glibc
import OmbiDocument
import TestSupport
import Testing

@testable import OmbiTerminal

/// What the screen writes to a real terminal device shows exactly what the surface says.
@MainActor
@Suite(.serialized)
struct ScreenTests {
    /// A screen on a pseudo terminal, let go at the end.
    private func withScreen(
        _ environment: [String: String] = ["TERM": "xterm-256color"], columns: Int = 80, rows: Int = 24,
        mouse: Bool = false, _ body: (Screen, PseudoTerminal) throws -> Void
    ) throws {
        let terminal = try PseudoTerminal(columns: columns, rows: rows)
        defer { terminal.close() }
        let screen = try Screen.open(
            environment: { environment[$0] }, mouse: mouse, input: terminal.slave, output: terminal.slave)
        defer { screen.close() }
        try body(screen, terminal)
    }

    private func list(_ size: Size, selected: Int) -> Surface {
        var surface = Surface(size: size)
        let box = Rect(size).left(26)
        surface.box(box, style: Style(.focusedBorder))
        surface.write(" Collections ", at: Point(column: 2, row: 0), style: Style(.title))
        for index in 0..<box.rows - 2 {
            let line = box.inset().line(index)
            surface.write("GET", at: line.origin, style: Style(.green))
            surface.write("request number \(index)", at: Point(column: 5, row: line.row))
            if index == selected { surface.restyle(line.dropLeft(4), adding: .highlight) }
        }
        return surface
    }

    @Test(arguments: [(80, 24), (120, 34)], ["xterm-256color", "xterm", "vt100", "vt220", "linux", "screen-256color"])
    func `shows what the surface says`(_ size: (Int, Int), _ name: String) throws {
        try withScreen(["TERM": name], columns: size.0, rows: size.1) { screen, terminal in
            #expect(screen.size == Size(columns: size.0, rows: size.1))
            for selected in [0, 1, 5, 4] {
                let surface = list(screen.size, selected: selected)
                screen.show(surface, cursor: nil)
                let shown = try terminal.waitForScreen { $0.text == surface.text() }
                #expect(shown.unknown == [])
            }
        }
    }

    @Test func `shows every kind of text`() throws {
        try withScreen { screen, terminal in
            var surface = Surface(size: screen.size)
            let texts = [
                "plain", "日本語テキスト", "e\u{301}a\u{308}", "\u{1B}[31mred\u{7}", "😀 smile", "a\u{202E}b", "한글",
                "one\u{9B}two", "box ─│┌┐└┘▓░▁▂▇",
            ]
            for (row, text) in texts.enumerated() {
                surface.write(text, at: Point(column: row, row: row))
                surface.write(text, at: Point(column: 75, row: row), truncate: .none)
            }
            surface.write("corner", at: Point(column: 74, row: 23))
            screen.show(surface, cursor: Point(column: 3, row: 2))
            let shown = try terminal.waitForScreen { $0.text == surface.text() && $0.cursorIsVisible }
            #expect(shown.cursorColumn == 3)
            #expect(shown.cursorRow == 2)
            surface.fill(surface.bounds.top(9))
            screen.show(surface, cursor: nil)
            try terminal.waitForScreen { $0.text == surface.text() && !$0.cursorIsVisible }
        }
    }

    /// Emoji of Unicode 15 are unknown to the C library of Debian 12, which would give them no column at all.
    @Test func `what the C library does not know is replaced in its own width`() throws {
        try withScreen { screen, terminal in
            var surface = Surface(size: screen.size)
            let known = wcwidth(0x1FAE8) == 2
            surface.write("a\u{1FAE8}b", at: Point(column: 0, row: 0))
            screen.show(surface, cursor: nil)
            try terminal.waitForScreen { $0.line(0) == (known ? "a\u{1FAE8}b" : "a\u{FFFD} b") }
        }
    }

    /// Random changes and moves over one another, wide characters overwritten by halves: the difference that is written must
    /// always lead to the surface.
    @Test(arguments: ["xterm-256color", "xterm", "screen-256color", "linux", "vt100", "vt220", "xterm-color"])
    func `follows any change`(_ name: String) throws {
        try withScreen(["TERM": name], columns: 60, rows: 20) { screen, terminal in
            var random = SeededRandom(seed: 7)
            if name == "xterm" { screen.hasMargins() }
            var surface = Surface(size: screen.size)
            let words = ["日本", "abc", "x", "   ", "====================", "e\u{301}", "ünï", "          "]
            for _ in 0..<300 {
                for _ in 0..<Int.random(in: 1...12, using: &random) {
                    let role = Role.allCases.randomElement(using: &random) ?? .plain
                    surface.write(
                        words.randomElement(using: &random) ?? "",
                        at: Point(
                            column: .random(in: -2..<60, using: &random), row: .random(in: 0..<20, using: &random)),
                        style: Style(role), truncate: .none)
                }
                if Int.random(in: 0..<20, using: &random) == 0 { surface.fill(Rect(surface.size).top(10)) }
                if Int.random(in: 0..<4, using: &random) == 0 {
                    let rows = Int.random(in: 0..<6, using: &random)..<Int.random(in: 10..<20, using: &random)
                    let columns = Int.random(in: 0..<20, using: &random)..<Int.random(in: 40...60, using: &random)
                    let distance = Int.random(in: -4...4, using: &random)
                    // No wide character stands across the sides.
                    for side in [columns.lowerBound, columns.upperBound] {
                        surface.fill(Rect(column: side - 1, row: 0, columns: 2, rows: 20).intersection(surface.bounds))
                    }
                    surface = surface.scrolled(Scroll(columns: columns, rows: rows, distance: distance))
                    surface.scrollAreas = [Rect(column: columns.lowerBound, row: 0, columns: columns.count, rows: 20)]
                }
                screen.show(surface, cursor: nil)
                try terminal.waitForScreen { $0.text == surface.text() }
            }
            #expect(terminal.screen.unknown == [])
        }
    }

    /// Every role, each plain and highlighted, with blanks of all lengths, wide characters and marks.
    private func sampler(_ size: Size) -> Surface {
        var surface = list(size, selected: 2)
        for (index, role) in Role.allCases.enumerated() {
            let place = Point(column: 28 + index % 3 * 17, row: 1 + index / 3)
            surface.write("a  b      c 日e\u{301}", at: place, style: Style(role), limit: 16)
            if index.isMultiple(of: 2) {
                surface.restyle(Rect(column: place.column, row: place.row, columns: 14, rows: 1), adding: .highlight)
            }
        }
        surface.write(
            "end", at: Point(column: size.columns - 3, row: size.rows - 1), style: Style(.dim, .underline))
        return surface
    }

    /// The terminal of the first name understands the sequences of xterm, the other one is written to by its description.
    @Test func `a frame is the same in all sequences`() throws {
        var frames: [VirtualTerminal] = []
        for name in ["Eterm", "xterm-color"] {
            try withScreen(["TERM": name]) { screen, terminal in
                let surface = sampler(screen.size)
                for cursor in [nil, Point(column: 3, row: 4)] {
                    screen.show(surface, cursor: cursor)
                    frames.append(try terminal.waitForScreen { $0.text == surface.text() })
                }
                screen.resized()
                screen.show(surface, cursor: nil)
                frames.append(try terminal.waitForScreen { $0.text == surface.text() })
            }
        }
        for row in 0..<24 {
            for column in 0..<80 {
                let cells = frames.map { $0.cell(column: column, row: row) }
                #expect(cells.allSatisfy { $0 == cells.first }, "column \(column), row \(row)")
            }
        }
    }

    @Test func `the last cell stays blank on a terminal that would scroll after it`() throws {
        try withScreen(["TERM": "ansi"]) { screen, terminal in
            var surface = Surface(size: screen.size)
            let line = String(repeating: "x", count: screen.size.columns)
            for row in 0..<screen.size.rows { surface.write(line, at: Point(column: 0, row: row)) }
            screen.show(surface, cursor: nil)
            let shown = try terminal.waitForScreen { $0.line(23).count >= line.count - 1 && $0.line(0) == line }
            #expect(shown.line(22) == line)
            #expect(shown.line(23) == String(line.dropLast()))
        }
    }

    @Test func `another theme is shown in the sequences of a description, too`() throws {
        try withScreen(["TERM": "xterm-color"]) { screen, terminal in
            var surface = Surface(size: screen.size)
            surface.write("GET", at: Point(column: 0, row: 0), style: Style(.green))
            screen.show(surface, cursor: nil)
            try terminal.waitForScreen { $0.cell(column: 0, row: 0).attributes.foreground == "32" }
            screen.use(ThemeChoice(.none))
            screen.show(surface, cursor: nil)
            try terminal.waitForScreen {
                $0.line(0) == "GET" && $0.cell(column: 0, row: 0).attributes.foreground == nil
            }
        }
    }

    @Test func `moving the selection costs few bytes`() throws {
        try withScreen(columns: 120, rows: 34) { screen, terminal in
            screen.show(list(screen.size, selected: 3), cursor: nil)
            #expect(screen.lastFrameBytes > 200)
            var costs: [Int] = []
            for selected in [4, 5, 6, 20, 19] {
                let surface = list(screen.size, selected: selected)
                screen.show(surface, cursor: nil)
                costs.append(screen.lastFrameBytes)
                try terminal.waitForScreen {
                    $0.cell(column: 6, row: selected + 1).attributes.traits.contains(7) && $0.text == surface.text()
                }
            }
            #expect(costs.allSatisfy { $0 <= 90 }, "bytes per move: \(costs)")
            screen.show(list(screen.size, selected: 19), cursor: nil)
            #expect(screen.lastFrameBytes == 0)
        }
    }

    /// A list of long lines in a frame, with a status line below it, and another list at its left where there is room.
    private func lines(_ size: Size, from first: Int, column: Int = 0) -> Surface {
        var surface = list(size, selected: 3)
        let frame = Rect(size).dropLeft(column).dropBottom(1)
        surface.box(frame, style: Style(.focusedBorder))
        for row in 1..<32 {
            let text = "\"name\": \"user number \((first + row) * 7919)\""
            surface.write(text, at: Point(column: column + 2, row: row), style: Style(.string))
        }
        surface.write("line \(first) ", at: Point(column: column, row: 33))
        surface.scrollAreas = [frame.inset()]
        return surface
    }

    @Test(arguments: [("xterm-256color", 0), ("tmux-256color", 0), ("xterm-256color", 30)])
    func `scrolling costs few bytes`(_ name: String, _ column: Int) throws {
        try withScreen(["TERM": name], columns: 120, rows: 34) { screen, terminal in
            if column > 0 { screen.hasMargins() }
            screen.show(lines(screen.size, from: 0, column: column), cursor: nil)
            var last = 0
            for first in [1, 2, 3, 2, 5, 0] {
                let surface = lines(screen.size, from: first, column: column)
                screen.show(surface, cursor: nil)
                #expect(screen.lastFrameBytes <= 80 + 100 * abs(first - last))
                last = first
                try terminal.waitForScreen { $0.text == surface.text() }
            }
            #expect(terminal.screen.unknown == [])
        }
    }

    @Test func `colors follow the terminal and NO_COLOR`() throws {
        let cases: [([String: String], ColorDepth, String?)] = [
            (["TERM": "xterm-256color"], .many, "5;29"), (["TERM": "xterm"], .eight, "32"),
            (["TERM": "xterm-256color", "NO_COLOR": "1"], .none, nil),
            (["TERM": "xterm-256color", "NO_COLOR": ""], .many, "5;29"), (["TERM": "vt100"], .none, nil),
        ]
        for (environment, depth, color) in cases {
            try withScreen(environment) { screen, terminal in
                #expect(screen.colorDepth == depth)
                var surface = Surface(size: screen.size)
                surface.write("GET", at: Point(column: 0, row: 0), style: Style(.green))
                surface.write("selected", at: Point(column: 0, row: 1), style: Style(.plain, .highlight))
                screen.show(surface, cursor: nil)
                let shown = try terminal.waitForScreen { $0.text == surface.text() }
                #expect(shown.cell(column: 0, row: 0).attributes.foreground == color, "\(environment)")
                #expect(shown.cell(column: 0, row: 1).attributes.traits == [7], "\(environment)")
            }
        }
    }

    @Test func `other colors are written where they show`() throws {
        try withScreen { screen, terminal in
            let surface = list(screen.size, selected: 1)
            screen.show(surface, cursor: nil)
            let dark = try terminal.waitForScreen { $0.text == surface.text() }.cell(column: 1, row: 1)
            let all = screen.lastFrameBytes
            #expect(screen.adapt(to: .light))
            screen.show(surface, cursor: nil)
            #expect(screen.lastFrameBytes < all, "names keep the terminal's own colour")
            let shown = try terminal.waitForScreen { $0.cell(column: 1, row: 22) != dark && $0.text == surface.text() }
            #expect(shown.cell(column: 1, row: 1).attributes.foreground != dark.attributes.foreground)
            screen.show(surface, cursor: nil)
            #expect(screen.lastFrameBytes == 0)
        }
    }

    // MARK: Pictures

    /// Pixels of the given colours of the cube, from left to right.
    private func picture(_ size: Size, _ colors: Range<Int>) -> Surface {
        var surface = Surface(size: size)
        for (index, color) in colors.enumerated() {
            let pixels = PixelPair(rawValue: UInt16(16 + color % 216) << 8 | UInt16(16 + color / 216 % 216))
            surface.put(Cell(pixels, shade: "%"), column: index % size.columns, row: index / size.columns)
        }
        return surface
    }

    /// How many cells show what half blocks in these colours show.
    private func count(_ shown: VirtualTerminal, of surface: Surface) -> Int {
        (0..<surface.size.rows * surface.size.columns).count { index in
            let (column, row) = (index % surface.size.columns, index / surface.size.columns)
            guard let pixels = surface[column, row].pixels else { return false }
            let cell = shown.cell(column: column, row: row)
            return cell.text == "\u{2580}" && cell.attributes.foreground == "5;\(pixels.upper)"
                && cell.attributes.background == pixels.lower.map { "5;\($0)" }
        }
    }

    @Test func `a picture is drawn in half blocks in its colors`() throws {
        try withScreen { screen, terminal in
            for colors in [0..<900, 500..<1400, 3000..<3001, 0..<1920, 9000..<10920] {
                let surface = picture(screen.size, colors)
                screen.show(surface, cursor: nil)
                try terminal.waitForScreen { count($0, of: surface) == colors.count }
                #expect(terminal.screen.unknown == [])
            }
            var last = Surface(size: screen.size)
            last.put(
                Cell(PixelPair(upper: RGB(255, 0, 0), lower: nil), shade: "%"), column: 4, row: 2)
            screen.show(last, cursor: nil)
            try terminal.waitForScreen { count($0, of: last) == 1 }
        }
    }

    @Test(arguments: [["TERM": "xterm"], ["TERM": "vt100"], ["TERM": "xterm-256color", "NO_COLOR": "1"]])
    func `without the colors a picture is drawn in characters`(_ environment: [String: String]) throws {
        try withScreen(environment) { screen, terminal in
            let surface = picture(screen.size, 0..<100)
            screen.show(surface, cursor: nil)
            try terminal.waitForScreen { $0.text == surface.text() && $0.line(0) == String(repeating: "%", count: 80) }
        }
    }

    @Test func `a new size paints everything`() throws {
        try withScreen { screen, terminal in
            screen.show(list(screen.size, selected: 0), cursor: nil)
            for (columns, rows) in [(120, 34), (40, 10), (100, 30)] {
                terminal.resize(columns: columns, rows: rows)
                screen.resized()
                #expect(screen.size == Size(columns: columns, rows: rows))
                let surface = list(screen.size, selected: 1)
                screen.show(surface, cursor: nil)
                try terminal.waitForScreen { $0.text == surface.text() }
            }
        }
    }

    @Test func `takes the terminal and gives it back`() throws {
        let expected = [7, 1000, 1002, 1006, 2004]
        try withScreen(mouse: true) { screen, terminal in
            let surface = list(screen.size, selected: 0)
            screen.show(surface, cursor: nil)
            let open = try terminal.waitForScreen { $0.text == surface.text() }
            #expect(open.isAlternate)
            #expect(open.modes.sorted().filter { ![1004, 1049, 2026].contains($0) } == expected)
            #expect(!terminal.isCooked)
            #expect(!terminal.stopsOnControlS)

            screen.suspend()
            let left = try terminal.waitForScreen { !$0.isAlternate && $0.cursorIsVisible }
            #expect(left.modes.sorted() == [7, 25])
            #expect(terminal.isCooked)
            screen.show(surface, cursor: nil)
            #expect(!terminal.screen.isAlternate)

            screen.resume()
            screen.show(surface, cursor: nil)
            try terminal.waitForScreen { $0.isAlternate && $0.text == surface.text() && !$0.cursorIsVisible }
            #expect(!terminal.isCooked)
            screen.close()
            screen.close()
            try terminal.waitForScreen { !$0.isAlternate && $0.cursorIsVisible }
            #expect(terminal.isCooked)
        }
    }

    @Test(arguments: ["linux", "vt100"])
    func `without another screen the next text begins below`(_ name: String) throws {
        try withScreen(["TERM": name], columns: 40, rows: 10) { screen, terminal in
            var surface = list(screen.size, selected: 0)
            surface.write("keys", at: Point(column: 30, row: 9))
            screen.show(surface, cursor: nil)
            try terminal.waitForScreen { $0.text == surface.text() }
            screen.suspend()
            TerminalOutput.write(Array("$ ".utf8), to: terminal.slave)
            try terminal.waitForScreen { $0.line(8) == surface.text(row: 9) && $0.line(9) == "$" }
        }
    }

    @Test func `newer terminals are taken for xterm`() throws {
        for name in ["xterm-kitty", "xterm-ghostty", "foot-unheard-of"] {
            try withScreen(["TERM": name]) { screen, _ in #expect(screen.colorDepth == .many) }
        }
    }

    @Test(arguments: [
        (["TERM": "no-such-terminal"], TerminalError.unknown(name: "no-such-terminal")),
        (["TERM": "dumb"], .cannotMoveCursor(name: "dumb")), (["TERM": ""], .noName), ([:], .noName),
    ])
    func `what cannot be drawn on is refused`(_ environment: [String: String], _ error: TerminalError) throws {
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        defer { terminal.close() }
        #expect(throws: error) {
            try Screen.open(
                environment: { environment[$0] }, mouse: false, input: terminal.slave, output: terminal.slave)
        }
        #expect(terminal.isCooked)
        #expect(terminal.screen.bytesSeen == 0)
    }

    @Test func `files are no terminals`() throws {
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        defer { terminal.close() }
        let file = open("/dev/null", O_RDWR)
        defer { close(file) }
        #expect(throws: TerminalError.inputIsNotATerminal) {
            try Screen.open(environment: { ["TERM": "xterm"][$0] }, mouse: false, input: file, output: terminal.slave)
        }
        #expect(throws: TerminalError.outputIsNotATerminal) {
            try Screen.open(environment: { ["TERM": "xterm"][$0] }, mouse: false, input: terminal.slave, output: file)
        }
    }

    @Test func `the terminal's own keys are known`() throws {
        try withScreen(["TERM": "linux"]) { _, _ in
            let keys = TerminalKeys.read()
            let key = { (text: String) in keys.first { $0.bytes == Array(text.utf8) }?.key }
            #expect(key("\u{1B}[[A") == Key(.function(1)))
            #expect(key("\u{1B}[A") == Key(.up))
        }
    }
}
