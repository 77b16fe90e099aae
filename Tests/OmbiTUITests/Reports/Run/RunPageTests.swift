import OmbiCore
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// The page of a headless run.
@Suite struct RunPageTests {
    @Test func `durations are bars, each up to the square root of 2 times the one before`() {
        var times = TimeBuckets()
        for milliseconds in [1, 1, 2, 3, 8] { times.add(.milliseconds(milliseconds)) }
        #expect(times.bars.map(\.count) == [2, 0, 1, 0, 1, 0, 1])
        let bars = [1, 2, 3, 9, 500].map { times.bar(of: .milliseconds($0)) }
        #expect(bars == [0, 2, 4, 6, 6])
    }

    @Test func `a page shows what failed first, and each attempt on one axis`() throws {
        let text = RunPage.text(
            ReportSamples.report([
                ReportSamples.run(.passed, "fine"), ReportSamples.flaky,
                ReportSamples.run(.failed, "bad", failure: "no response", .connection),
            ]), title: "Run")
        let places = try ["<h2>Failed: 1</h2>", "<h2>Passed after retries: 1</h2>", "<h2>Passed: 1</h2>"].map {
            try #require(text.firstRange(of: $0)?.lowerBound)
        }
        #expect(places == places.sorted())
        // 212 of 436 ms, and 12 ms long.
        #expect(text.contains("<i class=\"x\" style=\"left:48.6%;width:2.8%\"></i>"), "\(text)")
        #expect(text.contains("<i style=\"left:97.2%;width:2.8%\"></i>") && text.contains("<svg class=\"h\" "))
        #expect(text.contains("prefers-color-scheme: dark") && text.contains("@media print"))
    }

    @Test func `the response that missed an expectation has the bar of a failure`() {
        var run = ReportSamples.run(.failed, "unmet", failure: "expected status 201, got 200", .expectation)
        run.attempts = [
            ReportedAttempt(
                number: 1, startedAt: .zero, duration: .milliseconds(20), status: 200, result: "200 OK")
        ]
        let text = RunPage.text(ReportSamples.report([run]), title: "Run")
        #expect(text.contains("<i class=\"x\" style=\"left:0%;width:100%\"></i>"), "\(text)")
    }

    @Test func `a page needs nothing else and runs nothing, whatever names say`() {
        let runs = ReportSamples.hostile.map { text in
            var run = ReportSamples.run(.failed, text, failure: text, .expectation)
            run.exchange = ReportedExchange(request: "GET \(text)\n\(text)", response: text)
            run.notes = [text]
            return run
        }
        let text = RunPage.text(ReportSamples.report(runs), title: ReportSamples.hostile.joined())
        #expect(text.contains("content=\"default-src 'none'; style-src 'unsafe-inline'\""))
        for part in ["<script", "src=", "href=", "url(", "@import"] { #expect(!text.contains(part), "\(part)") }
        #expect(text.contains("&lt;script&gt;alert(1)"))
        #expect(
            !text.unicodeScalars.contains {
                $0 != "\n" && [.control, .format].contains($0.properties.generalCategory)
            })
    }

    @Test func `a page has no secret that a name tells apart, of the request and of the response`() throws {
        let sent = PreparedRequest(
            url: "https://ada:hunter2@a.test/x?access_token=hunter2", method: .post,
            headers: [
                PreparedRequest.Header(name: "Authorization", value: "Bearer hunter2"),
                PreparedRequest.Header(name: "Accept", value: "text/plain"),
            ], body: "{\"password\":\"hunter2\"}", sla: .init(.seconds(2)), attempts: .init(1))
        let received = TransportResponse(
            headers: ["Set-Cookie": "id=hunter2", "X-Kept": "seen"], statusCode: 500, body: nil)
        let exchange = try #require(ReportedExchange(SessionResult(.response(received), prepared: sent)))
        let text = exchange.request + (exchange.response ?? "")
        #expect(!text.contains("hunter2") && text.contains("Accept: text/plain") && text.contains("X-Kept: seen"))
    }

    @Test func `a page of ten thousand large results stays under five megabytes and says what is missing`() {
        let runs = (0..<10_000).map { number in
            var run = ReportSamples.run(.failed, String(repeating: "\"", count: 200), failure: "no", .expectation)
            run.exchange = ReportedExchange(request: String(repeating: "<", count: 600), response: "\(number)")
            return run
        }
        let text = RunPage.text(ReportSamples.report(runs), title: "Run")
        #expect(text.utf8.count < 5_000_000 && text.hasSuffix("</html>\n"))
        #expect(text.contains("Failed: 10000") && text.contains("Not listed: ") && text.contains(" more requests."))
    }

    @Test func `runs beyond those that are listed are counted`() {
        var report = ReportSamples.report((0..<10_002).map { _ in ReportSamples.run(.passed) })
        report.addSkipped(5)
        #expect(report.runs.count == 10_000 && report.counts.passed == 10_002 && report.counts.unlisted == 7)
        #expect(report.summary == "10007 requests, 5 not sent")
        #expect(RunPage.text(report, title: "Run").contains("of the first 500 requests, and of all that failed"))
        var one = ReportSamples.report([ReportSamples.run(.passed)])
        one.addSkipped(1)
        let page = RunPage.text(one, title: "Run")
        #expect(page.contains("Not listed: 1 more request.") && !page.contains("of the first"))
        #expect(TAPReport.text(one).contains("\n# Not listed: 1 more request\n"))
    }
}
