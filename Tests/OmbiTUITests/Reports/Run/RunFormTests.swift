import Foundation
import TestSupport
import Testing

@testable import OmbiTUI

/// The forms in which a headless run is reported.
@Suite struct RunFormTests {
    private static let hostile = ReportSamples.report(
        ReportSamples.hostile.flatMap { text -> [ReportedRun] in
            [
                ReportSamples.run(.failed, text, failure: text, .expectation),
                ReportSamples.run(.failed, text, failure: text, .connection),
                ReportSamples.run(.skipped, text, failure: text),
            ]
        } + [ReportSamples.run(.passed, ReportText.cut(String(repeating: "x<", count: 1 << 19), to: 200))])

    private static func hasControls(_ text: String) -> Bool {
        text.unicodeScalars.contains { scalar in
            scalar != "\n" && [.control, .format].contains(scalar.properties.generalCategory)
        }
    }

    // MARK: JUnit

    @Test func `JUnit has an element for each attempt before the one that passed`() {
        let text = JUnitReport.text(ReportSamples.report([ReportSamples.flaky]))
        #expect(
            text.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"ombi run\" tests=\"1\" "))
        for part in [
            "<testsuite id=\"0\" name=\"shop/users\" package=\"shop.users\" hostname=\"localhost\" tests=\"1\" failures=\"0\" "
                + "errors=\"0\" skipped=\"0\" time=\"0.436\" timestamp=\"1970-01-01T00:00:00\">",
            "<property name=\"environment\" value=\"local\"/>",
            "<testcase name=\"list\" classname=\"shop.users\" file=\"shop.json\" line=\"12\" time=\"0.436\">",
            "<flakyFailure message=\"503 Service Unavailable\" type=\"status\"><stackTrace>attempt 1, after 0 ms: "
                + "503 Service Unavailable, 12 ms, then waited 200 ms</stackTrace></flakyFailure>",
            "<stackTrace>attempt 2, after 212 ms: ", "attempt 3, after 424 ms: 200 OK, 12 ms</system-out>",
        ] { #expect(text.contains(part), "\(part)\n\(text)") }
        #expect(text.components(separatedBy: "<flakyFailure ").count == 3 && !text.contains("<failure"))
    }

    @Test func `JUnit distinguishes expectations, errors and what was not sent`() {
        var failed = ReportSamples.flaky
        (failed.verdict, failed.failureClass) = (.failed, .expectation)
        failed.failures = ["expected status 2xx, got 503", "expected $.id, got nothing"]
        var report = ReportSamples.report([
            failed, ReportSamples.run(.failed, "down", failure: "no connection", .connection),
            ReportSamples.run(.skipped, "later", failure: "not sent: ended by SIGTERM"),
        ])
        report.checks = [ReportedCheck(name: "p95<1ms", failure: "missed"), ReportedCheck(name: "max<9s")]
        let text = JUnitReport.text(report)
        for part in [
            "<testsuites name=\"ombi run\" tests=\"5\" failures=\"2\" errors=\"1\" skipped=\"1\" ",
            "<failure message=\"expected status 2xx, got 503\" type=\"expectation\">expected status 2xx, got 503\n"
                + "expected $.id, got nothing</failure>",
            "<rerunFailure ", "<error message=\"no connection\" type=\"connection\">no connection</error>",
            "<skipped message=\"not sent: ended by SIGTERM\"/>", "<testcase name=\"p95&lt;1ms\" ",
        ] { #expect(text.contains(part), "\(part)\n\(text)") }
    }

    @Test func `JUnit has no markup of others, and different names within a class`() {
        let text = JUnitReport.text(Self.hostile)
        #expect(!Self.hasControls(text) && !text.contains("]]>") && !text.contains("<script"))
        #expect(!text.unicodeScalars.contains("\u{FFFE}") && !text.unicodeScalars.contains("\u{FFFF}"))
        let cases = text.components(separatedBy: "<testcase name=\"").dropFirst().map { $0.prefix { $0 != "\"" } }
        #expect(cases.count == Self.hostile.runs.count && Set(cases).count == cases.count)
        #expect(text.utf8.count < 100_000)
    }

    @Test func `runs of one name have different ones, also where a name looks like one that was given`() {
        let names = ["a", "a (2)", "a", "a", "b"].map { ReportSamples.run(.passed, $0) }
        #expect(ReportSamples.report(names).runs.map(\.place.name) == ["a", "a (2)", "a (3)", "a (4)", "b"])
    }

    @Test func `runs whose names differ in what does not show have different ones`() {
        let names = ["\u{2028}", "\u{FEFF}"].map { ReportSamples.run(.passed, $0) }
        #expect(ReportSamples.report(names).runs.map(\.place.name) == ["\u{2028}", "\u{FEFF} (2)"])
    }

    @Test func `dots in names are no levels of a class`() {
        var run = ReportSamples.run(.passed)
        run.place.suite = ["api v1.2", "a.b"]
        #expect(JUnitReport.text(ReportSamples.report([run])).contains("classname=\"api v1_2.a_b\""))
    }

    @Test(.enabled(if: JUnitSchema.judge != nil, "xmllint is not installed: apt-get install libxml2-utils"))
    func `the schema of JUnit accepts names of others, attempts and limits`() async throws {
        var failed = ReportSamples.flaky
        (failed.verdict, failed.failureClass, failed.expectations) = (.failed, .expectation, 2)
        failed.attempts[0].isError = true
        var reports = [Self.hostile, ReportSamples.report([ReportSamples.flaky, failed])]
        for (index, text) in (ReportSamples.hostile + [" "]).enumerated() {
            var run = ReportSamples.run(.skipped, text, failure: text)
            run.place.suite = index % 2 == 0 ? [text] : [text, text]
            run.place.environment = text
            run.place.file = text
            run.notes = [text]
            reports.append(ReportSamples.report([run]))
        }
        for index in reports.indices {
            reports[index].checks = [ReportedCheck(name: "p95<1ms", failure: "]]> missed"), ReportedCheck(name: "<")]
            reports[index].latencies = [ReportedRuns.Percentile(name: "p95", time: .seconds(1))]
            reports[index].addSkipped(index)
            let text = JUnitReport.text(reports[index])
            #expect(try await JUnitSchema.problems(in: text) == "", "\(text)")
            #expect(try await JUnitSchema.problemsForAnt(in: text) == "", "\(text)")
        }
    }

    @Test(
        .enabled(if: JUnitSchema.judge != nil, "xmllint is not installed: apt-get install libxml2-utils"),
        arguments: [
            (" hostname=\"localhost\"", ""), (" package=\"shop.users\"", ""), (" id=\"0\"", ""),
            ("T00:00:00\"", "T00:00:00Z\""), ("T00:00:00\"", "T00:00:00.5\""), (" tests=\"1\"", " tests=\"one\""),
            (" time=\"0.436\"", " time=\"0,436\""), (" name=\"shop/users\"", " name=\" \""),
            (" classname=\"shop.users\"", ""), (" type=\"status\"", ""), ("stackTrace", "trace"),
            ("flakyFailure", "flakyProblem"), (" line=\"12\"", " line=\"0\""), (" file=", " path="),
            ("<property name=\"environment\"", "<property"), ("<testcase ", "<testcase status=\"ok\" "),
            ("<testsuites ", "<testsuites classname=\"shop\" "),
            ("</testsuite>", "<error type=\"status\"/></testsuite>"), ("<system-err/>\n", ""),
            ("<system-out/>\n<system-err/>", "<system-err/>\n<system-out/>"),
        ])
    func `the schema of JUnit refuses a report that breaks a rule`(part: String, other: String) async throws {
        let text = JUnitReport.text(ReportSamples.report([ReportSamples.flaky]))
        try #require(text.contains(part))
        #expect(try await JUnitSchema.problems(in: text.replacing(part, with: other)) != "")
    }

    @Test(.enabled(if: ChildProgram.find("python3") != nil, "python3 is not installed: apt-get install python3"))
    func `a parser of Python finds every case and its attempts`() async throws {
        let script = """
            import sys, xml.etree.ElementTree as tree
            root = tree.fromstring(sys.stdin.buffer.read())
            cases = root.findall('testsuite/testcase')
            print(root.get('tests'), len(cases), len(root.findall('testsuite/testcase/flakyFailure')))
            """
        let program = try #require(ChildProgram.find("python3"))
        let report = ReportSamples.report(Self.hostile.runs + [ReportSamples.flaky])
        let output = try await ChildProgram.run(program, ["-c", script], input: JUnitReport.text(report))
        let count = report.runs.count
        #expect(output.output == "\(count) \(count) 2\n", "\(output)")
    }

    // MARK: TAP

    @Test func `TAP has a comment and a block of diagnostics for a request that was retried`() {
        let text = TAPReport.text(
            ReportSamples.report([
                ReportSamples.flaky, ReportSamples.run(.failed, "one", failure: "no: \"1\"", .sla),
                ReportSamples.run(.skipped, "two", failure: "not sent"), ReportSamples.run(.passed, "three"),
            ]))
        let expected = """
            TAP version 13
            1..4
            ok 1 - shop/users/list # 3 attempts: 503, 503
              ---
              attempts:
                - "attempt 1, after 0 ms: 503 Service Unavailable, 12 ms, then waited 200 ms"
                - "attempt 2, after 212 ms: 503 Service Unavailable, 12 ms, then waited 200 ms"
                - "attempt 3, after 424 ms: 200 OK, 12 ms"
              at: "shop.json:12"
              duration: "0.436"
              ...
            not ok 2 - shop/users/one
              ---
              message: "no: \\"1\\""
              severity: "sla"
              at: "shop.json:12"
              duration: "0.020"
              ...
            ok 3 - shop/users/two # SKIP not sent
            ok 4 - shop/users/three

            """
        #expect(text == expected, "\(text)")
    }

    @Test func `TAP says why a failed request was not retried`() {
        var run = ReportSamples.run(.failed, failure: "503 Service Unavailable", .expectation)
        run.notes = ["not retried: Retry-After 2m is longer than the 1m left of the SLA"]
        let text = TAPReport.text(ReportSamples.report([run]))
        #expect(text.contains("\n  notes:\n    - \"not retried: Retry-After 2m is longer"), "\(text)")
    }

    @Test func `a name is no directive and no line of TAP`() {
        var report = Self.hostile
        report.interruption = "ended by SIGTERM"
        let lines = TAPReport.text(report).split(separator: "\n")
        #expect(lines.last == "Bail out! ended by SIGTERM")
        let points = lines.filter { $0.hasPrefix("ok ") || $0.hasPrefix("not ok ") }
        #expect(points.count == report.runs.count && !Self.hasControls(lines.joined(separator: "\n")))
        let directives = points.filter { line in
            line.replacing("\\\\", with: "").replacing("\\#", with: "").contains(" # ")
        }
        #expect(directives.count == ReportSamples.hostile.count)
        // A reader of version 13 passes over a failure with a directive, escaped or not.
        #expect(!points.contains { $0.hasPrefix("not ok ") && ($0.contains("# SKIP") || $0.contains("# Todo")) })
        #expect(directives.allSatisfy { $0.hasPrefix("ok ") && $0.contains(" # SKIP ") })
    }

    // MARK: Findings

    @Test func `a warning is a case that passes, and says so in each form`() {
        var warning = ReportSamples.run(.warned, "unknown key", failure: "unknown key")
        (warning.duration, warning.title) = (.zero, "shop.json:12:3")
        var report = ReportSamples.report([warning])
        (report.title, report.unit) = ("ombi check", "case")
        #expect(report.summary == "1 case, 1 warning")
        let junit = JUnitReport.text(report)
        #expect(junit.contains("tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\""), "\(junit)")
        #expect(junit.contains(">\n<system-out>warning: unknown key</system-out>\n</testcase>"), "\(junit)")
        let tap = TAPReport.text(report)
        #expect(tap.contains("\nok 1 - shop/users/unknown key\n  ---\n  message: \"unknown key\"\n"), "\(tap)")
        #expect(tap.contains("\n  severity: \"warning\"\n") && !tap.contains("not ok"), "\(tap)")
        let annotation = "::warning file=shop.json,line=12,endLine=12,title=shop.json%3A12%3A3::unknown key\n"
        #expect(GitHubReport.text(report) == annotation + "ombi check: 1 case, 1 warning\n")
        let summary = GitHubReport.summary(report, after: 0)
        #expect(
            summary.hasPrefix("## ombi check\n\n1 case, 1 warning\n\n### Warnings\n\n| case | why |\n"), "\(summary)")
    }

    // MARK: GitHub

    @Test func `annotations have the place of the request, failures before retries`() {
        let report = ReportSamples.report([
            ReportSamples.flaky, ReportSamples.run(.failed, "50%, a:b", failure: "50%\nof it", .expectation),
        ])
        #expect(
            GitHubReport.text(report).split(separator: "\n").map(String.init) == [
                "::error file=shop.json,line=12,endLine=12,title=shop/users/50%25%2C a%3Ab::50%25%0Aof it",
                "::warning file=shop.json,line=12,endLine=12,title=shop/users/list::"
                    + "passed after retries, 3 attempts: 503, 503",
                "ombi run: 2 requests, 1 failed, 1 passed after retries",
            ])
    }

    @Test func `a limit that was missed is in the summary of a run whose requests passed`() {
        var report = ReportSamples.report([ReportSamples.run(.passed)])
        report.checks = [ReportedCheck(name: "max<9s"), ReportedCheck(name: "p95<1ms", failure: "measured 20 ms")]
        #expect(report.summary == "1 request, all passed, 1 limit missed")
        report.checks.append(ReportedCheck(name: "runs to its end", failure: "ended by SIGTERM"))
        report.interruption = "ended by SIGTERM"
        #expect(report.summary == "1 request, all passed, 1 limit missed")
    }

    @Test func `retries of several pages are counted as such`() {
        var run = ReportSamples.flaky
        run.attemptCount = 2
        #expect(run.retries == "2 retries: 503, 503")
    }

    @Test func `an annotation points at the expectation that was not met`() {
        var run = ReportSamples.run(.failed, failure: "expected status 200, got 404", .expectation)
        run.failedLine = 15
        let report = ReportSamples.report([run])
        #expect(GitHubReport.text(report).hasPrefix("::error file=shop.json,line=15,endLine=15,title="))
        #expect(TAPReport.text(report).contains("at: \"shop.json:15\""))
    }

    @Test func `annotations are ten of a kind, each on a line, and obey nobody`() {
        let lines = GitHubReport.text(Self.hostile).split(separator: "\n")
        #expect(lines.count == GitHubReport.maximumAnnotations + 1)
        for line in lines.dropLast() {
            #expect(line.hasPrefix("::error file=shop.json,line=12,endLine=12,title=shop/users/"))
            let properties = line.dropFirst("::error ".count).components(separatedBy: "::")[0]
            #expect(properties.split(separator: ",").count == 4, "\(line)")
        }
        #expect(!Self.hasControls(lines.joined(separator: "\n")))
    }

    @Test func `annotations name the failure before the requests that it cancelled`() {
        let cancelled = (1...GitHubReport.maximumAnnotations).map {
            ReportSamples.run(.failed, "waiting \($0)", failure: "cancelled", .cancelled)
        }
        let report = ReportSamples.report(
            cancelled + [ReportSamples.run(.failed, "cause", failure: "404", .expectation)])
        #expect(
            GitHubReport.text(report).split(separator: "\n").first?.hasSuffix("title=shop/users/cause::404") == true)
        #expect(GitHubReport.summary(report, after: 0).contains("| shop/users/cause | 404 | 20 ms |"))
    }

    @Test func `the summary of a step keeps to the room that is left`() {
        let report = ReportSamples.report([ReportSamples.flaky])
        let text = GitHubReport.summary(report, after: 0)
        #expect(text.contains("| shop/users/list | 3 attempts: 503, 503 | 436 ms |"), "\(text)")
        #expect(GitHubReport.summary(report, after: GitHubReport.maximumSummary) == "")
        let short = GitHubReport.summary(report, after: GitHubReport.maximumSummary - 100)
        #expect(short.hasPrefix("## ombi run\n") && !short.contains("|"))
    }
}
