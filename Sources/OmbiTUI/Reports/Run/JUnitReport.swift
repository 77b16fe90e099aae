/// A run as JUnit XML by the schema of Ant, with what GitLab, Jenkins, Azure, CircleCI and Gradle read besides: totals, files
/// and lines. Retried attempts have the elements of Surefire, which readers that do not know them pass over.
enum JUnitReport {
    static func text(_ report: ReportedRuns) -> String {
        let suites = suites(of: report)
        let all = suites.reduce(Counts()) { $0 + $1.counts }
        let time = "time=\"\(ReportText.seconds(report.duration))\""
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            + "<testsuites name=\"\(report.title)\" \(all.attributes) \(time)>\n"
            + suites.enumerated().map { text($1, id: $0, report) }.joined() + "</testsuites>\n"
    }

    // MARK: Suites

    private struct Suite {
        var name: String
        /// The folders as levels with dots between.
        var className = ""
        var environment: String?
        /// The attributes that most cases share, for the file of the last one.
        var shared = (file: "", markup: "")
        var cases = MarkupWriter()
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
        var last: (place: ReportedRun.Place, index: Int)?
        for run in report.runs.indices {
            let place = report.runs[run].place
            var index = suites.count
            if let last, last.place.suite == place.suite, last.place.environment == place.environment {
                index = last.index
            } else {
                let key = place.suite + [place.environment ?? ""]
                index = indices[key, default: suites.count]
                indices[key] = index
            }
            if index == suites.count { suites.append(suite(of: place)) }
            last = (place, index)
            write(report.runs[run], to: &suites[index])
            suites[index].counts = suites[index].counts + counts(of: report.runs[run])
            suites[index].time += report.runs[run].duration
        }
        guard !report.checks.isEmpty else { return suites }
        var checks = Suite(name: "the whole run", className: "the whole run")
        for check in report.checks { write(check, to: &checks.cases) }
        checks.counts = Counts(tests: report.checks.count, failures: report.failedChecks.count)
        return suites + [checks]
    }

    private static func suite(of place: ReportedRun.Place) -> Suite {
        let className = place.suite.map(level).joined(separator: ".")
        let name = place.suite.joined(separator: "/")
        return Suite(
            // The schema takes spaces alone for no name.
            name: name.utf8.allSatisfy { $0 == UInt8(ascii: " ") } ? "no name" : name,
            className: ReportText.cut(className, to: ReportText.maximumMessage),
            environment: place.environment)
    }

    private static func counts(of run: ReportedRun) -> Counts {
        var counts = Counts(tests: 1)
        switch run.verdict {
        case .failed: if run.failureClass?.isError ?? false { counts.errors = 1 } else { counts.failures = 1 }
        case .skipped: counts.skipped = 1
        case .flaky, .passed, .warned: break
        }
        return counts
    }

    /// - Parameter id: from 0, in the order of the suites.
    private static func text(_ suite: Suite, id: Int, _ report: ReportedRuns) -> String {
        let time = "time=\"\(ReportText.seconds(suite.time))\""
        // The schema has no place for a zone.
        let date = report.startedAt.formatted(.iso8601).dropLast()
        let name = HTMLReport.escaped(ReportText.cut(suite.name, to: ReportText.maximumMessage))
        var properties = suite.environment.map { [("environment", $0)] } ?? []
        if report.counts.unlisted > 0 { properties.append(("runs that are not listed", "\(report.counts.unlisted)")) }
        if let latency = report.latencyWords { properties.append(("times of the whole run", latency)) }
        if let delay = report.delay { properties.append(("schedule of the whole run", delay)) }
        let list = properties.map { "<property name=\"\($0.0)\" value=\"\(HTMLReport.escaped($0.1))\"/>" }
        let package = "package=\"\(HTMLReport.escaped(suite.className))\" hostname=\"localhost\""
        return "<testsuite id=\"\(id)\" name=\"\(name)\" \(package) \(suite.counts.attributes) \(time) "
            + "timestamp=\"\(date)\">\n<properties>\(list.joined())</properties>\n"
            + suite.cases.string + "<system-out/>\n<system-err/>\n</testsuite>\n"
    }

