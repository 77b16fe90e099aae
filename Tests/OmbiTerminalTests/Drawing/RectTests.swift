import Testing

@testable import OmbiTerminal

struct RectTests {
    private let whole = Rect(column: 2, row: 1, columns: 10, rows: 6)

    @Test func `parts lie where their names say`() {
        #expect(whole.top(2) == Rect(column: 2, row: 1, columns: 10, rows: 2))
        #expect(whole.bottom(2) == Rect(column: 2, row: 5, columns: 10, rows: 2))
        #expect(whole.left(3) == Rect(column: 2, row: 1, columns: 3, rows: 6))
        #expect(whole.right(3) == Rect(column: 9, row: 1, columns: 3, rows: 6))
        #expect(whole.dropTop(2) == Rect(column: 2, row: 3, columns: 10, rows: 4))
        #expect(whole.dropBottom(2) == Rect(column: 2, row: 1, columns: 10, rows: 4))
        #expect(whole.dropLeft(3) == Rect(column: 5, row: 1, columns: 7, rows: 6))
        #expect(whole.dropRight(3) == Rect(column: 2, row: 1, columns: 7, rows: 6))
        #expect(whole.inset() == Rect(column: 3, row: 2, columns: 8, rows: 4))
        #expect(whole.line(5) == Rect(column: 2, row: 6, columns: 10, rows: 1))
        #expect(whole.centered(columns: 4, rows: 2) == Rect(column: 5, row: 3, columns: 4, rows: 2))
    }

    @Test(arguments: [-1, 0, 3, 100, Int.max, Int.min])
    func `nothing is ever negative`(_ n: Int) {
        let parts = [
            whole.top(n), whole.bottom(n), whole.left(n), whole.right(n), whole.dropTop(n), whole.dropBottom(n),
            whole.dropLeft(n), whole.dropRight(n), whole.inset(by: n), whole.line(n),
            whole.centered(columns: n, rows: n),
        ]
        for part in parts {
            #expect(part.columns >= 0 && part.rows >= 0)
            #expect(part.intersection(whole) == part || part.isEmpty)
        }
    }

    @Test func `taking cuts and keeps the rest`() {
        var rest = whole
        #expect(rest.takeTop(1).rows == 1)
        #expect(rest.takeBottom(2) == Rect(column: 2, row: 5, columns: 10, rows: 2))
        #expect(rest == Rect(column: 2, row: 2, columns: 10, rows: 3))
    }

    @Test func `contains its cells alone`() {
        #expect(whole.contains(Point(column: 2, row: 1)))
        #expect(whole.contains(Point(column: 11, row: 6)))
        #expect(!whole.contains(Point(column: 12, row: 6)))
        #expect(!whole.contains(Point(column: 11, row: 7)))
        #expect(!Rect(column: 0, row: 0, columns: 0, rows: 3).contains(Point(column: 0, row: 0)))
    }
}
