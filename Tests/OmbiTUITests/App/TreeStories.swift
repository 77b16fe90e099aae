import OmbiCore
import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI

@Suite struct TreeStories {
    @Test func `the page of a collection names the variables without a value`() {
        var story = Story(
            file: """
                { "version": 1, "name": "shop", "environments": [{ "name": "loc", "host": "http://h" }],
                  "items": [{ "request": "odd", "path": "/a/{{nope}}" }, { "request": "even", "path": "/b" }] }
                """)
        story.press("1", "g")
        #expect(story.screen.contains("! {{nope}} has no value in loc; odd uses it"), "\(story.screen)")
        story.choose("even")
        story.press("2", "Enter", "End")
        story.type("/{{nope}}")
        story.press("Enter", "1", "g")
        #expect(story.screen.contains("! {{nope}} has no value in loc; odd and 1 more use it"), "\(story.screen)")
    }

    @Test func `the cursor starts on the first request, which the panes show`() {
        let story = Story()
        #expect(story.treeNames == ["demo", "  users", "    list users", "    user by id", "    create user"])
        #expect(story.state.tree.current?.name == "list users")
        #expect(story.request?.name == "list users")
        #expect(story.state.focus == .tree)
    }

    @Test func `left closes a folder and then goes to the one above`() {
        var story = Story()
        story.press("Left")
        #expect(story.state.tree.current?.name == "users")
        story.press("Left")
        #expect(story.treeNames == ["demo", "  users"])
        story.press("Left", "Left")
        #expect(story.treeNames == ["demo"])
        story.press("Left")
        #expect(story.state.tree.current?.name == "demo")
    }

    @Test func `right opens, and on a request goes to its pane`() {
        var story = Story()
        story.press("Left", "Left", "Right")
        #expect(story.treeNames.count == 5)
        story.press("Right")
        #expect(story.state.tree.current?.name == "users", "an open folder stays as it is")
        story.press("Down", "Right")
        #expect(story.state.focus == .request)
    }

    @Test func `Enter opens and closes folders and files`() {
        var story = Story()
        story.press("g", "Enter")
        #expect(story.treeNames == ["demo"])
        story.press("Enter", "Down", "Enter")
        #expect(story.treeNames == ["demo", "  users"])
    }

    @Test func `the panes follow the cursor, and stay while it is on a folder`() {
        var story = Story()
        story.press("Down")
        #expect(story.request?.name == "user by id")
        story.press("g")
        #expect(story.request?.name == "user by id")
    }

    @Test func `on a folder the header and the request pane show it, and the open request comes back with its pane`() {
        var story = Story()
        story.choose("users")
        #expect(story.lines[0].hasPrefix(" demo › users  "))
        #expect(story.screen.contains("3 requests in demo.json"))
        #expect(story.screen.contains("s runs them, one after the other or several at a time"))
        #expect(story.screen.contains("3 Response ─ list users"))
        story.press("2")
        #expect(story.lines[0].hasPrefix(" demo › users  "), "its settings are edited there")
        story.press("3")
        #expect(story.lines[0].hasPrefix(" demo › users › list users "))
        #expect(story.screen.contains("GET http://127.0.0.1:8765/users"))
    }

    @Test func `on a folder the header has the host with its variables filled in`() {
        let text = Story.file.replacing("127.0.0.1:8765", with: "127.0.0.1:{{port}}")
            .replacing("\"token\": \"t\"", with: "\"token\": \"t\", \"port\": \"7\"")
        var story = Story(file: text)
        story.choose("users")
        #expect(story.lines[0].hasSuffix("127.0.0.1:7"), "\(story.lines[0])")
    }

