/// A screen of cells in memory. Panes draw into it, independent of the terminal; `Screen` shows it, and tests read it
/// as text. All text is made safe when it is written (see `ScalarClass`), and text outside of the surface is cut off.
package struct Surface: Equatable, Sendable {
    package private(set) var size: Size
    package private(set) var cells: [Cell]
    /// Parts whose rows scroll together, such as lists; empty for the whole surface.
    package var scrollAreas: [Rect] = []
    /// The combining marks of the cells: entry n belongs to the cells whose `marks` is n + 1.
    private var marks: [[Unicode.Scalar]] = []
    /// The numbers of the marks in their order, to be searched. A dictionary's type alone would cost 0.1 ms at the start.
    private var sortedMarks: [UInt16] = []

    /// More columns or rows than this are cut: no terminal is that large.
    private static let largest = 4096

    package init(size: Size) {
        let columns = min(max(0, size.columns), Self.largest)
        let rows = min(max(0, size.rows), Self.largest)
        self.size = Size(columns: columns, rows: rows)
        cells = [Cell](repeating: .blank, count: columns * rows)
    }

    var bounds: Rect { Rect(size) }

    /// The cell at that position; a blank one outside of the surface.
    package subscript(column: Int, row: Int) -> Cell {
        bounds.contains(Point(column: column, row: row)) ? cells[row * size.columns + column] : .blank
    }

    /// The scalars drawn on top of the cell's own.
    package func marks(of cell: Cell) -> [Unicode.Scalar] {
        cell.marks == 0 || Int(cell.marks) > marks.count ? [] : marks[Int(cell.marks) - 1]
    }

    /// The content of a row, without trailing spaces.
    package func text(row: Int) -> String {
        guard row >= 0, row < size.rows else { return "" }
        var line = String.UnicodeScalarView()
        var end = line.endIndex
        for cell in cells[row * size.columns..<(row + 1) * size.columns] where !cell.isContinuation {
            line.append(cell.scalar)
            line.append(contentsOf: marks(of: cell))
            if cell.scalar != " " || cell.marks != 0 { end = line.endIndex }
        }
        return String(line[..<end])
    }

    /// All rows, joined by line feeds, without trailing spaces, for tests to compare with a literal.
    package func text() -> String {
        (0..<size.rows).map { text(row: $0) }.joined(separator: "\n")
    }

    func hasSameRow(_ row: Int, as other: Surface) -> Bool {
        size == other.size && row >= 0 && row < size.rows && changedColumns(in: row, since: other) == nil
    }

    /// The columns of a row from the first changed one to the last; nil when none changed. Both surfaces are of the
    /// same size.
    func changedColumns(in row: Int, since other: Surface) -> Range<Int>? {
        guard size == other.size, row >= 0, row < size.rows else { return 0..<size.columns }
        let start = row * size.columns
        guard marks == other.marks else { return differences(in: 0..<size.columns, from: start, other) }
        return cells.withUnsafeBytes { mine in
            other.cells.withUnsafeBytes { theirs in
                // Cells are eight bytes without a reference, and mostly there are no marks: compared as plain memory.
                guard let mine = mine.assumingMemoryBound(to: UInt64.self).baseAddress.map({ $0 + start }),
                    let theirs = theirs.assumingMemoryBound(to: UInt64.self).baseAddress.map({ $0 + start })
                else { return nil }
                // Most rows are unchanged: their cells are compared several at a time.
                var difference: UInt64 = 0
                for column in 0..<size.columns { difference |= mine[column] ^ theirs[column] }
                guard difference != 0 else { return nil }
                var (first, end) = (0, size.columns)
                while mine[first] == theirs[first] { first += 1 }
                while mine[end - 1] == theirs[end - 1] { end -= 1 }
                return first..<end
            }
        }
    }

    /// The changed rows, each with its columns from the first changed one to the last.
    /// - Parameter other: A surface of the same size; nil to count everything as changed.
    func changes(since other: Surface?) -> [(row: Int, columns: Range<Int>)] {
        var changes: [(row: Int, columns: Range<Int>)] = []
        for row in 0..<size.rows {
            guard let other else {
                changes.append((row, 0..<size.columns))
                continue
            }
            if let columns = changedColumns(in: row, since: other) { changes.append((row, columns)) }
        }
        return changes
    }

    private func differences(in columns: Range<Int>, from start: Int, _ other: Surface) -> Range<Int>? {
        let differs = { !isSameCell(start + $0, in: other) }
        guard let first = columns.first(where: differs), let last = columns.last(where: differs) else { return nil }
        return first..<last + 1
    }

    /// True if a cell looks the same in a surface of the same size.
    func isSameCell(_ index: Int, in other: Surface) -> Bool {
        var mine = cells[index]
        let theirs = other.cells[index]
        guard mine.marks != 0 || theirs.marks != 0 else { return mine == theirs }
        guard marks(of: mine) == other.marks(of: theirs) else { return false }
        mine.marks = theirs.marks
        return mine == theirs
    }

    package static func == (left: Surface, right: Surface) -> Bool {
        left.size == right.size && (0..<left.size.rows).allSatisfy { left.hasSameRow($0, as: right) }
    }

    // MARK: Cells

    /// Puts a glyph inside of the surface and blanks the other half of a wide character that it cuts in two.
    package mutating func put(_ glyph: Glyph, column: Int, row: Int, style: Style) {
        guard row >= 0, row < size.rows, column >= 0, column + glyph.width <= size.columns else { return }
        let index = row * size.columns + column
        breakWide(at: index)
        if glyph.width == 2 {
            breakWide(at: index + 1)
            cells[index + 1] = .continuation(style: style)
        }
        cells[index] = Cell(glyph.scalar, width: glyph.width, style: style, marks: number(of: glyph.marks))
    }

    /// Puts plain ASCII into a row: nearly everything on a screen.
    mutating func putPlain(_ text: Slice<UnsafeBufferPointer<UInt8>>, column: Int, row: Int, style: Style) {
        let columns = max(0, column)..<max(0, column, min(size.columns, column + text.count))
        guard row >= 0, row < size.rows, let last = columns.last else { return }
        let start = row * size.columns
        // Only at the two ends can the other half of a wide character lie outside.
        for end in [columns.lowerBound, last] where cells[start + end].width != 1 { breakWide(at: start + end) }
        cells.withUnsafeMutableBufferPointer { cells in
            for place in columns {
                cells[start + place] = Cell(Unicode.Scalar(text[text.startIndex + place - column]), style: style)
            }
        }
    }

    /// Puts a cell of one column without marks inside of the surface.
    package mutating func put(_ cell: Cell, column: Int, row: Int) {
        guard row >= 0, row < size.rows, column >= 0, column < size.columns, cell.width == 1, cell.marks == 0 else {
            return
        }
        let index = row * size.columns + column
        breakWide(at: index)
        cells[index] = cell
    }

    /// Fills columns inside of the surface with one scalar of one column.
    mutating func fillRow(_ row: Int, _ columns: Range<Int>, _ scalar: Unicode.Scalar, _ style: Style) {
        guard row >= 0, row < size.rows, columns.lowerBound >= 0, columns.upperBound <= size.columns,
            let last = columns.last
        else { return }
        let start = row * size.columns
        // Only at the two ends can the other half of a wide character lie outside.
        for end in [columns.lowerBound, last] where cells[start + end].width != 1 { breakWide(at: start + end) }
        let cell = Cell(scalar, style: style)
        cells.withUnsafeMutableBufferPointer { cells in
            for column in columns { cells[start + column] = cell }
        }
    }

    /// Changes the style of the cells and keeps their content. Half of a wide character restyles all of it.
    package mutating func restyle(_ rect: Rect, _ change: (Style) -> Style) {
        let area = rect.intersection(bounds)
        for row in area.row..<max(area.row, area.endRow) {
            for column in area.column..<max(area.column, area.endColumn) {
                let index = row * size.columns + column
                let style = change(cells[index].style)
                cells[index].style = style
                if column == area.column, cells[index].isContinuation, column > 0 { cells[index - 1].style = style }
                if column == area.endColumn - 1, cells[index].width == 2, column + 1 < size.columns {
                    cells[index + 1].style = style
                }
            }
        }
    }

    /// Blanks the other half of a wide character, if there is one.
    private mutating func breakWide(at index: Int) {
        let cell = cells[index]
        if cell.width == 1 { return }
        let other = cell.isContinuation ? index - 1 : index + 1
        guard cells.indices.contains(other) else { return }
        cells[other] = Cell(" ", style: cells[other].style)
        cells[index] = Cell(" ", style: cell.style)
    }

    /// The surface after a move; cells that nothing moves into are blank.
    func scrolled(_ scroll: Scroll) -> Surface {
        var scrolled = self
        for row in scroll.rows {
            let source = row + scroll.distance
            for column in scroll.columns {
                let isBlank = !scroll.rows.contains(source)
                scrolled.cells[row * size.columns + column] = isBlank ? .blank : cells[source * size.columns + column]
            }
        }
        return scrolled
    }

    private mutating func number(of scalars: [Unicode.Scalar]) -> UInt16 {
        if scalars.isEmpty { return 0 }
        var (low, high) = (0, sortedMarks.count)
        while low < high {
            let middle = (low + high) / 2
            let known = marks[Int(sortedMarks[middle]) - 1]
            if known == scalars { return sortedMarks[middle] }
            if known.lexicographicallyPrecedes(scalars) { low = middle + 1 } else { high = middle }
        }
        guard marks.count < Int(UInt16.max) else { return 0 }
        marks.append(scalars)
        sortedMarks.insert(UInt16(marks.count), at: low)
        return UInt16(marks.count)
    }
}

