import OmbiCore
import OmbiTerminal
import OmbiWorkspace

/// The results of a headless run as a table for people.
struct RunTable {
    var nameColumns: Int
    var isColored: Bool

    init(_ jobs: [Job], isColored: Bool) {
        nameColumns = min(56, jobs.map { TextWidth.of($0.name) }.max() ?? 0)
        self.isColored = isColored
    }

    /// `✓ GET    demo/users/list users   200  12 ms  1.2 kB`
    func row(_ job: Job, _ result: SessionResult) -> String {
        let status = result.receivedResponse?.statusCode.map(String.init) ?? "–"
        let time = result.report.map { TimeText.duration($0.duration) } ?? "–"
        let size = result.receivedResponse.map { TimeText.size($0.body?.count ?? 0) } ?? "–"
        let attempts = result.attemptsOfPage
        let mark = result.passed ? paint("✓", .green) : paint("✗", .red)
        var row = "\(mark) \(job.request.method.shortName.padded(to: 5)) "
        row += SafeText.line(job.name).padded(to: nameColumns) + "  \(status.padded(to: 3))"
        row += "  " + leading(time, 7) + "  " + leading(size, 7)
        if attempts > 1 { row += "  \(attempts) attempts" }
        if let pages = result.pages { row += "  " + pages.words }
        return row + failures(result) + missedRetry(result) + remark(result) + fallback(result)
    }

    /// One failure behind the row, several in lines below it.
    private func failures(_ result: SessionResult) -> String {
        let lines = result.failures.map { paint(SafeText.line($0), .red) }
        if lines.count < 2 { return lines.map { "  " + $0 }.joined() }
        let unmet = result.expectations.contains { !$0.isMet }
        return (unmet && result.expectations.count > 1 ? "  " + result.expectations.words : "")
            + lines.map { "\n    " + $0 }.joined()
    }

    /// The reason why the last attempt was the last, on a line of its own.
    private func missedRetry(_ result: SessionResult) -> String {
        guard !result.passed, let missed = result.report?.attempts.last?.missedRetry else { return "" }
        return "\n    " + paint(SafeText.line(missed.words), .yellow)
    }

    /// On a line of its own.
    private func remark(_ result: SessionResult) -> String {
        result.remark.map { "\n    " + paint(SafeText.line($0), .yellow) } ?? ""
    }

    /// On a line of its own.
    private func fallback(_ result: SessionResult) -> String {
        result.fallback.map { "\n    " + paint(SafeText.line($0.words), .yellow) } ?? ""
    }

    func summary(_ tally: Tally, duration: Duration) -> String {
        let verdict = tally.failed == 0 ? paint("all passed", .green) : paint("\(tally.failed) failed", .red)
        return "\(Count.of(tally.count, "request")), \(verdict), \(TimeText.duration(duration))"
    }

    /// `p50 12 ms, p95 40 ms, p99 41 ms, max 80 ms; first try 98 %, eventually 100 %`
    func summary(_ statistics: RunStatistics) -> String {
        let times = [50, 95, 99].compactMap { percent in
            statistics.percentile(Double(percent)).map { "p\(percent) \(TimeText.duration($0))" }
        }
        let maximum = statistics.maximum.map { "max \(TimeText.duration($0))" }
        let shares = [("first try", statistics.firstTry), ("eventually", statistics.eventual)].compactMap {
            name, share in
            share.map { "\(name) \(Percent.text($0))" }
        }
        return [times + [maximum].compactMap { $0 }, shares].filter { !$0.isEmpty }
            .map { $0.joined(separator: ", ") }.joined(separator: "; ")
    }

    private func leading(_ text: String, _ columns: Int) -> String {
        String(repeating: " ", count: max(0, columns - TextWidth.of(text))) + text
    }

    private func paint(_ text: String, _ color: Paint) -> String { isColored ? color.text(text) : text }
}
