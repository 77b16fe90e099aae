import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// Requests and folders that are moved, copied and marked.
@Suite struct MovingStories {
    private static let shop = """
        {
          "version": 1,
          "name": "shop",
          "environments": [{ "name": "only", "host": "https://shop.test" }],
          "items": [
            { "request": "status", "path": "/status" },
            { "folder": "orders", "items": [{ "request": "list orders", "path": "/orders" }] }
          ]
        }

        """

    private static let inDemo = ["demo", "  users", "    list users", "    user by id", "    create user"]
    private static let inShop = ["shop", "  status", "  orders", "    list orders"]

    private static func two() -> Story { Story(files: [("demo.json", Story.file), ("shop.json", shop)]) }

    private static func paths(_ effects: [Effect]) -> [String] {
        effects.compactMap { if case .save(let path, _, _, _) = $0 { path } else { nil } }
    }

    // MARK: One step

    @Test func `an item moves out of its folder and into the one beside it`() {
        var story = Self.two()
        story.command("Move the item out of its folder")
        #expect(story.treeNames.prefix(5) == ["demo", "  users", "    user by id", "    create user", "  list users"])
        #expect(story.state.tree.current?.name == "list users")
        story.perform(.tree(.moveOut))
        #expect(story.state.notice?.text == "list users is in no folder; m moves it to another collection")
        story.command("Move the item into the folder next to it")
        #expect(
            story.treeNames.prefix(5) == ["demo", "  users", "    user by id", "    create user", "    list users"])
        story.perform(.tree(.move(1)))
        #expect(story.state.notice?.text == "The last in users; the palette (:) moves it out")
        story.choose("status")
        story.perform(.tree(.moveIn))
        #expect(story.treeNames.suffix(3) == ["  orders", "    list orders", "    status"], "the folder below it")
        story.choose("list users")
        story.perform(.tree(.moveIn))
        #expect(story.state.notice?.text == "There is no folder beside list users; A adds one")
    }

    // MARK: The picker

    @Test func `a request moves to another collection, and undo and redo are of both`() throws {
        var story = Self.two()
        story.finish(story.send())
        let run = try #require(story.state.run?.id)
        story.press("m")
        #expect(story.screen.contains("Move list users to"))
        story.type("orders")
        story.press("Enter")
        #expect(story.state.notice == Notice(.success, "Moved list users to shop › orders"))
        #expect(story.state.tree.current?.name == "list users" && story.state.workbench.path.first == "shop")
        #expect(story.treeNames.suffix(2) == ["    list orders", "    list users"])
        #expect(story.state.run?.id == run, "its response comes along")
        #expect(story.state.workbench.dirtyFiles.map(\.path) == ["demo.json", "shop.json"])
        story.press("u")
        #expect(story.treeNames == Self.inDemo + Self.inShop && story.state.workbench.dirtyFiles.isEmpty)
        #expect(story.state.notice?.text == "Undone: move list users; U redoes it")
        #expect(story.state.tree.current?.name == "list users" && story.state.workbench.path.first == "demo")
        story.press("U")
        #expect(story.treeNames.last == "    list users" && story.treeNames.count == 9)
        #expect(story.state.notice?.text == "Redone: move list users")
    }

    @Test func `what was edited since is undone before a move is`() {
        var story = Self.two()
        story.press("m")
        story.type("shop orders")
        story.press("Enter")
        story.choose("user by id")
        story.press("R")
        story.type("!")
        story.press("Enter")
        story.choose("list users")
        story.press("u")
        #expect(
            story.state.notice
                == Notice(.warning, "Not undone: move list users also changed demo, which was edited since"))
        #expect(story.state.tree.current?.name == "user by id!", "there it is undone")
        story.press("u", "u")
        #expect(story.treeNames == Self.inDemo + Self.inShop)
        story.press("U")
        #expect(story.treeNames.last == "    list users")
    }

    @Test func `a redo is gone in both collections when one is edited`() {
        var story = Self.two()
        story.press("m")
        story.type("shop orders")
        story.press("Enter", "u", "Alt+D")
        story.choose("status")
        story.press("U")
        #expect(story.state.notice?.text == "Nothing to redo in shop")
        #expect(story.treeNames.count { $0 == "    list users" } == 1)
    }

    @Test func `both files of a move are saved together`() throws {
        var story = Self.two()
        story.press("m")
        story.type("shop orders")
        story.press("Enter", "w")
        let effects = story.takeEffects()
        #expect(Self.paths(effects) == ["demo.json", "shop.json"])
        for case .save(let path, let collection, _, _) in effects {
            story.receive(.saved(path: path, collection, Fingerprint(bytes: [1])))
        }
        #expect(story.state.workbench.dirtyFiles.isEmpty)
        #expect(story.state.notice == Notice(.success, "Saved demo.json, shop.json"))
        story.press("Alt+D", "w")
        let last = story.takeEffects()
        #expect(Self.paths(last) == ["shop.json"], "afterwards each is saved by itself")
        for case .save(let path, let collection, _, _) in last {
            story.receive(.saved(path: path, collection, Fingerprint(bytes: [2])))
        }
        #expect(story.state.notice == Notice(.success, "Saved shop.json"))
    }

    @Test func `a copy has a name of its own, and variables that it lacks are named`() {
        var story = Story(files: [
            ("demo.json", Story.file.replacing("/users/:id", with: "/{{area}}/:id")), ("shop.json", Self.shop),
        ])
        story.choose("user by id")
        story.command("Copy the item to a folder")
        story.type("demo users")
        story.press("Enter")
        #expect(story.treeNames.contains("    user by id 2"))
        #expect(story.state.notice?.text.hasPrefix("Copied user by id to demo › users as user by id 2") == true)
        story.choose("user by id")
        story.perform(.tree(.chooseTarget(.copy)))
        story.type("shop orders")
        story.press("Enter")
        #expect(
            story.state.notice
                == Notice(.warning, "Copied user by id to shop › orders; {{area}} has no value there"))
        #expect(
            story.treeNames.last == "    user by id" && story.treeNames.filter { $0 == "    user by id" }.count == 2)
    }

    @Test func `selected items move to a new folder of the name that is typed, as one edit`() {
        var story = Self.two()
        story.press("v", "v", "m")
        #expect(story.screen.contains("Type to filter, or a new folder"))
        story.type("orders")
        guard case .picker(let picker)? = story.topOverlay else {
            Issue.record("no list of folders")
            return
        }
        #expect(
            picker.shown.map(\.name)
                == ["shop › orders", "New folder \"orders\" in demo", "New folder \"orders\" in shop"])
        story.press("Down", "Down", "Enter")
        #expect(story.state.notice?.text == "Moved 2 items to shop › orders 2")
        #expect(
            story.treeNames == ["demo", "  users", "    create user"] + Self.inShop
                + ["  orders 2", "    list users", "    user by id"])
        story.press("u")
        #expect(story.treeNames == Self.inDemo + Self.inShop)
    }

    @Test func `a folder does not go into itself`() {
        var story = Self.two()
        story.choose("users")
        story.press("m")
        guard case .picker(let picker)? = story.topOverlay else {
            Issue.record("no list of folders")
            return
        }
        #expect(picker.shown.map(\.name) == ["demo", "shop", "shop › orders"])
        story.press("Esc", "v", "Up")
        story.perform(.tree(.putHere(.move)))
        #expect(story.state.notice == Notice(.warning, "users cannot be put into itself"))
        #expect(story.treeNames == Self.inDemo + Self.inShop)
    }

    // MARK: Marks

    @Test func `selected items are moved, duplicated and deleted together`() {
        var story = Self.two()
        story.press("v", "v")
        #expect(
            story.screen.contains("◆ 2 selected")
                && story.lines.filter { $0.contains("│◆") || $0.contains("┃◆") }.count == 2)
        #expect(story.state.scopes.first == .marking)
        story.choose("orders")
        story.command("Move the selected items here")
        #expect(story.state.notice == Notice(.success, "Moved 2 items to shop › orders"))
        #expect(story.treeNames.suffix(3) == ["    list orders", "    list users", "    user by id"])
        #expect(story.state.tree.marked.isEmpty)
        story.press("u")
        #expect(story.treeNames == Self.inDemo + Self.inShop)
        story.choose("list users")
        story.press("v", "Down", "v", "Alt+D")
        #expect(story.treeNames.contains("    list users copy") && story.treeNames.contains("    create user copy"))
        #expect(story.state.notice == Notice(.success, "Duplicated 2 items"))
        story.press("d")
        #expect(story.screen.contains("Delete 2 items?"))
        story.press("y")
        #expect(story.state.notice?.text == "Deleted 2 items; u brings them back")
        #expect(!story.treeNames.contains("    list users"))
        story.press("u", "u")
        #expect(story.treeNames == Self.inDemo + Self.inShop)
    }

    @Test func `marks of several files are one edit`() {
        var story = Self.two()
        story.press("v")
        story.choose("status")
        story.press("v", "d", "y")
        #expect(story.treeNames.count == 7)
        story.press("u")
        #expect(story.treeNames == Self.inDemo + Self.inShop)
    }

    @Test func `selected siblings move as one, and Esc clears the selection`() {
        var story = Self.two()
        story.press("v", "v")
        story.perform(.tree(.move(1)))
        #expect(story.treeNames[2...4] == ["    create user", "    list users", "    user by id"])
        for _ in 0..<2 { story.perform(.tree(.move(-1))) }
        #expect(story.treeNames[2...4] == ["    list users", "    user by id", "    create user"])
        #expect(story.state.notice?.text == "The first in users; the palette (:) moves it out")
        story.press("Esc")
        #expect(story.state.tree.marked.isEmpty && !story.screen.contains("◆"))
        story.press("v")
        story.choose("status")
        story.press("v")
        story.perform(.tree(.move(1)))
        #expect(story.state.notice?.text == "The selected items are in several folders; m moves them to one")
        story.choose("demo")
        story.press("v")
        #expect(story.state.tree.marked.count == 2, "a collection is not marked")
    }

    // MARK: The mouse

    private static func drag(_ story: inout Story, _ from: String, to: String) -> Bool {
        story.click(on: from)
        guard let point = story.place(of: to) else { return false }
        story.perform(.mouse(.drag(point)))
        return true
    }

    @Test func `a row is dragged to another place, which shows`() {
        var story = Self.two()
        #expect(Self.drag(&story, "GET   list users", to: "▾ orders"))
        #expect(story.state.notice == Notice(.info, "Drop list users into orders"))
        story.perform(.mouse(.release(Point(column: 0, row: 0))))
        #expect(story.treeNames.suffix(2) == ["    list orders", "    list users"])
        #expect(Self.drag(&story, "user by id", to: "create user"))
        #expect(story.state.notice == Notice(.info, "Drop user by id after create user"))
        story.press("Esc")
        story.perform(.mouse(.release(Point(column: 0, row: 0))))
        #expect(story.treeNames[2...3] == ["    user by id", "    create user"], "Esc ends the drag")
    }

    @Test func `a row goes where the button is released, not where the last motion was`() {
        var story = Self.two()
        #expect(Self.drag(&story, "GET   list users", to: "create user"))
        let target = story.place(of: "▾ orders")
        target.map { story.perform(.mouse(.release($0))) }
        #expect(story.treeNames.suffix(2) == ["    list orders", "    list users"], "\(story.treeNames)")
    }

    @Test func `a dragged folder stays as it was, and goes nowhere within itself`() {
        var story = Self.two()
        #expect(Self.drag(&story, "▾ users", to: "status"))
        #expect(story.treeNames.contains("    list users"), "it was no click")
        story.perform(.mouse(.release(Point(column: 0, row: 0))))
        #expect(story.treeNames.contains("    list users") && story.treeNames.first == "demo")
        #expect(story.treeNames.firstIndex(of: "  users") == 3)
        #expect(Self.drag(&story, "▾ users", to: "status"))
        story.place(of: "create user").map { story.perform(.mouse(.drag($0))) }
        #expect(story.state.notice == nil)
        story.perform(.mouse(.release(Point(column: 0, row: 0))))
        #expect(story.state.workbench.undoCount == 1)
    }

    @Test func `the release after a click leaves its message alone`() {
        var story = Self.two()
        story.receive(.notice(Notice(.info, "news")))
        story.perform(.mouse(.release(Point(column: 3, row: 3))))
        #expect(story.state.notice?.text == "news")
    }

    // MARK: Files that change

    @Test func `what comes back from disk after a move is another request`() {
        var story = Self.two()
        story.press("m")
        story.type("shop orders")
        story.press("Enter")
        let changed = Story.file.replacing(
            "{ \"request\": \"list users\", \"path\": \"/users\" }",
            with: "{ \"request\": \"list users\", \"path\": \"/people\" }")
        story.receive(.changed(Story.loaded(changed)))
        story.press("t", "Enter")
        #expect(story.treeNames.filter { $0 == "    list users" }.count == 2)
        let all = story.state.workbench.files.flatMap { $0.collection?.requests ?? [] }
        #expect(Set(all.map(\.id)).count == all.count, "each has its own runs and edits")
        story.choose("list users")
        #expect(story.request?.path == "/people" && story.state.workbench.file?.isDirty == false)
    }
}