/// A part of the screen whose content moves up or down: a terminal does it in a few bytes.
struct Scroll: Equatable {
    var columns: Range<Int>
    var rows: Range<Int>
    /// The rows by which the content moves up; negative for down.
    var distance: Int

    /// Fewer rows are written in about as many bytes as the move takes.
    static let fewestRows = 5
    /// Cells that can be written in the bytes that the move takes.
    private static let cost = 32
}

extension Scroll {
    /// Finds the scroll that leaves the fewest cells to be written; nil if none saves any.
    /// - Parameters:
    ///   - old: A surface of the same size.
    ///   - area: The part to scroll, in whole rows.
    ///   - changed: The rows that differ.
    init?(from old: Surface, to new: Surface, in area: Rect, changed: [Int]) {
        let area = area.intersection(new.bounds)
        let changed = changed.filter { $0 >= area.row && $0 < area.endRow }
        guard changed.count >= Self.fewestRows, Self.isLikely(from: old, to: new, area, changed),
            let moved = Self.largestMove(from: old, to: new, area, changed), moved.rows.count >= Self.fewestRows,
            let first = moved.rows.first, let last = moved.rows.last
        else { return nil }
        columns = area.column..<area.endColumn
        distance = moved.distance
        rows = min(first, first + distance)..<max(last, last + distance) + 1
        let scrolled = old.scrolled(self)
        func changes(since other: Surface) -> Int {
            rows.reduce(0) { $0 + new.changedCells(in: $1, columns, since: other) }
        }
        guard !rows.contains(where: { old.cutsWide($0, columns) }),
            changes(since: scrolled) + Self.cost < changes(since: old)
        else { return nil }
    }

