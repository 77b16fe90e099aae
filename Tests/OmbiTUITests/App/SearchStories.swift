import OmbiTerminal
import Testing

@testable import OmbiTUI

@Suite struct SearchStories {
    @Test func `what is typed after the slash filters the requests and runs no command`() {
        var story = Story()
        story.press("/")
        story.type("dsw")
        #expect(story.state.workbench.undoCount == 0)
        #expect(story.takeEffects().isEmpty)
        #expect(story.treeNames.isEmpty)
        #expect(story.screen.contains("No match; Backspace shows more."))
        story.press("Ctrl+U")
        story.type("user id")
        #expect(story.treeNames == ["  user by id"])
        #expect(story.request?.name == "user by id", "the panes show the closest match")
    }

    @Test(arguments: ["post", "create", "cru", "users create", "/users POST", "CREATE"])
    func `name, folder, method and URL are searched`(text: String) {
        var story = Story()
        story.press("/")
        story.paste(text)
        #expect(story.state.tree.current?.name == "create user", "\(story.treeNames)")
    }

    @Test(arguments: [
        ("demo", 3), ("demo/users/create user", 1), ("users/list", 1), ("demo create", 1), ("demo/other", 0),
    ])
    func `a request is found by the name that ombi run takes`(text: String, count: Int) {
        var story = Story(files: [("demo.json", Story.file), ("many.json", Story.file(requests: 2))])
        story.press("/")
        story.paste(text)
        #expect(story.treeNames.count == count, "\(story.treeNames)")
    }

    @Test func `a search without a match stays open on Enter, says so, and ends where it began`() {
        var story = Story()
        story.choose("user by id")
        story.press("/")
        story.type("dsw")
        story.press("Enter")
        #expect(story.state.scopes.first == .search)
        #expect(story.state.notice?.text == "No request matches \"dsw\"; Backspace shows more")
        story.type("R")
        #expect(story.state.tree.search?.text == "dswR", "no command acts on a row that does not show")
        story.press("End", "Ctrl+U")
        #expect(story.state.tree.current?.name == "user by id")
        story.type("dsw")
        story.press("Esc")
        #expect(story.state.tree.current?.name == "user by id")
    }

    @Test func `an abbreviation finds a word next to a number`() {
        var story = Story()
        story.press("/")
        story.type("ls /us")
        #expect(story.treeNames == ["  list users"])
    }

    @Test func `Enter goes to the request, in folders that open for it`() {
        var story = Story()
        story.press("g", "Enter")
        #expect(story.treeNames == ["demo"])
        story.press("/")
        story.type("by id")
        story.press("Enter")
        #expect(story.treeNames.count == 5)
        #expect(story.state.tree.current?.name == "user by id")
        #expect(story.state.scopes.first == .tree)
    }

    @Test func `arrows move among the matches, Enter keeps the place, and Esc goes back to where the search began`() {
        var story = Story()
        story.choose("users")
        for (key, name) in [("Esc", "users"), ("Enter", "user by id")] {
            story.press("/")
            story.type("user")
            #expect(story.treeNames.count == 3)
            story.press("Down", "Down", "Down", "Up", key)
            #expect(story.treeNames.count == 5)
            #expect(story.state.tree.current?.name == name)
        }
    }

    @Test func `the palette finds requests and environments, and remembers what was chosen`() {
        var story = Story()
        story.press(":")
        story.type("create user")
        story.press("Enter")
        #expect(story.state.tree.current?.name == "create user")
        story.press(":")
        story.type("Environment live")
        story.press("Enter")
        #expect(story.state.workbench.environment?.name == "live")
        story.press(":")
        guard case .picker(let picker)? = story.topOverlay else {
            Issue.record("no palette")
            return
        }
        #expect(picker.shown.prefix(2).map(\.name) == ["Environment live", "users › create user"])
    }

    @Test func `the palette has the words in the order in which they were typed first`() {
        let folders = (0..<9).map { folder in
            let requests = (0..<9).map { "{ \"request\": \"request \($0)\", \"path\": \"/\" }" }
            return "{ \"folder\": \"folder \(folder)\", \"items\": [\(requests.joined(separator: ", "))] }"
        }
        var story = Story(file: "{ \"version\": 1, \"name\": \"m\", \"items\": [\(folders.joined(separator: ", "))] }")
        story.press(":")
        story.type("folder 7 req")
        guard case .picker(let picker)? = story.topOverlay else {
            Issue.record("no palette")
            return
        }
        #expect(picker.shown.prefix(9).map(\.name) == (0..<9).map { "folder 7 › request \($0)" })
    }

    @Test func `the palette finds the fields of the request and of settings, in tabs that are not shown`() {
        var story = Story()
        story.choose("list users")
        story.press(":")
        story.type("next page")
        story.press("Enter")
        #expect(story.state.focus == .request && story.state.requestPane.tab == .policy)
        story.press("Enter")
        story.type("link next")
        story.press("Enter")
        #expect(story.request?.pages?.summary == "link next, at most 10")
        story.press("1", "g", ":")
        story.type("proxy")
        story.press("Enter")
        #expect(story.state.requestPane.tab == .connection && story.state.workbench.shared != nil)
    }

    @Test func `the palette says why a command can do nothing`() {
        var story = Story()
        story.press(":")
        story.type("cancel the run")
        #expect(story.screen.contains("nothing runs · x"))
        story.press("Enter")
        #expect(story.state.notice?.text == "Nothing is running; s sends the request")
    }

    @Test func `what can do nothing now comes after the other commands in the palette`() throws {
        var story = Story()
        story.finish(story.send())
        story.press("3", ":")
        guard case .picker(let picker)? = story.topOverlay else {
            Issue.record("no palette")
            return
        }
        let commands = picker.shown
        let search = try #require(commands.firstIndex { $0.name == "Search" })
        let message = try #require(commands.firstIndex { $0.name == "Send a message on the WebSocket" })
        let page = try #require(commands.firstIndex { $0.name == "Add the next page" })
        #expect(search < message && search < page)
        #expect(commands[message].note == "no WebSocket is open · i" && commands[page].note == "no next page · a")
    }

    @Test func `a key that does nothing here says where it does something`() {
        var story = Story()
        story.perform(.app(.unbound(Key(.character("S")))))
        #expect(story.state.notice?.text == "S does nothing here; in Response: Save the body to a file")
        story.perform(.app(.unbound(Key(.character("Q")))))
        #expect(story.state.notice?.text == "Q does nothing here; ? shows the keys")
    }
}
