import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// The page of what a command found.
@Suite struct FindingPageTests {
    private static func finding(
        _ verdict: ReportedRun.Verdict, _ name: String, _ failures: String...
    ) -> ReportedRun {
        var run = ReportSamples.run(verdict, name)
        run.failures = failures
        return run
    }

    @Test func `a page shows what failed first, with its place and the lines of its difference`() throws {
        var report = ReportSamples.report([
            Self.finding(.passed, "same"), Self.finding(.warned, "odd", "unknown key"),
            Self.finding(.skipped, "later", "no run"),
            Self.finding(.failed, "other", "2 values differ", "~ $.total  3 → 4", "+ $.id  7"),
        ])
        (report.title, report.unit, report.skipped) = ("ombi history", "case", "not run")
        report.checks = [ReportedCheck(name: "coverage>=80%", failure: "50 %")]
        let text = FindingPage.text(report)
        let headings = ["<h2>Limits</h2>", "<h2>Failed: 1</h2>", "<h2>Warnings: 1</h2>"]
        let places = try (headings + ["<h2>Not run: 1</h2>", "<h2>Passed: 1</h2>"]).map {
            try #require(text.firstRange(of: $0)?.lowerBound, "\($0)\n\(text)")
        }
        #expect(places == places.sorted())
        for part in [
            "<p>4 cases, 1 failed, 1 warning, 1 not run, 1 limit missed. Secrets are masked.</p>",
            "<b>shop/users/other</b><span>shop.json:12, 20 ms</span></div>\n<p class=\"f\">2 values differ</p>\n"
                + "<pre>~ $.total  3 → 4\n+ $.id  7</pre>",
            "<p class=\"w\">unknown key</p>", "<p class=\"w\">no run</p>", "<td>coverage&gt;=80%</td><td>50 %</td>",
        ] { #expect(text.contains(part), "\(part)\n\(text)") }
    }

    @Test func `a page of findings needs nothing else and runs nothing, whatever names say`() {
        let findings = ReportSamples.hostile.map { text in
            var run = Self.finding(.failed, text, text, text)
            run.place.file = text
            run.notes = [text]
            return run
        }
        var report = ReportSamples.report(findings)
        report.interruption = "ended by SIGTERM"
        let text = FindingPage.text(report)
        #expect(text.contains("content=\"default-src 'none'; style-src 'unsafe-inline'\""))
        for part in ["<script", "src=", "href=", "url(", "@import"] { #expect(!text.contains(part), "\(part)") }
        #expect(text.contains("&lt;script&gt;alert(1)") && text.contains("The command was ended by SIGTERM."))
        #expect(
            !text.unicodeScalars.contains {
                $0 != "\n" && [.control, .format].contains($0.properties.generalCategory)
            })
    }

    @Test func `a page of ten thousand large findings stays under five megabytes and says what is missing`() {
        let long = String(repeating: "<", count: 1000)
        let findings = (0..<10_000).map { Self.finding(.failed, "\($0)", long, long) }
        let text = FindingPage.text(ReportSamples.report(findings + findings))
        #expect(text.utf8.count < 5_000_000 && text.hasSuffix("</html>\n"))
        #expect(text.contains("Failed: 10000") && text.contains("Not listed: 1") && text.contains(" more requests."))
    }
}
