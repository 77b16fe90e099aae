import Foundation
import OmbiDocument
import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiCore
@testable import OmbiTUI
@testable import OmbiViewer

/// Bodies of responses in the explorer: from their first bytes to what is left of them.
@Suite struct BodyStories {
    private static func store(_ text: String) throws -> ResponseStore {
        let store = ResponseStore(capacity: 1 << 20, memoryLimit: 1 << 20, temporaryFolder: "/tmp")
        try append(text, to: store)
        return store
    }

    private static func append(_ text: String, to store: ResponseStore) throws {
        try Array(text.utf8).withUnsafeBytes { try store.append($0) }
    }

    /// Lets a large body begin.
    private static func begin(_ story: inout Story, _ store: ResponseStore) -> RunID {
        let id = story.send()
        story.receive(Array(SampleRun.untilBody.dropLast()), of: id)
        _ = story.takeEffects()
        story.receive(.run(id, .step(.bodyStarted(attempt: 2, store, at: .milliseconds(700)))))
        return id
    }

    private static func read(_ story: inout Story, _ text: String, isComplete: Bool) {
        guard let viewer = story.state.shownViewer?.id else {
            Issue.record("no viewer is shown")
            return
        }
        let indexer = BodyIndexer(contentType: "application/json")
        let document = indexer.read(Bytes(text.utf8), isComplete: isComplete, budget: .max)
        story.receive(.viewer(viewer, .read(document)))
    }

    @Test(arguments: ResponseTab.allCases) func `filter, command and save go to the body from every tab`(
        tab: ResponseTab
    ) {
        for key in ["|", "!", "S"] {
            var story = Story()
            story.finish(story.send())
            story.press("3", "Alt+\(tab.number)", key)
            #expect(story.state.responsePane.tab == .body, "\(key) in \(tab)")
            #expect(story.state.shownViewer?.hasPrompt ?? false, "\(key) in \(tab)")
        }
    }

    @Test(arguments: ResponseTab.allCases.filter { ![.history, .cookies].contains($0) })
    func `a comparison goes to the body from every tab that compares nothing else`(tab: ResponseTab) {
        var story = Story()
        story.finish(story.send())
        story.press("3", "Alt+\(tab.number)", "D")
        #expect(story.state.responsePane.tab == .body)
    }

    @Test func `without a response these keys say so`() {
        for tab in ResponseTab.allCases {
            var story = Story()
            story.press("3", "Alt+\(tab.number)", "|")
            #expect(story.state.notice?.text == "There is no body yet; s sends the request", "\(tab)")
        }
    }

    @Test func `while the request runs they do not say to send it`() {
        var story = Story()
        let id = story.send()
        story.press("3", "|")
        #expect(story.state.notice?.text == "There is no body yet; x cancels the run")
        story.refuse(id)
        #expect(story.state.notice?.text != "There is no body yet; x cancels the run")
    }

    @Test func `what is typed for a prompt that is gone with its body runs no commands`() {
        var story = Story()
        story.finish(story.send())
        story.press("3", "/")
        story.type("ag")
        story.receive(.changed(Story.loaded(Story.file(requests: 1, name: "demo"))))
        for key in ["L", "?", "Enter"] {
            story.time += .milliseconds(300)
            story.press(key)
        }
        #expect(story.topOverlay == nil && story.state.focus == .response, "\(story.screen)")
        story.time += .seconds(2)
        story.press("?")
        #expect(story.topOverlay?.scope == .help)
    }

    @Test func `sending shows the response, where a tab of other runs or of the connection was open`() {
        for tab in ResponseTab.allCases {
            var story = Story()
            story.press("3", "Alt+\(tab.number)")
            story.finish(story.send())
            // Nothing is expected of this one.
            let isOfRun = ![.expect, .history, .statistics, .cookies, .tls].contains(tab)
            #expect(story.state.responsePane.tab == (isOfRun ? tab : .body), "\(tab)")
        }
    }

