#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A run as JUnit XML in the dialect that GitLab, Jenkins, Azure, CircleCI and Gradle share. Retried attempts have the
/// elements of Surefire, which readers that do not know them pass over.
enum JUnitReport {
    static func text(_ report: ReportedRuns) -> String {
        let suites = suites(of: report)
        let all = suites.reduce(Counts()) { $0 + $1.counts }
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            + "<testsuites name=\"ombi run\" \(all.attributes) time=\"\(ReportText.seconds(report.duration))\">\n"
            + suites.map { text($0, report) }.joined() + "</testsuites>\n"
    }

    // MARK: Suites

    private struct Suite {
        var name: String
        var environment: String?
        var cases: [String] = []
        var counts = Counts()
        var time: Duration = .zero
    }

    private struct Counts {
        var tests = 0
        var failures = 0
        var errors = 0
        var skipped = 0

        static func + (one: Counts, other: Counts) -> Counts {
            Counts(
                tests: one.tests + other.tests, failures: one.failures + other.failures,
                errors: one.errors + other.errors, skipped: one.skipped + other.skipped)
        }

        var attributes: String {
            "tests=\"\(tests)\" failures=\"\(failures)\" errors=\"\(errors)\" skipped=\"\(skipped)\""
        }
    }

    /// A suite for each folder, in the order of the first runs, and one for the limits of the whole run.
    private static func suites(of report: ReportedRuns) -> [Suite] {
        var suites: [Suite] = []
        var indices: [[String]: Int] = [:]
        for run in report.runs {
            let key = run.place.suite + [run.place.environment ?? ""]
            let index = indices[key, default: suites.count]
            if index == suites.count {
                indices[key] = index
                suites.append(
                    Suite(name: run.place.suite.joined(separator: "/"), environment: run.place.environment))
            }
            suites[index].cases.append(text(run))
            suites[index].counts = suites[index].counts + counts(of: run)
            suites[index].time += run.duration
        }
        guard !report.checks.isEmpty else { return suites }
        var checks = Suite(name: "the whole run")
        checks.cases = report.checks.map(text)
        checks.counts = Counts(tests: report.checks.count, failures: report.failedChecks.count)
        return suites + [checks]
    }

    private static func counts(of run: ReportedRun) -> Counts {
        var counts = Counts(tests: 1)
        switch run.verdict {
        case .failed: if run.failureClass?.isError ?? false { counts.errors = 1 } else { counts.failures = 1 }
        case .skipped: counts.skipped = 1
        case .flaky, .passed: break
        }
        return counts
    }

    private static func text(_ suite: Suite, _ report: ReportedRuns) -> String {
        let time = "time=\"\(ReportText.seconds(suite.time))\""
        // The schema has no place for a zone.
        let date = report.startedAt.formatted(.iso8601).dropLast()
        let name = ReportText.xml(ReportText.cut(suite.name, to: ReportText.maximumMessage))
        var properties = suite.environment.map { [("environment", $0)] } ?? []
        if report.counts.unlisted > 0 { properties.append(("runs that are not listed", "\(report.counts.unlisted)")) }
        if let latency = report.latencyWords { properties.append(("times of the whole run", latency)) }
        if let delay = report.delay { properties.append(("schedule of the whole run", delay)) }
        let list = properties.map { "<property name=\"\($0.0)\" value=\"\(ReportText.xml($0.1))\"/>" }
        return "<testsuite name=\"\(name)\" \(suite.counts.attributes) \(time) timestamp=\"\(date)\">\n"
            + (list.isEmpty ? "" : "<properties>\(list.joined())</properties>\n")
            + suite.cases.joined() + "</testsuite>\n"
    }

    // MARK: Cases

    private static func text(_ check: ReportedCheck) -> String {
        let start = "<testcase name=\"\(ReportText.xml(check.name))\" classname=\"the whole run\" time=\"0.000\""
        guard let failure = check.failure else { return start + "/>\n" }
        return start + ">\n" + element("failure", failure, type: "run", failure) + "</testcase>\n"
    }

    private static func text(_ run: ReportedRun) -> String {
        var text = "<testcase name=\"\(attribute(run.place.name))\" classname=\""
        text += attribute(run.place.suite.map(level).joined(separator: ".")) + "\""
        if !run.place.file.isEmpty { text += " file=\"\(attribute(run.place.file))\"" }
        if let line = run.place.line { text += " line=\"\(line)\"" }
        text += " time=\"\(ReportText.seconds(run.duration))\""
        if run.expectations > 0 { text += " assertions=\"\(run.expectations)\"" }
        let content = content(of: run)
        text += content.isEmpty ? "/>\n" : ">\n\(content)</testcase>\n"
        return text
    }

    private static func attribute(_ text: String) -> String {
        ReportText.xml(ReportText.cut(text, to: ReportText.maximumMessage))
    }

    /// Returns a name as one level: Jenkins takes each dot for the end of one.
    private static func level(_ name: String) -> String {
        name.utf8.contains(UInt8(ascii: ".")) ? name.replacing(".", with: "_") : name
    }

    private static func content(of run: ReportedRun) -> String {
        var content = ""
        switch run.verdict {
        case .skipped: content += "<skipped message=\"\(ReportText.xml(run.message))\"/>\n"
        case .failed:
            let isError = run.failureClass?.isError ?? false
            content += element(
                isError ? "error" : "failure", run.message, type: run.failureClass?.rawValue ?? "expectation",
                run.failures.joined(separator: "\n"))
        case .flaky, .passed: break
        }
        for attempt in run.retried { content += retried(attempt, passed: run.verdict == .flaky) }
        let output = (run.retried.isEmpty ? [] : run.attempts.map(\.sentence)) + run.notes
        if !output.isEmpty {
            content += "<system-out>\(ReportText.xml(lines: output.joined(separator: "\n")))</system-out>\n"
        }
        return content
    }

    private static func element(_ name: String, _ message: String, type: String, _ text: String) -> String {
        "<\(name) message=\"\(ReportText.xml(message))\" type=\"\(ReportText.xml(type))\">"
            + ReportText.xml(lines: text) + "</\(name)>\n"
    }

    /// `flakyFailure`, or `rerunFailure` where the run failed in the end.
    private static func retried(_ attempt: ReportedAttempt, passed: Bool) -> String {
        let name = (passed ? "flaky" : "rerun") + (attempt.isError ? "Error" : "Failure")
        return "<\(name) message=\"\(ReportText.xml(attempt.result))\" type=\"\(ReportText.xml(attempt.kind ?? ""))\">"
            + "<stackTrace>\(ReportText.xml(attempt.sentence))</stackTrace></\(name)>\n"
    }
}
