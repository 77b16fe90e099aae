import OmbiCore
import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// Saving, quitting, reloading, undo.
@Suite struct FileStories {
    static func edited(_ story: Story = Story()) -> Story {
        var story = story
        story.press("Alt+D")
        _ = story.takeEffects()
        return story
    }

    static func collection(_ story: Story, _ file: Int = 0) -> Collection {
        story.state.workbench.files[file].collection ?? Collection(name: "missing")
    }

    static let written = Fingerprint(bytes: [1, 2, 3])

    // MARK: Saving

    @Test func `an edit marks the file and the request until it is saved`() {
        var story = Story()
        story.press("2", "Enter")
        story.type("x")
        story.press("Enter", "w")
        let collection = Self.collection(story)
        let fingerprint = story.state.workbench.files[0].fingerprint
        #expect(story.takeEffects() == [.save(path: "demo.json", collection, fingerprint, overwriting: false)])
        #expect(story.state.tree.rows.filter(\.isDirty).map(\.name) == ["demo", "list users"])
        story.receive(.saved(path: "demo.json", collection, Self.written))
        #expect(story.state.tree.rows.allSatisfy { !$0.isDirty })
        #expect(story.state.workbench.files[0].fingerprint == Self.written)
        #expect(story.state.notice == Notice(.success, "Saved demo.json"))
    }

    @Test func `what was edited while the file was written stays to be saved`() {
        var story = Self.edited()
        story.press("w")
        let first = Self.collection(story)
        story.press("Alt+D")
        story.receive(.saved(path: "demo.json", first, Self.written))
        #expect(story.state.workbench.files[0].isDirty)
        story.press("u")
        #expect(!story.state.workbench.files[0].isDirty)
    }

    @Test func `without edits there is nothing to save`() {
        var story = Story()
        story.press("w")
        #expect(story.takeEffects().isEmpty)
        #expect(story.state.notice?.text == "Nothing to save")
    }

    @Test func `the file under the cursor is saved first, then all others`() {
        var story = Story(files: [
            ("a.json", Story.file(requests: 1, name: "a")), ("b.json", Story.file(requests: 1, name: "b")),
        ])
        story.press("Alt+D", "G", "Alt+D", "w")
        #expect(story.takeEffects().map(Self.savedPath) == ["b.json"])
        story.receive(.saved(path: "b.json", Self.collection(story, 1), Self.written))
        story.press("w")
        #expect(story.takeEffects().map(Self.savedPath) == ["a.json"])
    }

    private static func savedPath(_ effect: Effect) -> String? {
        if case .save(let path, _, _, _) = effect { path } else { nil }
    }

    @Test func `a file that cannot be written says why, and the edits stay`() {
        var story = Self.edited()
        story.press("w")
        story.receive(.saveFailed(path: "demo.json", message: "no space left", changedOnDisk: false))
        #expect(story.state.notice == Notice(.failure, "no space left"))
        #expect(story.state.workbench.files[0].isDirty)
        #expect(story.state.overlays.isEmpty)
    }

    // MARK: Quitting

    @Test func `without edits Ombi quits at once`() {
        var story = Story()
        story.press("q")
        #expect(story.takeEffects() == [.quit])
    }

    @Test func `with edits it asks, and Esc stays`() {
        var story = Self.edited()
        story.press("q")
        #expect(story.takeEffects().isEmpty)
        story.press("Esc")
        #expect(story.takeEffects().isEmpty)
        #expect(story.state.overlays.isEmpty)
        story.press("q", "n")
        #expect(story.takeEffects() == [.quit])
    }

    @Test func `it saves every file and quits with the last`() {
        var story = Story(files: [("a.json", Story.file(requests: 1)), ("b.json", Story.file(requests: 1))])
        story.press("Alt+D", "G", "Alt+D", "q", "y")
        #expect(story.takeEffects().map(Self.savedPath) == ["a.json", "b.json"])
        story.receive(.saved(path: "a.json", Self.collection(story, 0), Self.written))
        #expect(story.takeEffects().isEmpty)
        story.receive(.saved(path: "b.json", Self.collection(story, 1), Self.written))
        #expect(story.takeEffects() == [.quit])
    }

