import OmbiCore
import OmbiTerminal
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// Files that somebody else changes while they are open.
@Suite struct DiskStories {
    private static let theirs = Story.file.replacing("\"/users/:id\"", with: "\"/people/:id\"")

    private static func collection(_ story: Story, _ file: Int = 0) -> Collection {
        story.state.workbench.files[file].collection ?? Collection(name: "missing")
    }

    private static func file(_ story: Story) -> OpenFile { story.state.workbench.files[0] }

    /// Edits the path of `list users`, or of the request of that name.
    private static func edited(_ name: String = "list users") -> Story {
        var story = Story()
        story.choose(name)
        story.press("2", "Enter")
        story.type("x")
        story.press("Enter", "1")
        _ = story.takeEffects()
        return story
    }

    private static func changed(_ text: String, path: String = "demo.json") -> Event {
        .changed(Story.loaded(text, path: path))
    }

    private static var removed: Event {
        var loaded = LoadedCollection(path: "demo.json", collection: nil, fingerprint: .absent)
        loaded.isMissing = true
        return .changed(loaded)
    }

    // MARK: Without edits

    @Test func `a file without edits is read again, and keeps the cursor, the tab, the folds and the response`() {
        var story = Story()
        story.choose("user by id")
        story.finish(story.send())
        story.press("2", "]", "1")
        let tab = story.state.requestPane.tab
        story.receive(Self.changed(Self.theirs.replacing("\"folder\": \"users\"", with: "\"folder\": \"people\"")))
        #expect(story.state.notice == Notice(.info, "demo.json changed on disk: user by id changed"))
        #expect(story.treeNames == ["demo", "  people", "    list users", "    user by id", "    create user"])
        #expect(story.state.tree.current?.name == "user by id" && story.request?.path == "/people/:id")
        #expect(story.state.run?.response?.statusCode == 200)
        #expect(story.state.requestPane.tab == tab)
        #expect(!Self.file(story).isDirty)
        story.choose("people")
        story.press("Left")
        story.receive(Self.changed(Story.file))
        #expect(story.treeNames == ["demo", "  users"], "a folder with another name stays folded")
    }

    @Test func `undo goes back to what the file was before`() {
        var story = Story()
        story.receive(Self.changed(Self.theirs))
        story.press("u")
        #expect(story.state.notice?.text == "Undone: reload demo.json; U redoes it")
        #expect(Self.collection(story).text.contains("/users/:id") && Self.file(story).isDirty)
        story.press("U")
        #expect(!Self.file(story).isDirty)
    }

    @Test func `an own save is no news`() {
        var story = Self.edited()
        let collection = Self.collection(story)
        story.press("w")
        story.receive(Self.changed(collection.text))
        #expect(story.takeEffects().count == 1 && story.state.notice == nil, "it is being written")
        let written = Story.loaded(collection.text).fingerprint
        story.receive(.saved(path: "demo.json", collection, written))
        #expect(story.takeEffects() == [.reload(path: "demo.json")], "it is looked at again")
        let notice = story.state.notice
        story.receive(Self.changed(collection.text))
        #expect(story.state.notice == notice && story.state.workbench.undoCount == 1)
    }

    @Test func `a file that is opened while a text is typed leaves that in its request`() {
        var story = Story()
        story.choose("list users")
        story.press("2", "Enter")
        story.type("x")
        story.receive(.added([Story.loaded(Story.file(requests: 1, name: "b"), path: "b.json")], path: "b.json"))
        story.type("y")
        story.press("Enter")
        #expect(story.request?.name == "list users" && story.request?.path == "/usersxy")
        #expect(story.treeNames.contains("b"))
    }

    @Test(arguments: [":", "Enter"]) func `an own save is no news under a list or a field either`(key: String) {
        var story = Self.edited()
        let collection = Self.collection(story)
        story.press("w", "2", key)
        story.receive(Self.changed(collection.text))
        #expect(story.state.notice == nil, "it is being written")
        story.receive(.saved(path: "demo.json", collection, Story.loaded(collection.text).fingerprint))
        let notice = story.state.notice
        story.receive(Self.changed(collection.text))
        #expect(story.state.notice == notice)
    }

