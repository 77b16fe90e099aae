import TestSupport
import Testing

@testable import OmbiTerminal

/// One line under edit: edits in, text and cursor out, written `before|after`.
@Suite struct TextFieldTests {
    private static func field(_ marked: String) -> TextField {
        let parts = marked.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        var field = TextField(parts.joined())
        field.perform(.move(.start))
        for _ in Array(parts[0]) { field.perform(.move(.right)) }
        return field
    }

    private static func marked(_ field: TextField) -> String {
        before(field) + "|" + field.text.dropFirst(before(field).count)
    }

    private static func before(_ field: TextField) -> String { field.edited.buffer.text(0..<field.edited.cursor) }

    struct Step: Sendable {
        var before: String
        var edit: TextEdit
        var after: String

        init(_ before: String, _ edit: TextEdit, _ after: String) {
            (self.before, self.edit, self.after) = (before, edit, after)
        }
    }

    @Test(arguments: [
        Step("a|b", .insert("x"), "ax|b"), Step("|", .insert("日本"), "日本|"), Step("a|", .insert(""), "a|"),
        Step("a|b", .insert("1\n2\r\n3"), "a1 2 3|b"), Step("a|b", .newline, "a|b"),
        Step("a|b", .insert("1\n"), "a1|b"), Step("a|b", .insert("\r\n1\n2\r\n\n"), "a1 2|b"),
        Step("a|", .insert("\n"), "a|"),
        Step("ab|c", .deleteBackward, "a|c"), Step("|c", .deleteBackward, "|c"),
        Step("👨‍👩‍👧|e\u{301}", .deleteBackward, "|e\u{301}"), Step("👨‍👩‍👧|e\u{301}", .deleteForward, "👨‍👩‍👧|"),
        Step("a|bc", .deleteForward, "a|c"), Step("a|", .deleteForward, "a|"),
        Step("one two|", .deleteWordBackward, "one |"), Step("one two  |x", .deleteWordBackward, "one |x"),
        Step("a.b_c9|", .deleteWordBackward, "a.|"), Step("|a", .deleteWordBackward, "|a"),
        Step("ab|cd", .deleteToStart, "|cd"), Step("ab|cd", .deleteToEnd, "ab|"),
        Step("|ab", .move(.left), "|ab"), Step("a|b", .move(.left), "|ab"), Step("ab|", .move(.right), "ab|"),
        Step("a|b", .move(.right), "ab|"),
        Step("one  two|", .move(.wordLeft), "one  |two"), Step("one  |two", .move(.wordLeft), "|one  two"),
        Step("|x", .move(.wordLeft), "|x"),
        Step("|one  two", .move(.wordRight), "one|  two"), Step("one|  two", .move(.wordRight), "one  two|"),
        Step("{{|host}}/ä1", .move(.wordRight), "{{host|}}/ä1"),
        Step("{{host|}}/ä1", .move(.wordRight), "{{host}}/ä1|"),
        Step("a|b", .move(.start), "|ab"), Step("a|b", .move(.end), "ab|"), Step("a|b", .move(.up), "|ab"),
        Step("a|b", .move(.down), "ab|"),
        Step("a|b", .move(.pageUp), "|ab"), Step("a|b", .move(.pageDown), "ab|"),
    ])
    func `an edit does what its name says`(step: Step) {
        var field = Self.field(step.before)
        field.perform(step.edit)
        #expect(Self.marked(field) == step.after)
    }

    @Test func `a text opens with the cursor at its end`() {
        #expect(Self.marked(TextField("abc")) == "abc|")
    }

    // MARK: Drawing

    private static func draw(_ field: TextField, columns: Int) -> (text: String, column: Int) {
        var surface = Surface(size: Size(columns: columns + 4, rows: 1))
        let point = field.draw(on: &surface, in: Rect(column: 2, row: 0, columns: columns, rows: 1))
        let text = String(surface.text(row: 0).dropFirst(2))
        return (text, point.column - 2)
    }

    @Test(arguments: [
        ("abc|", 8, "abc", 3), ("|abc", 2, "ab", 0), ("abcdefgh|", 4, "fgh", 3), ("abcd|efgh", 4, "bcde", 3),
        ("日本語|", 10, "日本語", 6), ("日本語|", 5, "本語", 4), ("日本語|", 4, "語", 2), ("日|本語", 4, "日本", 2),
    ])
    func `the part around the cursor shows`(marked: String, columns: Int, text: String, cursor: Int) {
        let drawn = Self.draw(Self.field(marked), columns: columns)
        #expect(drawn.text == text)
        #expect(drawn.column == cursor)
    }

    @Test(arguments: 0..<30) func `the cursor never leaves the field`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var field = TextField()
        let edits: [TextEdit] = [
            .insert("a"), .insert("日"), .insert("e\u{301}"), .insert("👍🏽 x"), .deleteBackward, .deleteForward,
            .move(.left),
            .move(.right),
            .move(.wordLeft), .move(.wordRight), .move(.start), .move(.end), .deleteWordBackward,
        ]
        for _ in 0..<120 {
            field.perform(edits.randomElement(using: &random) ?? .move(.end))
            #expect(field.text.hasPrefix(Self.before(field)))
            for columns in [1, 2, 7, 30] {
                let column = Self.draw(field, columns: columns).column
                #expect((0..<columns).contains(column), "\(Self.marked(field)) in \(columns) columns")
            }
        }
    }

    @Test func `what a terminal would obey is shown, not sent`() {
        var field = TextField()
        field.perform(.insert("a\u{1B}[2J\u{202E}b"))
        #expect(Self.draw(field, columns: 20).text == "a␛[2J\u{FFFD}b")
    }
}
