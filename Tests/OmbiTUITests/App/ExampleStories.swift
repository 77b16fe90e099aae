import Foundation
import OmbiCore
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// Saved responses are read in the place of a response.
@Suite struct ExampleStories {
    private static let gone = TransportResponse(
        headers: ["Content-Type": "application/json"], statusCode: 410, body: Data(#"{"state":"vanished"}"#.utf8))
    private static let saved = #"""
        { "name": "gone", "status": 410, "headers": [{ "name": "Content-Type", "value": "application/json" },
        { "name": "X-A", "value": "1" }], "body": "{\"state\":\"vanished\"}" }
        """#

    private static func story(_ examples: String) -> Story {
        var story = Story(
            columns: 140,
            file: #"""
                { "version": 1, "name": "demo", "environments": [{ "name": "local", "host": "http://127.0.0.1:1" }],
                  "items": [{ "request": "r", "path": "/", "examples": [\#(examples)] }] }
                """#)
        story.choose("r")
        story.press("2")
        return story
    }

    @Test func `the only one shows at once, marked as an example, with body and headers`() {
        var story = Self.story(Self.saved)
        story.command("Show the saved examples")
        story.readBody(Self.gone)
        #expect(story.state.focus == .response && story.state.responsePane.tab == .body)
        #expect(story.screen.contains("example gone") && story.screen.contains("410 Gone"), "\(story.screen)")
        #expect(story.screen.contains("no server sent it") && story.screen.contains("vanished"), "\(story.screen)")
        #expect(story.screen.contains("Esc back"), "\(story.screen)")
        story.perform(.response(.showTab(ResponseTab.headers.number)))
        #expect(story.screen.contains("X-A"), "\(story.screen)")
    }

    @Test func `an example is no run of its request, and Esc removes it`() throws {
        var story = Self.story(Self.saved)
        story.command("Show the saved examples")
        story.readBody(Self.gone)
        let run = try #require(story.state.run)
        #expect(run.isExampleOnly && run.response == nil && !run.isRecorded)
        #expect(story.state.runs.summary(of: run.item) == nil)
        story.press("Esc")
        #expect(story.state.run == nil)
        #expect(!story.screen.contains("example gone"), "\(story.screen)")
    }

    @Test(arguments: [ResponseTab.timeline, .expect, .sent])
    func `of an example alone the tabs about a run say that there is none`(_ tab: ResponseTab) {
        var story = Self.story(Self.saved)
        story.command("Show the saved examples")
        story.readBody(Self.gone)
        story.perform(.response(.showTab(tab.number)))
        #expect(story.screen.contains("Not sent yet. s sends it."), "\(story.screen)")
        #expect(!story.screen.contains("cancelled"), "\(story.screen)")
    }

    @Test func `an example shows in place of the response, is compared with it, and Esc brings that back`() throws {
        var story = Self.story(Self.saved)
        let id = story.send()
        story.end(id, .response(SampleRun.answer))
        story.readBody()
        story.press("2")
        story.command("Show the saved examples")
        story.readBody(Self.gone)
        let run = try #require(story.state.run)
        #expect(run.id == id && run.response == SampleRun.answer && run.shownResponse?.statusCode == 410)
        #expect(run.viewer?.before?.name == "the final response" && run.viewer?.isBeforeNewer == true)
        #expect(story.state.runs.summary(of: run.item)?.statusCode == 200)
        story.press("Esc")
        story.readBody()
        #expect(story.state.run?.example == nil && story.state.run?.shownResponse == SampleRun.answer)
        #expect(story.screen.contains("Ada") && !story.screen.contains("example gone"), "\(story.screen)")
    }

    @Test func `sending leaves the example`() {
        var story = Self.story(Self.saved)
        story.command("Show the saved examples")
        story.readBody(Self.gone)
        let id = story.send()
        #expect(story.state.run?.id == id && story.state.run?.example == nil)
        #expect(story.state.run?.isExampleOnly == false)
    }

    @Test func `several are offered, and one in a file shows what is in it`() throws {
        var story = Self.story(
            #"{ "name": "first", "status": 200 }, { "name": "second", "status": 404, "file": "./b.json" }"#)
        story.command("Show the saved examples")
        story.type("second")
        story.press("Enter")
        let read = story.takeEffects().compactMap { if case .readExample(let file) = $0 { file } else { nil } }
        let file = try #require(read.first)
        #expect(file.example.file == "./b.json" && file.collection == "demo.json" && read.count == 1)
        #expect(story.state.run == nil)
        story.receive(.exampleRead(file, Self.gone.body ?? Data()))
        story.readBody(Self.gone)
        #expect(story.screen.contains("example second") && story.screen.contains("404 Not Found"), "\(story.screen)")
        #expect(story.screen.contains("vanished"), "\(story.screen)")
    }

    @Test func `a file that is not there is told`() {
        let request = SavedRequest(name: "r", path: "/")
        let file = ExampleFile(
            example: SavedExample("gone", status: 410, file: "./none.json"), item: request.id, name: "r",
            collection: "/nowhere/c.json")
        guard case .notice(let notice) = file.reading() else {
            Issue.record("it was read")
            return
        }
        #expect(notice.kind == .failure)
        #expect(notice.text.hasPrefix("The example gone cannot be shown: cannot read ./none.json"), "\(notice.text)")
    }

    @Test func `a request without any says so`() {
        var story = Story.inRequest()
        story.command("Show the saved examples")
        #expect(story.state.notice?.text == "user by id has no saved examples")
    }
}
