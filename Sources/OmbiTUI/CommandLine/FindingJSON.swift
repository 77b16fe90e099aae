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
