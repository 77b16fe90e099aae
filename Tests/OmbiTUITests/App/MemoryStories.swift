import OmbiCore
import OmbiTerminal
import OmbiViewer
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// What the next start takes up again.
@Suite struct MemoryStories {
    private static func next(
        _ memory: WorkspaceMemory?, file: String = Story.file, columns: Int = 120, environment: String? = nil
    ) -> Story {
        var story = Story(columns: columns, files: [])
        memory.map { story.receive(.remembered($0)) }
        story.receive(.opened([Story.loaded(file)], environment: environment))
        return story
    }

    @Test func `the request, the environment, the tabs, the dividers and the full screen are as they were`() throws {
        var story = Story()
        story.choose("user by id")
        story.press("E", "Down", "Enter", "2", "]", "]", "3", "]")
        story.perform(.app(.moveSplit(.right)))
        story.press("z")
        let memory = try #require(story.state.memory)
        let next = Self.next(memory)
        #expect(next.screen == story.screen)
        #expect(next.request?.name == "user by id" && next.state.focus == .response && next.state.isZoomed)
        #expect(next.state.workbench.file?.environment == "live")
        #expect(next.state.requestPane.tab == .body && next.state.responsePane.tab == .headers)
        #expect(next.state.splits == story.state.splits)
        #expect(next.state.memory == memory, "it is the same again")
    }

    @Test func `folders are folded as they were, and new ones as the others`() throws {
        var story = Story()
        story.choose("users")
        story.press("Left")
        let closed = try #require(story.state.memory)
        #expect(Self.next(closed).treeNames == ["demo", "  users"])
        let more = Story.file.replacing(
            "\"items\": [\n    {", with: "\"items\": [ { \"folder\": \"new\", \"items\": [] },\n    {")
        #expect(Self.next(closed, file: more).treeNames == ["demo", "  new", "  users"])
        #expect(Self.next(closed, file: more).state.tree.rows.map(\.isOpen) == [true, true, false])
    }

    @Test func `a request that is gone is forgotten, and an environment that is gone is named`() throws {
        var story = Story()
        story.choose("user by id")
        story.press("E", "Down", "Enter")
        let memory = try #require(story.state.memory)
        let other = Story.file.replacing("user by id", with: "one user").replacing("\"live\"", with: "\"prod\"")
        let next = Self.next(memory, file: other)
        #expect(next.state.tree.current != nil)
        #expect(next.state.workbench.environment == nil, "no other environment is chosen in its place")
        #expect(
            next.state.notice?.text == "The environment live is no longer in demo.json; E chooses another: local, prod")
        #expect(next.state.memory?.environments == ["demo.json": "live"], "it may come back")
    }

    @Test func `the first environment is remembered, too, so that the next is not used when it is gone`() throws {
        let memory = try #require(Story().state.memory)
        let other = Story.file.replacing("\"name\": \"local\"", with: "\"name\": \"base\", \"abstract\": true")
        let next = Self.next(memory, file: other)
        #expect(next.state.workbench.environment == nil && next.state.workbench.missingEnvironment == "local")
    }

    @Test func `the environment of the command line is for this time`() throws {
        var story = Story()
        story.press("E", "Down", "Enter")
        let memory = try #require(story.state.memory)
        #expect(memory.environments == ["demo.json": "live"])
        let given = Self.next(memory, environment: "local")
        #expect(given.state.workbench.file?.environment == "local")
        #expect(given.state.memory?.environments == ["demo.json": "live"])
    }

    @Test func `the texts of searches and filters come back with Up`() throws {
        var story = Story()
        story.finish(story.send(), with: SampleRun.response(200, #"{"name": "Ada"}"#))
        story.press("3", "/")
        story.type("Ada")
        story.press("Enter", "Esc", "|")
        story.type("$.name")
        story.press("Enter")
        let memory = try #require(story.state.memory)
        #expect(memory.prompts == ["search": ["Ada"], "filter": ["$.name"]])
        #expect(Self.next(memory).state.memory?.prompts == memory.prompts)
    }

    @Test func `without collections nothing is remembered`() {
        #expect(Story(files: []).state.memory == nil)
    }
}
