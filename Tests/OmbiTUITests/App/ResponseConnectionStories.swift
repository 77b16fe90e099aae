import Foundation
import OmbiCore
import OmbiTerminal
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// What a response says of its connection: redirects, TLS and cookies.
@Suite struct ResponseConnectionStories {
    private static let start = Date(timeIntervalSince1970: 1_790_000_000)

    /// A run that ended over TLS, after a redirect.
    private static func story(verified: Bool = true, days: Double = 42, redirectOf number: Int = 1) -> Story {
        var story = Story()
        story.choose("user by id")
        story.press("s")
        let id = story.state.runs.lastID
        var sent = SampleRun.sent
        sent.endedAt = start
        sent.redirects = [
            FollowedRedirect(
                attempt: number, statusCode: 302, headers: ["Location": "/next", "Set-Cookie": "a=1"],
                body: Data("moved on".utf8), target: "https://other.test/next?token=••••••",
                withheld: ["Authorization"],
                duration: .milliseconds(12))
        ]
        let certificate = { (name: String, issuer: String, end: Double) in
            TLSReport.Certificate(
                subject: "CN = \(name)", issuer: "CN = \(issuer)",
                names: name == "api.test" ? ["api.test", "b.test"] : [],
                notBefore: start.addingTimeInterval(-86_400), notAfter: start.addingTimeInterval(end * 86_400))
        }
        let tls = TLSReport(
            version: "TLSv1.3", cipher: "TLS_AES_256_GCM_SHA384",
            certificates: [certificate("api.test", "authority", days), certificate("authority", "authority", 4000)],
            isVerified: verified)
        let attempt = AttemptReport(
            number: 1, startedAt: .zero, duration: .milliseconds(40),
            metrics: TransportMetrics(
                timings: SampleRun.timings(connect: 2, wait: 30), remoteAddress: "127.0.0.1:443", tls: tls),
            outcome: .succeeded, response: SampleRun.answer)
        let report = RequestReport(
            attempts: [attempt], duration: .milliseconds(40), sla: SampleRun.sla, outcome: .succeeded)
        story.receive(.run(id, .prepared(sent)))
        story.receive([.attemptFinished(attempt), .finished(report)], of: id)
        story.receive(.run(id, .ended(SessionResult(.response(SampleRun.answer), prepared: sent, report: report))))
        story.press("3")
        return story
    }

    private static func show(_ tab: ResponseTab, _ story: inout Story) {
        for _ in ResponseTab.allCases where story.state.responsePane.tab != tab { story.press("]") }
        #expect(story.state.responsePane.tab == tab)
    }