    @Test func `a request without expectations shows its body where the last one showed those`() {
        var story = Story()
        for name in ["list users", "user by id"] {
            story.choose(name)
            story.finish(story.send())
        }
        story.press("3", "Alt+\(ResponseTab.expect.number)")
        #expect(story.state.responsePane.tab == .expect)
        story.choose("list users")
        #expect(story.state.responsePane.tab == .body)
    }

    @Test func `a large body shows while it comes, with how much and how fast`() throws {
        var story = Story()
        let store = try Self.store("[1,{\"a\": 2}")
        let id = Self.begin(&story, store)
        guard case .view(let viewer, .read(.store(store), contentType: "application/json"))? = story.takeEffects().first
        else {
            Issue.record("the body is not read")
            return
        }
        Self.read(&story, "[1,{\"a\": 2}", isComplete: false)
        story.receive(
            .run(id, .step(.bodyReceived(attempt: 2, bytes: 3_000_000, expected: 9_000_000, at: .milliseconds(1700)))))
        #expect(story.takeEffects() == [.view(viewer, .readMore(isComplete: false))])
        #expect(story.screen.contains("receiving 3.0 MB of 9.0 MB · 3.0 MB/s"), "\(story.screen)")
        #expect(story.screen.contains("\"a\": 2"))
    }

    @Test func `a large body of a request shows how much of it was sent`() {
        var run = RunState(id: 1, item: ItemID(), name: "upload", startedAt: .zero)
        let title = { (run: RunState) in ResponseTitle.spans(run).map(\.text).joined() }
        run.fold(.attemptStarted(number: 1, attempts: 1, at: .zero))
        run.fold(.phaseReached(attempt: 1, phase: .send, at: .zero))
        #expect(title(run) == " ─ running")
        run.fold(.bodySent(attempt: 1, bytes: 12_000_000, expected: 90_000_000, at: .zero))
        #expect(title(run) == " ─ sending 12.0 MB of 90.0 MB")
        #expect(run.activity(now: .zero) == "sending 12.0 MB of 90.0 MB")
        run.fold(.bodySent(attempt: 1, bytes: 90_000_000, expected: 90_000_000, at: .zero))
        #expect(title(run) == " ─ running")
        run.fold(.bodySent(attempt: 1, bytes: 12, expected: nil, at: .zero))
        #expect(title(run) == " ─ sending 12 B")
        run.fold(.attemptStarted(number: 2, attempts: 2, at: .zero))
        #expect(run.upload == nil)
    }

    @Test func `what came of a cancelled body stays readable`() throws {
        var story = Story()
        let id = Self.begin(&story, try Self.store("[1,{\"a\": 2}"))
        Self.read(&story, "[1,{\"a\": 2}", isComplete: false)
        story.press("3", "x")
        #expect(story.takeEffects().last == .cancel(id))
        story.end(id, .cancelled)
        #expect(story.screen.contains("cancelled: only this part arrived"), "\(story.screen)")
        #expect(story.screen.contains(" 200 OK · cancelled after "), "and its status, too: \(story.screen)")
        #expect(story.screen.contains("\"a\": 2"))
        story.press("Down", "Down")
        #expect(story.screen.contains("$[1]"), "and can be walked through")
    }

    @Test func `what came of a body that failed stays under what failed`() throws {
        var story = Story()
        let id = Self.begin(&story, try Self.store("[1,{\"a\": 2}"))
        Self.read(&story, "[1,{\"a\": 2}", isComplete: false)
        story.end(id, .failure("the connection was reset"))
        #expect(story.screen.contains("the connection was reset; only this part arrived"), "\(story.screen)")
        #expect(story.screen.contains("\"a\": 2"))
    }

    @Test func `the next attempt takes the body of the one before away`() throws {
        var story = Story()
        let id = Self.begin(&story, try Self.store("[1]"))
        let viewer = try #require(story.state.shownViewer?.id)
        _ = story.takeEffects()
        story.receive(.run(id, .step(.attemptStarted(number: 3, attempts: 4, at: .seconds(1)))))
        #expect(story.takeEffects() == [.view(viewer, .forget)])
        #expect(story.state.shownViewer == nil)
        story.receive(.viewer(viewer, .read(.empty)))
        #expect(story.state.shownViewer == nil, "what is learned of it late is nobody's")
    }

