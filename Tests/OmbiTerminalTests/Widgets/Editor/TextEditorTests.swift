import OmbiDocument
import TestSupport
import Testing

@testable import OmbiTerminal

/// Several lines under edit.
@Suite struct TextEditorTests {
    private static func editor(_ text: String, line: Int = 0, column: Int = 0) -> TextEditor {
        var editor = TextEditor(text, line: line)
        for _ in 0..<column { editor.perform(.move(.right)) }
        return editor
    }

    /// The text with a bar where the cursor stands.
    private static func marked(_ editor: TextEditor) -> String {
        let (buffer, cursor) = (editor.buffer, editor.text.cursor)
        return buffer.text(0..<cursor) + "|" + buffer.text(cursor..<buffer.count)
    }

    @Test func `a view that grows leaves none of its rows empty while there is text above`() {
        var editor = TextEditor("one\ntwo\nthree\nfour", line: 3, size: Size(columns: 20, rows: 2))
        #expect(Self.text(editor, rows: 2) == ["three", "four"])
        editor.resize(to: Size(columns: 20, rows: 8))
        #expect(Self.text(editor, rows: 8) == ["one", "two", "three", "four"])
    }

    /// The lines that show, without their numbers.
    private static func text(_ editor: TextEditor, rows: Int) -> [String] {
        var surface = Surface(size: Size(columns: 20, rows: rows))
        _ = editor.draw(on: &surface, in: Rect(surface.size))
        return surface.text().split(separator: "\n").compactMap { $0.split(separator: " ").last.map(String.init) }
    }

    struct Step: Sendable {
        var row: Int
        var column: Int
        var edit: TextEdit
        var after: String

        init(_ row: Int, _ column: Int, _ edit: TextEdit, _ after: String) {
            (self.row, self.column, self.edit, self.after) = (row, column, edit, after)
        }
    }

    @Test(arguments: [
        Step(0, 1, .insert("x"), "ax|b\n  cd\n"), Step(0, 1, .insert("1\n2\r\n3\r4"), "a1\n2\n3\n4|b\n  cd\n"),
        Step(1, 3, .newline, "ab\n  c\n  |d\n"), Step(1, 1, .newline, "ab\n \n | cd\n"),
        Step(0, 0, .newline, "\n|ab\n  cd\n"),
        Step(1, 0, .deleteBackward, "ab|  cd\n"), Step(0, 0, .deleteBackward, "|ab\n  cd\n"),
        Step(0, 2, .deleteForward, "ab|  cd\n"), Step(2, 0, .deleteForward, "ab\n  cd\n|"),
        Step(1, 0, .move(.left), "ab|\n  cd\n"), Step(0, 0, .move(.left), "|ab\n  cd\n"),
        Step(0, 2, .move(.right), "ab\n|  cd\n"),
        Step(2, 0, .move(.right), "ab\n  cd\n|"), Step(1, 4, .move(.up), "ab|\n  cd\n"),
        Step(0, 2, .move(.down), "ab\n  |cd\n"),
        Step(1, 3, .move(.down), "ab\n  cd\n|"), Step(0, 1, .move(.up), "a|b\n  cd\n"),
        Step(0, 1, .move(.pageDown), "ab\n  cd\n|"),
        Step(2, 0, .move(.pageUp), "|ab\n  cd\n"), Step(1, 2, .move(.end), "ab\n  cd|\n"),
        Step(1, 2, .move(.start), "ab\n|  cd\n"),
        Step(1, 2, .deleteToEnd, "ab\n  |\n"), Step(1, 3, .deleteToStart, "ab\n|d\n"),
        Step(1, 4, .deleteWordBackward, "ab\n  |\n"),
    ])
    func `an edit does what its name says`(step: Step) {
        var editor = Self.editor("ab\n  cd\n", line: step.row, column: step.column)
        editor.perform(step.edit)
        #expect(Self.marked(editor) == step.after)
    }

    @Test(arguments: ["", "\n", "a", "a\nb", "a\n\nb\n", "日本\n👨‍👩‍👧"]) func `a text that is not touched stays`(text: String)
    {
        #expect(TextEditor(text).buffer.text == text)
    }

