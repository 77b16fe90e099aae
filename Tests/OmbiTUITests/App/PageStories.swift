import Foundation
import OmbiCore
import OmbiDocument
import OmbiViewer
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// Lists that come in pages, on the screen.
@Suite struct PageStories {
    private static let file = """
        { "version": 1, "name": "demo", "environments": [{ "name": "local", "host": "http://h" }],
          "items": [{ "request": "list", "path": "/list", "pages": { "link": "next", "total": "$.n", "items": "$" } }] }
        """

    private static let sent = PreparedRequest(
        url: "http://h/list", method: .get, headers: [], sla: .init(.seconds(60)), attempts: .init(1))

    private static func attempt(_ number: Int) -> AttemptReport {
        AttemptReport(
            number: number, startedAt: .milliseconds(number * 10), duration: .milliseconds(5), outcome: .succeeded)
    }

    /// Lets a run end after two of three pages.
    private static func twoPages(_ story: inout Story) throws {
        let id = story.state.runs.lastID
        story.receive(.run(id, .prepared(sent)))
        story.receive([.attemptStarted(number: 1, attempts: 1, at: .zero), .attemptFinished(attempt(1))], of: id)
        let store = ResponseStore()
        try store.append(Data("[{\"a\":1}".utf8))
        story.receive(.run(id, .page(PageSummary(count: 1, expected: 3))))
        story.receive([.headReceived(attempt: 1, SampleRun.head(200), at: .zero)], of: id)
        story.receive([.bodyStarted(attempt: 1, store, at: .zero)], of: id)
        story.receive(.run(id, .page(PageSummary(count: 2, expected: 3))))
        story.receive([.attemptStarted(number: 2, attempts: 2, at: .milliseconds(10))], of: id)
        #expect(story.state.run?.viewer != nil)
        #expect(story.screen.contains("page 2 of 3"), "\(story.screen)")
        try store.append(Data(",{\"a\":2}]".utf8))
        story.receive([.bodyReceived(attempt: 2, bytes: 5, expected: nil, at: .milliseconds(12))], of: id)
        let report = RequestReport(
            attempts: [attempt(1), attempt(2)], duration: .milliseconds(20), sla: nil, outcome: .succeeded)
        story.receive([.finished(report)], of: id)
        let response = SampleRun.response(200, #"[{"a":1},{"a":2}]"#)
        var result = SessionResult(.response(response), prepared: sent, report: report)
        result.pages = PageSummary(count: 2, expected: 3, hasMore: true)
        story.receive(.run(id, .ended(result)))
        story.readBody(response)
    }

    @Test func `the pages are one body, which stays while the next comes, and the title counts them`() throws {
        var story = Story(file: Self.file)
        story.choose("list")
        story.press("s")
        try Self.twoPages(&story)
        #expect(story.screen.contains("200 OK · 20 ms · 17 B · 2 of 3 pages"), "\(story.screen)")
        #expect(!story.screen.contains("attempt 2"))
    }

    @Test(arguments: [RunAction.nextPage, .allPages])
    func `the next page of a request that follows none goes to where that is set`(action: RunAction) {
        var story = Story()
        story.choose("list users")
        story.finish(story.send())
        story.press("3")
        story.perform(.run(action))
        #expect(story.state.focus == .request && story.state.requestPane.tab == .policy, "\(story.screen)")
        #expect(story.state.requestPane.row.map { story.formRows[$0].name } == "next page")
        #expect(story.state.notice?.text.contains("follows no pages yet") == true)
        story.press("Enter")
        story.type("link next")
        story.press("Enter")
        #expect(story.request?.pages == SavedPages(.link("next")))
    }

    @Test func `a adds the next page and A all of them, where the cursor stays`() throws {
        var story = Story(file: Self.file)
        story.choose("list")
        story.press("s")
        #expect(story.lastOrder?.keepsPlace == true && story.lastOrder?.continuesPages == false)
        try Self.twoPages(&story)
        story.press("3", "Down", "Down", "Down", "Down", "Down")
        let path = story.state.run?.viewer?.page?.path
        #expect(path?.hasPrefix("$[1]") ?? false, "\(path ?? "")")
        #expect(story.screen.contains("a next page"), "\(story.screen)")
        story.press("a")
        #expect(story.lastOrder?.continuesPages == true && story.lastOrder?.pages == .count(1))
        try Self.twoPages(&story)
        #expect(story.state.run?.viewer?.page?.path == path)
        story.command("Add all further pages")
        #expect(story.lastOrder?.pages == .all)
        let id = story.state.runs.lastID
        story.receive(.run(id, .prepared(Self.sent)))
        var whole = SessionResult(
            .response(SampleRun.response(200, #"[{"a":1},{"a":2},{"a":3}]"#)), prepared: Self.sent)
        whole.pages = PageSummary(count: 3, expected: 3)
        story.receive(.run(id, .ended(whole)))
        story.readBody(SampleRun.response(200, #"[{"a":1},{"a":2},{"a":3}]"#))
        #expect(!story.screen.contains("a next page"), "\(story.screen)")
        story.press("a")
        #expect(story.screen.contains("There is no next page"), "\(story.screen)")
        #expect(story.state.runs.lastID == id)
    }

    @Test func `a page that fails shows in the title`() throws {
        var story = Story(columns: 120, file: Self.file)
        story.choose("list")
        let id = story.send()
        var result = SessionResult(.response(SampleRun.response(200, "[1]")), prepared: Self.sent)
        result.pages = PageSummary(count: 1, expected: 3, hasMore: true)
        result.failures = ["page 2: 500 Internal Server Error"]
        story.receive(.run(id, .ended(result)))
        #expect(story.screen.contains("✗ page 2: 500 Internal Server Error"), "\(story.screen)")
    }

    @Test func `the way to the next page is edited below the policy`() {
        var story = Story(file: Self.file)
        story.choose("list")
        story.press("2")
        while story.state.requestPane.tab != .policy { story.press("]") }
        let names = story.formRows.map(\.name)
        #expect(names.suffix(4) == ["next page", "page items", "page total", "maximum pages"])
        story.press("G")
        #expect(story.screen.contains("link next"), "\(story.screen)")
        story.press("Enter")
        story.type("3")
        story.press("Enter")
        #expect(story.request?.pages?.maximum == 3)
        story.press("u")
        #expect(story.request?.pages?.maximum == nil)
        story.press("1")
        #expect(story.request?.pages == SavedPages(.link("next"), items: "$", total: "$.n"))
    }
}
