import Foundation
import OmbiCore
import OmbiViewer
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// The responses of attempts, on the screen.
@Suite struct AttemptStories {
    private static let busy = TransportResponse(
        headers: ["Content-Type": "application/json", "X-Node": "b7"], statusCode: 503,
        body: Data(#"{"error":"busy"}"#.utf8))

    /// A run of two or more attempts, whose timeline shows.
    private static func story(
        others: [AttemptReport] = [SampleRun.succeeded], _ change: (inout AttemptReport) -> Void = { _ in }
    ) -> Story {
        var story = Story(columns: 140)
        story.choose("user by id")
        let id = story.send()
        var first = SampleRun.failed
        first.received = busy
        change(&first)
        let report = RequestReport(
            attempts: [first] + others, duration: .milliseconds(705), sla: SampleRun.sla,
            outcome: .succeeded)
        story.receive([.finished(report)], of: id)
        story.end(id, .response(SampleRun.answer))
        story.readBody()
        story.press("3")
        story.perform(.response(.showTab(ResponseTab.timeline.number)))
        return story
    }

    @Test func `Enter in the timeline shows body and headers of the attempt, and Esc the final response`() {
        var story = Self.story()
        #expect(story.screen.contains("Enter open"), "\(story.screen)")
        story.press("Enter")
        story.readBody(Self.busy)
        #expect(story.state.responsePane.tab == .body)
        #expect(story.screen.contains("attempt 1 of 2"), "\(story.screen)")
        #expect(story.screen.contains("busy") && !story.screen.contains("Ada"), "\(story.screen)")
        #expect(story.screen.contains("Esc back"), "\(story.screen)")
        story.perform(.response(.showTab(ResponseTab.headers.number)))
        #expect(story.screen.contains("X-Node") && story.screen.contains("b7"), "\(story.screen)")
        story.press("Esc")
        story.readBody()
        #expect(!story.screen.contains("X-Node") && !story.screen.contains("attempt 1 of 2"), "\(story.screen)")
        story.perform(.response(.showTab(ResponseTab.body.number)))
        #expect(story.screen.contains("Ada") && !story.screen.contains("busy"), "\(story.screen)")
    }

    @Test func `Esc goes back to the attempt in the timeline that was opened`() {
        var (second, last) = (SampleRun.failed, SampleRun.succeeded)
        (second.number, second.startedAt) = (2, .milliseconds(562))
        (last.number, last.startedAt) = (3, .milliseconds(1124))
        second.received = Self.busy
        var story = Self.story(others: [second, last])
        for _ in 0..<9 where story.attempt != 2 { story.press("j") }
        #expect(story.attempt == 2, "\(story.screen)")
        story.press("Enter")
        story.readBody(Self.busy)
        #expect(story.state.run?.openedNumber == 2 && story.state.responsePane.tab == .body)
        story.press("Esc")
        story.readBody()
        #expect(story.state.run?.openedNumber == nil && story.state.responsePane.tab == .timeline)
        #expect(story.attempt == 2, "\(story.screen)")
    }

    @Test func `D compares the response of an attempt with the final one`() {
        var story = Self.story()
        story.press("Enter")
        story.readBody(Self.busy)
        #expect(story.state.run?.viewer?.before?.name == "the final response")
        #expect(story.state.run?.viewer?.isBeforeNewer == true)
        #expect(story.state.run?.body == story.state.run?.finalBody)
    }

    @Test func `the last attempt is the final response`() {
        var story = Self.story()
        story.press("G", "Enter")
        #expect(story.state.run?.openedNumber == nil && story.state.responsePane.tab == .body)
        #expect(story.screen.contains("Ada"), "\(story.screen)")
    }

    @Test func `a body that is not kept says so, with its size`() {
        var story = Self.story { $0.omitBody() }
        story.press("Enter")
        #expect(story.screen.contains("Body not kept: 16 B"), "\(story.screen)")
        story.perform(.response(.showTab(ResponseTab.headers.number)))
        #expect(story.screen.contains("X-Node"), "\(story.screen)")
    }

    @Test func `an attempt that broke off shows the part that arrived`() {
        var story = Self.story { $0.isPartial = true }
        story.press("Enter")
        story.readBody(Self.busy)
        #expect(story.screen.contains("broke off; only this part arrived"), "\(story.screen)")
    }

    @Test func `sending again leaves the attempt`() {
        var story = Self.story()
        story.press("Enter")
        story.readBody(Self.busy)
        story.press("s")
        #expect(story.state.run?.openedNumber == nil)
    }
}

extension Story {
    /// The number of the attempt under the cursor of the timeline.
    fileprivate var attempt: Int? { state.responsePane.attempt(state.responseView)?.number }
}
