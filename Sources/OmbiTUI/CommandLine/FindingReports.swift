import ArgumentParser

/// The reports of commands that find errors and differences: each is a case that fails.
extension ReportOption {
    /// Fails where a report cannot be written, before anything is looked for.
    func check() throws { try ReportFiles.check(try targets()) }

    func write(_ findings: @autoclosure () -> Findings) throws {
        let targets = try targets()
        guard !targets.isEmpty else { return }
        OwedReports.settle()
        if !findings().write(to: targets) { throw ExitStatus.inputOutput }
    }
}

extension ReportFormat {
    /// Returns the text about what a command found.
    fileprivate func text(ofFindings report: ReportedRuns) -> String {
        switch self {
        case .junit: JUnitReport.text(report)
        case .tap: TAPReport.text(report)
        case .html: FindingPage.text(report)
        case .json: FindingJSON.text(report)
        case .github: GitHubReport.text(report)
        }
    }
}

/// The findings of a command, from which its reports are written.
struct Findings {
    let command: String
    /// The word for a case.
    let unit: String
    var cases: [ReportedRun]
    /// The limits of all of them.
    var checks: [ReportedCheck] = []
    /// `ended by SIGTERM`; nil for a command that came to its end.
    var interruption: String?
    /// The words for cases that were skipped.
    var skipped = "not sent"

    /// Writes the reports. Returns false, and says why, where one cannot be written.
    fileprivate func write(to targets: [ReportTarget]) -> Bool {
        let report = report
        var isWritten = true
        for target in targets {
            let text = target.format.text(ofFindings: report)
            if !ReportFiles.write(text, to: target.path, as: target.format) { isWritten = false }
        }
        return ReportFiles.appendSummary(of: report, targets) && isWritten
    }

    private var report: ReportedRuns {
        var report = ReportedRuns()
        (report.title, report.unit, report.startedAt) = (command, unit, Date())
        (report.checks, report.interruption, report.skipped) = (checks, interruption, skipped)
        if let interruption { report.checks.append(ReportedCheck(name: "runs to its end", failure: interruption)) }
        for (number, one) in cases.enumerated() {
            var one = one
            one.place.number = number
            one.place.name = ReportText.cut(one.place.name, to: ReportText.maximumName)
            one.failures = one.failures.map { ReportText.cut($0, to: ReportText.maximumMessage) }
            report.add(one)
        }
        report.finish()
        return report
    }
}

/// The reports of a command that ends in an error before it has written them, with what it printed: no report, or that
/// of an earlier run, would look like success.
enum OwedReports {
    private struct State {
        var targets: [ReportTarget]
        var lines: [String] = []
        var problems: [Problem] = []
    }

    /// The maximum number of lines that are kept, the last ones.
    private static let maximumLines = 20
    /// Nil while no report is owed.
    private static let state = Lock<State?>(nil)

    static func begin(_ targets: [ReportTarget]) { state.withLock { $0 = $0 ?? State(targets: targets) } }

    /// Takes in that the reports are written, or cannot be.
    static func settle() { state.withLock { $0 = nil } }

    /// Takes in a line of standard error.
    static func hear(_ line: String) {
        state.withLock { state in
            if state?.lines.count == maximumLines { state?.lines.removeFirst() }
            state?.lines.append(line.hasPrefix("ombi: ") ? String(line.dropFirst(6)) : line)
        }
    }

    /// Takes in problems that were printed: the lines after an error are about another one.
    static func hear(_ problems: [Problem]) {
        state.withLock { state in
            guard state != nil else { return }
            state?.problems += problems
            if problems.contains(where: { $0.severity == .error }) { state?.lines = [] }
        }
    }

    /// Writes the reports that are owed.
    /// - Parameter command: its words.
    static func write(_ command: String) {
        guard let owed = state.withLock({ $0.take() }) else { return }
        // A collection that was named by mistake is not replaced.
        let others = owed.targets.compactMap(\.path).filter { path in
            !OutputFile.isStream(path) && CollectionFile.load(path).collection != nil
        }
        let files = Set(owed.problems.map(\.file) + others)
        let targets = owed.targets.filter { target in
            target.path.flatMap { ReportFiles.problem(of: $0, files) } == nil
        }
        var findings = Findings(command: command, unit: "case", cases: ReportedRun.cases(of: owed.problems))
        if findings.cases.isEmpty || !owed.lines.isEmpty {
            findings.cases.append(
                ReportedRun(of: command, endedBy: Array(owed.lines.suffix(1) + owed.lines.dropLast())))
        }
        findings.interruption = "ended by an error"
        _ = findings.write(to: targets)
    }
}

extension ReportedRun {
    /// A case for each error, none of which is about a response.
    fileprivate static func cases(of problems: [Problem]) -> [ReportedRun] {
        problems.filter { $0.severity == .error }.flatMap { problem in
            cases(of: problem.file, [problem]).map { run in
                var run = run
                run.failureClass = .other
                return run
            }
        }
    }

    /// The case of a command that ended in an error.
    fileprivate init(of command: String, endedBy lines: [String]) {
        self.init(Place(suite: [command], name: lines.first ?? "ended by an error"), lines)
        (verdict, failureClass, title) = (.failed, .other, command)
    }

    /// A case of a report about what a command finds; it fails where there is a failure.
    fileprivate init(_ place: Place, _ failures: [String]) {
        self.init(
            place: place, verdict: failures.isEmpty ? .passed : .failed,
            failureClass: failures.isEmpty ? nil : .expectation, failures: failures)
    }

