import Testing

@testable import OmbiTerminal

struct SurfaceTests {
    private func line(
        _ text: String, columns: Int = 10, at column: Int = 0, limit: Int = .max, truncate: Truncation = .tail
    ) -> String {
        var surface = Surface(size: Size(columns: columns, rows: 1))
        surface.write(text, at: Point(column: column, row: 0), limit: limit, truncate: truncate)
        return surface.text()
    }

    @Test func `a box with text is drawn as seen`() {
        var surface = Surface(size: Size(columns: 20, rows: 5))
        let box = Rect(column: 1, row: 0, columns: 18, rows: 5)
        surface.box(box)
        surface.write(" Requests ", at: Point(column: 3, row: 0))
        let inside = box.inset()
        surface.write("GET  user by id, with orders", at: inside.origin, clip: inside)
        surface.write("日本", at: inside.line(1).origin, clip: inside)
        surface.fill(inside.line(2).left(5), with: "▓")
        #expect(
            surface.text() == """
                 ┌─ Requests ─────┐
                 │GET  user by id…│
                 │日本            │
                 │▓▓▓▓▓           │
                 └────────────────┘
                """)
    }

    @Test(arguments: [
        ("esc \u{1B}[31m", "esc ␛[31m"), ("nul\u{0}", "nul␀"), ("a\tb", "a b"), ("cr\r\n", "cr␍␊"),
        ("\u{7F}", "␡"), ("c1 \u{9B}1m", "c1 \u{FFFD}1m"), ("x\u{202E}y", "x\u{FFFD}y"),
        ("x\u{2066}y", "x\u{FFFD}y"), ("x\u{200B}y", "x\u{FFFD}y"), ("\u{FEFF}x", "\u{FFFD}x"),
        ("so\u{AD}ft", "so\u{FFFD}ft"), ("\u{2028}", "\u{FFFD}"), ("\u{3164}", "\u{FFFD}"),
        ("\u{E0041}", "\u{FFFD}"), ("\u{301}", "◌\u{301}"), ("❤\u{FE0F}!", "❤!"), ("👨\u{200D}👩", "👨👩"),
        ("👍\u{1F3FD}!", "👍!"), ("\u{200D}", "\u{FFFD}"), ("\u{FFFF}", "\u{FFFD}"),
    ])
    func `text is made safe`(_ text: String, _ shown: String) {
        #expect(line(text, columns: 20) == shown)
    }

    @Test func `no scalar reaches the terminal as a control`() {
        for value in UInt32(0)...0x2FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            for glyph in Glyphs(String(scalar)) {
                let category = glyph.scalar.properties.generalCategory
                #expect(category != .control && category != .lineSeparator && category != .surrogate)
                #expect(!glyph.scalar.properties.isBidiControl && !glyph.scalar.properties.isDefaultIgnorableCodePoint)
                #expect(glyph.width == 1 || glyph.width == 2)
                for mark in glyph.marks { #expect(TextWidth.of(mark) == 0) }
            }
        }
    }

    @Test(arguments: [
        ("abcdefghijkl", Truncation.tail, "abcdefghi…"), ("abcdefghijkl", .none, "abcdefghij"),
        ("abcdefghijkl", .head, "…defghijkl"), ("abcdefghijkl", .middle, "abcde…ijkl"),
        ("abcdefghij", .tail, "abcdefghij"), ("abcdefghi日", .tail, "abcdefghi…"), ("abcdefgh日本", .tail, "abcdefgh …"),
        ("abcdefghi日", .none, "abcdefghi"), ("日本日本日本", .head, "…日本日本"), ("日本日本日本", .middle, "日本…日本"),
        ("", .tail, ""),
    ])
    func `long text is cut`(_ text: String, _ truncation: Truncation, _ shown: String) {
        #expect(line(text, truncate: truncation) == shown)
    }

    @Test func `a limit and the edges cut`() {
        #expect(line("abcdef", at: 2, limit: 3) == "  ab…")
        #expect(line("abcdef", at: -2) == "cdef")
        #expect(line("日本", at: -1) == " 本")
        #expect(line("abc", at: 8) == "        a…")
        #expect(line("abc", at: 10) == "")
        #expect(line("abc", at: .min) == "")
        #expect(line("abc", at: .max) == "")
        #expect(line("abc", limit: 0) == "")
        #expect(line("abc", limit: -5) == "")
    }

    @Test func `writing tells the columns used`() {
        var surface = Surface(size: Size(columns: 10, rows: 2))
        #expect(surface.write("abc", at: Point(column: 0, row: 0)) == 3)
        #expect(surface.write("日本", at: Point(column: 3, row: 0)) == 4)
        #expect(surface.write("e\u{301}", at: Point(column: 7, row: 0)) == 1)
        #expect(surface.write("longer", at: Point(column: 8, row: 0)) == 2)
        #expect(surface.write("outside", at: Point(column: 0, row: 2)) == 0)
        #expect(surface.text() == "abc日本e\u{301}l…\n")
    }

    @Test func `half of a wide character is blanked when the other is overwritten`() {
        var surface = Surface(size: Size(columns: 8, rows: 1))
        surface.write("日本語", at: Point(column: 0, row: 0))
        surface.write("x", at: Point(column: 1, row: 0))
        surface.write("y", at: Point(column: 4, row: 0))
        #expect(surface.text() == " x本y")
        surface.write("語", at: Point(column: 3, row: 0))
        #expect(surface.text() == " x 語")
    }

    @Test func `marks stack in one cell up to a limit`() {
        var surface = Surface(size: Size(columns: 4, rows: 1))
        surface.write("a" + String(repeating: "\u{301}", count: 50) + "b", at: Point(column: 0, row: 0))
        #expect(surface.text() == "a\u{301}\u{301}\u{301}\u{301}b")
        #expect(surface[1, 0].scalar == "b")
    }

    @Test func `cells compared as plain memory have no gaps`() {
        #expect(MemoryLayout<Cell>.size == MemoryLayout<UInt64>.size)
        #expect(MemoryLayout<Cell>.stride == MemoryLayout<UInt64>.stride)
    }

    @Test func `the changed columns of a row are found`() {
        var before = Surface(size: Size(columns: 12, rows: 1))
        before.write("abcdefgh", at: Point(column: 0, row: 0))
        var after = before
        #expect(after.changedColumns(in: 0, since: before) == nil)
        after.write("C", at: Point(column: 2, row: 0))
        after.write("é", at: Point(column: 6, row: 0), style: Style(.dim))
        #expect(after.changedColumns(in: 0, since: before) == 2..<7)
        after = before
        after.write("a\u{301}", at: Point(column: 0, row: 0))
        #expect(after.changedColumns(in: 0, since: before) == 0..<1)
    }

    @Test func `surfaces are equal when they show the same`() {
        var first = Surface(size: Size(columns: 6, rows: 2))
        var second = first
        first.write("e\u{301}", at: Point(column: 0, row: 0))
        first.write("o\u{308}", at: Point(column: 0, row: 1))
        second.write("o\u{308}", at: Point(column: 0, row: 1))
        #expect(first != second)
        #expect(first.hasSameRow(1, as: second))
        second.write("e\u{301}", at: Point(column: 0, row: 0))
        #expect(first == second)
        second.restyle(second.bounds.top(1), adding: .highlight)
        #expect(first != second)
    }

    @Test func `restyling keeps the text`() {
        var surface = Surface(size: Size(columns: 6, rows: 1))
        surface.write("日本x", at: Point(column: 0, row: 0), style: Style(.string))
        surface.restyle(Rect(column: 1, row: 0, columns: 2, rows: 1), adding: .bold)
        #expect(surface.text() == "日本x")
        #expect((0..<5).map { surface[$0, 0].style.traits } == [.bold, .bold, .bold, .bold, []])
        #expect(surface[0, 0].style.role == .string)
    }

    @Test func `strange sizes are harmless`() {
        var empty = Surface(size: Size(columns: 0, rows: -3))
        empty.write("x", at: Point(column: 0, row: 0))
        empty.fill(Rect(column: -5, row: -5, columns: .max, rows: .max))
        empty.box(Rect(column: .min, row: .min, columns: .max, rows: .max))
        #expect(empty.text() == "")
        #expect(Surface(size: Size(columns: .max, rows: 1)).size.columns == 4096)
        #expect(empty[3, 3] == .blank)
    }

    @Test func `a cell is eight bytes`() {
        #expect(MemoryLayout<Cell>.stride == 8)
    }
}
