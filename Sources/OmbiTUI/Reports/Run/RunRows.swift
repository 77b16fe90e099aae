import OmbiTerminal

/// The rows of a page, as many as there is room for.
struct RunRows {
    /// The end of the axis.
    private let longest: Duration
    private var rowBytes = 0
    private var detailBytes = 0
    private var left = 0

    init(_ report: ReportedRuns) {
        longest = max(.milliseconds(1), report.runs.map(\.duration).max() ?? .zero)
    }

    /// Empty without runs.
    mutating func section(_ title: String, _ runs: [ReportedRun]) -> String {
        guard !runs.isEmpty else { return "" }
        var parts = [HTMLReport.text(.heading(2, "\(title): \(runs.count)"))]
        for (index, run) in runs.enumerated() {
            let row = row(run)
            guard rowBytes + row.utf8.count <= RunPage.maximumRows else {
                left += runs.count - index
                break
            }
            rowBytes += row.utf8.count
            parts.append(row + details(of: run))
        }
        return parts.joined(separator: "\n")
    }

    /// A sentence about what is only counted; empty where nothing is.
    func rest(_ unlisted: Int) -> String {
        let count = unlisted + left
        return count == 0 ? "" : HTMLReport.text(.text("Not listed: \(Count.of(count, "more request"))."))
    }

    private func row(_ run: ReportedRun) -> String {
        let name = HTMLReport.escaped(ReportText.cut(run.fullName, to: ReportText.maximumName))
        let status = run.status.map(String.init) ?? "–"
        var row = "<div class=\"r\"><b>\(status)</b><span>\(name)</span><span>\(TimeText.duration(run.duration))</span>"
        row += "<div class=\"b\">\(run.attempts.map(bar).joined())</div></div>"
        guard run.verdict != .passed else { return row }
        let lines = run.verdict == .flaky ? [run.retries ?? ""] : run.failures
        return row + lines.map { "<p class=\"f\">\(HTMLReport.escaped($0))</p>" }.joined()
    }

    private func bar(_ attempt: ReportedAttempt) -> String {
        let (left, width) = (share(attempt.startedAt), share(attempt.duration))
        let mark = attempt.kind == nil ? "" : " class=\"x\""
        return "<i\(mark) style=\"left:\(left)%;width:\(width)%\"></i>"
    }

    private func share(_ time: Duration) -> String {
        TimeText.decimal(min(1, max(0, time / longest)) * 100, places: 1, trimsZeros: true)
    }

    /// Attempts, request and response; empty where there is no room for them.
    private mutating func details(of run: ReportedRun) -> String {
        var blocks: [ReportBlock] = []
        if run.attempts.count > 1 || run.verdict != .passed, !run.attempts.isEmpty {
            blocks.append(.code(run.attempts.map(\.sentence).joined(separator: "\n")))
        }
        if !run.notes.isEmpty { blocks.append(.code(run.notes.joined(separator: "\n"))) }
        if let exchange = run.exchange {
            blocks.append(.code(exchange.request))
            if let response = exchange.response { blocks.append(.code(response)) }
        }
        guard !blocks.isEmpty else { return "" }
        let place = run.place.line.map { "\(run.place.file):\($0)" } ?? run.place.file
        let text =
            "<details><summary>\(HTMLReport.escaped("\(run.place.method) \(place)"))</summary>"
            + blocks.map(HTMLReport.text).joined() + "</details>"
        guard detailBytes + text.utf8.count <= RunPage.maximumDetails else { return "" }
        detailBytes += text.utf8.count
        return text
    }
}
