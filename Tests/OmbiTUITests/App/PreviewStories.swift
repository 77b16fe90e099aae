import OmbiCore
import OmbiTerminal
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// A request before it is sent.
@Suite struct PreviewStories {
    private static let request = PreparedRequest(
        url: "http://127.0.0.1:8765/users?page=1", hostSource: .environment("local"), method: .post,
        headers: [.init(name: "Authorization", value: "Bearer ••••••", source: .environment("local"))],
        body: "{\"name\": \"Ada\"}", sla: .init(.seconds(10), .collection), attempts: .init(4, .request),
        variables: [UsedVariable(name: "page", value: "1", source: .commandLine)])

    private static let preview = RunPreview(
        request: request, sentFirst: [Dependency(SavedRequest(name: "log in", path: "/login"), variable: "token")],
        attemptTimeout: .seconds(2),
        retry: RetryPolicy(
            retries: 3, failures: [.connection, .timeout, .status], statusCodes: Set(500...599).union([429]),
            backoff: Backoff(first: .milliseconds(250), jitter: 0.2)))

    @Test func `p prepares the request and sends nothing, and s there sends it`() {
        var story = Story(columns: 120, rows: 30)
        story.choose("user by id")
        _ = story.takeEffects()
        story.press("p")
        guard case .preview(let order)? = story.takeEffects().first else {
            Issue.record("nothing is prepared")
            return
        }
        #expect(order.request.name == "user by id")
        story.receive(.previewed(order.request.name, Self.preview))
        for text in [
            "Preview of user by id", "POST http://127.0.0.1:8765/users?page=1  host from environment local",
            "Authorization  Bearer ••••••  from environment local", "Sent first     log in  for {{token}}",
            "Attempts       4", "SLA            10s  from the collection", "Timeout        2s  of an attempt",
            "Retried after  a connection error, a timeout, 5xx, 429  if nothing was sent: a POST may have an effect",
            "Waits          250ms, 500ms, 1s, jitter 20 %",
            "{{page}}       1  from the command line", "\"name\": \"Ada\"",
        ] {
            #expect(story.screen.contains(text), "\(text) in\n\(story.screen)")
        }
        #expect(story.state.scopes == [.preview])
        story.press("s")
        #expect(story.state.overlays.isEmpty)
        #expect(story.takeEffects().contains { if case .send = $0 { true } else { false } })
    }

    @Test func `it says at which time of day the SLA would end`() {
        var (story, preview) = (Story(columns: 120, rows: 30), Self.preview)
        preview.slaEnd = LocalTime(clock: "14:03:21", text: "2026-11-23T14:03:21+0100")
        story.receive(.previewed("user by id", preview))
        #expect(
            story.screen.contains("SLA            10s  from the collection · sent now, it ends at 14:03:21"),
            "\(story.screen)")
    }

    @Test func `it warns of credentials without a value`() {
        var (story, preview) = (Story(columns: 120, rows: 30), Self.preview)
        preview.request.emptyCredentials = ["token"]
        story.receive(.previewed("user by id", preview))
        #expect(story.screen.contains("The token of the authentication is empty"), "\(story.screen)")
    }

    @Test func `the response to a request with empty credentials says so above its body`() {
        var story = Story()
        story.choose("user by id")
        story.press("s")
        var sent = SampleRun.sent
        sent.emptyCredentials = ["username", "password"]
        let result = SessionResult(.response(SampleRun.answer), prepared: sent, report: SampleRun.report)
        story.receive(.run(story.state.runs.lastID, .ended(result)))
        let warning = "the username and the password of the authentication are empty"
        #expect(story.state.run?.viewer?.caution == warning.asSentence)
        #expect(result.remark == warning)
    }

    @Test func `it warns of credentials that this system cannot send`() {
        var (story, preview) = (Story(columns: 120, rows: 30), Self.preview)
        preview.credentialsWarning = "NTLM authentication is not in the libcurl of this system (8.5.0)"
        story.receive(.previewed("user by id", preview))
        #expect(story.screen.contains("NTLM authentication is not in the libcurl"), "\(story.screen)")
    }

    @Test func `it warns of a body that a header calls compressed`() {
        var (story, preview) = (Story(columns: 120, rows: 30), Self.preview)
        preview.request.codingWarning = "\"Content-Encoding\" is \"gzip\", and the body is sent as it is"
        story.receive(.previewed("user by id", preview))
        #expect(story.screen.contains("is \"gzip\", and the body is sent as it is"), "\(story.screen)")
    }

    @Test func `it says that the length of the body is not the one of the row`() {
        var (story, preview) = (Story(columns: 120, rows: 30), Self.preview)
        preview.request.headers.append(.init(name: "content-length", value: "3"))
        story.receive(.previewed("user by id", preview))
        #expect(story.screen.contains("content-length  3  not sent; Ombi counts the body itself"), "\(story.screen)")
    }

    @Test func `it scrolls both ways in a small window, and closes`() {
        var story = Story(columns: 40, rows: 10)
        story.receive(.previewed("user by id", Self.preview))
        #expect(!story.screen.contains("Waits"))
        story.press("G")
        #expect(story.screen.contains("}"), "\(story.screen)")
        story.press("g", "l", "l")
        #expect(story.screen.contains(":8765/users?page=1"), "\(story.screen)")
        story.press("Right", times: 30)
        story.press("h", times: 40)
        #expect(story.screen.contains("POST http://"))
        story.press("Esc")
        #expect(story.state.overlays.isEmpty)
    }

    @Test func `on a folder there is nothing to preview`() {
        var story = Story()
        story.choose("users")
        _ = story.takeEffects()
        story.press("p")
        #expect(story.takeEffects().isEmpty)
        #expect(story.state.notice?.text == "Select a request first; Enter opens a folder")
    }

    @Test(arguments: [
        (Backoff.none, 3, "none"), (.constant(.seconds(1)), 2, "1s, 1s"),
        (Backoff(first: .seconds(1), ceiling: .seconds(3)), 9, "1s, 2s, 3s, 3s, … at most 3s"),
        (Backoff(first: .seconds(86_400), factor: 1e9), 9, nil as String?),
    ])
    func `waits are named up to the fourth`(backoff: Backoff, retries: Int, text: String?) {
        let words = backoff.words(retries: retries)
        if let text { #expect(words == text) } else { #expect(words.hasSuffix("…"), "\(words)") }
    }
}
