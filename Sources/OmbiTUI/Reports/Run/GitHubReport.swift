/// A run as annotations of GitHub Actions, and its summary of the step in Markdown.
enum GitHubReport {
    /// GitHub shows ten errors and ten warnings of a step.
    static let maximumAnnotations = 10
    /// In bytes, for all that a step writes.
    static let maximumSummary = 1 << 20
    /// The rows of each table of the summary.
    private static let maximumRows = 500

    /// The workflow commands.
    static func text(_ report: ReportedRuns) -> String {
        let checks = report.failedChecks.map { command("error", title: $0.name, $0.failure ?? "") }
        let failed = report.failedRuns.map { run -> String in
            var place = run.place
            place.line = run.failedLine ?? place.line
            return command("error", place, title: run.fullName, run.failures.joined(separator: "\n"))
        }
        let flaky = report.listed(.flaky).map { run in
            command("warning", run.place, title: run.fullName, "passed after retries, \(run.retries ?? "")")
        }
        let lines = (checks + failed).prefix(maximumAnnotations) + flaky.prefix(maximumAnnotations)
        return lines.map { $0 + "\n" }.joined() + "\(report.title): \(report.summary)\n"
    }

    private static func command(
        _ name: String, _ place: ReportedRun.Place = .init(), title: String, _ message: String
    ) -> String {
        var properties: [(String, String)] = place.file.isEmpty ? [] : [("file", place.file)]
        if let line = place.line { properties += [("line", "\(line)"), ("endLine", "\(line)")] }
        properties.append(("title", ReportText.cut(title, to: ReportText.maximumName)))
        let list = properties.map { "\($0.0)=\(property($0.1))" }.joined(separator: ",")
        return "::\(name) \(list)::\(data(SafeText.lines(message)))"
    }

    private static func data(_ text: String) -> String {
        text.replacing(scalar: "%", with: "%25").replacing(scalar: "\r", with: "%0D")
            .replacing(scalar: "\n", with: "%0A")
    }

    private static func property(_ text: String) -> String {
        data(SafeText.line(text)).replacing(scalar: ":", with: "%3A").replacing(scalar: ",", with: "%2C")
    }

    // MARK: Summary

    static func blocks(_ report: ReportedRuns) -> [ReportBlock] {
        let times = report.percentiles.map { "\($0.name) \(TimeText.duration($0.time))" }
        var blocks: [ReportBlock] = [
            .heading(2, report.title),
            .text(([report.summary, TimeText.duration(report.duration)] + times).joined(separator: ", ")),
        ]
        for schedule in [report.latencyWords, report.delay].compactMap({ $0 }) {
            blocks.append(.text(schedule.asSentence))
        }
        if let interruption = report.interruption { blocks.append(.text("The run was \(interruption).")) }
        let checks = report.failedChecks
        if !checks.isEmpty {
            blocks.append(.table(["missed", "measured"], rows: checks.map { [$0.name, $0.failure ?? ""] }))
        }
        let failed = report.failedRuns
        if !failed.isEmpty {
            let rows = failed.prefix(maximumRows).map { [$0.fullName, $0.message, TimeText.duration($0.duration)] }
            blocks += [.heading(3, "Failed"), .table(["request", "why", "time"], rows: rows)]
        }
        let flaky = report.listed(.flaky)
        if !flaky.isEmpty {
            let rows = flaky.prefix(maximumRows).map {
                [$0.fullName, $0.retries ?? "", TimeText.duration($0.duration)]
            }
            blocks += [.heading(3, "Passed after retries"), .table(["request", "attempts", "time"], rows: rows)]
        }
        return blocks
    }

    /// Returns the summary to follow so many bytes of the step, without tables where they are too long.
    static func summary(_ report: ReportedRuns, after known: Int) -> String {
        let text = MarkdownReport.text(blocks(report))
        guard known + text.utf8.count > maximumSummary else { return text }
        let short = MarkdownReport.text(Array(blocks(report).prefix(2)))
        return known + short.utf8.count > maximumSummary ? "" : short
    }
}
