import OmbiCore
import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI

@Suite struct MouseStories {
    @Test func `a click focuses the pane under it and selects the row`() {
        var story = Story()
        story.click(on: "create user")
        #expect(story.request?.name == "create user")
        story.click(on: "Response")
        #expect(story.state.focus == .response)
        story.click(on: "2 Request")
        #expect(story.state.focus == .request)
        story.click(on: "1 Requests")
        #expect(story.state.focus == .tree)
        #expect(story.request?.name == "create user", "a frame selects nothing")
    }

    @Test func `a click on a folder opens and closes it`() {
        var story = Story()
        story.click(on: "▾ users")
        #expect(story.treeNames == ["demo", "  users"])
        story.click(on: "▸ users")
        #expect(story.treeNames.count == 5)
    }

    @Test func `a click below the last row does nothing`() {
        var story = Story()
        story.perform(.mouse(.click(Point(column: 5, row: 25))))
        #expect(story.request?.name == "list users")
    }

    @Test(arguments: Array(RequestTab.allCases.dropFirst())) func `a click on a tab of the request shows it`(
        tab: RequestTab
    ) {
        var story = Story()
        let title = tab.title(for: story.request ?? SavedRequest(name: "", path: ""), environment: nil)
        story.click(on: title)
        #expect(story.state.requestPane.tab == tab)
    }

    @Test(arguments: [("Timeline", ResponseTab.timeline), ("Sent", .sent), ("Headers 2", .headers)])
    func `a click on a tab of the response shows it`(title: String, tab: ResponseTab) {
        var story = Story()
        story.finish(story.send())
        story.click(on: title)
        #expect(story.state.responsePane.tab == tab)
        #expect(story.state.focus == .response)
    }

    @Test func `a click on the mark of a row switches it`() {
        var story = Story()
        story.choose("user by id")
        story.click(on: "✓ expand")
        #expect(story.request?.query[0].enabled == false)
        story.click(on: "· expand")
        #expect(story.request?.query[0].enabled == true)
    }

    @Test func `a second click on a row edits it`() {
        var story = Story()
        story.choose("user by id")
        story.click(on: "expand  ")
        #expect(story.openField == nil)
        story.click(on: "expand  ")
        #expect(story.openField == "orders")
    }

    @Test func `a click on the environment in the first line offers the others`() {
        var story = Story()
        story.click(on: "local ▾")
        #expect(story.topOverlay?.scope == .picker)
        #expect(story.screen.contains("Environment of demo"))
    }

    @Test func `a click on the method picks another`() {
        var story = Story()
        story.choose("create user")
        story.press("2")
        story.click(on: "POST http")
        #expect(story.topOverlay?.scope == .picker)
    }

    @Test func `the wheel scrolls what is under the pointer and leaves the keys where they are`() {
        var story = Story(rows: 20)
        let long = (0..<90).map(String.init).joined(separator: ",")
        story.finish(story.send(), with: SampleRun.response(200, "[\(long)]"))
        story.perform(.mouse(.wheel(Point(column: 60, row: 15), 3)))
        #expect(story.row(9).contains("4   2,"), "\(story.screen)")
        #expect(story.state.focus == .tree)
        story.perform(.mouse(.wheel(Point(column: 60, row: 15), -30)))
        #expect(story.row(9).contains("1 ["), "\(story.screen)")
        story.perform(.mouse(.wheel(Point(column: 60, row: 15), 1000)))
        #expect(
            story.row(16).contains("92 ]"), "the last line shows:\n\(story.screen)")
    }

    @Test func `outside of every pane the mouse does nothing`() {
        var story = Story()
        let before = story.state
        for point in [Point(column: -1, row: -1), Point(column: 500, row: 2), Point(column: 3, row: 33)] {
            story.perform(.mouse(.click(point)))
            story.perform(.mouse(.wheel(point, 3)))
        }
        #expect(story.state == before)
    }

    @Test(arguments: [
        (
            Mouse(.press, button: .left, position: Point(column: 1, row: 2)),
            Action.mouse(.click(Point(column: 1, row: 2)))
        ),
        (Mouse(.drag, button: .left, position: Point(column: 1, row: 2)), .mouse(.drag(Point(column: 1, row: 2)))),
        (Mouse(.release, position: Point(column: 1, row: 2)), .mouse(.release(Point(column: 1, row: 2)))),
        (Mouse(.wheelUp, position: Point(column: 1, row: 2)), .mouse(.wheel(Point(column: 1, row: 2), -3))),
        (Mouse(.wheelDown, position: Point(column: 1, row: 2)), .mouse(.wheel(Point(column: 1, row: 2), 3))),
    ])
    func `what the mouse does is an action like any other`(mouse: Mouse, action: Action) {
        #expect(mouse.action == action)
    }

    @Test(arguments: [
        Mouse(.press, button: .right, position: Point(column: 0, row: 0)),
        Mouse(.drag, position: Point(column: 0, row: 0)),
    ])
    func `other things of the mouse mean nothing`(mouse: Mouse) {
        #expect(mouse.action == nil)
    }
}
