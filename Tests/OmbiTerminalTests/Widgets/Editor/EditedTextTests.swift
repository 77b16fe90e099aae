import TestSupport
import Testing

@testable import OmbiTerminal

/// A text under edit: edits in, text, cursor and selection out, written `before|after`; `‹` is the selection's anchor.
@Suite struct EditedTextTests {
    private static func text(_ marked: String) -> EditedText {
        let plain = marked.replacing("|", with: "").replacing("‹", with: "")
        var text = EditedText(plain)
        let anchor = marked.replacing("|", with: "").split(separator: "‹", omittingEmptySubsequences: false)
        let cursor = marked.replacing("‹", with: "").split(separator: "|", omittingEmptySubsequences: false)
        if anchor.count > 1 { text.place(at: anchor[0].utf8.count) }
        text.place(at: cursor[0].utf8.count, selecting: anchor.count > 1)
        return text
    }

    private static func marked(_ text: EditedText) -> String {
        var marks = [(text.cursor, "|")]
        if let anchor = text.selection.anchor { marks.append((anchor, "‹")) }
        var marked = text.buffer.text
        for (offset, mark) in marks.sorted(by: { $0.0 > $1.0 }) {
            marked.insert(contentsOf: mark, at: marked.utf8.index(marked.startIndex, offsetBy: offset))
        }
        return marked
    }

    struct Step: Sendable {
        var before: String
        var edits: [TextEdit]
        var after: String

        init(_ before: String, _ edits: TextEdit..., after: String) {
            (self.before, self.edits, self.after) = (before, edits, after)
        }
    }

    private static func check(_ step: Step, sourceLocation: SourceLocation = #_sourceLocation) {
        var text = text(step.before)
        for edit in step.edits { text.perform(edit) }
        #expect(marked(text) == step.after, "\(step.before) \(step.edits)", sourceLocation: sourceLocation)
    }

    @Test(arguments: [
        Step("ab|cd", .select(.right), .select(.right), after: "ab‹cd|"),
        Step("ab|cd", .select(.left), .move(.right), after: "ab|cd"),
        Step("ab‹cd|e", .insert("X"), after: "abX|e"), Step("ab‹cd|e", .deleteBackward, after: "ab|e"),
        Step("ab|cd‹e", .deleteForward, after: "ab|e"), Step("a\n‹b|\nc", .newline, after: "a\n\n|\nc"),
        Step("ab|cd", .selectAll, after: "‹abcd|"), Step("ab|", .mark, .move(.left), after: "a|b‹"),
        Step("ab|", .mark, .move(.left), .mark, after: "a|b"),
        Step("one two|", .select(.wordLeft), .deleteForward, after: "one |"),
    ])
    func `a selection is made and replaced`(step: Step) { Self.check(step) }

    @Test(arguments: [
        Step("a‹bc|d", .copy, .move(.end), .paste, after: "abcdbc|"), Step("a‹bc|d", .cut, .paste, after: "abc|d"),
        Step("a\nb|b\nc", .cut, after: "a\n|c"), Step("a\nb|b\nc", .copy, .paste, after: "a\nbbb\n|b\nc"),
        Step("a|", .paste, after: "a|"), Step("a\nb|", .cut, after: "a\n|"), Step("|", .cut, after: "|"),
    ])
    func `a selection or a line is cut, copied and pasted`(step: Step) { Self.check(step) }

