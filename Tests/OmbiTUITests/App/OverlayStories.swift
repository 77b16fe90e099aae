import OmbiCore
import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// What lies over the panes takes the keys, the topmost first.
@Suite struct OverlayStories {
    @Test func `the help scrolls, stops at its ends and closes`() {
        var story = Story(columns: 80, rows: 12)
        story.press("?")
        #expect(story.state.scopes == [.help])
        #expect(story.screen.contains("Most used here"), "the keys that work here come first")
        let top = story.screen
        story.press("Up", "PageUp")
        #expect(story.screen == top)
        story.press("Down")
        #expect(story.screen != top)
        story.press("PageDown", times: 100)
        let bottom = story.screen
        story.press("Down", "PageDown")
        #expect(story.screen == bottom)
        #expect(bottom.contains("Delete the environment, after a question"), "the last line can be read: \(bottom)")
        story.perform(.mouse(.wheel(Point(column: 5, row: 5), -3)))
        #expect(story.screen != bottom)
        story.press("q")
        #expect(story.state.overlays.isEmpty)
        #expect(story.takeEffects().isEmpty, "q closed the help and nothing else")
    }

    @Test(arguments: [60, 70, 80, 90, 120, 200]) func `the problem of a prompt is folded and never cut`(columns: Int) {
        for command in ["Write the report of an incident", "Watch: send every few seconds, or stop that"] {
            var story = Story(columns: columns, rows: 24)
            story.choose("list users")
            story.command(command)
            story.replace(with: "xx")
            story.press("Enter")
            let first = story.lines.firstIndex { $0.contains("✗ Write") } ?? 0
            let box = story.lines[first...].prefix { !$0.contains("└") }
            #expect(!box.isEmpty && !box.contains { $0.contains("…") }, "\(story.screen)")
        }
    }

    @Test func `a message that a key wiped is in the log`() {
        var story = Story(columns: 80, rows: 24)
        story.press("L")
        #expect(story.screen.contains("No messages so far."))
        story.press("Esc")
        for (time, notice) in [
            (10, Notice(.failure, "the disk is full")), (11, Notice(.failure, "the disk is full")),
            (50, Notice(.success, "Saved a.json")),
        ] {
            story.time = .seconds(time)
            story.receive(.notice(notice))
        }
        story.perform(.app(.unbound(Key(.function(9)))))
        story.press("j", "L")
        #expect(story.lines.contains { $0.contains("39 s    the disk is full (2 times)") }, "\(story.screen)")
        #expect(story.lines.contains { $0.contains("now     Saved a.json") })
        #expect(!story.screen.contains("does nothing here"), "a slip of a finger is no news")
        story.press("q")
        #expect(story.state.overlays.isEmpty)
        #expect(story.takeEffects().isEmpty, "q closed the log and nothing else")
    }

    @Test func `a long log opens at its end, and keeps the latest messages only`() {
        var story = Story(columns: 80, rows: 24)
        for number in 1...600 { story.receive(.notice(Notice(.info, "message \(number)."))) }
        story.press("L")
        #expect(story.screen.contains("message 600.") && !story.screen.contains("message 580."))
        story.press("g")
        #expect(story.screen.contains("message 101.") && !story.screen.contains("message 100."))
        story.press("PageUp")
        #expect(story.screen.contains("message 101."))
        story.press("G", "PageDown")
        #expect(story.screen.contains("message 600."))
    }

    @Test func `the palette puts what begins with the text first, and knows the words of other programs`() {
        var story = Story()
        func found(_ text: String) -> String? {
            story.press(":")
            story.type(text)
            defer { story.press("Esc") }
            guard case .picker(let picker)? = story.topOverlay else { return nil }
            return picker.chosen?.name
        }
        #expect(found("user by id") == "users › user by id")
        #expect(found("local") == "Environment local")
        #expect(found("diff") == "Replay in an environment, and compare with recorded responses")
        #expect(found("remove") == "Delete the item (u restores it)")
        #expect(found("watch") == "Watch: send every few seconds, or stop that", "before what has it further behind")
    }

    @Test func `a question hides the keys of a run, which mean nothing there`() {
        var story = Story()
        story.choose("user by id")
        story.send()
        #expect(story.lines.contains { $0.contains("x cancel  r retry now") }, "\(story.screen)")
        story.press("1", "a")
        #expect(story.topOverlay != nil && !story.lines.contains { $0.contains("retry now") }, "\(story.screen)")
    }

