/// A run in the Test Anything Protocol, version 14 but for the number: `prove` before 3.48 fails a report of that version
/// though all passed, and readers of 14 take 13 for it.
enum TAPReport {
    static func text(_ report: ReportedRuns) -> String {
        let count = report.runs.count + report.checks.count
        var lines = ["TAP version 13", "1..\(count)"]
        for (index, run) in report.runs.enumerated() { lines += point(run, index + 1) }
        for (index, check) in report.checks.enumerated() {
            let start = check.failure == nil ? "ok" : "not ok"
            lines.append("\(start) \(report.runs.count + index + 1) - \(description(check.name))")
            if let failure = check.failure { lines += block([("message", [failure])]) }
        }
        for schedule in [report.latencyWords, report.delay].compactMap({ $0 }) { lines.append("# " + schedule) }
        let unlisted = report.counts.unlisted
        if unlisted > 0 { lines.append("# Not listed: \(Count.of(unlisted, "more request"))") }
        if let interruption = report.interruption { lines.append("Bail out! \(description(interruption))") }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func point(_ run: ReportedRun, _ number: Int) -> [String] {
        let start = run.verdict == .failed ? "not ok" : "ok"
        let name = description(ReportText.cut(run.fullName, to: ReportText.maximumMessage))
        let line = "\(start) \(number) - \(name)"
        if run.verdict == .skipped { return [line + " # SKIP \(description(run.message))"] }
        let retries = run.retries.map { " # \(description($0))" } ?? ""
        var members: [(String, [String])] = []
        if run.verdict == .failed || run.verdict == .warned {
            let severity = run.verdict == .warned ? "warning" : run.failureClass?.rawValue ?? "expectation"
            members += [("message", [run.message]), ("severity", [severity])]
        }
        if run.failures.count > 1 { members.append(("failures", run.failures)) }
        if !run.retried.isEmpty { members.append(("attempts", run.attempts.map(\.sentence))) }
        guard !members.isEmpty else { return [line + retries] }
        if !run.notes.isEmpty { members.append(("notes", run.notes)) }
        let place = (run.failedLine ?? run.place.line).map { "\(run.place.file):\($0)" } ?? run.place.file
        members += [("at", [place]), ("duration", [ReportText.seconds(run.duration)])]
        return [line + retries] + block(members)
    }

    /// A block of diagnostics in YAML, whose texts are in quotes: those of JSON are those of YAML.
    private static func block(_ members: [(String, [String])]) -> [String] {
        let lists = ["attempts", "failures", "notes"]
        let lines = members.flatMap { name, values -> [String] in
            lists.contains(name)
                ? ["\(name):"] + values.map { "  - \(quoted($0))" } : ["\(name): \(quoted(values.first ?? ""))"]
        }
        return ["  ---"] + lines.map { "  " + $0 } + ["  ..."]
    }

    private static func quoted(_ text: String) -> String { JSONValue.string(SafeText.line(text)).compact }

    /// One line in which no directive begins, also not for readers of version 13, which know no escapes and would pass
    /// over a failure.
    private static func description(_ text: String) -> String {
        let parts = SafeText.line(text).replacing("\\", with: "\\\\").unicodeScalars
            .split(separator: "#", omittingEmptySubsequences: false)
        return parts.enumerated().map { index, part -> String in
            guard index > 0 else { return String(part) }
            let word = String(part.drop { $0.properties.isWhitespace }.prefix(4)).lowercased()
            return (["skip", "todo"].contains(word) ? "\u{FF03}" : "\\#") + String(part)
        }.joined()
    }
}