    @Test(arguments: [
        Step("a\r\n|b", .deleteBackward, after: "a|b"), Step("a|\r\nb", .deleteForward, after: "a|b"),
        Step("|ab\r\nc", .move(.end), after: "ab|\r\nc"),
        Step("|ab\r\nc", .move(.end), .insert("x"), after: "abx|\r\nc"),
        Step("a|\r\nb", .move(.right), after: "a\r\n|b"), Step("a\r\n|b", .move(.left), after: "a|\r\nb"),
        Step("a\r\nb|b\r\nc", .cut, after: "a\r\n|c"), Step("a\r\nb|\r\nc", .cut, .paste, after: "a\r\nb\r\n|c"),
        Step("‹a\r\nb|", .copy, .move(.textEnd), .paste, after: "a\r\nba\r\nb|"),
        Step("a\r\n|", .insert("1\n2\r3\r\n"), after: "a\r\n1\r\n2\r\n3\r\n|"),
        Step("a\n|", .insert("1\r\n2"), after: "a\n1\n2|"), Step("a\r\n  b|", .newline, after: "a\r\n  b\r\n  |"),
        Step("{|}\r\n", .newline, after: "{\r\n  |\r\n}\r\n"), Step("a|\nb\r\n", .newline, after: "a\n|\nb\r\n"),
        Step("a\r\nb|c\r\nd", .duplicate, after: "a\r\nbc\r\nb|c\r\nd"),
        Step("a\r\nb|c", .duplicate, after: "a\r\nbc\r\nb|c"),
        Step("a\r\nb|c\r\nd", .moveLinesUp, after: "b|c\r\na\r\nd"),
        Step("a\r\nb|c\r\nd", .moveLinesDown, after: "a\r\nd\r\nb|c"),
        Step("‹a\r\n\r\nb|", .indent, after: "‹  a\r\n\r\n  b|"), Step("  a\r\n|", .outdent, after: "  a\r\n|"),
        Step("a b|\r\n", .deleteToEnd, after: "a b|\r\n"),
    ])
    func `CR LF is one line break, and new ones are as the first one is`(step: Step) { Self.check(step) }

    @Test(arguments: [
        Step("a\nb|c\nd", .duplicate, after: "a\nbc\nb|c\nd"), Step("a\nb|c", .duplicate, after: "a\nbc\nb|c"),
        Step("a‹bc|d", .duplicate, after: "abc‹bc|d"), Step("|", .duplicate, after: "\n|"),
        Step("a\nb|c\nd", .moveLinesUp, after: "b|c\na\nd"), Step("a\nb|c\nd", .moveLinesDown, after: "a\nd\nb|c"),
        Step("a|\nb", .moveLinesUp, after: "a|\nb"), Step("a\nb|", .moveLinesDown, after: "a\nb|"),
        Step("x\n‹a\nb|", .moveLinesUp, after: "‹a\nb|\nx"),
        Step("a|b", .indent, after: "a  |b"), Step("‹a\n\nb|", .indent, after: "‹  a\n\n  b|"),
        Step("    a|", .outdent, after: "  a|"), Step("‹  a\n b\n\tc|", .outdent, after: "‹a\nb\nc|"),
        Step("a|", .outdent, after: "a|"),
    ])
    func `lines are duplicated, moved and indented`(step: Step) { Self.check(step) }

    @Test(arguments: [
        Step("{|}", .newline, after: "{\n  |\n}"), Step("  [|", .newline, after: "  [\n    |"),
        Step("{ |\n}", .newline, after: "{ \n  |\n}"), Step("{|]", .newline, after: "{\n  |]"),
        Step("  a|", .newline, after: "  a\n  |"), Step("\ta: |", .newline, after: "\ta: \n\t|"),
        Step("{\n  |", .insert("}"), after: "{\n}|"), Step("[\n    |", .insert("]"), after: "[\n  ]|"),
        Step("a  |", .insert("}"), after: "a  }|"), Step(" |", .insert("}"), after: " }|"),
    ])
    func `brackets indent`(step: Step) { Self.check(step) }

    @Test(arguments: [
        Step("one two |", .move(.wordLeft), after: "one |two "), Step("a\n|b", .move(.wordLeft), after: "|a\nb"),
        Step("a|\n b", .move(.wordRight), after: "a\n b|"), Step("  a|b", .move(.start), .move(.start), after: "|  ab"),
        Step("a|\nb", .move(.textEnd), after: "a\nb|"), Step("a\nb|", .move(.textStart), after: "|a\nb"),
        Step("a|\nb\n\nc\nd\n\ne", .move(.paragraphDown), after: "a\nb\n|\nc\nd\n\ne"),
        Step("a\nb\n|\nc\nd\n\ne", .move(.paragraphDown), after: "a\nb\n\nc\nd\n|\ne"),
        Step("a\n\nc\nd|", .move(.paragraphUp), after: "a\n|\nc\nd"),
        Step("a\nb|", .move(.paragraphUp), after: "|a\nb"),
        Step("one |two", .deleteWordForward, after: "one |"), Step("👨‍👩‍👧|x", .move(.left), after: "|👨‍👩‍👧x"),
        Step("|e\u{301}x", .move(.right), after: "e\u{301}|x"), Step("ä|", .deleteBackward, after: "|"),
    ])
    func `the cursor moves`(step: Step) { Self.check(step) }

    // MARK: Brackets