    @Test(arguments: [false, true]) func `lines that end with CR LF show as others do`(wraps: Bool) {
        var editor = TextEditor("one\r\ntwo\r\n\r\nfour", line: 3)
        editor.wraps = wraps
        #expect(Self.text(editor, rows: 4) == ["one", "two", "3", "four"])
        editor.perform(.move(.end))
        for after in ["one\r\ntwo\r\n|\r\nfour", "one\r\ntwo|\r\n\r\nfour", "one|\r\ntwo\r\n\r\nfour"] {
            editor.perform(.move(.up))
            #expect(Self.marked(editor) == after)
        }
        editor.perform(.move(.pageDown))
        #expect(editor.position.line == 4)
    }

    @Test(arguments: [-5, 99]) func `it opens on a line that exists`(row: Int) {
        #expect((1...2).contains(TextEditor("a\nb", line: row).position.line))
    }

    @Test(arguments: 0..<20) func `the cursor shows after any edit`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let text = "one\n  two\n\nthree".replacing("\n", with: seed.isMultiple(of: 2) ? "\n" : "\r\n")
        var editor = TextEditor(text, size: Size(columns: 20, rows: 4))
        let edits: [TextEdit] = [
            .insert("a"), .insert("日\n本"), .newline, .deleteBackward, .deleteForward, .move(.left), .move(.right),
            .move(.up), .move(.down),
            .move(.pageUp),
            .move(.pageDown), .move(.start), .move(.end), .move(.wordLeft), .move(.wordRight), .deleteToEnd,
            .deleteWordBackward,
        ]
        for _ in 0..<100 {
            let edit = edits.randomElement(using: &random) ?? .move(.end)
            editor.perform(edit)
            var surface = Surface(size: Size(columns: 24, rows: 8))
            let rect = Rect(column: 2, row: 2, columns: 20, rows: 4)
            let cursor = editor.draw(on: &surface, in: rect)
            #expect(cursor.map(rect.contains) == true, "\(edit): \(Self.marked(editor))")
        }
    }

    @Test func `lines are numbered`() {
        var surface = Surface(size: Size(columns: 12, rows: 4))
        let text = (1...11).map { "l\($0)" }.joined(separator: "\n")
        _ = TextEditor(text, line: 10, size: Size(columns: 12, rows: 3)).draw(
            on: &surface, in: Rect(column: 0, row: 0, columns: 12, rows: 3))
        #expect(surface.text() == " 9 l9\n10 l10\n11 l11\n")
    }

    @Test func `a paste of many lines goes in between, and is quick`() {
        var editor = TextEditor("ab\ncd")
        editor.perform(.move(.right))
        let pasted = (0..<50_000).map { "line \($0)" }.joined(separator: "\n")
        editor.perform(.insert(pasted))
        #expect(editor.buffer.text == "a" + pasted + "b\ncd")
        #expect(editor.position.line == 50_000)
        editor.perform(.insert("X"))
        #expect(editor.buffer.text == "a" + pasted + "Xb\ncd")
    }

    // MARK: The view

    private static func drawn(_ editor: TextEditor, columns: Int, rows: Int) -> (text: String, cursor: Point?) {
        var surface = Surface(size: Size(columns: columns, rows: rows))
        let cursor = editor.draw(on: &surface, in: Rect(Size(columns: columns, rows: rows)))
        return (surface.text(), cursor)
    }

    @Test func `a long line scrolls sideways with the cursor`() {
        var editor = TextEditor("0123456789abcdefghij\nx", size: Size(columns: 10, rows: 2))
        #expect(Self.drawn(editor, columns: 10, rows: 2).text == "1 0123456…\n2 x")
        editor.perform(.move(.end))
        let (text, cursor) = Self.drawn(editor, columns: 10, rows: 2)
        #expect(text == "1 efghij\n2")
        #expect(cursor == Point(column: 8, row: 0))
        editor.perform(.move(.start))
        #expect(Self.drawn(editor, columns: 10, rows: 2).text == "1 0123456…\n2 x")
    }

    @Test func `a long line wraps, and the cursor goes from row to row`() {
        var editor = TextEditor("0123456789abcdef\nx", size: Size(columns: 10, rows: 4))
        editor.wraps = true
        #expect(Self.drawn(editor, columns: 10, rows: 4).text == "1 0123456\n  789abcd\n  ef\n2 x")
        editor.perform(.move(.right))
        editor.perform(.move(.down))
        #expect(Self.drawn(editor, columns: 10, rows: 4).cursor == Point(column: 3, row: 1))
        editor.perform(.move(.down))
        editor.perform(.move(.down))
        #expect(Self.drawn(editor, columns: 10, rows: 4).cursor == Point(column: 3, row: 3))
        editor.perform(.move(.up))
        editor.perform(.move(.up))
        #expect(editor.position.column == 9)
    }

    @Test func `moves up and down keep to their column`() {
        var editor = Self.editor("abcd\nx\nabcd", column: 3)
        editor.perform(.move(.down))
        #expect(Self.marked(editor) == "abcd\nx|\nabcd")
        editor.perform(.move(.down))
        #expect(Self.marked(editor) == "abcd\nx\nabc|d")
    }

    @Test func `a click places the cursor, and the wheel scrolls the view alone`() {
        let text = (1...30).map { "line \($0)" }.joined(separator: "\n")
        var editor = TextEditor(text, size: Size(columns: 20, rows: 4))
        editor.click(Point(column: 5, row: 2))
        #expect(editor.position == TextPosition(line: 3, column: 3))
        editor.click(Point(column: 99, row: 3), selecting: true)
        #expect(editor.text.selected.map(editor.buffer.text) == "ne 3\nline 4")
        editor.scroll(by: 10)
        let (rows, cursor) = Self.drawn(editor, columns: 20, rows: 4)
        #expect(rows.hasPrefix("11 line 11\n"))
        #expect(cursor == nil)
        editor.scroll(by: 100)
        #expect(Self.drawn(editor, columns: 20, rows: 4).text.hasPrefix("27 line 27\n"))
        editor.perform(.move(.left))
        #expect(Self.drawn(editor, columns: 20, rows: 4).cursor != nil)
    }

    @Test func `brackets, the selection and marks show`() {
        var editor = TextEditor("{ \"a\": 1 }", size: Size(columns: 20, rows: 1))
        editor.highlighter = .json
        var surface = Surface(size: Size(columns: 20, rows: 1))
        _ = editor.draw(on: &surface, in: Rect(surface.size)) { _, _ in [.init(7..<8, .failure)] }
        #expect(surface[2, 0].style == Style(.punctuation, [.bold, .underline]))
        #expect(surface[11, 0].style == Style(.punctuation, [.bold, .underline]))
        #expect(surface[4, 0].style.role == .key)
        #expect(surface[9, 0].style.role == .failure)
        editor.perform(.select(.end))
        _ = editor.draw(on: &surface, in: Rect(surface.size))
        #expect((2...11).allSatisfy { surface[$0, 0].style.traits.contains(.reverse) })
    }

    @Test(arguments: 0..<20) func `the cursor shows, whatever the width, the wrapping and the text`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var size = Size(columns: 12, rows: 3)
        var editor = TextEditor("日本語 text\twith tabs\n\u{1B}[2J\n" + String(repeating: "x", count: 300), size: size)
        let moves: [TextMove] = [.left, .right, .up, .down, .pageUp, .pageDown, .start, .end, .wordRight, .textEnd]
        for _ in 0..<200 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0: editor.wraps.toggle()
            case 1:
                size = Size(columns: .random(in: 1...40, using: &random), rows: .random(in: 1...6, using: &random))
                editor.resize(to: size)
            case 2: editor.perform(.insert("é👍🏽\n"))
            default: editor.perform(.move(moves.randomElement(using: &random) ?? .left))
            }
            guard size.columns > 6 else { continue }
            let cursor = Self.drawn(editor, columns: size.columns, rows: size.rows).cursor
            #expect(cursor != nil, "\(size) \(editor.position)")
        }
    }
}