    @Test func `the page of a folder counts the last runs of its requests`() {
        var story = Story()
        story.finish(story.send())
        story.choose("user by id")
        story.refuse(story.send())
        story.choose("users")
        #expect(
            story.screen.contains("✗ 2 failed  1 not sent")
                || story.screen.contains("✓ 1 passed  ✗ 1 failed  1 not sent"))
    }

    @Test func `a click on the page of a folder goes to its settings and edits nothing`() {
        var story = Story()
        story.choose("users")
        story.click(on: "3 requests in demo.json")
        #expect(story.state.focus == .request && story.openField == nil && story.topOverlay == nil)
    }

    @Test func `on another collection the keys of files are about that one`() {
        var story = Story(files: [
            ("a.json", Story.file), ("b.json", Story.file.replacing("\"name\": \"demo\"", with: "\"name\": \"other\"")),
        ])
        story.press("Alt+D", "G", "k", "k", "k", "k")
        #expect(story.state.tree.current?.name == "other")
        #expect(story.lines[0].hasPrefix(" other  "))
        #expect(story.request?.name == "list users copy" || story.request != nil)
        story.press("u")
        #expect(story.state.notice?.text == "Nothing to undo in other")
        story.press("E")
        #expect(story.screen.contains("Environment of other"))
    }

    @Test func `a request that gets the name of another one beside it is told of their one history`() {
        let warning = "Two requests here are named list users: they have one history, and ombi run sends both"
        var story = Story()
        story.choose("user by id")
        story.press("R")
        story.replace(with: "list users")
        story.press("Enter")
        #expect(story.state.notice == Notice(.warning, warning))
        story.press("R")
        story.replace(with: "one user")
        story.press("Enter")
        #expect(story.state.notice == nil)
        story.press("a")
        story.type("list users")
        story.press("Enter")
        #expect(story.state.notice == Notice(.warning, warning) && story.openField != nil)
        story = Story()
        story.choose("users")
        story.press("R")
        story.replace(with: "list users")
        story.press("Enter")
        #expect(story.state.notice == nil, "a folder is no request")
    }

    @Test func `a problem of a readable file marks its request and shows on the page of the collection`() {
        let text = Story.file.replacing(
            "\"path\": \"/users/:id\",", with: "\"path\": \"/users/:id\", \"methd\": \"PUT\",")
        var story = Story(file: text)
        #expect(story.state.tree.rows.filter(\.hasProblem).map(\.name) == ["demo", "user by id"])
        #expect(story.screen.contains("user by id !"))
        story.press("g")
        #expect(story.screen.contains("unknown key \"methd\"; did you mean \"method\"?"))
        story.receive(.changed(Story.loaded(Story.file)))
        #expect(story.state.tree.rows.allSatisfy { !$0.hasProblem })
    }

    @Test func `a broken file opens in the editor from the request pane, too, and shows each problem whole`() {
        let problem = "\"method\": \"GTE\", \"path\": 5, \"name\": [], "
        var story = Story(
            columns: 60, file: Story.file.replacing("{ \"request\": \"list", with: "{ \(problem)\"request\": \"list"))
        story.press("2")
        #expect(!story.lines.contains { $0.contains("…") && !$0.contains("Body  Headers") }, "\(story.screen)")
        #expect(story.screen.contains("you mean \"GET\"?"))
        story.press("Enter", "e")
        let opened = story.takeEffects().filter { if case .editFile = $0 { true } else { false } }
        #expect(opened.count == 2)
    }

    @Test func `a request is added behind the cursor, and its URL is asked for`() {
        var story = Story()
        story.press("a")
        story.type("new one")
        story.press("Enter")
        #expect(
            story.treeNames == [
                "demo", "  users", "    list users", "    new one", "    user by id", "    create user",
            ])
        #expect(story.request?.name == "new one")
        #expect(story.state.focus == .request)
        #expect(story.openField == "/")
    }

    @Test func `a request added on a closed folder opens it`() {
        var story = Story()
        story.press("Left", "Left", "a")
        story.type("last")
        story.press("Enter")
        #expect(story.treeNames.last == "    last")
        #expect(story.state.tree.current?.name == "last")
    }

    @Test func `a folder is added in the folder under the cursor`() {
        var story = Story()
        story.press("Left", "A")
        story.type("inner")
        story.press("Enter")
        #expect(story.treeNames.last == "    inner")
        #expect(story.state.tree.current?.name == "inner")
        #expect(story.state.focus == .tree)
    }

    @Test(arguments: ["", "   "]) func `a name is needed`(name: String) {
        var story = Story()
        story.press("a")
        story.type(name)
        story.press("Enter")
        #expect(story.treeNames.count == 5)
        #expect(story.screen.contains("✗ Type a name, or Esc goes back"), "\(story.screen)")
        #expect(story.state.workbench.undoCount == 0)
        // What is typed next is no command.
        story.type("x")
        story.press("Enter")
        #expect(story.treeNames.count == 6)
    }

    @Test(arguments: ["a", "A", "R", "o"]) func `an empty line keeps its field open`(key: String) {
        var story = Story()
        story.choose("user by id")
        story.press(key)
        _ = story.takeEffects()
        story.press("Ctrl+U", "Enter")
        #expect(story.topOverlay?.scope == .field, "\(key)")
        #expect(story.takeEffects().isEmpty)
        story.press("Esc")
        #expect(story.topOverlay == nil)
    }

    @Test func `Esc leaves the prompt and changes nothing`() {
        var story = Story()
        story.press("a")
        story.type("x")
        story.press("Esc")
        #expect(story.treeNames.count == 5)
        #expect(story.state.overlays.isEmpty)
    }

    @Test func `an item is renamed from its old name`() {
        var story = Story()
        story.press("R")
        story.type("!")
        story.press("Enter")
        #expect(story.state.tree.current?.name == "list users!")
        #expect(story.state.workbench.files[0].isDirty)
        story.press("Left", "R")
        story.replace(with: "people")
        story.press("Enter")
        #expect(story.treeNames[1] == "  people")
    }

    @Test func `the name of a file is changed by nobody here`() {
        var story = Story()
        story.press("g", "R", "Alt+D")
        story.perform(.tree(.move(1)))
        #expect(story.state.overlays.isEmpty)
        #expect(!story.state.workbench.files[0].isDirty)
    }

    @Test func `what is deleted comes back with undo`() {
        var story = Story()
        story.press("d")
        #expect(story.treeNames == ["demo", "  users", "    user by id", "    create user"])
        #expect(story.request?.name == "user by id", "the panes show what is under the cursor now")
        #expect(story.state.notice?.text == "Deleted list users; u brings it back")
        story.press("u")
        #expect(story.treeNames.count == 5)
        #expect(!story.state.workbench.files[0].isDirty)
    }

    @Test func `after the last request of a collection is deleted, the cursor stays in it, and undo brings it back`() {
        var story = Story(files: [
            ("a.json", Story.file(requests: 2, name: "a")), ("b.json", Story.file(requests: 1, name: "b")),
        ])
        story.choose("r1")
        story.press("d")
        #expect(story.state.tree.current?.name == "r0" && story.state.workbench.file?.name == "a")
        story.press("d")
        #expect(story.state.tree.current?.name == "a" && story.treeNames == ["a", "b", "  r0"])
        story.press("u", "u")
        #expect(story.treeNames == ["a", "  r0", "  r1", "b", "  r0"])
    }

    @Test func `undo brings back what was deleted in another collection, and then what the cursor is in`() {
        var story = Story(files: [
            ("a.json", Story.file(requests: 1, name: "a")), ("b.json", Story.file(requests: 1, name: "b")),
        ])
        story.choose("r0")
        story.press("v", "d")
        #expect(story.treeNames == ["a", "b", "  r0"] && story.state.tree.current?.name == "b")
        story.press("u")
        #expect(story.treeNames == ["a", "  r0", "b", "  r0"])
        #expect(story.state.notice?.text == "Undone: delete r0; U redoes it")
        story.press("U")
        story.choose("b")
        story.press("u")
        #expect(story.state.notice?.text == "Nothing to undo in b")
    }

    @Test func `a deleted folder takes its requests along, and brings them back`() {
        var story = Story()
        story.press("Left", "d", "n")
        #expect(story.treeNames.count == 5, "a folder is deleted after a question")
        story.press("d")
        #expect(story.screen.contains("Delete the folder users with 3 requests?"))
        story.press("y")
        #expect(story.treeNames == ["demo"])
        #expect(story.request == nil)
        story.press("u")
        #expect(story.treeNames.count == 5)
    }

    @Test func `a duplicate stands behind the original under a name of its own`() {
        var story = Story()
        story.press("Alt+D", "Up", "Alt+D")
        #expect(story.treeNames[2...4] == ["    list users", "    list users copy 2", "    list users copy"])
        #expect(story.request?.name == "list users copy 2")
    }

    @Test func `items move among their siblings and stop at the ends`() {
        var story = Story()
        for _ in 0..<3 { story.perform(.tree(.move(1))) }
        #expect(story.treeNames[2...] == ["    user by id", "    create user", "    list users"])
        #expect(story.state.tree.current?.name == "list users")
        story.command("Move the item up")
        #expect(story.treeNames[2...] == ["    user by id", "    list users", "    create user"])
        #expect(story.state.workbench.undoCount == 3, "a step at the end changes nothing")
    }

    @Test func `many rows start folded, but for the folder of the first request`() {
        let folders = (0..<40).map { folder in
            let request = "{ \"request\": \"r\(folder)\", \"path\": \"/\" }"
            return "{ \"folder\": \"f\(folder)\", \"items\": [\(request)] }"
        }
        let story = Story(file: "{ \"version\": 1, \"name\": \"big\", \"items\": [\(folders.joined(separator: ","))] }")
        #expect(story.treeNames.count == 42)
        #expect(story.state.tree.current?.name == "r0")
    }

    @Test func `the wheel takes the panes along with the cursor`() {
        var story = Story(rows: 14, file: Story.file(requests: 40))
        story.perform(.mouse(.wheel(Point(column: 3, row: 5), 3)))
        #expect(story.state.tree.position.offset == 3)
        #expect(story.request?.name == story.state.tree.current?.name)
    }

    @Test func `without collections the screen says what to do`() {
        var story = Story(files: [])
        #expect(story.screen.contains("No collections in this folder."))
        story.perform(.run(.send))
        #expect(story.state.notice?.text == "Select a request first; Enter opens a folder")
        story.perform(.app(.focus(.request)))
        story.press("Enter", "a", "d", "Space", "]", "e", "3", "]", "[", "Down")
        #expect(story.takeEffects().isEmpty)
        #expect(story.state.overlays.isEmpty)
    }

    @Test func `a tab of the request is one key away from the list`() {
        var story = Story()
        story.choose("user by id")
        story.press("Alt+4")
        #expect(story.state.focus == .request && story.state.requestPane.tab == .auth)
    }

    @Test func `on the start screen a typed URL is sent with one Enter`() {
        var story = Story(files: [])
        #expect(story.screen.contains("Type or paste a URL or a curl command; Enter sends it."))
        story.press("l")
        #expect(story.screen.contains("Send a URL or a curl command"))
        story.type("ocalhost:3000/users")
        story.press("Enter")
        #expect(story.request?.path == "http://localhost:3000/users")
        #expect(story.state.focus == .request && story.state.runs.active.count == 1)
        // It is sent once: the next Enter edits, as everywhere.
        #expect(!story.screen.contains("Enter sends it"), "\(story.screen)")
        story.press("Enter")
        #expect(story.state.requestPane.editing != nil && story.state.runs.active.count == 1)
    }

    @Test(arguments: ["http://api.test/users", "curl -X POST https://api.test/users \\\n  -d a=1\n"])
    func `on the start screen a paste is sent with one Enter`(text: String) {
        var story = Story(files: [])
        story.paste(text)
        story.press("Enter")
        #expect(story.state.runs.active.count == 1, "\(story.screen)")
        // Afterwards Enter edits, as everywhere.
        story.perform(.run(.cancel))
        story.press("Enter")
        #expect(story.state.requestPane.editing != nil)
    }

    @Test func `Enter sends only right after the paste`() {
        var story = Story(files: [])
        story.paste("curl https://api.test/users \\\n  -H 'A: b'\n")
        #expect(story.state.notice?.text.contains("Enter sends it, w saves to a collection") == true)
        #expect(story.lines.last?.contains("Enter send") == true, "\(story.screen)")
        story.press("]")
        #expect(story.lines.last?.contains("Enter send") == false, "\(story.screen)")
        story.press("Enter")
        #expect(story.state.runs.active.isEmpty)
    }

    @Test(arguments: ["", "   ", "not a url at all"]) func `no URL on the start screen sends nothing`(text: String) {
        var story = Story(files: [])
        story.press("h")
        story.perform(.text(.selectAll))
        story.type(text)
        story.press("Enter")
        #expect(story.state.runs.active.isEmpty)
    }
}
