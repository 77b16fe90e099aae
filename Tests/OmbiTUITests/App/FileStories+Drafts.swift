import OmbiCore
import OmbiDocument
import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// Edits that a program has left, or another one still has.
extension FileStories {
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
        let draft = UnsavedFile(path: "demo.json", collection: collection, fingerprint: fingerprint)
        #expect(story.takeEffects() == [.keepDraft(draft), .quit])
    }

    @Test(arguments: [true, false])
    func `a draft is offered, and taking it back is an edit`(isOfThisFile: Bool) {
        var story = Story()
        var loaded = Story.loaded(Story.file)
        let draft = Self.collection(Self.edited())
        loaded.draft = Draft(collection: draft, isOfThisFile: isOfThisFile, file: "draft")
        story.receive(.opened([loaded], environment: nil))
        let screen = story.screen
        #expect(screen.contains("demo.json has unsaved edits from an Ombi that ended."))
        #expect(screen.contains("The file has changed since") == !isOfThisFile)
        story.press("y")
        #expect(Self.collection(story).text == draft.text)
        #expect(story.state.workbench.files[0].isDirty)
        let unsaved = story.state.unsaved
        #expect(unsaved.map(\.fingerprint) == [loaded.fingerprint])
        #expect(
            story.takeEffects() == unsaved.map { .replaceDraft(path: "draft", by: $0) }, "it is this program's now")
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
        #expect(story.state.notice == Notice(.success, "Edits of list users restored; w saves them, u undoes them"))
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
                story.state.notice
                    == Notice(.warning, "Edits restored, with 1 conflict with the file; w shows them again"))
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
        for (key, effects) in [("n", []), ("q", [Effect.quit]), ("Ctrl+C", [.quit])] {
            var story = Story()
            story.receive(.opened([Self.offered()], environment: nil))
            #expect(story.screen.contains("y restore the edits   n discard them   q quit"))
            story.press(key)
            #expect(story.takeEffects() == effects, "after \(key)")
            #expect(!story.state.workbench.files[0].isDirty)
        }
    }

    @Test func `a draft is thrown away after a second question only`() {
        var story = Story()
        story.receive(.opened([Self.offered()], environment: nil))
        story.press("n")
        #expect(story.screen.contains("Discard the unsaved edits of demo.json? They cannot be brought back."))
        story.press("n")
        #expect(story.screen.contains("y restore the edits   n discard them   q quit"), "it goes back")
        story.press("n", "y")
        #expect(story.takeEffects() == [.discardDraft(path: "draft of demo.json")])
        #expect(story.topOverlay == nil)
    }

    @Test func `a draft that is taken back shows the request that it changed`() {
        var story = Story()
        var loaded = Story.loaded(Story.file)
        let text = Story.file.replacing("\"/users/:id\"", with: "\"/people/:id\"")
        loaded.draft = Story.loaded(text).collection.map { Draft(collection: $0, isOfThisFile: true) }
        story.receive(.opened([loaded], environment: nil))
        #expect(story.request?.name == "list users")
        story.press("y")
        #expect(story.request?.name == "user by id" && story.state.tree.current?.name == "user by id")
        #expect(
            story.state.notice == Notice(.success, "Edits of user by id restored; w saves them, u undoes them"))
    }

    @Test func `edits that another Ombi has not saved are told once, for all files`() {
        var story = Story()
        let loaded = ["a.json", "b.json", "c.json"].map { path in
            var loaded = Story.loaded(Story.file, path: path)
            loaded.editor = path == "b.json" ? nil : 42
            return loaded
        }
        story.receive(.opened(loaded, environment: nil))
        #expect(
            story.state.notice
                == Notice(.warning, "a.json, c.json have unsaved edits in another Ombi (process 42)"))
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
        _ = story.takeEffects()
        story.press("Esc")
        #expect(story.topOverlay?.scope == .decision)
        story.press("q", "n")
        #expect(story.takeEffects() == [.quit])
    }

    @Test func `a draft in which nothing is left to restore goes`() {
        var story = Story()
        var loaded = Story.loaded(Story.file)
        loaded.draft = Draft(collection: Self.collection(story), isOfThisFile: true, file: "draft")
        story.receive(.opened([loaded], environment: nil))
        story.press("y")
        #expect(story.takeEffects() == [.discardDraft(path: "draft")])
    }

    @Test func `the draft of a file with a mistake is offered once the mistake is mended`() {
        var story = Story(files: [("demo.json", "{ oops")])
        story.receive(.reloaded(Self.offered()))
        #expect(story.screen.contains("demo.json has unsaved edits from an Ombi that ended."))
        story.press("n", "y")
        story.receive(.reloaded(Self.offered()))
        #expect(story.topOverlay == nil, "it is asked once")
    }

    @Test func `a draft that cannot be read is said with its place, and stays`() {
        var story = Story()
        var loaded = Story.loaded(Story.file)
        loaded.draftProblem = Problem(
            file: "/drafts/1-demo.json.7", position: TextPosition(line: 5, column: 3), message: "expected ':'")
        story.receive(.opened([loaded], environment: nil))
        #expect(
            story.state.notice?.text
                == "Unsaved edits of demo.json cannot be restored: /drafts/1-demo.json.7:5:3: error: expected ':'. "
                + "The draft is kept: take what you need from it, then delete it")
        #expect(story.takeEffects() == [])
    }

    @Test func `drafts of files that are opened or appear later are offered as at the start`() {
        for event in [Event.added([Self.offered("b.json")], path: "b.json"), .changed(Self.offered("b.json"))] {
            var story = Story()
            story.receive(event)
            #expect(story.screen.contains("b.json has unsaved edits from an Ombi that ended."))
            story.press("y")
            #expect(story.state.workbench.dirtyFiles.map(\.path) == ["b.json"])
        }
    }

    @Test func `a draft of a file that appears is offered once the text that is typed is submitted`() {
        var story = Story()
        story.press("2", "Enter")
        story.receive(.changed(Self.offered("b.json")))
        story.type("x")
        #expect(story.topOverlay == nil && story.openField?.hasSuffix("x") ?? false)
        story.press("Enter")
        #expect(story.topOverlay?.scope == .decision)
    }
}
