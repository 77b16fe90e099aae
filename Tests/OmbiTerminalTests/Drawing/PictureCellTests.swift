import OmbiDocument
import Testing

@testable import OmbiTerminal

@Suite struct PictureCellTests {
    @Test(arguments: [
        (RGB(0, 0, 0), 16), (RGB(255, 255, 255), 231), (RGB(255, 0, 0), 196), (RGB(0, 255, 0), 46),
        (RGB(0, 0, 255), 21), (RGB(95, 135, 175), 67), (RGB(120, 120, 120), 243), (RGB(18, 18, 18), 233),
        (RGB(250, 5, 3), 196), (RGB(240, 240, 238), 255), (RGB(1, 2, 1), 16), (RGB(95, 95, 95), 59),
    ])
    func `a colour becomes the one of the palette that looks most like it`(color: RGB, wanted: Int) {
        #expect(Int(PaletteColor.nearest(to: color)) == wanted)
    }

    @Test func `every colour of the fixed palette is its own nearest`() {
        let levels: [UInt8] = [0, 95, 135, 175, 215, 255]
        for number in 16...255 {
            let cube = number - 16
            let grey = UInt8(truncatingIfNeeded: 8 + 10 * (number - 232))
            let color =
                number >= 232
                ? RGB(grey, grey, grey) : RGB(levels[cube / 36], levels[cube / 6 % 6], levels[cube % 6])
            #expect(Int(PaletteColor.nearest(to: color)) == number, "\(color)")
        }
    }

    @Test func `the brighter, the more ink`() {
        #expect(Shade.scalar(for: 0) == " ")
        #expect(Shade.scalar(for: 255) == "@")
        #expect([-5, 30, 128, 999].map { Shade.scalar(for: $0) } == [" ", ".", "+", "@"])
    }

    @Test func `a cell holds two pixels and is no larger than before`() {
        #expect(MemoryLayout<Cell>.stride == 8)
        let cell = Cell(PixelPair(upper: RGB(255, 0, 0), lower: RGB(0, 0, 255)), shade: ":")
        #expect((cell.pixels?.upper, cell.pixels?.lower) == (196, 21))
        #expect((cell.scalar, cell.width, cell.marks) == (":", 1, 0))
        let last = Cell(PixelPair(upper: RGB(0, 0, 0), lower: nil), shade: " ")
        #expect((last.pixels?.upper, last.pixels?.lower) == (16, nil))
        #expect(Cell("x", marks: 7).pixels == nil)
    }

    @Test func `a picture on a surface takes wide characters apart, and shows where it changed`() {
        var surface = Surface(size: Size(columns: 6, rows: 1))
        surface.write("a日本e\u{301}", at: Point(column: 0, row: 0))
        let before = surface
        let cell = Cell(PixelPair(upper: RGB(255, 0, 0), lower: nil), shade: "#")
        surface.put(cell, column: 2, row: 0)
        surface.put(cell, column: 9, row: 9)
        #expect(surface.text(row: 0) == "a #本e\u{301}")
        #expect(surface.changedColumns(in: 0, since: before) == 1..<3)
        var other = before
        other.put(Cell(PixelPair(upper: RGB(0, 255, 0), lower: nil), shade: "#"), column: 2, row: 0)
        #expect(surface.text() == other.text())
        #expect(surface != other)
    }
}