    @Test func `the help of a pane begins with the keys of that pane`() {
        var story = Story(columns: 90, rows: 160)
        story.press("3", "?")
        let lines = story.lines
        let headings = ["Response", "Lists and bodies", "Everywhere"].map { heading in
            lines.firstIndex { $0.contains("│ \(heading)") } ?? -1
        }
        #expect(headings == headings.sorted() && headings.first ?? -1 > 0, "\(headings)\n\(story.screen)")
    }

    @Test func `a picker narrows down as one types`() {
        var story = Story()
        story.press("2", "g", "Space")
        guard case .picker(let all) = story.topOverlay else {
            Issue.record("no picker")
            return
        }
        #expect(all.chosen?.name == "GET")
        #expect(all.shown.count == RequestMethod.allCases.count)
        story.type("pA")
        guard case .picker(let some) = story.topOverlay else { return }
        #expect(some.shown.map(\.name) == ["PATCH"])
        story.type("?")
        #expect(story.screen.contains("No match; Backspace shows more"))
        story.press("Enter")
        #expect(story.request?.method == .get, "nothing was chosen")
        #expect(story.topOverlay != nil, "what is typed next is no command")
    }

    @Test func `a method that is in no list is typed`() {
        var story = Story.inRequest("list users")
        story.press("Space")
        story.type("propfind")
        #expect(story.screen.contains("PROPFIND"))
        story.press("Enter")
        #expect(story.request?.method == "PROPFIND")
        story.press("Enter")
        story.replace(with: "PURGE /cache")
        story.press("Enter")
        #expect(story.request?.method == "PURGE" && story.request?.path == "/cache")
    }

    @Test func `the frame of a list or a text that is cut says where it is, and that there is more`() {
        var story = Story(columns: 80, rows: 24)
        story.press("?")
        #expect(story.screen.contains("19/") && story.screen.contains(" ↓ ─"), "\(story.screen)")
        story.press("G")
        #expect(story.screen.contains(" ↑ ") && !story.screen.contains(" ↓ ─"), "\(story.screen)")
        story.press("Esc", ":")
        #expect(story.screen.contains(" 1/") && story.screen.contains(" ↓ ─"), "\(story.screen)")
        story.type("new request")
        #expect(!story.screen.contains(" ↓ ─"), "all of it shows: \(story.screen)")
    }

    @Test func `the page of a file that is cut says so in its frame`() {
        let items = (0..<12).map { "{ \"request\": \"r\($0)\", \"path\": 5 }" }.joined(separator: ", ")
        let story = Story(file: "{ \"version\": 1, \"name\": \"b\", \"items\": [\(items)] }")
        #expect(story.screen.contains("/15 ↓"), "\(story.screen)")
    }

    @Test func `a picker stays within its rows`() {
        var story = Story()
        story.press("2", "g", "Space")
        for key in ["Up", "PageUp", "PageDown", "PageDown", "Down", "Backspace", "PageDown"] { story.press(key) }
        story.press("Enter")
        #expect(story.request?.method == RequestMethod.allCases.last)
    }

    @Test func `a picker leaves as it was`() {
        var story = Story()
        story.press("2", "g", "Space", "Down", "Esc")
        #expect(story.request?.method == .get)
        #expect(story.state.overlays.isEmpty)
    }

