import Testing

@testable import OmbiTerminal

@Suite struct FramesTests {
    private static func draw(_ frames: [(Rect, Bool)], columns: Int, rows: Int) -> Surface {
        var surface = Surface(size: Size(columns: columns, rows: rows))
        var all = Frames()
        for (rect, isHeavy) in frames { all.add(rect, isHeavy: isHeavy) }
        all.draw(on: &surface)
        return surface
    }

    private static let left = Rect(column: 0, row: 0, columns: 4, rows: 5)
    private static let top = Rect(column: 3, row: 0, columns: 5, rows: 3)
    private static let bottom = Rect(column: 3, row: 2, columns: 5, rows: 3)

    @Test func `frames share their dividers, and the heavy one shows whole`() {
        let surface = Self.draw([(Self.left, false), (Self.top, true), (Self.bottom, false)], columns: 8, rows: 5)
        #expect(
            surface.text() == """
                ╭──┲━━━┓
                │  ┃   ┃
                │  ┡━━━┩
                │  │   │
                ╰──┴───╯
                """)
        #expect(surface[3, 0].style.role == .focusedBorder)
        #expect(surface[0, 0].style.role == .border)
    }

    @Test func `a heavy frame at the left takes the divider`() {
        let surface = Self.draw([(Self.left, true), (Self.top, false), (Self.bottom, false)], columns: 8, rows: 5)
        #expect(
            surface.text() == """
                ┏━━┱───╮
                ┃  ┃   │
                ┃  ┠───┤
                ┃  ┃   │
                ┗━━┹───╯
                """)
    }

    @Test func `nothing is drawn of a frame without an inside`() {
        #expect(Self.draw([(Rect(column: 0, row: 0, columns: 1, rows: 3), true)], columns: 3, rows: 3).text() == "\n\n")
    }
}
