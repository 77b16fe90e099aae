import OmbiCore
import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// Saving, quitting, reloading, undo.
@Suite struct FileStories {
    private static func edited(_ story: Story = Story()) -> Story {
        var story = story
        story.press("D")
        _ = story.takeEffects()
        return story
    }

    private static func collection(_ story: Story, _ file: Int = 0) -> Collection {
        story.state.workbench.files[file].collection ?? Collection(name: "missing")
    }

    private static let written = Fingerprint(bytes: [1, 2, 3])

    // MARK: Drafts

    @Test func `large collections are read behind the first frame`() {
        var story = Story(files: [])
        story.receive(.opening)
        #expect(story.screen.contains("Reading the collections …"))
        story.press("s", "Enter", "d", "a")
        #expect(story.takeEffects().isEmpty, "there is nothing to do yet")
        story.receive(.opened([Story.loaded(Story.file)], environment: nil))
        #expect(story.screen.contains("list users") && !story.screen.contains("Reading"))
    }

    @Test func `when the program has to end, edits are kept, and what is being typed`() {
        var story = Story()
        story.press("2", "Enter")
        story.type("x")
        let fingerprint = story.state.workbench.files[0].fingerprint
        story.receive(.terminating)
        let collection = Self.collection(story)
        #expect(collection.text.contains("/usersx"))
        #expect(story.takeEffects() == [.keepDraft(path: "demo.json", collection, fingerprint), .quit])
    }

    @Test(arguments: [true, false])
    func `a draft is offered, and taking it back is an edit`(isOfThisFile: Bool) {
        var story = Story()
        var loaded = Story.loaded(Story.file)
        let draft = Self.collection(Self.edited())
        loaded.draft = Draft(collection: draft, isOfThisFile: isOfThisFile)
        story.receive(.opened([loaded], environment: nil))
        let screen = story.screen
        #expect(screen.contains("demo.json has unsaved edits from an Ombi that ended."))
        #expect(screen.contains("The file has changed since") == !isOfThisFile)
        story.press("y")
        #expect(Self.collection(story).text == draft.text)
        #expect(story.state.workbench.files[0].isDirty)
        #expect(story.takeEffects() == [], "it is kept until it is saved")
        story.press("u")
        #expect(!story.state.workbench.files[0].isDirty)
    }

    @Test func `of a draft that is taken back only what differs is marked`() {
        var story = Story()
        var loaded = Story.loaded(Story.file)
        var edited = Story()
        edited.press("2", "Enter")
        edited.type("x")
        edited.press("Enter")
        // Read again, it has other identities, as after a restart.
        let draft = Story.loaded(Self.collection(edited).text).collection
        loaded.draft = draft.map { Draft(collection: $0, isOfThisFile: true) }
        story.receive(.opened([loaded], environment: nil))
        story.press("y")
        #expect(story.state.tree.rows.filter(\.isDirty).map(\.name) == ["demo", "list users"])
    }

    /// A draft of an edit of `list users`, made before the file became another one.
    private static func draftOfOlder(_ path: String = "/mine") -> Draft? {
        Story.loaded(Story.file).collection.flatMap { base in
            let mine = Story.loaded(Story.file.replacing("\"path\": \"/users\" }", with: "\"path\": \"\(path)\" }"))
                .collection
            return mine.map { Draft(collection: $0, isOfThisFile: false, base: base, file: "draft") }
        }
    }

    @Test func `a draft of an older content is merged with what the file has become`() {
        var story = Story()
        var loaded = Story.loaded(Story.file.replacing("\"/users/:id\"", with: "\"/people/:id\""))
        loaded.draft = Self.draftOfOlder()
        story.receive(.opened([loaded], environment: nil))
        #expect(story.screen.contains("The file has changed since; the edits are merged with it."))
        story.press("y")
        #expect(story.state.notice == Notice(.success, "edits restored; w saves them, u undoes them"))
        #expect(Self.collection(story).requests.map(\.path) == ["/mine", "/people/:id", "/users"])
        #expect(story.state.tree.rows.filter(\.isDirty).map(\.name) == ["demo", "list users"])
        story.press("u")
        #expect(Self.collection(story).requests.map(\.path) == ["/users", "/people/:id", "/users"])
        #expect(!story.state.workbench.files[0].isDirty)
    }

