import OmbiCore
import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// At every size everything works, and what has the cursor shows.
@Suite struct SizeStories {
    private static let sizes = [
        Size(columns: 40, rows: 10), Size(columns: 80, rows: 24), Size(columns: 120, rows: 34),
        Size(columns: 300, rows: 100),
    ]

    private static func marked(_ story: Story) -> [String] {
        let surface = story.state.draw().surface
        return (0..<surface.size.rows).compactMap { row in
            let cells = (0..<surface.size.columns).map { surface[$0, row] }
            let selected = cells.filter { $0.style.role == .selection && !$0.isContinuation }
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
            #expect(cursor.column < size.columns - 1 && cursor.row == 1)
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
        if size.columns > 25 { #expect(story.screen.hasPrefix("Too small: needs 40×10\n")) }
        story.press("Down", "2", "Down", "?", "Esc", "1", "Up")
        story.receive(.resized(Size(columns: 120, rows: 34)))
        #expect(story.screen == before)
    }

    @Test func `below a hundred columns the tree shows while it has the keys`() {
        var story = Story(columns: 99, rows: 24)
        #expect(story.screen.contains("Collections"))
        story.press("2")
        #expect(!story.screen.contains("Collections"))
        story.receive(.resized(Size(columns: 100, rows: 24)))
        #expect(story.screen.contains("Collections"))
    }

    @Test func `a pane fills the screen and gives it back`() {
        var story = Story()
        story.press("3", "z")
        #expect(story.state.layout.response == Rect(column: 0, row: 0, columns: 120, rows: 33))
        #expect(!story.screen.contains("Collections"))
        story.press("Esc")
        #expect(!story.state.isZoomed)
        #expect(story.state.focus == .response, "the first Esc only gives the screen back")
        story.press("Esc")
        #expect(story.state.focus == .tree)
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
}
