import Testing

@testable import OmbiTerminal

/// Rows that only moved are found, and moving them pays.
@Suite struct ScrollTests {
    private func surface(_ lines: [String]) -> Surface {
        var surface = Surface(size: Size(columns: 40, rows: lines.count))
        for (row, line) in lines.enumerated() { surface.write(line, at: Point(column: 0, row: row)) }
        return surface
    }

    private func scroll(from old: [String], to new: [String]) -> Scroll? {
        let (old, new) = (surface(old), surface(new))
        return Scroll(from: old, to: new, in: new.bounds, changed: new.changes(since: old).map(\.row))
    }

    private func list(_ numbers: Range<Int>) -> [String] {
        numbers.map { "│ \($0 * 7919) is number \($0 * 104_729) │" }
    }

    @Test func `a list that moves is found between a title and a status line`() throws {
        let before = ["title"] + list(0..<20) + ["status"]
        #expect(scroll(from: before, to: before) == nil)
        let up = try #require(scroll(from: before, to: ["title"] + list(3..<23) + ["status 3"]))
        #expect(up.rows == 1..<21)
        #expect(up.distance == 3)
        let down = try #require(scroll(from: ["title"] + list(5..<25) + ["s"], to: before))
        #expect(down.rows == 1..<21)
        #expect(down.distance == -5)
    }

    @Test func `what moves beside something else is found in its part`() throws {
        func beside(_ lines: [String]) -> Surface {
            var surface = surface((0..<20).map { "│ \($0) collections" })
            for (row, line) in lines.enumerated() { surface.write(line, at: Point(column: 15, row: row)) }
            return surface
        }
        let (old, new) = (beside(list(0..<20)), beside(list(1..<21)))
        let changed = Array(0..<20)
        #expect(Scroll(from: old, to: new, in: new.bounds, changed: changed) == nil)
        let part = Rect(column: 15, row: 0, columns: 25, rows: 20)
        let moved = try #require(Scroll(from: old, to: new, in: part, changed: changed))
        #expect(moved == Scroll(columns: 15..<40, rows: 0..<20, distance: 1))
    }

    @Test func `nothing moves where that would save nothing`() {
        #expect(scroll(from: Array(repeating: "", count: 20), to: list(0..<20)) == nil)
        #expect(scroll(from: list(0..<20), to: list(100..<120)) == nil)
        let numbers = (0..<20).map { "line \($0)" }
        #expect(scroll(from: numbers, to: (1..<21).map { "line \($0)" }) == nil, "a digit a row")
    }

    @Test func `rows that nothing moves into are blank`() throws {
        let moved = try #require(scroll(from: list(0..<20), to: list(2..<20) + ["", ""]))
        let scrolled = surface(list(0..<20)).scrolled(moved)
        #expect(scrolled == surface(list(2..<20) + ["", ""]))
    }
}