    @Test(
        arguments: [
            ("|{ \"a\": [1, 2] }", 14), ("{ \"a\": [1, 2] |}", 0), ("{ \"a\": |[1, 2] }", 12),
            ("{ \"a\": [1, 2]| }", 7),
            ("|{ \"}\": \"\\\"}\" }", 13), ("{ \"}\": \"\\\"{\" |}", 0), ("{\n  \"a}\": 1\n|}", 0), ("|(a [b] c)", 8),
            ("|{ \"a\": 1", nil), ("\"|{\" }", nil), ("a|b", nil), ("|", nil),
        ] as [(String, Int?)])
    func `the partner of a bracket is found, whatever strings hold`(marked: String, partner: Int?) {
        let text = Self.text(marked)
        #expect(text.brackets(within: 0..<text.buffer.count)?.partner == partner)
        #expect(text.target(of: .bracket) == partner)
    }

    // MARK: Undo

    @Test func `words and pastes are undone one by one, and come back`() {
        var text = EditedText("")
        for letter in "one two" { text.perform(.insert(String(letter))) }
        text.perform(.insert("\n3\n"))
        text.perform(.insert("4"))
        var texts: [String] = []
        for _ in 0..<5 {
            texts.append(text.buffer.text)
            text.perform(.undo)
        }
        #expect(texts == ["one two\n3\n4", "one two\n3\n", "one two", "one ", ""])
        for _ in 0..<5 { text.perform(.redo) }
        #expect(Self.marked(text) == "one two\n3\n4|")
    }

    @Test func `a move begins a new step, and an edit ends what could be redone`() {
        var text = EditedText("")
        for letter in "ab" { text.perform(.insert(String(letter))) }
        text.perform(.move(.left))
        text.perform(.insert("c"))
        text.perform(.undo)
        #expect(Self.marked(text) == "a|b")
        text.perform(.insert("d"))
        text.perform(.redo)
        #expect(Self.marked(text) == "ad|b")
    }

    @Test func `letters deleted one after the other are one step`() {
        var text = Self.text("abc|def")
        for _ in 0..<2 { text.perform(.deleteBackward) }
        text.perform(.undo)
        #expect(Self.marked(text) == "abc|def")
        for _ in 0..<2 { text.perform(.deleteForward) }
        text.perform(.undo)
        #expect(Self.marked(text) == "abc|def")
    }

    @Test(arguments: 0..<40) func `undo leads back to the start, and redo to the end`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let start = "{\n  \"one\": [1, 2],\n  \"zwei\": \"日本 👨‍👩‍👧\"\n}\n"
            .replacing("\n", with: seed.isMultiple(of: 2) ? "\n" : "\r\n")
        var text = EditedText(start)
        let moves: [TextMove] = [
            .left, .right, .wordLeft, .wordRight, .start, .end, .textStart, .textEnd, .paragraphDown, .bracket,
        ]
        let edits: [TextEdit] = [
            .insert("a"), .insert("}"), .insert("日\r\n本"), .newline, .deleteBackward, .deleteForward,
            .deleteWordBackward, .deleteWordForward, .deleteToStart, .deleteToEnd, .cut, .copy, .paste, .duplicate,
            .moveLinesUp, .moveLinesDown, .indent, .outdent, .mark, .selectAll, .undo, .redo,
        ]
        for _ in 0..<200 {
            text.perform(edits.randomElement(using: &random) ?? .undo)
            text.perform(.move(moves.randomElement(using: &random) ?? .left))
            text.perform(.select(moves.randomElement(using: &random) ?? .left))
            #expect(text.buffer == TextBuffer(text.buffer.text))
            #expect(text.buffer.lineCount == text.buffer.text.utf8.count { $0 == 0x0A } + 1)
            #expect(text.buffer.aligned(text.cursor) == text.cursor, "\(Self.marked(text))")
            if text.buffer.count > 4000 { text.perform(.undo) }
        }
        let end = text.buffer.text
        for _ in 0..<500 { text.perform(.undo) }
        #expect(text.buffer.text == start)
        for _ in 0..<500 { text.perform(.redo) }
        #expect(text.buffer.text == end || !text.isUntouched)
    }

    @Test func `a paste of megabytes is one step`() {
        var text = Self.text("a|b")
        let pasted = String(repeating: "0123456789\n", count: 200_000)
        text.perform(.insert(pasted))
        #expect(text.buffer.count == pasted.utf8.count + 2)
        text.perform(.undo)
        #expect(Self.marked(text) == "a|b")
    }
}
