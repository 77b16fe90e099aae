import TestSupport
import Testing

@testable import OmbiTerminal

/// Several lines under edit.
@Suite struct TextAreaTests {
    private static func area(_ text: String, row: Int = 0, column: Int = 0) -> TextArea {
        var area = TextArea(text, row: row)
        for _ in 0..<column { area.perform(.right) }
        return area
    }

    /// The text with a bar where the cursor stands.
    private static func marked(_ area: TextArea) -> String {
        area.lines.enumerated().map { index, line in
            guard index == area.row else { return line.text }
            return String(line.characters[..<line.cursor]) + "|" + String(line.characters[line.cursor...])
        }.joined(separator: "\n")
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
        Step(1, 0, .left, "ab|\n  cd\n"), Step(0, 0, .left, "|ab\n  cd\n"), Step(0, 2, .right, "ab\n|  cd\n"),
        Step(2, 0, .right, "ab\n  cd\n|"), Step(1, 4, .up, "ab|\n  cd\n"), Step(0, 2, .down, "ab\n  |cd\n"),
        Step(1, 3, .down, "ab\n  cd\n|"), Step(0, 1, .up, "a|b\n  cd\n"), Step(0, 1, .pageDown, "ab\n  cd\n|"),
        Step(2, 0, .pageUp, "|ab\n  cd\n"), Step(1, 2, .end, "ab\n  cd|\n"), Step(1, 2, .start, "ab\n|  cd\n"),
        Step(1, 2, .deleteToEnd, "ab\n  |\n"), Step(1, 3, .deleteToStart, "ab\n|d\n"),
        Step(1, 4, .deleteWordBackward, "ab\n  |\n"),
    ])
    func `an edit does what its name says`(step: Step) {
        var area = Self.area("ab\n  cd\n", row: step.row, column: step.column)
        area.perform(step.edit)
        #expect(Self.marked(area) == step.after)
    }

    @Test(arguments: ["", "\n", "a", "a\nb", "a\n\nb\n", "日本\n👨‍👩‍👧"]) func `a text that is not touched stays`(text: String)
    {
        #expect(TextArea(text).text == text)
    }

    @Test(arguments: [-5, 99]) func `it opens on a line that exists`(row: Int) {
        #expect((0...1).contains(TextArea("a\nb", row: row).row))
    }

    @Test(arguments: 0..<20) func `the cursor shows after any edit`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var area = TextArea("one\n  two\n\nthree")
        let edits: [TextEdit] = [
            .insert("a"), .insert("日\n本"), .newline, .deleteBackward, .deleteForward, .left, .right, .up, .down,
            .pageUp,
            .pageDown, .start, .end, .wordLeft, .wordRight, .deleteToEnd, .deleteWordBackward,
        ]
        for _ in 0..<100 {
            let edit = edits.randomElement(using: &random) ?? .end
            area.perform(edit, page: 4)
            var surface = Surface(size: Size(columns: 24, rows: 8))
            let rect = Rect(column: 2, row: 2, columns: 20, rows: 4)
            let cursor = area.draw(on: &surface, in: rect)
            #expect(cursor.map(rect.contains) == true, "\(edit): \(Self.marked(area))")
        }
    }

    @Test func `lines are numbered`() {
        var surface = Surface(size: Size(columns: 12, rows: 4))
        _ = TextArea((1...11).map { "l\($0)" }.joined(separator: "\n"), row: 10).draw(
            on: &surface, in: Rect(column: 0, row: 0, columns: 12, rows: 3))
        #expect(surface.text() == " 1 l1\n 2 l2\n 3 l3\n")
    }

    @Test func `a paste of many lines goes in between, and is quick`() {
        var area = TextArea("ab\ncd")
        area.perform(.right)
        let pasted = (0..<50_000).map { "line \($0)" }.joined(separator: "\n")
        area.perform(.insert(pasted))
        #expect(area.text == "a" + pasted + "b\ncd")
        #expect(area.row == 49_999)
        area.perform(.insert("X"))
        #expect(area.text == "a" + pasted + "Xb\ncd")
    }
}
