import OmbiDocument
import OmbiTerminal
import Testing

@testable import OmbiTUI
@testable import OmbiViewer

/// Several rows at once.
@Suite struct SelectionStories {
    @Test func `rows are selected by moving, shown, counted and copied`() {
        var story = ViewerStory("one\ntwo\nthree\nfour\n")
        story.press("Down", "v", "Down")
        #expect(story.chosen == ["2 two", "3 three"], "\(story.text)")
        #expect(story.foot.hasPrefix("2 lines selected"), "\(story.foot)")
        story.press("y")
        #expect(story.takeEffects() == [.copy("two\nthree\n", named: "2 lines")])
        #expect(story.chosen == ["3 three"], "copying leaves the selection")
    }

    @Test func `among the selected rows that of the cursor stands out`() {
        var story = ViewerStory("one\ntwo\nthree\nfour\n")
        story.press("v", "Down", "Down")
        var surface = Surface(size: story.size)
        _ = story.viewer.draw(on: &surface, in: Rect(story.size), focused: true)
        let reversed = (0..<story.size.rows).filter { surface[10, $0].style.traits.contains(.reverse) }
        let selected = (0..<story.size.rows).filter { surface[10, $0].style.traits.contains(.highlight) }
        #expect(reversed == [2] && selected == [0, 1, 2])
    }

    @Test func `it goes up as well, and Esc leaves it before anything else`() {
        var story = ViewerStory("one\ntwo\nthree\nfour\n")
        story.press("/")
        story.type("o")
        story.press("Enter", "G", "v", "Up", "Up")
        #expect(story.chosen == ["2 two", "3 three", "4 four"], "\(story.text)")
        story.press("Esc")
        #expect(story.chosen == ["2 two"])
        #expect(!story.marks.isEmpty, "the marks are still there")
        story.press("v", "v")
        #expect(story.viewer.page?.anchor == nil)
    }

    @Test func `a selection stays on its row when a match above it is unfolded`() {
        let body = "<a><b><c>needle</c></b><d>1</d><e>2</e></a>"
        var story = ViewerStory(body, type: "application/xml", rows: 20)
        story.press("Down", "Enter", "Down", "v", "/")
        let selected = story.viewer.page.flatMap { page in page.anchor.map { page.rows.text(at: $0) } }
        #expect(selected?.contains("<d>") == true, "\(story.text)")
        story.type("needle")
        story.press("Enter")
        #expect(story.current.contains("needle"), "\(story.text)")
        #expect(story.viewer.page.flatMap { page in page.anchor.map { page.rows.text(at: $0) } } == selected)
    }

    @Test func `a line that is wrapped is selected whole`() {
        let line = (0..<30).map { "word\($0)" }.joined(separator: " ")
        var story = ViewerStory("one\n" + line + "\nthree\n", columns: 40)
        story.press("Down", "Down", "v")
        #expect(story.foot.hasPrefix("1 line selected"), "\(story.foot)")
        #expect(story.chosen.count > 3, "\(story.text)")
        story.press("y")
        #expect(story.takeEffects() == [.copy(line + "\n", named: "1 line")])
    }

    @Test func `rows of JSON are copied as they are laid out, with strings whole and what is folded written out`() {
        let long = String(repeating: "long ", count: 40)
        let body = "{\"a\":{\"text\":\"\(long)\",\"tags\":[\"x\",\"\\u0079\"],\"deep\":{\"n\":1e400}},\"b\":2}"
        var story = ViewerStory(body, rows: 20)
        story.press("Down", "Down", "Down", "Down", "Enter", "Up", "Up", "v", "Down", "Down", "Down")
        #expect(story.foot.hasPrefix("4 rows selected"), "\(story.text)")
        story.press("y")
        let wanted = """
              "text": "\(long)",
              "tags": ["x", "\\u0079"],
              "deep": {
                "n": 1e400
              }
            },

            """
        #expect(story.takeEffects() == [.copy(wanted, named: "4 rows")])
    }

    @Test(arguments: [
        ("text/csv", "id,name\r\n1,Ada\r\n2,\"B\"\r\n", "1,Ada\r\n2,\"B\"\n"),
        ("application/xml", "<a><b>1</b><c/></a>", "<a><b>1</b>\n"),
        ("text/event-stream", "data: 1\n\ndata: 2\n\n", "data: 1\n\ndata: 2\n\n"),
        ("application/x-www-form-urlencoded", "a=1&b=x%20y&c=3", "a=1&b=x%20y\n"),
    ])
    func `rows of the other kinds are copied as they came`(type: String, body: String, wanted: String) {
        var story = ViewerStory(body, type: type)
        story.press("v", "Down", "y")
        #expect(story.takeCopies() == [wanted])
    }

