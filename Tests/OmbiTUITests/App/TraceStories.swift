import OmbiCore
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// Traces on the screen.
@Suite struct TraceStories {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let spans = ["00f067aa0ba902b7", "53995c3f42cd8ad8"]

    /// A run of two attempts, whose timeline shows.
    private static func story(page: String?) throws -> Story {
        var story = Story(columns: 220)
        story.choose("user by id")
        story.press("s")
        let id = story.state.runs.lastID
        let traces = spans.compactMap { TraceContext("00-\(trace)-\($0)-01") }
        try #require(traces.count == 2)
        var sent = SampleRun.sent
        sent.traceURL = page
        sent.headers.append(.init(name: "traceparent", value: traces[1].header, source: .ombi))
        story.receive(.run(id, .prepared(sent)))
        var (first, last) = (SampleRun.failed, SampleRun.succeeded)
        (first.trace, last.trace) = (traces[0], traces[1])
        let report = RequestReport(
            attempts: [first, last], duration: .milliseconds(705), sla: SampleRun.sla, outcome: .succeeded)
        story.receive([.finished(report)], of: id)
        story.end(id, .response(SampleRun.answer))
        story.readBody()
        story.press("3")
        story.perform(.response(.showTab(ResponseTab.timeline.number)))
        return story
    }

    private static func copies(_ story: inout Story) -> [String: String] {
        _ = story.takeEffects()
        story.press("Y")
        guard case .picker(let picker)? = story.topOverlay else { return [:] }
        story.press("Esc")
        var copies: [String: String] = [:]
        for item in picker.shown {
            if case .copyText(let text, let name) = item.action { copies[name] = text }
        }
        return copies
    }

    @Test func `the timeline names the trace, its page and the span of each attempt, and copies them`() throws {
        var story = try Self.story(page: "https://jaeger.test/trace/{traceId}")
        for text in Self.spans.map({ "span \($0)" }) + [Self.trace, "https://jaeger.test/trace/\(Self.trace)"] {
            #expect(story.screen.contains(text), "\(text)\n\(story.screen)")
        }
        let copies = Self.copies(&story)
        #expect(copies["the trace ID"] == Self.trace)
        #expect(copies["the URL of the trace"] == "https://jaeger.test/trace/\(Self.trace)")
        #expect(copies["the traceparent of attempt 1"] == "00-\(Self.trace)-\(Self.spans[0])-01", "\(copies)")
    }

    @Test func `Sent shows the header of the attempt that is open`() throws {
        var story = try Self.story(page: nil)
        #expect(!story.screen.contains("jaeger"))
        story.press("Enter")
        story.perform(.response(.showTab(ResponseTab.sent.number)))
        #expect(story.screen.contains("00-\(Self.trace)-\(Self.spans[0])-01"), "\(story.screen)")
        story.press("Esc")
        story.perform(.response(.showTab(ResponseTab.sent.number)))
        #expect(story.screen.contains("00-\(Self.trace)-\(Self.spans[1])-01"), "\(story.screen)")
    }

    @Test(arguments: ["javascript:{traceId}", "https://a.test/\u{1B}]8;;{traceId}"])
    func `a page that is none is not made, whoever names it`(page: String) throws {
        var story = try Self.story(page: page)
        #expect(!story.screen.contains("javascript") && !story.screen.contains("a.test"), "\(story.screen)")
        #expect(story.screen.contains(Self.trace))
        #expect(Self.copies(&story)["the URL of the trace"] == nil)
    }

    @Test func `a run without a trace has no row for one`() {
        var story = Story(columns: 220)
        story.choose("user by id")
        story.finish(story.send())
        story.press("3")
        story.perform(.response(.showTab(ResponseTab.timeline.number)))
        #expect(!story.screen.contains("    trace ") && !story.screen.contains("span "), "\(story.screen)")
    }
}