    @Test func `a collection that appears in the folder is opened among the others`() {
        var story = Story(files: [
            ("c/a.json", Story.file(requests: 1, name: "a")), ("c/d.json", Story.file(requests: 1, name: "d")),
        ])
        story.choose("d")
        story.receive(Self.changed(Story.file(requests: 1, name: "b"), path: "c/b.json"))
        #expect(story.treeNames == ["a", "  r0", "b", "  r0", "d", "  r0"])
        #expect(story.state.tree.current?.name == "d" && story.state.workbench.currentFile?.name == "d")
        #expect(story.state.notice == Notice(.info, "c/b.json is new: opened"))
    }

    @Test func `a file that is removed stays on the screen, and saving writes it again`() {
        var story = Story()
        story.receive(Self.removed)
        #expect(story.state.notice?.text == "demo.json was removed from disk; w writes it again")
        #expect(story.treeNames.count == 5)
        story.press("q")
        #expect(story.takeEffects() == [.quit], "without edits there is nothing to ask")
        story.press("w")
        #expect(
            story.takeEffects() == [.save(path: "demo.json", Self.collection(story), .absent, overwriting: false)])
        story = Story()
        story.receive(Self.removed)
        story.receive(Self.changed(Self.theirs))
        #expect(story.state.notice?.text == "demo.json changed on disk: user by id changed")
    }

    @Test func `a file with a mistake keeps what shows, and is taken up when it is mended`() {
        var story = Story()
        story.finish(story.send())
        for broken in ["{\n  \"version\": 1,\n  oops\n}", ""] {
            story.receive(Self.changed(broken))
            #expect(story.treeNames.count == 5 && story.request?.name == "list users")
            #expect(story.state.notice?.kind == .failure)
            #expect(story.state.notice?.text.hasPrefix("demo.json:") ?? false)
        }
        story.receive(Self.changed(Self.theirs))
        #expect(story.state.notice == Notice(.info, "demo.json changed on disk: user by id changed"))
        #expect(story.state.run?.response?.statusCode == 200)
        story.receive(Self.changed("{"))
        story.receive(Self.changed(Self.theirs))
        #expect(story.state.notice?.text == "demo.json is on disk as before")
    }

    @Test func `a file that is removed, broken or in conflict is marked in the list until it is not`() {
        var story = Story()
        func marked() -> [String] { story.state.tree.rows.filter(\.hasProblem).map(\.name) }
        #expect(marked().isEmpty)
        for event in [Self.removed, Self.changed("{")] {
            story.receive(event)
            story.press("Down")
            #expect(marked() == ["demo"] && story.screen.contains("demo !"), "\(story.screen)")
            story.receive(Self.changed(Story.file))
            #expect(marked().isEmpty)
        }
        story = Self.conflict()
        #expect(marked() == ["demo"])
    }

    @Test func `a file that was broken in the editor has its runs again when it is mended`() {
        var story = Story()
        story.finish(story.send())
        story.receive(.reloaded(Story.loaded("{")))
        story.receive(.reloaded(Story.loaded(Self.theirs)))
        story.choose("list users")
        #expect(story.state.run?.response?.statusCode == 200)
    }

    // MARK: With edits

    @Test func `edits of other requests are merged, and stay edits of their own`() {
        var story = Self.edited()
        story.receive(Self.changed(Self.theirs))
        #expect(
            story.state.notice == Notice(.info, "demo.json changed on disk, merged with your edits: user by id changed")
        )
        #expect(Self.collection(story).requests.map(\.path) == ["/usersx", "/people/:id", "/users"])
        #expect(story.state.tree.rows.filter(\.isDirty).map(\.name) == ["demo", "list users"])
        let fingerprint = Story.loaded(Self.theirs).fingerprint
        story.press("w")
        #expect(
            story.takeEffects() == [.save(path: "demo.json", Self.collection(story), fingerprint, overwriting: false)])
        story.receive(.saveFailed(path: "demo.json", message: "no space left", changedOnDisk: false))
        story.press("u")
        #expect(story.state.notice?.text == "Undone: edit list users; U redoes it")
        #expect(Self.collection(story).requests.map(\.path) == ["/users", "/people/:id", "/users"])
        #expect(!Self.file(story).isDirty, "it is the file as it is now")
        story.press("u")
        #expect(story.state.notice?.text == "Undone: reload demo.json; U redoes it")
        #expect(Self.collection(story).requests.map(\.path) == ["/users", "/users/:id", "/users"])
        story.press("U", "U")
        #expect(Self.collection(story).requests.map(\.path) == ["/usersx", "/people/:id", "/users"])
    }

    @Test func `undo after a merge that was saved leaves what the other program changed`() {
        var story = Self.edited()
        story.receive(Self.changed(Self.theirs))
        let merged = Self.collection(story)
        story.press("w")
        _ = story.takeEffects()
        story.receive(.saved(path: "demo.json", merged, Story.loaded(merged.text).fingerprint))
        story.press("G", "u")
        #expect(story.state.notice?.text == "Undone: edit list users; U redoes it")
        #expect(story.state.tree.current?.name == "list users" && Self.file(story).isDirty)
        #expect(Self.collection(story).requests.map(\.path) == ["/users", "/people/:id", "/users"])
        story.press("U")
        #expect(Self.collection(story) == merged && !Self.file(story).isDirty)
    }

    @Test func `the edits before a save stay behind a change that was merged with those after it`() {
        var story = Self.edited("create user")
        let saved = Self.collection(story)
        story.press("w")
        _ = story.takeEffects()
        story.receive(.saved(path: "demo.json", saved, Story.loaded(saved.text).fingerprint))
        story.choose("list users")
        story.press("Alt+D")
        story.receive(Self.changed(saved.text.replacing("/users/:id", with: "/people/:id")))
        var labels: [String] = []
        for _ in 0..<3 {
            story.press("u")
            labels.append(story.state.notice?.text ?? "")
        }
        #expect(
            labels
                == ["duplicate list users", "reload demo.json", "edit create user"].map { "Undone: \($0); U redoes it" }
        )
    }

    @Test func `a change during a save is found by the save, and merged`() {
        var story = Self.edited()
        story.press("w")
        _ = story.takeEffects()
        story.receive(.saveFailed(path: "demo.json", message: "changed", changedOnDisk: true))
        #expect(story.takeEffects() == [.reload(path: "demo.json")])
        story.receive(Self.changed(Self.theirs))
        #expect(Self.collection(story).requests.map(\.path) == ["/usersx", "/people/:id", "/users"])
    }

    @Test func `a text that is being typed is merged when it is finished`() {
        var story = Story()
        story.choose("user by id")
        story.press("2", "Enter")
        story.type("/x")
        story.receive(Self.changed(Self.theirs))
        #expect(story.state.notice?.text == "demo.json changed on disk; it is read when the edit ends")
        #expect(story.openField?.hasSuffix("/users/:id/x") ?? false)
        story.press("Enter")
        #expect(story.request?.path == "/users/:id/x")
        #expect(Self.file(story).conflicts.count == 1 && story.topOverlay?.scope == .conflicts)
    }

    @Test(arguments: ["a", "R"]) func `a name is typed for nothing else where its item is gone meanwhile`(key: String) {
        var story = Story()
        story.choose("list users")
        story.press(key)
        story.receive(Self.changed(Story.file(requests: 2, name: "demo")))
        story.type("x")
        story.press("Enter")
        #expect(story.state.notice?.text.contains("the item is gone") ?? false, "\(story.screen)")
        #expect(Self.collection(story).requests.map(\.name) == ["r0", "r1"] && story.openField == nil)
    }

    @Test func `a yes deletes the items that it was asked for, and no other where they are gone`() {
        var story = Story()
        story.choose("list users")
        story.press("v", "v", "d")
        #expect(story.screen.contains("Delete 2 items?"), "\(story.screen)")
        story.receive(Self.changed(Story.file(requests: 2, name: "demo")))
        story.press("y")
        #expect(Self.collection(story).requests.map(\.name) == ["r0", "r1"])
    }

    @Test func `a choice is made for the request as it was when the list opened, and then the file is read`() {
        var story = Story()
        story.choose("list users")
        story.press("2", "g", "Space")
        story.receive(Self.changed(Self.theirs))
        #expect(story.state.notice?.text == "demo.json changed on disk; it is read when the edit ends")
        story.press("Down", "Enter")
        #expect(story.request?.name == "list users" && story.request?.method != .get)
        #expect(Self.collection(story).requests.map(\.path) == ["/users", "/people/:id", "/users"])
    }

    // MARK: Conflicts

    /// A story with a conflict in `user by id`, which both sides changed.
    private static func conflict() -> Story {
        var story = edited("user by id")
        story.receive(changed(theirs))
        return story
    }

    @Test func `what both changed is shown, and either side can be chosen`() {
        for (key, path) in [("m", "/users/:idx"), ("t", "/people/:id")] {
            var story = Self.conflict()
            #expect(story.screen.contains("demo.json: changed here and on disk"))
            #expect(story.screen.contains("users › user by id"))
            #expect(story.screen.contains("/people/:id") && story.screen.contains("/users/:idx"))
            story.press("Enter")
            #expect(story.topOverlay?.scope == .conflicts, "nothing is chosen yet")
            story.press(key, "Enter")
            #expect(story.topOverlay == nil && story.request?.path == path)
            #expect(Self.file(story).conflicts.isEmpty && Self.file(story).isDirty == (key == "m"))
        }
    }

    @Test func `theirs is taken when told, and undo brings yours back`() {
        var story = Self.conflict()
        let yours = Self.collection(story).text
        story.press("t", "Enter")
        #expect(story.state.workbench.dirtyFiles.isEmpty)
        story.press("u")
        #expect(Self.collection(story).text == yours && Self.file(story).isDirty)
    }

    @Test func `a conflict that is put off loses nothing, and saving asks again`() {
        var story = Self.conflict()
        story.press("Esc")
        #expect(story.request?.path == "/users/:idx")
        story.press("w")
        #expect(story.takeEffects().isEmpty && story.topOverlay?.scope == .conflicts)
        story.press("Esc", "q", "y")
        #expect(story.takeEffects().isEmpty && story.topOverlay?.scope == .conflicts)
        story.press("m", "Enter", "w")
        #expect(
            story.takeEffects() == [
                .save(
                    path: "demo.json", Self.collection(story), Story.loaded(Self.theirs).fingerprint,
                    overwriting: false)
            ])
    }

    @Test func `a conflict that is undecided when Ombi is killed is asked again by the next one`() throws {
        var story = Self.conflict()
        let before = Story.loaded(Story.file)
        let theirs = Story.loaded(Self.theirs)
        for _ in 0..<2 {
            story.press("Esc")
            let left = try #require(story.state.unsaved.first)
            #expect(left.fingerprint == before.fingerprint, "it is based on what both sides changed")
            var loaded = theirs
            // Read again, it has other identities, as after a restart.
            loaded.draft = Story.loaded(left.collection.text).collection.map { mine in
                Draft(
                    collection: mine, isOfThisFile: false, base: before.collection, fingerprint: left.fingerprint,
                    file: "draft")
            }
            story = Story()
            story.receive(.opened([loaded], environment: nil))
            story.press("y")
            #expect(story.topOverlay?.scope == .conflicts)
        }
        story.press("m", "Enter")
        #expect(story.state.unsaved.map(\.fingerprint) == [theirs.fingerprint], "it is decided")
    }

    @Test func `a conflict goes when both sides say the same`() {
        var story = Self.conflict()
        story.press("Esc")
        story.receive(Self.changed(Self.theirs.replacing("/people/:id", with: "/users/:idx")))
        #expect(Self.file(story).conflicts.isEmpty && !Self.file(story).isDirty)
    }

    @Test func `what is typed into a prompt is not taken for a choice`() {
        var story = Self.edited("user by id")
        story.press("/")
        story.receive(Self.changed(Self.theirs))
        #expect(story.topOverlay == nil && story.state.notice?.kind == .warning)
        #expect(story.state.notice?.text == "demo.json changed on disk: 1 conflict with your edits; w shows them")
    }

    @Test func `theirs is not taken when it cannot be read, and overwritten only when told`() {
        var story = Self.edited()
        let yours = Self.collection(story)
        story.receive(Self.changed("{ oops"))
        #expect(Self.collection(story) == yours && Self.file(story).isDirty)
        #expect(story.state.notice?.text.hasPrefix("demo.json:1:3: error: ") ?? false)
        story.press("w")
        #expect(story.takeEffects().isEmpty && story.screen.contains("demo.json cannot be read any more:"))
        story.press("n", "w", "y")
        #expect(
            story.takeEffects() == [
                .save(path: "demo.json", yours, Story.loaded(Story.file).fingerprint, overwriting: true)
            ])
    }
}