    @Test func `a failing save keeps it open`() {
        var story = Story(files: [("a.json", Story.file(requests: 1)), ("b.json", Story.file(requests: 1))])
        story.press("Alt+D", "G", "Alt+D", "q", "y")
        _ = story.takeEffects()
        story.receive(.saveFailed(path: "a.json", message: "no space left", changedOnDisk: false))
        story.receive(.saved(path: "b.json", Self.collection(story, 1), Self.written))
        #expect(story.takeEffects().isEmpty)
        story.press("w")
        story.receive(.saved(path: "a.json", Self.collection(story, 0), Self.written))
        #expect(!story.takeEffects().contains(.quit), "a later save is a save and no more")
    }

    @Test func `what was edited during the last save is asked about again`() {
        var story = Self.edited()
        story.press("q", "y")
        let saved = Self.collection(story)
        story.press("Alt+D")
        _ = story.takeEffects()
        story.receive(.saved(path: "demo.json", saved, Self.written))
        #expect(story.takeEffects().isEmpty)
        #expect(story.topOverlay?.scope == .question)
    }

    @Test func `a terminal that goes away ends the program, and without edits nothing is kept`() {
        var story = Story()
        story.press("2", "Enter")
        story.receive(.terminating)
        #expect(story.takeEffects() == [.quit])
    }

    // MARK: Undo

    @Test func `undo names the edit and goes to what it changed`() {
        var story = Story()
        story.choose("create user")
        story.press("R")
        story.replace(with: "new user")
        story.press("Enter", "g")
        story.press("u")
        #expect(story.state.tree.current?.name == "create user")
        #expect(story.state.notice?.text == "Undone: rename to new user; U redoes it")
        story.press("g", "U")
        #expect(story.state.tree.current?.name == "new user")
        story.press("Alt+D", "u", "Alt+D")
        story.press("U")
        #expect(story.state.notice?.text == "Nothing to redo in demo", "a new edit ends what could be redone")
    }

    @Test func `undo goes back step by step and says when there is no more`() {
        var story = Story()
        story.press("Alt+D", "Alt+D", "d")
        story.perform(.tree(.move(1)))
        let steps = story.state.workbench.undoCount
        for _ in 0..<steps { story.press("u") }
        #expect(story.treeNames.count == 5)
        #expect(!story.state.workbench.files[0].isDirty)
        story.press("u")
        #expect(story.state.notice?.text == "Nothing to undo in demo")
    }

    @Test func `the last two hundred steps can be undone`() {
        var story = Story()
        for _ in 0..<205 { story.press("Alt+D") }
        #expect(story.treeNames.count == 210)
        #expect(story.state.workbench.undoCount == 200)
        for _ in 0..<201 { story.press("u") }
        #expect(story.treeNames.count == 10)
    }

    @Test func `undo after a save makes the file differ from the disk again`() {
        var story = Self.edited()
        story.press("w")
        story.receive(.saved(path: "demo.json", Self.collection(story), Self.written))
        story.press("u")
        #expect(story.treeNames.count == 5)
        #expect(story.state.workbench.files[0].isDirty)
        #expect(story.state.workbench.files[0].fingerprint == Self.written, "the next save expects what is there now")
    }

    // MARK: The file in $EDITOR

    @Test func `the file is opened where it is, and edits are saved first`() throws {
        var story = Story()
        story.press("e")
        #expect(story.takeEffects() == [.editFile(path: "demo.json", line: 1)])
        story = Self.edited()
        story.press("e")
        #expect(story.takeEffects().isEmpty)
        #expect(story.screen.contains("demo has edits that are not saved."))
        story.press("y")
        let collection = try #require(story.state.workbench.files[0].collection)
        let effects = story.takeEffects()
        #expect(effects.contains { if case .save = $0 { true } else { false } })
        #expect(!effects.contains { if case .editFile = $0 { true } else { false } })
        story.receive(.saved(path: "demo.json", collection, Self.written))
        #expect(story.takeEffects().contains(.editFile(path: "demo.json", line: 1)))
    }

