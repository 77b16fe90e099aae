/// One line of text under edit: the text, the cursor, and the visible part.
package struct TextField: Equatable, Sendable {
    package private(set) var characters: [Character]
    package private(set) var cursor: Int

    package init(_ text: String = "") {
        characters = Array(text)
        cursor = characters.count
    }

    package var text: String { String(characters) }

    package mutating func perform(_ edit: TextEdit) {
        switch edit {
        case .insert(let text): insert(text)
        case .deleteBackward: delete(from: cursor - 1, to: cursor)
        case .deleteForward: delete(from: cursor, to: cursor + 1)
        case .deleteWordBackward: delete(from: wordStart, to: cursor)
        case .deleteToStart: delete(from: 0, to: cursor)
        case .deleteToEnd: delete(from: cursor, to: characters.count)
        case .left: cursor = max(0, cursor - 1)
        case .right: cursor = min(characters.count, cursor + 1)
        case .wordLeft: cursor = wordStart
        case .wordRight: cursor = wordEnd
        case .start, .up, .pageUp: cursor = 0
        case .end, .down, .pageDown: cursor = characters.count
        case .newline: break
        }
    }

    /// Draws the part around the cursor and returns the cursor's position.
    package func draw(on surface: inout Surface, in rect: Rect, style: Style = Style(.plain, .underline)) -> Point {
        var first = cursor
        var column = 0
        while first > 0 {
            let width = max(1, TextWidth.of(String(characters[first - 1])))
            guard column + width < rect.columns else { break }
            column += width
            first -= 1
        }
        surface.fill(rect.top(1), style: style)
        surface.write(
            String(characters[first...].prefix(max(1, rect.columns))), at: Point(column: rect.column, row: rect.row),
            style: style,
            limit: rect.columns, truncate: .none)
        return Point(column: rect.column + column, row: rect.row)
    }

    private mutating func insert(_ text: String) {
        // A pasted line break would end the field; a space keeps the words apart.
        let added = text.map { $0.isNewline ? " " : $0 }
        characters.insert(contentsOf: added, at: cursor)
        cursor += added.count
    }

    private mutating func delete(from start: Int, to end: Int) {
        let range = max(0, start)..<min(characters.count, max(0, end))
        characters.removeSubrange(range)
        cursor = range.lowerBound
    }

    private var wordStart: Int {
        var index = cursor
        while index > 0, !characters[index - 1].isWordPart { index -= 1 }
        while index > 0, characters[index - 1].isWordPart { index -= 1 }
        return index
    }

    private var wordEnd: Int {
        var index = cursor
        while index < characters.count, !characters[index].isWordPart { index += 1 }
        while index < characters.count, characters[index].isWordPart { index += 1 }
        return index
    }
}

extension Character {
    /// True for letters, digits and the underscore, which word movements pass over in one step.
    var isWordPart: Bool { isLetter || isNumber || self == "_" }
}
