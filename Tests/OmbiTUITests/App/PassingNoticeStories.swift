import OmbiCore
import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// Messages about something that has not ended.
@Suite struct PassingNoticeStories {
    private static let running = Notice(.warning, "list users is still running; x cancels it")

    /// A story in which a request was sent twice.
    private static func twice() -> (Story, RunID) {
        var story = Story()
        let id = story.send()
        story.press("s")
        return (story, id)
    }

    @Test func `a message about a run goes when the run ends, and not before`() {
        var (story, id) = Self.twice()
        story.receive(SampleRun.untilWait, of: id)
        story.receive(.tick)
        #expect(story.state.notice == Self.running)
        story.finish(id)
        #expect(story.state.notice == nil && !story.screen.contains("still running"), "\(story.screen)")
        story.press("L")
        #expect(story.screen.contains("still running"), "the log keeps it")
    }

    @Test func `a message that came after it stays`() {
        var (story, id) = Self.twice()
        let other = Notice(.success, "Saved demo.json")
        story.receive(.notice(other))
        story.finish(id)
        #expect(story.state.notice == other)
    }

    @Test func `it goes also where the run before comes back`() {
        var story = Story()
        story.finish(story.send())
        story.press("s", "3", ",")
        #expect(story.state.notice?.text == "The request is running; x cancels it")
        story.receive(.run(story.state.runs.lastID, .ended(SessionResult(.cancelled))))
        #expect(story.state.notice?.text == "list users: cancelled before it was sent")
    }

    @Test func `a message about a folder's run goes with that`() {
        var story = Story(file: Story.file(requests: 1))
        story.choose("many")
        story.press("s", "Enter", "f")
        #expect(story.state.notice?.text == "many is still running; Ctrl+X cancels the rest")
        story.receive(.run(story.state.runs.lastID, .ended(SessionResult(.response(SampleRun.answer)))))
        #expect(story.state.notice == nil)
    }

    @Test func `a message about a sign-in goes with that`() {
        var story = Story()
        let id = story.send()
        story.receive(.run(id, .signIn(SignIn(url: "http://id.test/device", code: "ABCD-12"))))
        #expect(story.state.notice?.text.contains("ABCD-12") ?? false)
        story.receive(.run(id, .signIn(nil)))
        #expect(story.state.notice == nil)
    }
}
