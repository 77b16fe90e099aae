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
            return command("error", place, title: run.heading, run.failures.joined(separator: "\n"))
        }
        let flaky = report.listed(.flaky).map { run in
            command("warning", run.place, title: run.heading, "passed after retries, \(run.retries ?? "")")
        }
        let warned = report.listed(.warned).map { run in
            command("warning", run.place, title: run.heading, run.failures.joined(separator: "\n"))
        }
        let lines = (checks + failed).prefix(maximumAnnotations) + (flaky + warned).prefix(maximumAnnotations)
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
        text.replacing("%", with: "%25").replacing("\r", with: "%0D")
            .replacing("\n", with: "%0A")
    }

    private static func property(_ text: String) -> String {
        data(SafeText.line(text)).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }

    // MARK: Summary

    static func blocks(_ report: ReportedRuns) -> [ReportBlock] {
        let times = report.percentiles.map { "\($0.name) \(TimeText.duration($0.time))" }
        let duration = report.duration > .zero ? [TimeText.duration(report.duration)] : []
        var blocks: [ReportBlock] = [
            .heading(2, report.title),
            .text(([report.summary] + duration + times).joined(separator: ", ")),
        ]
        for schedule in [report.latencyWords, report.delay].compactMap({ $0 }) {
            blocks.append(.text(schedule.asSentence))
        }
        if let interruption = report.interruption { blocks.append(.text("The run was \(interruption).")) }
        let checks = report.failedChecks
        if !checks.isEmpty {
            blocks.append(.table(["missed", "measured"], rows: checks.map { [$0.name, $0.failure ?? ""] }))
        }
        let sections = [
            ("Failed", "why", report.failedRuns), ("Passed after retries", "attempts", report.listed(.flaky)),
        ]
        for (title, column, runs) in sections + [("Warnings", "why", report.listed(.warned))] where !runs.isEmpty {
            blocks += [.heading(3, title), table(runs, [report.unit, column])]
        }
        return blocks
    }

    /// A table with a column for the time where it was measured.
    private static func table(_ runs: [ReportedRun], _ columns: [String]) -> ReportBlock {
        let runs = runs.prefix(maximumRows)
        let isTimed = runs.contains { $0.duration > .zero }
        let rows = runs.map { run -> [String] in
            let cells = [run.heading, run.verdict == .flaky ? run.retries ?? "" : run.message]
            return isTimed ? cells + [TimeText.duration(run.duration)] : cells
        }
        return .table(columns + (isTimed ? ["time"] : []), rows: rows)
    }

    /// Returns the summary to follow so many bytes of the step, without tables where they are too long.
    static func summary(_ report: ReportedRuns, after known: Int) -> String {
        let text = MarkdownReport.text(blocks(report))
        guard known + text.utf8.count > maximumSummary else { return text }
        let short = MarkdownReport.text(Array(blocks(report).prefix(2)))
        return known + short.utf8.count > maximumSummary ? "" : short
    }
}