    /// A case for each error and each warning of a file, and one for a file without errors.
    static func cases(of file: String, _ problems: [Problem]) -> [ReportedRun] {
        // A problem may be in the file next to it.
        var paths = [file: ReportFiles.path(of: file)]
        let found = problems.map { problem -> ReportedRun in
            let path = paths[problem.file] ?? ReportFiles.path(of: problem.file)
            paths[problem.file] = path
            let place = Place(suite: [file], name: problem.message, file: path, line: problem.position?.line)
            var run = ReportedRun(place, [problem.message])
            if problem.severity == .warning { (run.verdict, run.failureClass) = (.warned, nil) }
            run.title = problem.position.map { "\(path):\($0.line):\($0.column)" } ?? path
            return run
        }
        guard !problems.contains(where: { $0.severity == .error }) else { return found }
        return [ReportedRun(Place(suite: [file], name: "has no errors", file: paths[file] ?? file), [])] + found
    }

    /// A case for each difference, at its request or in the document, and one for each request without any.
    static func cases(of document: String, _ items: [SpecifiedItem], _ all: [SpecificationDrift.Difference])
        -> [ReportedRun]
    {
        var requests = RecordedRequests()
        let inDocument = Place(suite: [document], file: ReportFiles.path(of: document))
        var places: [String: Place] = [:]
        for item in items where places[item.name] == nil {
            var place = requests.place(of: item.place)
            (place.suite, place.name) = ([document], item.name)
            places[item.name] = place
        }
        let differing = Set(all.compactMap(\.item))
        let found = all.map { difference -> ReportedRun in
            var place = difference.item.flatMap { places[$0] } ?? inDocument
            place.name = difference.item ?? difference.operation
            let words = [difference.kind.rawValue, difference.message].filter { !$0.isEmpty }
            return ReportedRun(place, [words.joined(separator: ": ")])
        }
        let others = items.filter { !differing.contains($0.name) }
        return found + others.map { ReportedRun(places[$0.name] ?? inDocument, []) }
    }

    /// A case for each operation; without a recorded run it is skipped.
    static func cases(of document: String, _ coverage: SpecificationCoverage) -> [ReportedRun] {
        let path = ReportFiles.path(of: document)
        return coverage.operations.map { operation -> ReportedRun in
            var run = ReportedRun(Place(suite: [document], name: operation.address, file: path), [])
            if !operation.isRun {
                (run.verdict, run.failures) = (.skipped, [operation.items.isEmpty ? "no request" : "no run"])
            }
            let unseen = operation.responses.filter { !$0.isSeen }.map(\.name)
            if !unseen.isEmpty { run.notes = ["responses that no run got: \(unseen.joined(separator: ", "))"] }
            return run
        }
    }
}

extension ComparisonReport {
    /// A case for each request, which fails where its responses differ or one is missing.
    /// - Parameter interruption: the reason why some were not sent.
    func cases(_ interruption: String?) -> [ReportedRun] {
        var requests = RecordedRequests()
        let compared = comparisons.map { comparison -> ReportedRun in
            let details = Self.lines(comparison, isColored: false).dropFirst().map { String($0.drop { $0 == " " }) }
            var run = ReportedRun(
                requests.place(of: comparison.request), comparison.isSame ? [] : [comparison.verdict] + details)
            (run.status, run.duration) = (comparison.new.status, comparison.new.duration ?? .zero)
            return run
        }
        let others = missing.map { ReportedRun(requests.place(of: $0.request), [$0.reason]) }
        let reason = "not sent: \(interruption ?? "the replay ended before its turn")"
        let skipped = unsent.map { request in
            ReportedRun(place: requests.place(of: request), verdict: .skipped, failures: [reason])
        }
        return compared + others + skipped
    }
}

/// The findings of a command as JSON: `findings` in `schema/run.schema.json`.
enum FindingJSON {
    static func text(_ report: ReportedRuns) -> String {
        let (counts, checks) = (report.counts, report.checks.map(threshold))
        let object: JSONValue = [
            "command": .string(report.title), "startedAt": .time(report.startedAt),
            "passed": .number(counts.passed), "failed": .number(counts.failed), "warnings": .number(counts.warned),
            "skipped": .number(counts.skipped),
            "unlisted": counts.unlisted == 0 ? nil : JSONValue.number(counts.unlisted),
            "interruption": report.interruption.map(JSONValue.string),
            "thresholds": checks.isEmpty ? nil : JSONValue.array(checks), "findings": .array(report.runs.map(finding)),
        ]
        return RunJSON.escaped(object.text)
    }

    private static func threshold(_ check: ReportedCheck) -> JSONValue {
        ["threshold": .string(check.name), "met": .bool(check.failure == nil), "failure": .nullable(check.failure)]
    }

    private static func finding(_ run: ReportedRun) -> JSONValue {
        let texts = run.verdict == .passed ? [] : run.failures
        let time = run.duration > .zero ? JSONValue.milliseconds(run.duration) : nil
        return [
            "name": .string(run.place.name), "suite": .strings(run.place.suite), "file": .string(run.place.file),
            "line": .nullable(run.place.line), "outcome": .string(outcome(run.verdict)),
            "message": .nullable(texts.first), "diff": .strings(Array(texts.dropFirst())),
            "notes": run.notes.isEmpty ? nil : JSONValue.strings(run.notes),
            "status": run.status.map { JSONValue.number($0) }, "durationMs": time,
        ]
    }

    private static func outcome(_ verdict: ReportedRun.Verdict) -> String {
        switch verdict {
        case .failed: "failed"
        case .warned: "warning"
        case .skipped: "skipped"
        case .passed, .flaky: "passed"
        }
    }
}
