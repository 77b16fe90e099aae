import ArgumentParser
import OmbiWorkspace

/// The options of `ombi run` for its reports, and for what makes it fail.
struct ReportOptions: ParsableArguments {
    @Option(
        name: .customLong("report"),
        help: ArgumentHelp(
            "Write a report, also of a run that fails or is ended: junit, tap, html, json or github, and a file; - is the standard output. Repeatable.",
            valueName: "format=file"))
    var reports: [String] = []

    @Flag(help: "Fail requests that pass only after a retry.")
    var strictRetries = false

    @Option(
        parsing: .unconditional,
        help: "Fail if a larger share of the requests passes only after a retry, such as 2%.")
    var maxFlaky: String?

    @Flag(
        help:
            "End with an exit code for the kind of the failures where all are of one: 4 expectation, 5 SLA, 6 connection, 7 TLS, 8 protected environment, 9 limit of the run."
    )
    var exitClass = false

    func validate() throws { _ = try (targets(), threshold()) }

    /// True where an option is given that is about a run with an end.
    var isGiven: Bool { !reports.isEmpty || strictRetries || maxFlaky != nil || exitClass }

    /// True where the standard output is for a report alone.
    var replacesOutput: Bool {
        ((try? targets()) ?? []).contains { $0.path == nil && $0.format != .github }
    }

    /// True where a report goes to the standard output.
    var printsReport: Bool { ((try? targets()) ?? []).contains { $0.path == nil } }

    func targets() throws -> [ReportTarget] {
        let targets = try reports.map { text -> ReportTarget in
            guard let target = ReportTarget(text) else {
                let formats = ReportFormat.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("--report \(text): write FORMAT=FILE with one of the formats \(formats).")
            }
            return target
        }
        guard targets.count(where: { $0.path == nil }) < 2 else {
            throw ValidationError("Only one --report can go to the standard output; name files for the others.")
        }
        return targets
    }

    /// The limit of `--max-flaky`; nil for none.
    func threshold() throws -> Threshold? {
        try maxFlaky.map { text -> Threshold in
            do throws(Threshold.Failure) { return try Threshold("flaky<=\(text)") } catch {
                throw ValidationError("--max-flaky \(error.reason).")
            }
        }
    }

    /// Nil where no report is wanted.
    func files(_ jobs: JobList, _ plan: RunPlan) throws -> ReportFiles? {
        let targets = try targets()
        guard !targets.isEmpty else { return nil }
        guard !jobs.isEmpty else {
            throw ValidationError("No request is selected, and a report of none would look like success.")
        }
        return try ReportFiles(targets, jobs, plan)
    }
}