    @Test func `of bytes the digits are copied, and all of them go to a file`() {
        var story = ViewerStory([0, 1, 2, 0xFF], columns: 80)
        story.press("y", "v", "y")
        #expect(story.takeCopies() == ["00 01 02 ff", "00 01 02 ff\n"])
        story.press("Alt+y")
        #expect(story.takeEffects().isEmpty)
        #expect(story.notice == Notice(.warning, "These bytes are no text: S saves them, y copies their digits"))
    }

    @Test func `folding and more of the body leave it where it is`() {
        let body = "{\"a\": [1, {\"b\": 2}], \"c\": 3, \"d\": 4}"
        var story = ViewerStory(body, rows: 20)
        story.press("G", "Up", "v", "g", "Down", "Enter")
        #expect(story.chosen.count == 3, "\(story.text)")
        #expect(story.chosen.last?.contains("\"d\"") == true, "\(story.text)")
    }

    @Test func `the mouse selects by dragging, and beyond the edge the page follows`() {
        var story = ViewerStory((1...40).map(String.init).joined(separator: "\n"))
        story.viewer.click(Point(column: 0, row: 2))
        story.viewer.drag(Point(column: 0, row: 2))
        #expect(story.viewer.page?.anchor == nil, "a hand that shakes selects nothing")
        story.viewer.drag(Point(column: 0, row: 4))
        #expect(story.chosen == [" 3 3", " 4 4", " 5 5"], "\(story.text)")
        for _ in 0..<3 { story.viewer.drag(Point(column: 0, row: 50)) }
        #expect(story.foot.hasPrefix("10 lines selected"), "\(story.text)")
        story.viewer.click(Point(column: 0, row: 0))
        #expect(story.chosen.count == 1)
    }

    @Test func `what is large is made away from the main thread`() {
        let rows = (1...30_000).map(String.init).joined(separator: "\n")
        var viewer = Viewer(id: 7)
        _ = viewer.receive(.read(BodyDocument(Bytes(rows.utf8), contentType: nil)))
        for part in [ViewerPage.Part.all, .selection] {
            if part == .selection { _ = viewer.perform(.view(.select)) }
            let effects = viewer.perform(.view(part == .all ? .copyAll : .copyValue)) ?? []
            guard case .output(.copy(_, part))? = effects.first else {
                Issue.record("\(part) was copied by \(effects.count) effects")
                continue
            }
            #expect(viewer.receive(.saving(nil)) == [])
        }
        #expect(viewer.receive(.copied("x", named: "2 rows")) == [.output(.copyText("x", named: "2 rows"))])
    }

    @Test func `a command gets the rows that are selected`() {
        var story = ViewerStory("one\ntwo\nthree\n", columns: 76)
        story.press("Down", "v", "Down", "!")
        story.type("wc")
        #expect(story.foot.contains("stdin: 2 lines selected"), "\(story.foot)")
        story.press("Enter")
        guard case .view(7, .shell("wc", let page, _))? = story.takeEffects().last else {
            Issue.record("no command was ordered")
            return
        }
        #expect(page.input.all == Array("two\nthree\n".utf8))
    }

    @Test func `the footer says what can be done with rows that are selected`() {
        var story = ViewerStory("one\ntwo\n")
        func hints() -> [String] {
            story.viewer.hints(story.keymap.footer(in: story.viewer.keyScopes)).map {
                "\($0.footerKey) \($0.footer ?? "")"
            }
        }
        #expect(hints() == ["/ find", "y copy", "S save as", "t hex", "v select", "M mark"])
        story.press("v")
        #expect(hints() == ["y copy rows", "Esc clear", "/ find", "S save as", "t hex", "M mark"])
    }

    @Test(arguments: [
        ("/", ["Enter submit", "Tab regex", "Esc close"]), ("!", ["Enter run", "Esc close"]),
        ("S", ["Enter save", "Tab formatted", "Esc close"]), ("Ctrl+G", ["Enter go", "Esc close"]),
    ]) func `the footer has the keys of a prompt`(key: String, expected: [String]) {
        var story = ViewerStory("{\"a\": 1}\n")
        story.press(key)
        let hints = story.viewer.hints(story.keymap.footer(in: story.viewer.keyScopes)).map {
            "\($0.footerKey) \($0.footer ?? "")"
        }
        #expect(hints == expected)
    }
}
