import Foundation
import OmbiCore
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// Responses of before that stand in for those that fail, on the screen.
@Suite struct FallbackStories {
    private static let file = """
        { "version": 1, "name": "demo", "environments": [{ "name": "local", "host": "http://h" }],
          "items": [{ "request": "rates", "path": "/rates", "fallbackResponse": { "history": true } }] }
        """

    private static let used = FallbackResponse(
        .run(12), date: Date(timeIntervalSince1970: 1_800_000_000), age: .seconds(86_400),
        response: SampleRun.response(200, #"{"rate":1}"#))

    private static func story(_ ending: SessionResult.Ending, _ fallback: Fallback?) -> Story {
        var story = Story(columns: 140, file: file)
        story.choose("rates")
        let id = story.send()
        var result = SessionResult(ending, prepared: SampleRun.sent, report: SampleRun.refused)
        result.fallback = fallback
        story.receive(.run(id, .ended(result)))
        return story
    }

    @Test func `the fallback shows under a line with its age and the reason, and a command shows the response`() {
        var story = Self.story(.response(SampleRun.response(503, #"{"error":"busy"}"#)), .response(Self.used))
        story.readBody(Self.used.response)
        #expect(story.screen.contains("503 Service Unavailable"), "\(story.screen)")
        #expect(story.screen.contains("fallback 1 d old"), "\(story.screen)")
        #expect(story.screen.contains("Fallback: response of "), "\(story.screen)")
        #expect(story.screen.contains("1 d old · the request failed: 503"), "\(story.screen)")
        #expect(story.screen.contains("\"rate\": 1") && !story.screen.contains("busy"), "\(story.screen)")
        story.press("3")
        story.command("Toggle between the fallback and the response")
        story.readBody(SampleRun.response(503, #"{"error":"busy"}"#))
        #expect(story.screen.contains("busy") && !story.screen.contains("Fallback:"), "\(story.screen)")
        story.perform(.run(.toggleFallback))
        story.readBody(Self.used.response)
        #expect(story.screen.contains("\"rate\": 1") && story.screen.contains("Fallback:"), "\(story.screen)")
    }

    @Test func `without a response the fallback shows, and a command shows the attempts`() {
        var story = Self.story(.failure(SampleRun.refusal), .response(Self.used))
        story.readBody(Self.used.response)
        #expect(story.screen.contains("no response") && story.screen.contains("\"rate\": 1"), "\(story.screen)")
        story.press("3")
        story.perform(.run(.toggleFallback))
        #expect(!story.screen.contains("\"rate\"") && story.screen.contains("refused"), "\(story.screen)")
    }

    @Test func `a fallback is never what the next response is compared with`() {
        var story = Self.story(.response(SampleRun.response(503, "busy")), .response(Self.used))
        story.readBody(Self.used.response)
        #expect(story.state.run?.body == nil)
    }

    @Test func `a fallback that is missing says why`() {
        var story = Self.story(.failure(SampleRun.refusal), .missing("no history is kept"))
        #expect(story.screen.contains("no fallback"), "\(story.screen)")
        story.press("3")
        story.perform(.run(.toggleFallback))
        #expect(story.screen.contains("No fallback: no history is kept"), "\(story.screen)")
    }

    @Test func `a fallback that was not needed is not one that nobody named`() {
        var story = Self.story(.response(SampleRun.response(200, "fine")), nil)
        story.press("3")
        story.perform(.run(.toggleFallback))
        #expect(story.screen.contains("The fallback was not needed"), "\(story.screen)")
        story = Self.story(.cancelled, nil)
        story.press("3")
        story.perform(.run(.toggleFallback))
        #expect(story.screen.contains("The run ended without its fallback"), "\(story.screen)")
    }

    @Test func `the fallback is a row of the policy`() {
        var story = Story(file: Self.file)
        story.choose("rates")
        story.press("2")
        while story.state.requestPane.tab != .policy { story.press("]") }
        let row = story.formRows.firstIndex { $0.name == "fallback" } ?? 0
        #expect(story.formRows[row].value == "history")
        for _ in 0..<row { story.press("Down") }
        story.press("Enter")
        story.type(" 7d")
        story.press("Enter")
        #expect(story.request?.fallback?.source == .history(maximumAge: .seconds(7 * 86_400)))
        story.press("u")
        #expect(story.request?.fallbackText == "history")
    }
}