    @Test func `redirects stand in the timeline, with what was withheld`() {
        var story = Self.story()
        Self.show(.timeline, &story)
        #expect(story.screen.contains("1 redirect"))
        #expect(
            story.screen.contains(
                "302 Found → GET https://other.test/next?token=•••••• · 12 ms"))
        #expect(story.screen.contains("without Authorization, which stays at its origin"))
    }

    @Test func `a redirect stands in the timeline while the run goes on, and does not open yet`() {
        var story = Story()
        story.choose("user by id")
        let id = story.send()
        story.receive([.attemptStarted(number: 1, attempts: 1, at: .zero)], of: id)
        let redirect = FollowedRedirect(statusCode: 302, body: Data("moved".utf8), target: "https://other.test/next")
        story.receive(.run(id, .redirected(redirect)))
        story.press("3")
        Self.show(.timeline, &story)
        #expect(story.screen.contains("302 Found → GET https://other.test/next"), "\(story.screen)")
        for _ in 0..<20 where story.redirect != 0 { story.press("j") }
        story.press("Enter")
        #expect(story.state.run?.isRunning == true && story.state.run?.hasOpened == false)
    }

    @Test func `Enter on a redirect shows its response and its request, and Esc goes back to it`() {
        var story = Self.story()
        Self.show(.timeline, &story)
        for _ in 0..<20 where story.redirect != 0 { story.press("j") }
        #expect(story.redirect == 0, "\(story.screen)")
        story.press("Enter")
        #expect(story.state.responsePane.tab == .body)
        #expect(story.state.run?.shownResponse?.statusCode == 302)
        #expect(story.state.run?.shownResponse?.body == Data("moved on".utf8))
        #expect(story.state.run?.openedName == "redirect 1 of attempt 1")
        #expect(story.state.run?.openedRequest?.url == SampleRun.sent.url)
        story.perform(.response(.showTab(ResponseTab.headers.number)))
        #expect(story.lines.contains { $0.contains("Location") && $0.contains("/next") }, "\(story.screen)")
        story.press("Esc")
        #expect(story.state.run?.openedRedirect == nil && story.state.responsePane.tab == .timeline)
        #expect(story.redirect == 0, "\(story.screen)")
    }

    @Test func `Enter on a redirect of an attempt that is not known opens nothing`() {
        var story = Self.story(redirectOf: 7)
        Self.show(.timeline, &story)
        for _ in 0..<20 where story.redirect != 0 { story.press("j") }
        #expect(story.redirect == 0, "\(story.screen)")
        story.press("Enter")
        #expect(story.state.responsePane.tab == .timeline && story.state.run?.openedNumber == nil)
    }

    @Test func `each redirect has its headers below those of the response`() {
        var story = Self.story()
        Self.show(.headers, &story)
        #expect(story.screen.contains("Redirect 1 of 1: 302 Found → GET https://other.test/next"))
        #expect(story.lines.contains { $0.contains("Location") && $0.contains("/next") })
        #expect(story.screen.contains("Headers 2"))
    }

    @Test func `the TLS tab has version, cipher and the chain with the days that are left`() {
        var story = Self.story()
        Self.show(.tls, &story)
        let lines = [
            "✓ verified", "TLSv1.3", "TLS_AES_256_GCM_SHA384", "127.0.0.1:443", "Certificate 1 of 2", "CN = api.test",
            "CN = authority", "api.test, b.test", "2026-09-20", "in 42 days",
        ]
        for text in lines { #expect(story.screen.contains(text), "\(text) is missing:\n\(story.screen)") }
        #expect(!story.screen.contains("TLS ✗"))
    }

    @Test(arguments: [(-1.5, "expired 2 days ago"), (3, "in 3 days"), (0.5, "in 0 days")])
    func `a certificate near its end says so`(days: Double, text: String) {
        var story = Self.story(days: days)
        Self.show(.tls, &story)
        #expect(story.screen.contains(text), "\(story.screen)")
    }

    @Test func `what was not verified is visible without looking for it`() {
        var story = Self.story(verified: false)
        #expect(story.screen.contains("TLS ✗"))
        Self.show(.timeline, &story)
        #expect(story.screen.contains("TLS not verified"))
        Self.show(.tls, &story)
        #expect(story.screen.contains("verifyTLS is false in the environment"))
    }

    @Test func `plain HTTP has no TLS`() {
        var story = Story()
        story.choose("user by id")
        story.finish(story.send())
        story.press("3")
        Self.show(.tls, &story)
        let hint = "No TLS: the request went over plain HTTP."
        #expect(story.screen.contains(hint))
        let place = story.place(of: hint) ?? Point(column: 0, row: 0)
        let style = story.state.draw().surface[place.column, place.row].style
        #expect(!style.traits.contains(.highlight), "no key does anything on a hint")
    }

    // MARK: Cookies

    private static let cookies = [
        KeptCookie(name: "session", domain: "127.0.0.1", isHTTPOnly: true),
        KeptCookie(
            name: "theme", domain: "api.test", path: "/v2", isHostOnly: false, expiresAt: start, isSecure: true,
            sameSite: .lax),
    ]

    private static let home = CookieHome(file: "demo.json", environment: "local")

    @Test func `the cookies of the environment are listed without their values`() {
        var story = Self.story()
        Self.show(.cookies, &story)
        #expect(story.screen.contains("No cookies are kept here."))
        story.receive(.cookies(Self.home, Self.cookies))
        #expect(story.screen.contains("Cookies 2"))
        #expect(
            story.lines.contains { $0.contains("session  ••••••  127.0.0.1/  session · HttpOnly") }, "\(story.screen)")
        #expect(story.lines.contains { $0.contains(".api.test/v2  until 2026-09-21") && $0.contains("SameSite=Lax") })
        story.receive(.cookies(CookieHome(file: "demo.json", environment: "live"), []))
        #expect(story.screen.contains("Cookies 2"))
    }

    @Test func `one is deleted, one gets another value, and all are cleared`() {
        var story = Self.story()
        story.receive(.cookies(Self.home, Self.cookies))
        Self.show(.cookies, &story)
        _ = story.takeEffects()
        story.press("Down", "d")
        #expect(story.takeEffects() == [.editCookies(.remove(Self.cookies[1]), Self.home)])
        story.press("Up", "Enter")
        story.type("new-value")
        story.press("Enter")
        #expect(story.takeEffects() == [.editCookies(.set(Self.cookies[0], value: "new-value"), Self.home)])
        story.command("Delete all cookies of the environment")
        #expect(story.takeEffects() == [.editCookies(.removeAll, Self.home)])
        story.receive(.cookies(Self.home, []))
        #expect(story.screen.contains("The jar is empty."))
        #expect(!story.state.scopes.contains(.cookies))
    }
}

extension Story {
    /// The place of the redirect under the cursor of the timeline.
    fileprivate var redirect: Int? { state.responsePane.redirect(state.responseView) }
}
