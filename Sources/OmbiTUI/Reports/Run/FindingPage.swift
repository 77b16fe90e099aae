/// The findings of a command as one page of HTML without scripts: the failed ones first, each with its place and difference.
enum FindingPage {
    /// In bytes; findings beyond it are only counted.
    static let maximumFindings = 4_000_000

    static func text(_ report: ReportedRuns) -> String {
        let title = "\(report.title), \(HistoryTime.local(report.startedAt))"
        var page = MarkupWriter()
        page.add(HTMLReport.text(.heading(1, title)) + "\n")
        page.add(HTMLReport.text(.text(summary(report))) + "\n")
        page.add(RunPage.checks(report))
        var left = report.counts.unlisted
        let sections: [(String, ReportedRun.Verdict)] = [
            ("Failed", .failed), ("Warnings", .warned), (report.skipped.asSentence, .skipped), ("Passed", .passed),
        ]
        for (title, verdict) in sections { left += write(report.listed(verdict), title, to: &page) }
        if left > 0 { page.add(HTMLReport.text(.text("Not listed: \(Count.of(left, "more " + report.unit))."))) }
        return HTMLReport.page(title: title, style: style, content: page.string)
    }

    private static func summary(_ report: ReportedRuns) -> String {
        let end = report.interruption.map { " The command was \($0)." } ?? ""
        return "\(report.summary).\(end) Secrets are masked."
    }

    /// Writes a section, nothing of an empty one.
    /// - Returns: the number of findings for which there is no room.
    private static func write(_ runs: [ReportedRun], _ title: String, to page: inout MarkupWriter) -> Int {
        guard !runs.isEmpty else { return 0 }
        page.add(HTMLReport.text(.heading(2, "\(title): \(runs.count)")) + "\n")
        for (index, run) in runs.enumerated() {
            let start = page.count
            write(run, to: &page)
            guard page.count <= maximumFindings else {
                page.cut(to: start)
                return runs.count - index
            }
        }
        return 0
    }

    private static func write(_ run: ReportedRun, to page: inout MarkupWriter) {
        page.add("<div class=\"c\"><b>", text: ReportText.cut(run.heading, to: ReportText.maximumMessage), "</b>")
        page.add("<span>", text: facts(run), "</span></div>\n")
        let failures = run.verdict == .passed ? [] : run.failures
        if let message = failures.first { write(message, as: run.verdict == .failed ? "f" : "w", to: &page) }
        if failures.count > 1 { page.add("<pre>", lines: failures.dropFirst().joined(separator: "\n"), "</pre>\n") }
        for note in run.notes { write(note, as: "n", to: &page) }
    }

    private static func write(_ text: String, as name: String, to page: inout MarkupWriter) {
        page.add("<p class=\"\(name)\">", text: text, "</p>\n")
    }

    /// `shop.json:12, 503 Service Unavailable, 20 ms`, without the place where the heading is one.
    private static func facts(_ run: ReportedRun) -> String {
        let place = run.place.line.map { "\(run.place.file):\($0)" } ?? run.place.file
        let time = run.duration > .zero ? TimeText.duration(run.duration) : nil
        let facts = [run.title == nil ? place : nil, run.status.map(StatusCode.words), time]
        return facts.compactMap(\.self).joined(separator: ", ")
    }

    private static let style = """
        \(RunPage.colors)
        .c { display: flex; flex-wrap: wrap; gap: 0 1em; padding: 2px 0; border-top: 1px solid var(--line); }
        .c > b, .c > span { min-width: 0; overflow-wrap: anywhere; }
        .f, .w, .n { margin: 0 0 4px 2em; overflow-wrap: anywhere; }
        .f { color: var(--bad); }
        .w { color: var(--mark); }
        pre { margin: 4px 0 4px 2em; }
        @media print { pre, th { print-color-adjust: exact; } }

        """
}
