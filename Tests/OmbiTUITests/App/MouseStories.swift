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
        story.press("2", "z")
        let title = story.state.requestPane.context.titles(in: story.state.workbench, .params)[tab.position]
        story.click(on: title)
        #expect(story.state.requestPane.tab == tab)
    }

    @Test(arguments: [("Timeline", ResponseTab.timeline), ("Cookies", .cookies), ("Headers 2", .headers)])
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

    // MARK: Everything that looks clickable

    @Test func `a click on a key of the bottom line does what the key does`() {
        var story = Story()
        story.click(on: "? help")
        #expect(story.topOverlay?.scope == .help)
        story.click(on: "Esc close")
        #expect(story.topOverlay == nil)
        story.click(on: "send  Enter")
        #expect(story.state.runs.active.count == 1)
        story.receive(.run(story.state.runs.lastID, .prepared(SampleRun.sent)))
        story.click(on: "x cancel  r")
        #expect(story.takeEffects().last == .cancel(story.state.runs.lastID))
        story.perform(.mouse(.click(Point(column: 119, row: 33))))
        #expect(story.topOverlay == nil, "beside the keys nothing happens")
    }

    @Test func `a click on a key ends a chord, or a field`() throws {
        let vim = Keymap.standard.changed(by: KeyPreset.vim)
        var chord = Story(keymap: vim)
        chord.press("Ctrl+W")
        chord.click(on: "Esc cancel")
        #expect(chord.state.begunKeys.isEmpty && chord.state.notice?.text == "Ctrl+W cancelled")
        var field = Story()
        field.press("2", "Enter")
        field.type("!")
        field.click(on: "Esc ")
        #expect(field.openField == nil && field.request?.path == "/users")
    }

    @Test func `a click on an answer gives it, and beside a question there is none`() {
        var story = Story()
        story.choose("users")
        story.press("d")
        story.perform(.mouse(.click(Point(column: 1, row: 1))))
        #expect(story.topOverlay?.scope == .question)
        story.click(on: "n Esc keep it")
        #expect(story.topOverlay == nil && story.treeNames.count == 5)
        story.press("d")
        story.click(on: "y delete it")
        #expect(story.treeNames == ["demo"])
    }

    @Test func `a click chooses a row of a list`() {
        var story = Story()
        story.press("E")
        story.click(on: "live")
        #expect(story.topOverlay == nil && story.state.workbench.environment?.name == "live")
    }

    @Test func `the wheel scrolls a long list, and a click chooses what shows then`() {
        var story = Story(columns: 80, rows: 24, file: Story.file(requests: 60))
        story.press(":")
        for _ in 0..<6 { story.perform(.mouse(.wheel(Point(column: 40, row: 12), 3))) }
        guard case .picker(let picker) = story.topOverlay else { return }
        #expect(picker.position.offset == 18)
        let name = picker.shown[20].name
        story.click(on: name.prefix(20).description)
        #expect(story.topOverlay == nil || story.topOverlay?.scope != .picker)
    }

    @Test func `a click places the caret in every field`() throws {
        var story = Story()
        story.press("R", "End", "Ctrl+U")
        story.type("abcdef")
        story.click(on: "cdef")
        story.type("_")
        guard case .prompt(let prompt) = story.topOverlay else { return }
        #expect(prompt.field.text == "ab_cdef")
        story.press("Esc", ":")
        story.type("send")
        story.click(on: "end ")
        story.type("_")
        guard case .picker(let picker) = story.topOverlay else { return }
        #expect(picker.filter.text == "s_end")
        story.press("Esc", "/")
        story.type("user")
        story.click(on: "ser ")
        story.type("_")
        #expect(story.state.tree.search?.text == "u_ser")
        story.press("Esc", "?", "/")
        story.type("send")
        story.click(on: "end ")
        story.press("Backspace")
        #expect(story.screen.contains("/end"))
    }

    @Test func `a click places the caret in the prompts of bodies`() throws {
        var story = Story()
        story.finish(story.send())
        story.press("3", "/")
        story.type("name")
        let prompt = try #require(story.place(of: "/name "))
        story.perform(.mouse(.click(Point(column: prompt.column + 2, row: prompt.row))))
        story.press("Backspace")
        #expect(story.screen.contains("/ame "), "\(story.screen)")
        var edited = Story()
        edited.choose("create user")
        edited.press("2", "]", "]", "Down", "Enter", "Ctrl+R")
        edited.type("Ada")
        edited.click(on: "with ")
        edited.type("x")
        edited.click(on: "da ")
        edited.press("Backspace")
        #expect(edited.openBody?.find?.pattern.text == "da" && edited.openBody?.find?.replacement?.text == "x")
    }

    @Test func `a click in the field of an environment places the caret, and one elsewhere submits`() {
        var story = Story.environments()
        story.press("Enter")
        let before = story.state.environmentPane?.editing?.text.text ?? ""
        #expect(!before.isEmpty)
        story.click(on: String(before.dropFirst(3)))
        story.press("Delete")
        let after = story.state.environmentPane?.editing?.text.text
        #expect(after == String(before.prefix(3) + before.dropFirst(4)))
        story.perform(.mouse(.click(Point(column: 2, row: 20))))
        #expect(story.state.environmentPane?.editing == nil)
    }

    @Test func `dragging selects in a field`() throws {
        var story = Story()
        story.choose("user by id")
        story.press("2", "Down", "Down", "Enter")
        let row = try #require(story.place(of: "expand    orders"))
        let place = Point(column: row.column + 10, row: row.row)
        story.perform(.mouse(.click(Point(column: place.column + 1, row: place.row))))
        story.perform(.mouse(.drag(Point(column: place.column + 4, row: place.row))))
        story.press("Alt+c")
        #expect(story.takeEffects() == [.copy("rde", named: "the text")])
    }

    @Test func `the marks of a long list scroll it, and the wheel leaves a field under edit alone`() throws {
        var story = Story(file: Story.file(requests: 100))
        story.click(on: "↓")
        #expect(story.state.tree.position.offset > 20)
        story.click(on: "↑")
        #expect(story.state.tree.position.offset == 0)
        story.press("2", "Enter")
        story.perform(.mouse(.wheel(Point(column: 60, row: 4), 3)))
        story.perform(.mouse(.wheel(Point(column: 5, row: 4), 3)))
        #expect(story.openField != nil && story.state.tree.position.offset == 3)
    }

    @Test func `where the list is hidden, its name in the first line leads back`() {
        var story = Story(columns: 80, rows: 24)
        story.press("2")
        story.click(on: "1 Requests ›")
        #expect(story.state.focus == .tree)
    }

    @Test func `a click on a row of the headers goes there`() {
        var story = Story()
        story.finish(story.send())
        story.press("3", "]")
        story.click(on: "Content-Length")
        story.press("y")
        #expect(story.takeEffects().last == .copy("Content-Length: 65", named: "header Content-Length"))
    }

    @Test func `a question that must be decided has three answers`() {
        var overlays = QuestionOverlay(
            title: "Keep", lines: ["?"], yes: .init("keep", .accept), no: .init("drop", .leave))
        overlays.isDecision = true
        var surface = Surface(size: Size(columns: 60, rows: 12))
        let area = Rect(surface.size)
        _ = overlays.draw(on: &surface, in: area)
        let row = surface.text().split(separator: "\n", omittingEmptySubsequences: false).firstIndex {
            $0.contains("q quit")
        }
        let answers = (0..<60).compactMap {
            overlays.handle(.mouse(.click(Point(column: $0, row: row ?? 0))), in: area)
        }
        #expect(answers.contains([.accept]) && answers.contains([.leave]) && answers.contains([.app(.quit)]))
    }

    @Test func `outside of every pane the mouse does nothing`() {
        var story = Story()
        let before = story.state
        for point in [Point(column: -1, row: -1), Point(column: 500, row: 2), Point(column: 118, row: 33)] {
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
