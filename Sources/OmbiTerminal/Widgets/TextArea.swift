/// Several lines of text under edit, with the positions of the cursor and of the first visible line.
package struct TextArea: Equatable, Sendable {
    package private(set) var lines: [TextField]
    package private(set) var row: Int
    package private(set) var offset = 0

    package init(_ text: String, row: Int = 0) {
        lines = Self.split(text).map { TextField($0) }
        self.row = min(max(0, row), lines.count - 1)
        lines[self.row].perform(.start)
    }

    package var text: String { lines.map(\.text).joined(separator: "\n") }

    package mutating func perform(_ edit: TextEdit, page: Int = 10) {
        switch edit {
        case .insert(let text): insert(text)
        case .newline: breakLine(indenting: true)
        case .deleteBackward where lines[row].cursor == 0: joinWithPrevious()
        case .deleteForward where lines[row].cursor == lines[row].characters.count: joinWithNext()
        case .left where lines[row].cursor == 0: step(to: row - 1, .end)
        case .right where lines[row].cursor == lines[row].characters.count: step(to: row + 1, .start)
        case .up: moveRow(by: -1)
        case .down: moveRow(by: 1)
        case .pageUp: moveRow(by: -page)
        case .pageDown: moveRow(by: page)
        default: lines[row].perform(edit)
        }
        scroll(page: page)
    }

    /// Draws the visible lines with their numbers and returns the cursor's position.
    package func draw(on surface: inout Surface, in rect: Rect) -> Point? {
        let gutter = String(lines.count).count + 1
        var cursor: Point?
        for line in 0..<rect.rows where offset + line < lines.count {
            let index = offset + line
            let number = String(index + 1)
            let place = Point(column: rect.column + gutter - 1 - number.count, row: rect.row + line)
            surface.write(number, at: place, style: Style(.dim))
            let text = Rect(
                column: rect.column + gutter, row: rect.row + line, columns: max(0, rect.columns - gutter), rows: 1)
            if index == row {
                cursor = lines[index].draw(on: &surface, in: text, style: Style(.plain))
            } else {
                surface.write(
                    lines[index].text, at: Point(column: text.column, row: text.row), style: Style(.plain),
                    limit: text.columns)
            }
        }
        return cursor
    }

    private mutating func insert(_ text: String) {
        let parts = Self.split(text)
        guard parts.count > 1 else { return lines[row].perform(.insert(text)) }
        let line = lines[row]
        var added = parts.map { TextField($0) }
        added[0] = TextField(String(line.characters[..<line.cursor]) + parts[0])
        added[parts.count - 1] = TextField(String(line.characters[line.cursor...]))
        added[parts.count - 1].perform(.start)
        added[parts.count - 1].perform(.insert(parts[parts.count - 1]))
        lines.replaceSubrange(row...row, with: added)
        row += parts.count - 1
    }

    private static func split(_ text: String) -> [String] {
        text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }.map(String.init)
    }

    private mutating func breakLine(indenting: Bool) {
        let line = lines[row]
        let indent = indenting ? String(line.characters.prefix { $0 == " " }.prefix(line.cursor)) : ""
        lines[row] = TextField(String(line.characters[..<line.cursor]))
        lines.insert(TextField(indent + String(line.characters[line.cursor...])), at: row + 1)
        row += 1
        lines[row].perform(.start)
        for _ in indent { lines[row].perform(.right) }
    }

    private mutating func joinWithPrevious() {
        guard row > 0 else { return }
        row -= 1
        joinWithNext()
    }

    private mutating func joinWithNext() {
        guard row + 1 < lines.count else { return }
        let place = lines[row].characters.count
        lines[row] = TextField(lines[row].text + lines.remove(at: row + 1).text)
        setColumn(place)
    }

    private mutating func step(to target: Int, _ edit: TextEdit) {
        guard lines.indices.contains(target) else { return }
        row = target
        lines[row].perform(edit)
    }

    private mutating func moveRow(by count: Int) {
        let column = lines[row].cursor
        row = min(max(0, row + count), lines.count - 1)
        setColumn(column)
    }

    private mutating func setColumn(_ column: Int) {
        lines[row].perform(.start)
        for _ in 0..<min(column, lines[row].characters.count) { lines[row].perform(.right) }
    }

    private mutating func scroll(page: Int) {
        offset = min(max(offset, row - max(0, page - 1)), row)
    }
}