    @Test(arguments: Focus.allCases) func `the help begins with the keys that are needed most`(focus: Focus) {
        var story = Story(columns: 100, rows: 60)
        story.choose("user by id")
        story.perform(.app(.focus(focus)))
        let hints = story.state.statusLine.hints.prefix(5).map(\.label)
        story.press("?")
        let lines = story.lines
        let start = lines.firstIndex { $0.contains("│ Most used here") } ?? 99
        let headings = ["│ Requests ", "│ Request ", "│ Response "]
        let next = lines.indices.first { line in line > start && headings.contains { lines[line].contains($0) } } ?? 99
        #expect((1...3).contains(start) && next - start <= 16, "ten keys, one or two lines each: \(story.screen)")
        for hint in hints { #expect(lines.prefix(20).contains { $0.contains(hint.prefix(30)) }, "\(hint)") }
    }

    @Test func `the help begins with each key once`() {
        for tab in ResponseTab.allCases {
            var story = Story()
            story.finish(story.send())
            story.press("3", "Alt+\(tab.number)")
            let sequences = story.state.usualKeys(10).flatMap(\.sequences)
            #expect(Set(sequences).count == sequences.count, "\(tab)")
        }
    }

    @Test func `the help begins with no key that does nothing with the body on the screen`() {
        var story = Story()
        story.finish(story.send())
        story.press("3")
        let labels = story.state.usualKeys(10).map(\.label)
        #expect(labels.contains("Search"), "\(labels)")
        for label in ["Send a message on the WebSocket", "Add the next page"] {
            #expect(!labels.contains(label), "\(labels)")
        }
    }

    @Test func `the keys that edit a line stand in the help once`() {
        let sections = HelpSection.sections(of: KeyScope.allCases, in: .standard) + [.typing(in: .standard)]
        for label in [
            "Delete to the left", "Delete to the right", "Delete a word", "Delete to the start of the line", "Undo",
            "Redo",
            "Go to the start of the line", "Move a word left", "Select all", "Cut the selection, or the line",
        ] {
            let count = sections.flatMap(\.entries).count { $0.label == label }
            #expect(count == 1, "\(label)")
        }
        let entries = sections.reduce(0) { $0 + $1.entries.count }
        #expect(entries < Keymap.standard.bindings.count - 100)
    }

    @Test(arguments: [40, 46, 60]) func `a question has room for each of its answers`(columns: Int) {
        let question = QuestionOverlay(
            title: "Secrets", lines: (0..<9).map { "line \($0)" }, yes: .init("move to shop.local.json", .accept),
            no: .init("save as it is", .move(.up)))
        var surface = Surface(size: Size(columns: columns, rows: 9))
        let area = Rect(surface.size)
        _ = question.draw(on: &surface, in: area)
        let lines = surface.text().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for (text, action) in [
            ("y move to shop.local.json", [Action.accept]), ("n save as it is", [.move(.up)]), ("Esc back", []),
        ] {
            let row = lines.firstIndex { $0.contains("│") && $0.contains(text) } ?? 99
            let answers = (0..<columns).compactMap {
                question.handle(.mouse(.click(Point(column: $0, row: row))), in: area)
            }
            #expect(row < 9 && answers.contains(action), "\(text): \(surface.text())")
        }
        #expect(surface.text().contains("line 1") && surface.text().contains("…"))
    }

    @Test func `the palette runs the command`() {
        var story = Story()
        story.press(":")
        story.type("send the")
        story.press("Enter")
        #expect(story.lastOrder?.request.name == "list users")
        #expect(story.state.overlays.isEmpty)
        story.press("Ctrl+P")
        story.type("rename")
        story.press("Enter")
        #expect(story.topOverlay?.scope == .field)
    }

    @Test(arguments: Focus.allCases) func `every command of the palette is its own`(focus: Focus) {
        var story = Story()
        story.perform(.app(.focus(focus)))
        story.press(":")
        guard case .picker(let picker) = story.topOverlay else {
            Issue.record("no palette")
            return
        }
        let names = picker.shown.map(\.name)
        #expect(Set(names).count == names.count, "a command is found by its words")
        #expect(names.contains("Quit, after questions about runs and unsaved edits"))
    }

    /// A story in which it is being checked whether a request to a protected environment can be sent.
    private static func checking() -> Story {
        var story = Story()
        story.choose("create user")
        story.press("E", "Down", "Enter", "s")
        return story
    }

    private static func id(_ story: Story) -> ItemID { story.request?.id ?? ItemID() }

    @Test func `overlays stack, and each key goes to the topmost`() {
        var story = Self.checking()
        story.press("1", "?")
        story.receive(.checked(.request(Self.id(story)), isReady: true))
        #expect(story.state.overlays.count == 2)
        #expect(story.state.scopes == [.field], "the name of the protected environment")
        story.press("Esc")
        #expect(story.state.scopes == [.help])
        story.press("Esc")
        #expect(story.state.scopes == [.tree, .lists, .everywhere])
    }

    @Test func `a question that comes while a field is open lets it stay open`() {
        var story = Self.checking()
        story.press("2", "Enter")
        story.type("x")
        story.receive(.checked(.request(Self.id(story)), isReady: true))
        story.press("Esc")
        story.type("y")
        #expect(story.openField == "/usersxy")
    }

    @Test(arguments: ["?", "E", ":", "a"]) func `under an overlay nothing is clicked`(key: String) {
        var story = Story()
        story.press(key)
        let before = story.state
        story.perform(.mouse(.click(Point(column: 3, row: 3))))
        #expect(story.state == before)
    }

    @Test(arguments: ["?", "E", "a", "q"]) func `redraw and suspend work over everything`(key: String) {
        var story = Story()
        story.press("Alt+D", key)
        _ = story.takeEffects()
        story.perform(.app(.redraw))
        story.perform(.app(.suspend))
        #expect(story.takeEffects() == [.redraw, .suspend])
    }

    @Test func `a notice goes with the next key`() {
        var story = Story()
        story.press("w")
        #expect(story.state.notice != nil)
        story.press("Down")
        #expect(story.state.notice == nil)
    }
}
