import OmbiCore
import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// Quitting while something runs: one key ends nothing.
@Suite struct QuittingStories {
    enum Kind: CaseIterable, Sendable {
        case request, webSocket, watch, folder

        /// The name in the question.
        var name: String {
            switch self {
            case .request: "list users"
            case .webSocket: "list users (WebSocket)"
            case .watch: "the watch of list users"
            case .folder: "the run of users, 0 of 3 done"
            }
        }
    }

    private static func story(_ kind: Kind) -> Story {
        var story = Story()
        story.choose(kind == .folder ? "users" : "list users")
        switch kind {
        case .request: story.send()
        case .webSocket:
            let id = story.send()
            let head = RequestEvent.headReceived(attempt: 1, SampleRun.head(101), at: .zero)
            story.receive([SampleRun.untilWait[0], head], of: id)
        case .watch:
            story.press("V", "Enter")
            story.receive(.run(story.state.runs.lastID, .ended(SessionResult(.response(SampleRun.answer)))))
        case .folder: story.press("s", "Enter", "Esc")
        }
        _ = story.takeEffects()
        return story
    }

    @Test(arguments: Kind.allCases) func `q names what runs, and quits after yes`(kind: Kind) {
        var story = Self.story(kind)
        story.press("q")
        #expect(story.takeEffects().isEmpty)
        #expect(story.screen.contains("Still running: \(kind.name)"), "\(story.screen)")
        for (key, quits) in [("y", true), ("Ctrl+C", true), ("n", false), ("Esc", false)] {
            var story = story
            story.press(key)
            #expect(story.takeEffects().contains(.quit) == quits, "\(key)")
            #expect(story.topOverlay == nil)
        }
    }

    @Test(arguments: Kind.allCases, Focus.allCases)
    func `no key by itself ends Ombi while something runs`(kind: Kind, focus: Focus) {
        var start = Self.story(kind)
        start.perform(.app(.focus(focus)))
        _ = start.takeEffects()
        let keys = Set(Keymap.standard.bindings.flatMap(\.keys))
        #expect(keys.count > 60)
        for key in keys {
            var story = start
            guard let action = story.state.keymap.action(for: key, after: [], in: story.state.scopes) else { continue }
            story.perform(action)
            #expect(!story.takeEffects().contains(.quit), "\(key.name)")
        }
    }

    @Test(arguments: [Kind.request, .webSocket]) func `the question closes once nothing runs any more`(kind: Kind) {
        var story = Self.story(kind)
        story.press("q")
        let id = story.state.runs.lastID
        story.receive(.run(id, .ended(SessionResult(.response(SampleRun.answer)))))
        #expect(story.topOverlay == nil && story.takeEffects().contains(.quit) == false)
        #expect(story.screen.contains("Nothing runs any more; q quits"))
        story.press("q")
        #expect(story.takeEffects().contains(.quit))
    }

    @Test func `the question about a folder counts on`() {
        var story = Self.story(.folder)
        story.press("q")
        let id = story.state.runs.lastID
        story.receive(.run(id, .ended(SessionResult(.response(SampleRun.answer)))))
        #expect(story.screen.contains("Still running: the run of users, 1 of 3 done"), "\(story.screen)")
    }

    @Test func `unsaved edits are asked about after what runs`() {
        var story = Self.story(.request)
        story.press("Alt+D", "q", "y")
        #expect(story.takeEffects().isEmpty)
        #expect(story.screen.contains("Not saved: demo.json"))
        story.press("n")
        #expect(story.takeEffects() == [.quit])
    }

    @Test(arguments: [Kind.request, .webSocket])
    func `Ctrl+C cancels the run of the request first, and then quits`(kind: Kind) {
        var story = Self.story(kind)
        let id = story.state.runs.lastID
        story.press("Ctrl+C")
        #expect(story.takeEffects() == [.cancel(id)])
        #expect(story.screen.contains("list users is cancelled; Ctrl+C again quits"))
        story.press("Ctrl+C")
        #expect(story.takeEffects() == [.quit], "also where the run takes a moment to end")
    }

    @Test func `Ctrl+C asks where another request runs`() {
        var story = Self.story(.request)
        story.choose("create user")
        story.press("Ctrl+C")
        #expect(story.takeEffects().isEmpty && story.screen.contains("Still running: list users"))
        story.press("Ctrl+C")
        #expect(story.takeEffects() == [.quit])
    }

    @Test func `Ctrl+C cancels all of a folder's run on the folder`() {
        var story = Self.story(.folder)
        let id = story.state.runs.lastID
        story.press("Ctrl+C")
        #expect(story.takeEffects() == [.cancel(id)])
        #expect(story.state.runs.batch?.counts.cancelled == 2)
        story.press("Ctrl+C")
        #expect(story.takeEffects() == [.quit])
    }

    @Test func `Ctrl+C in the table cancels all that runs, and then closes the table`() {
        var story = Self.story(.folder)
        let id = story.state.runs.lastID
        story.press("T", "Ctrl+C")
        #expect(story.takeEffects().contains(.cancel(id)))
        #expect(story.state.batchPane.isOpen && story.state.runs.batch?.counts.cancelled == 2)
        #expect(story.screen.contains("users is cancelled; Ctrl+C again closes the table"))
        story.press("Ctrl+C")
        #expect(!story.state.batchPane.isOpen, "also where a run takes a moment to end")
        story.press("T")
        story.end(id, .cancelled)
        story.press("Ctrl+C")
        #expect(!story.state.batchPane.isOpen && !story.takeEffects().contains(.quit))
    }

    @Test func `Ctrl+C ends the watch of the request, between its runs too`() {
        var story = Self.story(.watch)
        story.press("Ctrl+C")
        #expect(story.state.runs.watch == nil && story.takeEffects().isEmpty)
        #expect(story.screen.contains("no longer watched"))
        story.press("Ctrl+C")
        #expect(story.takeEffects() == [.quit])
    }
}
