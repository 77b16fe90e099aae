import OmbiCore
import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// At every size everything works, and what has the cursor shows.
@Suite struct SizeStories {
    @Test(arguments: [(80, 24), (80, 40), (99, 30)])
    func `a request that was not sent has most of the rows while it has the focus`(columns: Int, rows: Int) {
        var story = Story(columns: columns, rows: rows)
        story.choose("user by id")
        story.press("2")
        let before = story.state.layout.request?.rows ?? 0
        #expect(before * 2 >= rows, "\(story.screen)")
        #expect(story.state.layout.response?.rows ?? 0 >= 6)
        story.finish(story.send())
        #expect(story.state.layout.request?.rows ?? 0 < before)
    }

    @Test(arguments: [(60, 15), (40, 12)])
    func `a small screen shows one pane at a time, and the response with its name below`(columns: Int, rows: Int) {
        var story = Story(columns: columns, rows: rows)
        func expect(_ texts: String...) {
            for text in texts { #expect(story.screen.contains(text), "\(text) in\n\(story.screen)") }
        }
        story.choose("user by id")
        expect("1 Requests", "GET   user by id")
        story.press("2")
        expect("2 Request", "GET http://127.0.0.1:8765/users/:id", "3 Response")
        story.finish(story.send())
        expect("2 Request", "GET http://127.0.0.1:8765/users/:id", "3 Response ─ 200 · ")
        story.press("1", "3")
        expect("2 Request", "GET http://127.0.0.1:8765/users/:id", "3 Response ─ 200 · ", "\"id\": 42")
        #expect(story.state.layout.response?.rows ?? 0 >= rows - 4)
    }

    @Test func `on a wide screen the list is as wide as its names need, and the tabs beside it are whole`() {
        var story = Story(columns: 200, rows: 60)
        story.choose("user by id")
        story.finish(story.send())
        #expect(story.state.layout.tree?.columns == 40)
        for tabs in [
            "Params 2  Headers  Body  Auth ↑env  Policy 3×  Capture  Expect  Connection  About",
            "Body  Headers  Expect  Timeline 2  History  Statistics  Cookies  TLS  Sent",
        ] { #expect(story.screen.contains(tabs), "\(story.screen)") }
    }

    @Test(arguments: [(200, 52), (300, 90), (120, 36), (100, 36)])
    func `long names take no more than a share of the screen`(columns: Int, tree: Int) {
        let name = String(repeating: "long ", count: 30) + "name"
        let file = "{ \"version\": 1, \"name\": \"n\", \"items\": [{ \"request\": \"\(name)\", \"path\": \"/\" }] }"
        let story = Story(columns: columns, rows: 60, file: file)
        #expect(story.state.layout.tree?.columns == tree)
        guard columns >= 200 else { return }
        for tab in ["Connection", "About", "TLS", "Sent"] { #expect(story.screen.contains(tab), "\(story.screen)") }
    }

    private static let sizes = [
        Size(columns: 40, rows: 10), Size(columns: 80, rows: 24), Size(columns: 120, rows: 34),
        Size(columns: 300, rows: 100),
    ]

    private static func marked(_ story: Story) -> [String] {
        let surface = story.state.draw().surface
        return (0..<surface.size.rows).compactMap { row in
            let cells = (0..<surface.size.columns).map { surface[$0, row] }
            let selected = cells.filter { $0.style.traits.contains(.highlight) && !$0.isContinuation }
            return selected.isEmpty ? nil : String(String.UnicodeScalarView(selected.map(\.scalar)))
        }
    }

    @Test(arguments: sizes) func `the row under the cursor of the tree shows`(size: Size) {
        var story = Story(columns: 120, rows: 34, file: Story.file(requests: 150))
        story.press("G")
        story.receive(.resized(size))
        #expect(Self.marked(story).count == 1 && Self.marked(story)[0].contains("r149"), "\(Self.marked(story))")
        for _ in 0..<149 {
            story.press("Up")
            let name = story.state.tree.current?.name ?? "?"
            #expect(Self.marked(story).contains { $0.contains(name) }, "\(name) at \(size)")
        }
    }

    @Test func `the URL with everything filled in shows on a common terminal, in every tab`() {
        var story = Story(columns: 80, rows: 24)
        story.choose("user by id")
        story.press("2")
        for _ in 0..<5 {
            #expect(story.row(3).contains("http://127.0.0.1:8765/users/42?expand=orders"), "\(story.screen)")
            story.press("]")
        }
    }

    @Test(arguments: sizes) func `the row under the cursor of the request shows`(size: Size) {
        let query = (0..<40).map { "{ \"name\": \"q\($0)\", \"value\": \"v\" }" }.joined(separator: ", ")
        let request = "{ \"request\": \"r\", \"path\": \"/p\", \"query\": [\(query)] }"
        var story = Story(file: "{ \"version\": 1, \"name\": \"n\", \"items\": [\(request)] }")
        story.receive(.resized(size))
        story.press("2")
        let keys =
            Array(repeating: "Down", count: 41) + Array(repeating: "Up", count: 41)
            + ["PageDown", "PageDown", "Up", "Up", "Up", "Up", "Ctrl+D", "PageUp", "G", "Ctrl+U", "g"]
        for key in keys {
            story.press(key)
            let row = story.state.requestPane.row
            let name = row.map { story.formRows[$0].name } ?? "/p"
            #expect(Self.marked(story).contains { $0.contains(name) }, "\(name) at \(size):\n\(story.screen)")
        }
    }

    @Test(arguments: sizes) func `the wheel over the request reaches the last row, and its cursor shows`(size: Size) {
        let query = (0..<40).map { "{ \"name\": \"q\($0)\", \"value\": \"v\" }" }.joined(separator: ", ")
        let request = "{ \"request\": \"r\", \"path\": \"/p\", \"query\": [\(query)] }"
        var story = Story(file: "{ \"version\": 1, \"name\": \"n\", \"items\": [\(request)] }")
        story.receive(.resized(size))
        story.press("2")
        let point = Point(column: size.columns - 5, row: 2)
        for lines in Array(repeating: 3, count: 20) + Array(repeating: -3, count: 20) {
            story.perform(.mouse(.wheel(point, lines)))
            #expect(Self.marked(story).count == 1, "\(Self.marked(story)) at \(size)")
            if lines < 0 { continue }
        }
        for _ in 0..<20 { story.perform(.mouse(.wheel(point, 3))) }
        #expect(story.screen.contains("q39"))
    }

    @Test(arguments: sizes) func `the chosen row of a picker shows`(size: Size) {
        var story = Story(file: Story.file(requests: 1))
        story.receive(.resized(size))
        story.press(":")
        guard case .picker(let picker) = story.topOverlay else { return }
        for item in picker.shown {
            #expect(Self.marked(story).contains { $0.contains(item.name.prefix(20)) }, "\(item.name) at \(size)")
            story.press("Down")
        }
    }

    @Test(arguments: sizes) func `the cursor of a field stands on the screen`(size: Size) throws {
        var story = Story()
        story.receive(.resized(size))
        story.press("2", "Enter")
        for text in ["", String(repeating: "long", count: 90), "日本語"] {
            story.paste(text)
            let cursor = try #require(story.state.draw().cursor)
            let url = try #require(story.state.layout.inside(.request)).top(1)
            #expect(url.contains(cursor), "\(cursor) at \(size)")
        }
        story.press("Home")
        #expect(story.state.draw().cursor?.column ?? 999 < size.columns / 2)
    }

    @Test func `a body under edit keeps its cursor on the screen`() throws {
        var story = Story(columns: 80, rows: 24)
        story.choose("create user")
        story.press("2", "]", "]", "Down", "Down", "Enter")
        for number in 0..<30 {
            story.press("End", "Enter")
            story.type("\(number)")
            let cursor = try #require(story.state.draw().cursor)
            let inside = try #require(story.state.layout.inside(.request))
            #expect(inside.contains(cursor))
        }
    }

    @Test(arguments: sizes) func `every pane, tab and overlay draws at every size`(size: Size) {
        var story = Story()
        story.receive(.resized(size))
        story.choose("user by id")
        story.finish(story.send())
        for pane in ["1", "2", "3"] {
            for key in [pane, "z", "z", "?", "Esc", ":", "Esc", "]", "]", "]", "]", "]", "]", "End", "Home"] {
                if key == "]", pane == "1" { continue }
                story.press(key)
                let surface = story.state.draw().surface
                #expect(surface.size == size)
                #expect(surface.text() != "")
            }
        }
    }

    @Test(arguments: [
        Size(columns: 39, rows: 24), Size(columns: 80, rows: 9), Size(columns: 1, rows: 1), Size(columns: 0, rows: 0),
    ])
    func `too small is said, as far as it fits, and comes back`(size: Size) {
        var story = Story()
        let before = story.screen
        story.receive(.resized(size))
        let drawn = story.state.draw()
        #expect(drawn.surface.size == size)
        #expect(drawn.cursor == nil)
        if size.columns > 25 { #expect(story.screen.hasPrefix("40×10 needed\n")) }
        story.press("Down", "2", "Down", "?", "Esc", "1", "Up")
        story.receive(.resized(Size(columns: 120, rows: 34)))
        #expect(story.screen == before)
    }

    @Test func `a folder takes the rows of the response that it does not have`() {
        var story = Story(columns: 80, rows: 24)
        story.choose("users")
        story.press("2")
        #expect(story.screen.contains("2 Folder") && !story.screen.contains("3 Response"), "\(story.screen)")
        #expect(story.screen.contains("s runs them"), "\(story.screen)")
        story.press("3")
        #expect(story.screen.contains("3 Response"))
        story.choose("user by id")
        story.press("2")
        #expect(story.screen.contains("3 Response"))
    }

    @Test func `there are three shapes`() {
        var story = Story(columns: 99, rows: 24)
        func shown() -> [Bool] { Focus.allCases.map { story.state.layout.rect(of: $0) != nil } }
        #expect(shown() == [true, false, false], "the list has the screen while it has the keys")
        story.press("2")
        #expect(shown() == [false, true, true])
        story.receive(.resized(Size(columns: 100, rows: 24)))
        #expect(shown() == [true, true, true])
        #expect(story.state.layout.request?.column == story.state.layout.response?.column)
        story.receive(.resized(Size(columns: 150, rows: 24)))
        #expect(story.state.layout.request?.row == story.state.layout.response?.row)
    }

    @Test(arguments: [(40, 10), (60, 18), (80, 24), (120, 34), (160, 14)])
    func `the place in the rows of a request stands in its own frame`(columns: Int, rows: Int) throws {
        var story = Story(columns: columns, rows: rows)
        story.choose("user by id")
        story.press("2", "]", "]", "]", "]")
        let request = try #require(story.state.layout.request)
        let line = columns < 150 ? request.row : request.endRow - 1
        #expect(story.lines.firstIndex { $0.contains(" 1/16 ↓ ") } == line, "\(story.screen)")
    }

    @Test(arguments: [(40, 10), (60, 18), (120, 19)])
    func `with few rows the pane with the keys has nearly all of them`(columns: Int, rows: Int) {
        var story = Story(columns: columns, rows: rows)
        for (key, large, small) in [("2", Focus.request, Focus.response), ("3", .response, .request)] {
            story.press(key)
            #expect(story.state.layout.rect(of: small)?.rows == 3)
            #expect(story.state.layout.rect(of: large)?.rows ?? 0 >= rows - 4 - (rows < 14 ? 0 : 1))
        }
    }

    @Test func `where the list hides the response, sending shows it`() {
        var story = Story(columns: 80, rows: 24)
        story.finish(story.send())
        #expect(story.state.focus == .response)
        var wide = Story()
        wide.finish(wide.send())
        #expect(wide.state.focus == .tree)
    }

    @Test func `dividers move by keys and by the mouse, and stop where a pane would vanish`() throws {
        var story = Story(columns: 120, rows: 34)
        let before = try #require(story.state.layout.tree).columns
        story.command("Move the divider right")
        story.perform(.app(.moveSplit(.right)))
        story.perform(.app(.moveSplit(.left)))
        #expect(story.state.layout.tree?.columns == before + 2)
        for _ in 0..<100 { story.perform(.app(.moveSplit(.left))) }
        #expect(story.state.layout.tree?.columns == 24)
        let rows = try #require(story.state.layout.request).rows
        story.perform(.app(.moveSplit(.down)))
        #expect(story.state.layout.request?.rows == rows + 1)
        let divider = Point(column: 23, row: 10)
        story.perform(.mouse(.click(divider)))
        story.perform(.mouse(.drag(Point(column: 49, row: 11))))
        #expect(story.state.layout.tree?.columns == 50)
        story.perform(.mouse(.click(Point(column: 60, row: 5))))
        story.perform(.mouse(.drag(Point(column: 70, row: 5))))
        #expect(story.state.layout.tree?.columns == 50, "only a divider is dragged")
    }

    @Test func `a pane fills the screen and gives it back`() {
        var story = Story()
        story.press("3", "z")
        #expect(story.state.layout.response == Rect(column: 0, row: 1, columns: 120, rows: 32))
        #expect(!story.screen.contains("1 Requests ━"))
        story.press("Esc")
        #expect(!story.state.isZoomed)
        story.press("Esc")
        #expect(story.state.focus == .response, "no Esc leaves the pane for one where a letter deletes")
    }

    @Test func `Tab goes round the panes both ways`() {
        var story = Story()
        var seen: [Focus] = []
        for key in ["Tab", "Tab", "Tab", "Shift+Tab", "Shift+Tab", "Shift+Tab"] {
            story.press(key)
            seen.append(story.state.focus)
        }
        #expect(seen == [.request, .response, .tree, .response, .request, .tree])
    }

    @Test func `a slow terminal is named beside the host, until it is fast again`() {
        var story = Story(columns: 120, rows: 34)
        story.receive(.lagging(.milliseconds(300)))
        #expect(story.lines.first?.contains("screen lag 300 ms") ?? false, "\(story.lines.first ?? "")")
        story.receive(.lagging(.zero))
        #expect(!story.screen.contains("lag"))
    }

    @Test func `a screen that is too small takes only the keys that quit, suspend and draw again`() {
        var story = Story()
        story.choose("list users")
        story.receive(.resized(Size(columns: 39, rows: 10)))
        _ = story.takeEffects()
        let before = story.state.workbench
        story.press("d", "w", "s", "E", ":", "Down", "u", "Ctrl+N")
        story.perform(.files(.paste("https://example.com")))
        #expect(story.state.workbench == before && story.topOverlay == nil && story.takeEffects().isEmpty)
        story.press("Ctrl+L", "q")
        #expect(story.takeEffects() == [.redraw, .quit])
        story.receive(.resized(Size(columns: 40, rows: 10)))
        story.press("d")
        #expect(story.state.workbench != before)
    }

    @Test func `a question about unsaved edits waits until it can be read`() {
        var story = Story()
        story.choose("list users")
        story.press("d")
        story.receive(.resized(Size(columns: 30, rows: 5)))
        _ = story.takeEffects()
        story.press("q", "y", "n")
        #expect(story.takeEffects().isEmpty)
        story.receive(.resized(Size(columns: 80, rows: 24)))
        #expect(story.screen.contains("Not saved: demo.json"))
    }
}