    // MARK: Cases

    private static func write(_ check: ReportedCheck, to cases: inout MarkupWriter) {
        cases.add("<testcase name=\"", text: check.name, "\" classname=\"the whole run\" time=\"0.000\"")
        guard let failure = check.failure else { return cases.add("/>\n") }
        cases.add(">\n")
        cases.add("failure", failure, type: "run", failure)
        cases.add("</testcase>\n")
    }

    private static func write(_ run: ReportedRun, to suite: inout Suite) {
        suite.cases.add("<testcase name=\"")
        suite.cases.add(text: ReportText.cut(run.place.name, to: ReportText.maximumMessage))
        if suite.shared.markup.isEmpty || suite.shared.file != run.place.file {
            suite.shared = (run.place.file, shared(by: run.place.file, suite.className))
        }
        suite.cases.add(suite.shared.markup)
        if let line = run.place.line {
            suite.cases.add("\" line=\"")
            suite.cases.add(line)
        }
        suite.cases.add("\" time=\"")
        suite.cases.add(seconds: run.duration)
        if run.expectations > 0 {
            suite.cases.add("\" assertions=\"")
            suite.cases.add(run.expectations)
        }
        let start = suite.cases.count
        suite.cases.add("\">\n")
        let content = suite.cases.count
        writeContent(of: run, to: &suite.cases)
        guard suite.cases.count > content else {
            suite.cases.cut(to: start)
            return suite.cases.add("\"/>\n")
        }
        suite.cases.add("</testcase>\n")
    }

    private static func shared(by file: String, _ className: String) -> String {
        var markup = MarkupWriter()
        markup.add("\" classname=\"")
        markup.add(text: className)
        if !file.isEmpty {
            markup.add("\" file=\"")
            markup.add(text: ReportText.cut(file, to: ReportText.maximumMessage))
        }
        return markup.string
    }

    /// Returns a name as one level: Jenkins takes each dot for the end of one.
    private static func level(_ name: String) -> String {
        name.utf8.contains(UInt8(ascii: ".")) ? name.replacing(".", with: "_") : name
    }

    private static func writeContent(of run: ReportedRun, to cases: inout MarkupWriter) {
        switch run.verdict {
        case .skipped: cases.add("<skipped message=\"", text: run.message, "\"/>\n")
        case .failed:
            let isError = run.failureClass?.isError ?? false
            cases.add(
                isError ? "error" : "failure", run.message, type: run.failureClass?.rawValue ?? "expectation",
                run.failures.joined(separator: "\n"))
        case .passed where run.attempts.count <= 1 && run.notes.isEmpty: return
        case .flaky, .passed, .warned: break
        }
        let retried = run.retried
        for attempt in retried { cases.add(retried: attempt, passed: run.verdict == .flaky) }
        let warnings = run.verdict == .warned ? run.failures.map { "warning: " + $0 } : []
        let output = warnings + (retried.isEmpty ? [] : run.attempts.map(\.sentence)) + run.notes
        guard !output.isEmpty else { return }
        cases.add("<system-out>", lines: output.joined(separator: "\n"), "</system-out>\n")
    }
}

extension MarkupWriter {
    /// Adds an element with a message, its kind and a text.
    fileprivate mutating func add(_ name: String, _ message: String, type: String, _ text: String) {
        add("<\(name) message=\"", text: message, "\" type=\"")
        add(text: type)
        add("\">", lines: text, "</\(name)>\n")
    }

    /// Adds `flakyFailure`, or `rerunFailure` where the run failed in the end.
    fileprivate mutating func add(retried attempt: ReportedAttempt, passed: Bool) {
        let name = (passed ? "flaky" : "rerun") + (attempt.isError ? "Error" : "Failure")
        add("<\(name) message=\"", text: attempt.result, "\" type=\"")
        add(text: attempt.kind ?? "")
        add("\"><stackTrace>", text: attempt.sentence, "</stackTrace></\(name)>\n")
    }
}