    /// Compares two rows only, because nearly all frames scroll none.
    private static func isLikely(from old: Surface, to new: Surface, _ area: Rect, _ changed: [Int]) -> Bool {
        [changed[changed.count / 3], changed[changed.count * 2 / 3]].contains { row in
            let cells = new.cells(row, area)
            return (area.row..<area.endRow).contains { cells.elementsEqual(old.cells($0, area)) }
        }
    }

    /// The distance by which most of the changed rows have moved, and these rows.
    private static func largestMove(
        from old: Surface, to new: Surface, _ area: Rect, _ changed: [Int]
    ) -> (distance: Int, rows: [Int])? {
        let before = (area.row..<area.endRow).map { hash(old.cells($0, area)) }
        let after = changed.map { hash(new.cells($0, area)) }
        return (1 - before.count..<before.count).lazy.map { distance in
            let moved = changed.indices.filter {
                let source = changed[$0] - area.row + distance
                return before.indices.contains(source) && before[source] == after[$0]
            }
            return (distance, moved.map { changed[$0] })
        }.max { $0.rows.count < $1.rows.count }
    }

    /// A number that rows with different cells rarely share. Those that do are found to differ when they are written.
    private static func hash(_ cells: ArraySlice<Cell>) -> Int {
        cells.reduce(0) { ($0 ^ $1.hash) &* 0x2545_F491_4F6C_DD1D ^ ($0 >> 29) }
    }
}

extension Surface {
    fileprivate func cells(_ row: Int, _ area: Rect) -> ArraySlice<Cell> {
        cells[row * size.columns + area.column..<row * size.columns + area.endColumn]
    }

    fileprivate func changedCells(in row: Int, _ columns: Range<Int>, since other: Surface) -> Int {
        columns.count { !isSameCell(row * size.columns + $0, in: other) }
    }

    /// True if a side of a part splits a wide character.
    fileprivate func cutsWide(_ row: Int, _ columns: Range<Int>) -> Bool {
        [columns.lowerBound, columns.upperBound].contains { self[$0, row].isContinuation }
    }
}