    @Test func `of a draft and a file that both changed a part, either can be chosen`() {
        for (key, paths) in [("m", ["/mine", "/users/:id", "/users"]), ("t", ["/theirs", "/users/:id", "/users"])] {
            var story = Story()
            var loaded = Story.loaded(Story.file.replacing("\"path\": \"/users\" }", with: "\"path\": \"/theirs\" }"))
            loaded.draft = Self.draftOfOlder()
            story.receive(.opened([loaded], environment: nil))
            story.press("y")
            #expect(
                story.state.notice == Notice(.warning, "edits restored, with 1 conflict with the file; w shows them"))
            #expect(story.topOverlay?.scope == .conflicts)
            story.press(key, "Enter")
            #expect(Self.collection(story).requests.map(\.path) == paths)
        }
    }

    private static func offered(_ path: String = "demo.json") -> LoadedCollection {
        var loaded = Story.loaded(Story.file, path: path)
        loaded.draft = Draft(collection: collection(edited()), isOfThisFile: true, file: "draft of \(path)")
        return loaded
    }

    @Test func `a draft that is not wanted is thrown away, and kept when nothing is said`() {
        for (key, effects) in [
            ("n", [Effect.discardDraft(path: "draft of demo.json")]), ("q", [.quit]), ("Ctrl+C", [.quit]),
        ] {
            var story = Story()
            story.receive(.opened([Self.offered()], environment: nil))
            #expect(story.screen.contains("y restore the edits   n discard them   q quit"))
            story.press(key)
            #expect(story.takeEffects() == effects, "after \(key)")
            #expect(!story.state.workbench.files[0].isDirty)
        }
    }

    @Test func `nothing is edited or saved before it is decided about a draft`() {
        var story = Story()
        story.receive(.opened([Self.offered()], environment: nil))
        for action in [Action.tree(.duplicate), .files(.save), .accept, .files(.undo)] {
            #expect(story.state.update(action, at: .zero) == [])
        }
        #expect(!story.state.workbench.files[0].isDirty)
        #expect(story.state.scopes == [.decision], "no key means anything else")
        story.receive(.terminating)
        #expect(story.takeEffects() == [.quit], "the draft stays as it is")
    }

    @Test func `quitting between two drafts asks about the one that was taken back`() {
        var story = Story()
        story.receive(.opened([Self.offered("a.json"), Self.offered("b.json")], environment: nil))
        story.press("y", "q")
        #expect(story.screen.contains("Not saved: a.json"))
        story.press("Esc")
        #expect(story.topOverlay?.scope == .decision)
        story.press("q", "n")
        #expect(story.takeEffects() == [.quit])
    }

    @Test func `a draft goes with the save of what was taken back from it, and with no other`() {
        var story = Story()
        story.receive(.opened([Self.offered()], environment: nil))
        story.press("y", "w")
        _ = story.takeEffects()
        for effects in [[Effect.discardDraft(path: "draft of demo.json")], []] {
            story.receive(.saved(path: "demo.json", Self.collection(story), Self.written))
            #expect(story.takeEffects() == effects)
        }
        story = Self.edited()
        story.press("w")
        _ = story.takeEffects()
        story.receive(.saved(path: "demo.json", Self.collection(story), Self.written))
        #expect(story.takeEffects() == [], "it may be that of another Ombi")
    }

    @Test func `the draft of a file with a mistake is offered once the mistake is mended`() {
        var story = Story(files: [("demo.json", "{ oops")])
        story.receive(.reloaded(Self.offered()))
        #expect(story.screen.contains("demo.json has unsaved edits from an Ombi that ended."))
        story.press("n")
        story.receive(.reloaded(Self.offered()))
        #expect(story.topOverlay == nil, "it is asked once")
    }

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
        #expect(story.state.notice == Notice(.success, "saved demo.json"))
    }

    @Test func `what was edited while the file was written stays to be saved`() {
        var story = Self.edited()
        story.press("w")
        let first = Self.collection(story)
        story.press("D")
        story.receive(.saved(path: "demo.json", first, Self.written))
        #expect(story.state.workbench.files[0].isDirty)
        story.press("u")
        #expect(!story.state.workbench.files[0].isDirty)
    }

    @Test func `without edits there is nothing to save`() {
        var story = Story()
        story.press("w")
        #expect(story.takeEffects().isEmpty)
        #expect(story.state.notice?.text == "nothing to save")
    }

    @Test func `the file under the cursor is saved first, then all others`() {
        var story = Story(files: [
            ("a.json", Story.file(requests: 1, name: "a")), ("b.json", Story.file(requests: 1, name: "b")),
        ])
        story.press("D", "G", "D", "w")
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
        story.press("D", "G", "D", "q", "y")
        #expect(story.takeEffects().map(Self.savedPath) == ["a.json", "b.json"])
        story.receive(.saved(path: "a.json", Self.collection(story, 0), Self.written))
        #expect(story.takeEffects().isEmpty)
        story.receive(.saved(path: "b.json", Self.collection(story, 1), Self.written))
        #expect(story.takeEffects() == [.quit])
    }

    @Test func `a failing save keeps it open`() {
        var story = Story(files: [("a.json", Story.file(requests: 1)), ("b.json", Story.file(requests: 1))])
        story.press("D", "G", "D", "q", "y")
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
        story.press("D")
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
        #expect(story.state.notice?.text == "undone: rename to new user; U redoes it")
        story.press("g", "U")
        #expect(story.state.tree.current?.name == "new user")
        story.press("D", "u", "D")
        story.press("U")
        #expect(story.state.notice?.text == "nothing to redo in demo", "a new edit ends what could be redone")
    }

    @Test func `undo goes back step by step and says when there is no more`() {
        var story = Story()
        story.press("D", "D", "d", "J")
        let steps = story.state.workbench.undoCount
        for _ in 0..<steps { story.press("u") }
        #expect(story.treeNames.count == 5)
        #expect(!story.state.workbench.files[0].isDirty)
        story.press("u")
        #expect(story.state.notice?.text == "nothing to undo in demo")
    }

    @Test func `the last two hundred steps can be undone`() {
        var story = Story()
        for _ in 0..<205 { story.press("D") }
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

    @Test func `the file is opened where it is, but not over edits`() {
        var story = Story()
        story.press("e")
        #expect(story.takeEffects() == [.editFile(path: "demo.json", line: 1)])
        story = Self.edited()
        story.press("e")
        #expect(story.takeEffects().isEmpty)
        #expect(story.state.notice?.text == "demo has edits that are not saved; w saves them first")
    }

    @Test func `what the editor wrote shows, in the environment chosen before`() {
        var story = Story()
        story.press("E", "Down", "Enter")
        let changed = Story.file.replacing("list users", with: "all users")
        story.receive(.reloaded(Story.loaded(changed)))
        #expect(story.treeNames[2] == "    all users")
        #expect(story.request?.name == "all users")
        #expect(story.state.workbench.files[0].environment == "live")
        #expect(story.state.notice == Notice(.success, "read demo.json"))
    }

    @Test func `an environment that is gone gives way to the first`() {
        var story = Story()
        story.press("E", "Down", "Enter")
        story.receive(.reloaded(Story.loaded(Story.file.replacing("\"live\"", with: "\"prod\""))))
        #expect(story.state.workbench.files[0].environment == "local")
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
        story.press("D")
        story.receive(.reloaded(Story.loaded(Story.file(requests: 2, name: "b"), path: "b.json")))
        #expect(story.treeNames == ["a", "  r0", "  r0 copy", "b", "  r0", "  r1"])
        story.press("u")
        #expect(story.treeNames == ["a", "  r0", "b", "  r0", "  r1"])
        #expect(story.state.notice?.text == "undone: duplicate r0; U redoes it")
        story.press("G", "u")
        #expect(story.treeNames == ["a", "  r0", "b", "  r0"])
        story.press("U")
        #expect(story.treeNames == ["a", "  r0", "b", "  r0", "  r1"])
        #expect(story.state.notice?.text == "redone: reload b.json")
    }

    @Test func `a file broken in the editor shows its mistakes, and the next edit repairs it`() {
        var story = Story()
        story.receive(.reloaded(Story.loaded("{\n  \"version\": 1,\n  oops\n}")))
        #expect(story.state.notice?.text.hasPrefix("demo.json:3:3: error: ") ?? false)
        #expect(story.request == nil)
        #expect(story.screen.contains("demo.json could not be read."))
        story.press("Enter")
        #expect(story.takeEffects() == [.editFile(path: "demo.json", line: 3)])
        story.press("a", "d", "E", "s", "w")
        #expect(story.takeEffects().isEmpty)
        story.receive(.reloaded(Story.loaded(Story.file)))
        #expect(story.treeNames.count == 5)
    }

    // MARK: Opening

    @Test func `a broken file is told about at the start`() {
        let warned = Story.file.replacing("\"environments\"", with: "\"enviroments\"")
        var story = Story(files: [("dir/a.json", "{"), ("b.json", "["), ("c.json", warned)])
        #expect(story.state.notice?.text.hasPrefix("could not read a.json:1:2: ") ?? false)
        #expect(story.treeNames[...2] == ["a.json", "b.json", "demo"])
        story.press("L")
        #expect(story.screen.contains("could not read b.json:1:2: ") && story.screen.contains("enviroments"))
    }

    @Test func `the environment of the command line is chosen wherever there is one of that name`() {
        var story = Story(files: [])
        story.receive(
            .opened(
                [Story.loaded(Story.file), Story.loaded(Story.file(requests: 1), path: "b.json")], environment: "live"))
        #expect(story.state.workbench.files.map(\.environment) == ["live", nil])
        story.receive(.opened([Story.loaded(Story.file)], environment: "moon"))
        #expect(story.state.notice == Notice(.failure, "no collection has an environment moon; E shows them"))
    }

    @Test func `what is odd in a file that can be read is told when it is opened`() {
        let odd = Story.file.replacing("\"host\": \"http", with: "\"hots\": 1, \"host\": \"http")
            .replacing("\"path\": \"/users\" }", with: "\"path\": \"/users\", \"metod\": \"GET\" }")
        var story = Story(file: odd)
        let notice = story.state.notice
        #expect(notice?.kind == .warning)
        #expect(
            notice?.text.contains("unknown key \"metod\"; did you mean \"method\"?") == true,
            "\(String(describing: notice))")
        story.receive(.reloaded(Story.loaded(odd)))
        #expect(story.state.notice == notice)
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
        story.receive(.copied("copied 8 bytes"))
        #expect(story.state.notice == Notice(.success, "copied 8 bytes"))
    }
}