    @Test func `sending again forgets the body`() throws {
        var story = Story()
        story.finish(story.send())
        let viewer = try #require(story.state.shownViewer?.id)
        _ = story.takeEffects()
        let id = story.send()
        #expect(!story.takeEffects().contains(.view(viewer, .forget)), "until something is sent")
        story.receive([SampleRun.untilWait[0]], of: id)
        #expect(story.takeEffects().contains(.view(viewer, .forget)))
    }

    @Test func `each request keeps its place in its body`() {
        var story = Story()
        story.finish(story.send())
        story.press("3", "Down", "Down")
        #expect(story.screen.contains(".name"))
        story.press("1", "Down", "Up", "3")
        #expect(story.screen.contains(".name"), "\(story.screen)")
    }

    @Test func `what is typed in one body is remembered in the next`() {
        var story = Story()
        story.finish(story.send())
        story.press("3", "/")
        story.type("Ada")
        story.press("Enter")
        story.finish(story.send())
        story.press("/", "Up")
        #expect(story.state.shownViewer?.line?.field.text == "Ada")
        #expect(story.state.draw().cursor != nil)
    }

    @Test func `a response is compared with the one before of the same request`() {
        var story = Story()
        story.finish(story.send())
        story.finish(story.send(), with: SampleRun.response(200, #"{"id":43}"#))
        story.press("3")
        _ = story.takeEffects()
        story.press("D")
        guard case .view(_, .compare(let old, let new, _))? = story.takeEffects().first else {
            Issue.record("nothing is compared")
            return
        }
        #expect(old.name == "GET \(SampleRun.sent.url) (before)")
        #expect(old.document.text.text(0..<9) == #"{"id":42,"#)
        #expect(new.name == "GET \(SampleRun.sent.url)")
        #expect(new.document.text.text(0..<9) == #"{"id":43}"#)
    }

    @Test func `a run without a body keeps what the one before it got`() {
        var story = Story()
        story.finish(story.send())
        story.refuse(story.send())
        story.finish(story.send(), with: SampleRun.response(200, #"{"id":43}"#))
        #expect(story.state.shownViewer?.before?.name == "GET \(SampleRun.sent.url) (before)")
    }

    @Test func `what is marked in one request is compared with in another`() {
        var story = Story()
        story.choose("list users")
        story.finish(story.send())
        story.choose("user by id")
        story.finish(story.send(), with: SampleRun.response(200, #"{"id":43}"#))
        story.choose("list users")
        story.press("3", "M")
        story.choose("user by id")
        _ = story.takeEffects()
        story.press("3", "D")
        guard case .view(_, .compare(let old, _, _))? = story.takeEffects().last else {
            Issue.record("nothing is compared")
            return
        }
        #expect(old.name == "GET \(SampleRun.sent.url) (marked)")
        #expect(story.screen.contains("working"), "\(story.screen)")
        story.choose("list users")
        story.press("3", "M")
        story.choose("user by id")
        story.press("3", "D")
        #expect(story.state.notice?.text.hasPrefix("Nothing to compare with") == true, "unmarked for all")
    }

    @Test func `Esc closes what was asked and stays in the pane`() {
        var story = Story()
        story.finish(story.send())
        story.press("3", "/")
        story.type("Ada")
        story.press("Enter", "Esc")
        story.press("Esc")
        #expect(story.state.focus == .response)
    }

    @Test func `a click takes the cursor, and a second one folds`() {
        var story = Story()
        story.finish(story.send())
        story.click(on: "\"tags\"")
        #expect(story.screen.contains(".tags"))
        story.click(on: "1 {")
        story.click(on: "1 {")
        #expect(!story.screen.contains("\"tags\""), "\(story.screen)")
    }
}