    @Test func `edits that stay unsaved open nothing, not even when they are saved later`() throws {
        var story = Self.edited()
        story.press("e", "n")
        #expect(story.takeEffects().isEmpty && story.state.workbench.files[0].isDirty)
        story.press("e", "y")
        story.receive(.saveFailed(path: "demo.json", message: "full", changedOnDisk: false))
        story.press("w")
        let collection = try #require(story.state.workbench.files[0].collection)
        _ = story.takeEffects()
        story.receive(.saved(path: "demo.json", collection, Self.written))
        #expect(!story.takeEffects().contains { if case .editFile = $0 { true } else { false } })
    }

    @Test func `what the editor wrote shows, in the environment chosen before`() {
        var story = Story()
        story.press("E", "Down", "Enter")
        let changed = Story.file.replacing("list users", with: "all users")
        story.receive(.reloaded(Story.loaded(changed)))
        #expect(story.treeNames[2] == "    all users")
        #expect(story.request?.name == "all users")
        #expect(story.state.workbench.files[0].environment == "live")
        #expect(story.state.notice == Notice(.success, "Read demo.json"))
    }

    @Test func `an environment that is gone after the editor gives way to no other`() {
        var story = Story()
        story.press("E", "Down", "Enter")
        story.receive(.reloaded(Story.loaded(Story.file.replacing("\"live\"", with: "\"prod\""))))
        #expect(story.state.workbench.environment == nil && story.state.workbench.missingEnvironment == "live")
        #expect(
            story.state.notice?.text
                == "The environment live is no longer in demo.json; E chooses another: local, prod")
    }

    @Test func `a file that was only looked at keeps its runs`() {
        var story = Story()
        story.finish(story.send())
        story.receive(.reloaded(Story.loaded(Story.file)))
        #expect(story.state.run?.response?.statusCode == 200)
        #expect(story.state.workbench.undoCount == 0)
    }

    @Test func `undo takes back the edits of the collection under the cursor, a reload among them`() {
        var story = Story(files: [
            ("a.json", Story.file(requests: 1, name: "a")), ("b.json", Story.file(requests: 1, name: "b")),
        ])
        story.press("Alt+D")
        story.receive(.reloaded(Story.loaded(Story.file(requests: 2, name: "b"), path: "b.json")))
        #expect(story.treeNames == ["a", "  r0", "  r0 copy", "b", "  r0", "  r1"])
        story.press("u")
        #expect(story.treeNames == ["a", "  r0", "b", "  r0", "  r1"])
        #expect(story.state.notice?.text == "Undone: duplicate r0; U redoes it")
        story.press("G", "u")
        #expect(story.treeNames == ["a", "  r0", "b", "  r0"])
        story.press("U")
        #expect(story.treeNames == ["a", "  r0", "b", "  r0", "  r1"])
        #expect(story.state.notice?.text == "Redone: reload b.json")
    }

    @Test func `a file broken in the editor shows its mistakes, and the next edit repairs it`() {
        var story = Story()
        story.receive(.reloaded(Story.loaded("{\n  \"version\": 1,\n  oops\n}")))
        #expect(story.state.notice?.text.hasPrefix("demo.json:3:3: error: ") ?? false)
        #expect(story.request == nil)
        #expect(story.screen.contains("demo.json could not be read:"))
        story.press("Enter")
        #expect(story.takeEffects() == [.editFile(path: "demo.json", line: 3)])
        #expect(story.lines.last?.contains("Enter $EDITOR") == true, "\(story.screen)")
        for pane in ["3", "1"] {
            story.press(pane)
            let keys = story.lines.last ?? ""
            for word in ["add", "send", "save", "environment"] { #expect(!keys.contains(word), "\(keys)") }
        }
        story.press("d", "Esc", "E", "s", "w", "R", "a")
        #expect(story.takeEffects().isEmpty)
        #expect(story.state.notice?.text == "demo.json could not be read; Enter opens it in $EDITOR")
        story.press("2", "Enter")
        #expect(story.takeEffects() == [.editFile(path: "demo.json", line: 3)])
        story.press("1")
        story.receive(.reloaded(Story.loaded(Story.file)))
        #expect(story.treeNames.count == 5)
    }

    // MARK: Opening

    @Test func `a broken file is told about at the start`() {
        let warned = Story.file.replacing("\"environments\"", with: "\"enviroments\"")
        var story = Story(files: [("dir/a.json", "{"), ("b.json", "["), ("c.json", warned)])
        #expect(story.state.notice?.text.hasPrefix("Could not read a.json:1:2: ") ?? false)
        #expect(story.treeNames[...2] == ["a.json", "b.json", "demo"])
        story.press("L")
        #expect(story.screen.contains("Could not read b.json:1:2: ") && story.screen.contains("enviroments"))
    }

    @Test func `where one pane has the screen, a broken file opens with its reason, which stays`() {
        var story = Story(columns: 80, rows: 24, file: "{ oops }")
        story.press("j")
        #expect(story.lines[2].contains("demo.json could not be read:"), "\(story.screen)")
        #expect(story.lines[3].contains("line 1, column 3: "))
        story.press("1")
        #expect(story.screen.contains("✗ demo.json"))
        let beside = Story(columns: 80, rows: 24, files: [("a.json", "{ oops }"), ("b.json", Story.file)])
        #expect(beside.state.focus == .tree)
    }

    @Test func `the environment of the command line is chosen wherever there is one of that name`() {
        var story = Story(files: [])
        story.receive(
            .opened(
                [Story.loaded(Story.file), Story.loaded(Story.file(requests: 1), path: "b.json")], environment: "live"))
        #expect(story.state.workbench.files.map(\.environment) == ["live", nil])
        story.receive(.opened([Story.loaded(Story.file)], environment: "moon"))
        #expect(story.state.notice == Notice(.failure, "No collection has an environment moon; E shows them"))
    }

    @Test func `what is odd in a file that can be read is told when it is opened`() {
        let odd = Story.file.replacing("\"host\": \"http", with: "\"hots\": 1, \"host\": \"http")
            .replacing("\"path\": \"/users\" }", with: "\"path\": \"/users\", \"metod\": \"GET\" }")
        var story = Story(file: odd)
        let notice = story.state.notice
        #expect(notice?.kind == .warning)
        #expect(
            notice?.text.contains("unknown key \"hots\"; it has no effect · 2 more") == true,
            "\(String(describing: notice))")
        story.receive(.reloaded(Story.loaded(odd)))
        #expect(story.state.notice == notice)
    }

    @Test func `a path of which nothing can be read is told, and takes no row`() {
        var story = Story()
        let problem = Problem(file: "demo.json/x", message: "a part of the path is a file, not a folder")
        let loaded = LoadedCollection(
            path: "demo.json/x", collection: nil, problems: [problem], fingerprint: .absent)
        story.receive(.added([loaded], path: "demo.json/x"))
        #expect(story.treeNames.count == 5)
        #expect(story.state.notice?.text == "Could not read x: a part of the path is a file, not a folder")
    }

    // MARK: Closing

    private static func two() -> Story {
        Story(files: [
            ("a.json", Story.file(requests: 1, name: "a")), ("b.json", Story.file(requests: 1, name: "b")),
        ])
    }

    @Test func `d on a collection closes it after a question, and no change on disk opens it again`() {
        var story = Self.two()
        story.press("g", "d")
        #expect(story.screen.contains("a.json stays on disk."))
        story.press("n")
        #expect(story.treeNames == ["a", "  r0", "b", "  r0"])
        story.press("d", "y")
        #expect(story.treeNames == ["b", "  r0"] && story.state.workbench.node == .file("b.json"))
        #expect(story.state.notice?.text == "Closed a; o opens it again")
        let loaded = Story.loaded(Story.file(requests: 2, name: "a"), path: "a.json")
        story.receive(.changed(loaded))
        #expect(story.treeNames == ["b", "  r0"])
        story.receive(.added([loaded], path: "a.json"))
        #expect(story.treeNames == ["a", "  r0", "  r1", "b", "  r0"])
    }

    @Test func `a change of a closed collection is no news, also while a list of choices is open`() {
        var story = Self.two()
        story.press("g", "d", "y", ":")
        let notice = story.state.notice
        story.receive(.changed(Story.loaded(Story.file(requests: 2, name: "a"), path: "a.json")))
        #expect(story.state.isChoosing && story.state.notice == notice)
    }

    @Test func `a collection is closed by the palette from any request of it, and the last one leaves the start page`()
    {
        var story = Self.two()
        story.press("G", "2", ":")
        story.type("close the coll")
        story.press("Enter")
        #expect(story.treeNames == ["a", "  r0"] && story.state.tree.position.cursor == 1)
        story.perform(.tree(.askToClose))
        #expect(story.state.showsStartPage && story.request == nil, "\(story.screen)")
        #expect(story.screen.contains("No collection is open; o opens one."), "\(story.screen)")
        #expect(!story.screen.contains("No collections in"), "the folder has the ones that were closed")
    }

    @Test func `a collection with unsaved edits is saved before it is closed, or closed without them`() throws {
        var story = Self.two()
        story.press("Alt+D")
        story.perform(.tree(.askToClose))
        #expect(story.screen.contains("a.json has edits that are not saved."))
        var other = story
        other.press("n")
        #expect(other.treeNames == ["b", "  r0"] && !other.state.isEdited)
        story.press("y")
        let collection = try #require(story.state.workbench.file(at: "a.json")?.collection)
        #expect(story.treeNames.count == 5, "it is being written")
        story.receive(.saved(path: "a.json", collection, Story.loaded(collection.text).fingerprint))
        #expect(story.treeNames == ["b", "  r0"])
        var failed = Self.two()
        failed.press("Alt+D")
        failed.perform(.tree(.askToClose))
        failed.press("y")
        failed.receive(.saveFailed(path: "a.json", message: "the disk is full", changedOnDisk: false))
        failed.press("w")
        failed.receive(.saved(path: "a.json", collection, Story.loaded(collection.text).fingerprint))
        #expect(failed.treeNames.contains("a"), "what was asked for earlier is over")
    }

    @Test func `a collection that is being written closes once it is, and stays where that fails`() throws {
        var story = Self.two()
        story.press("Alt+D", "w")
        let collection = try #require(story.state.workbench.file(at: "a.json")?.collection)
        story.perform(.tree(.askToClose))
        #expect(story.treeNames.count == 5)
        var failed = story
        story.receive(.saved(path: "a.json", collection, Story.loaded(collection.text).fingerprint))
        #expect(story.treeNames == ["b", "  r0"])
        failed.receive(.saveFailed(path: "a.json", message: "the disk is full", changedOnDisk: false))
        #expect(failed.treeNames.count == 5 && failed.state.isEdited)
    }

    @Test func `an edit of two files cannot be undone in one of them once the other is closed`() {
        var story = Self.two()
        story.press("v", "G")
        story.perform(.tree(.putHere(.move)))
        #expect(story.treeNames.filter { $0.contains("r0") }.count == 2)
        story.perform(.tree(.select(.file("a.json"))))
        story.perform(.tree(.close(path: "a.json")))
        story.press("u")
        #expect(story.treeNames.first == "b" && story.treeNames.count == 3, "\(story.treeNames)")
        #expect(story.state.notice?.text == "Nothing to undo in b", "\(story.screen)")
    }

    // MARK: Copying

    @Test func `the URL or the body is copied, and the result is told`() {
        var story = Story()
        story.press("y")
        #expect(story.takeEffects() == [.copy("http://127.0.0.1:8765/users", named: "URL")])
        story.finish(story.send(), with: SampleRun.response(200, "[1]"))
        _ = story.takeEffects()
        story.press("y")
        #expect(
            story.takeEffects() == [.copy("http://127.0.0.1:8765/users", named: "URL")],
            "what shows, and not what was sent once")
        story.press("3", "y")
        #expect(story.takeEffects() == [.copy("[1]", named: "$")])
        story.receive(.copied("Copied 8 bytes"))
        #expect(story.state.notice == Notice(.success, "Copied 8 bytes"))
    }
}
