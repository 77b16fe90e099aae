/// A run as one page of HTML without scripts: what failed first, each attempt as a bar on one axis of time.
enum RunPage {
    /// In bytes; runs beyond it are only counted.
    static let maximumRows = 3_000_000
    /// In bytes, for requests, responses and attempts in full.
    static let maximumDetails = 1_500_000

    static func text(_ report: ReportedRuns, title: String) -> String {
        let blocks: [ReportBlock] = [.heading(1, title), .text(summary(report)), figures(report)]
        var rows = RunRows(report)
        let parts = [
            blocks.map(HTMLReport.text).joined(separator: "\n"), checks(report), histogram(report),
            rows.section("Failed", .failed), rows.section("Passed after retries", .flaky),
            rows.section("Passed", .passed), rows.section("Not sent", .skipped),
            rows.rest(report.counts.unlisted),
        ]
        return HTMLReport.page(
            title: title, style: style, content: parts.filter { !$0.isEmpty }.joined(separator: "\n"))
    }

    private static func summary(_ report: ReportedRuns) -> String {
        let end = report.interruption.map { " The run was \($0)." } ?? ""
        let schedule = [report.latencyWords, report.delay].compactMap { $0 }.map { " \($0.asSentence)." }.joined()
        return "\(report.summary), \(TimeText.duration(report.duration)).\(schedule)\(end) Secrets are masked."
    }

    private static func figures(_ report: ReportedRuns) -> ReportBlock {
        let counts = report.counts
        let names = ["failed", "passed after retries", "passed", "not sent"] + report.percentiles.map(\.name)
        let values =
            [counts.failed, counts.flaky, counts.passed, counts.skipped].map(String.init)
            + report.percentiles.map { TimeText.duration($0.time) }
        return .table(names, rows: [values])
    }

    /// The limits as a table; empty without any.
    static func checks(_ report: ReportedRuns) -> String {
        guard !report.checks.isEmpty else { return "" }
        let rows = report.checks.map { [$0.name, $0.failure ?? "met"] }
        return HTMLReport.text(.heading(2, "Limits")) + "\n" + HTMLReport.text(.table(["limit", "result"], rows: rows))
    }

    /// The durations in buckets as bars, with the percentiles above.
    private static func histogram(_ report: ReportedRuns) -> String {
        let bars = report.times.bars
        guard bars.count > 1, let highest = bars.map(\.count).max() else { return "" }
        let (width, height) = (max(4, 640 / bars.count), 80)
        let shapes = bars.enumerated().map { index, bar in
            let size = bar.count == 0 ? 0 : max(1, bar.count * height / highest)
            return "<rect x=\"\(index * width)\" y=\"\(height - size)\" width=\"\(width - 1)\" height=\"\(size)\">"
                + "<title>from \(TimeText.duration(bar.from)): \(bar.count)</title></rect>"
        }
        let marks = report.percentiles.map { percentile in
            let x = report.times.bar(of: percentile.time) * width + width / 2
            return "<line x1=\"\(x)\" x2=\"\(x)\" y1=\"0\" y2=\"\(height)\">"
                + "<title>\(percentile.name) \(TimeText.duration(percentile.time))</title></line>"
        }
        let total = width * bars.count
        let (first, last) = (bars[0].from, bars[bars.count - 1].from)
        let lines = report.percentiles.map(\.name).joined(separator: ", ")
        return """
            <figure style="max-width:\(total)px"><figcaption>Requests by duration, lines: \(lines)</figcaption>
            <svg class="h" viewBox="0 0 \(total) \(height)" preserveAspectRatio="none" role="img" \
            aria-label="Requests by duration">\(shapes.joined())\(marks.joined())</svg>
            <p class="a"><span>\(TimeText.duration(first))</span><span>from \(TimeText.duration(last))</span></p>
            </figure>
            """
    }

    /// The colours of results, in any light.
    static let colors = """
        :root { --good: #1a7f37; --bad: #cf222e; --count: #0969da; --mark: #9a6700; }
        @media screen and (prefers-color-scheme: dark) {
        :root { --good: #3fb950; --bad: #ff7b72; --count: #57a0d8; --mark: #d29922; }
        }
        """

    private static let style = """
        \(colors)
        .r { display: grid; grid-template-columns: 3em minmax(0, 1fr) 5em 40%; gap: 0 1em; padding: 2px 0; }
        .r { border-top: 1px solid var(--line); break-inside: avoid; align-items: start; }
        .r > span { overflow-wrap: anywhere; }
        .b { position: relative; height: 1.5em; margin-right: 2px; background: var(--shade); }
        .b > i { position: absolute; top: 30%; height: 40%; min-width: 2px; background: var(--good); }
        .b > .x { top: 0; height: 100%; background: var(--bad); }
        figure { margin: 1em 0; }
        .h { display: block; width: 100%; height: 80px; border-bottom: 1px solid var(--line); }
        .h rect { fill: var(--count); }
        .h line { stroke: var(--mark); stroke-width: 2; stroke-dasharray: 3; vector-effect: non-scaling-stroke; }
        .a { display: flex; justify-content: space-between; margin: 0; font-size: 12px; }
        summary { cursor: pointer; }
        p.f { margin: 0 0 0 4em; color: var(--bad); overflow-wrap: anywhere; }
        @media (max-width: 45em) { .r { grid-template-columns: 3em minmax(0, 1fr) 5em; } .b { grid-column: 1 / -1; } }
        @media print { .b > i, .h, pre, th { print-color-adjust: exact; } summary { list-style: none; } }
        @media print { details::details-content { content-visibility: visible; } }

        """
}

/// The rows of a page, as many as there is room for.
struct RunRows {
    private let report: ReportedRuns
    /// The end of the axis in microseconds.
    private let longest: Double
    private var rowBytes = 0
    private var detailBytes = 0
    private var left = 0
    /// True where the last of many runs have no request and no response.
    private let isShortened: Bool

    init(_ report: ReportedRuns) {
        self.report = report
        isShortened = report.runs.count > ReportedRuns.maximumDetailed
        longest = Self.microseconds(report.runs.indices.reduce(.milliseconds(1)) { max($0, report.runs[$1].duration) })
    }

    /// Empty without runs.
    mutating func section(_ title: String, _ verdict: ReportedRun.Verdict) -> String {
        let indices = report.indices(of: verdict)
        guard !indices.isEmpty else { return "" }
        let runs = report.runs
        var page = MarkupWriter()
        page.add(HTMLReport.text(.heading(2, "\(title): \(indices.count)")))
        for (count, index) in indices.enumerated() {
            let start = page.count
            page.add("\n")
            write(runs[index], to: &page)
            guard rowBytes + page.count - start - 1 <= RunPage.maximumRows else {
                page.cut(to: start)
                left += indices.count - count
                break
            }
            rowBytes += page.count - start - 1
            writeDetails(of: runs[index], to: &page)
        }
        return page.string
    }

    /// Sentences about what is only counted, or not shown whole; empty where nothing is.
    func rest(_ unlisted: Int) -> String {
        let count = unlisted + left
        var blocks: [ReportBlock] = count == 0 ? [] : [.text("Not listed: \(Count.of(count, "more request")).")]
        if isShortened {
            let first = Count.of(ReportedRuns.maximumDetailed, "request")
            let others = "of all that failed or were repeated, as far as there is room"
            blocks.append(.text("Request and response are shown of the first \(first), and \(others)."))
        }
        return blocks.map(HTMLReport.text).joined(separator: "\n")
    }

    private func write(_ run: ReportedRun, to page: inout MarkupWriter) {
        page.add("<div class=\"r\"><b>")
        if let status = run.status { page.add(status) } else { page.add("–") }
        page.add("</b><span>", text: ReportText.cut(run.fullName, to: ReportText.maximumName), "</span><span>")
        page.add(TimeText.duration(run.duration))
        page.add("</span><div class=\"b\">")
        for (index, attempt) in run.attempts.enumerated() {
            // A response that came may have missed an expectation.
            let isFailed = attempt.kind != nil || run.verdict == .failed && index == run.attempts.count - 1
            page.add(isFailed ? "<i class=\"x\" style=\"left:" : "<i style=\"left:")
            write(shareOf: attempt.startedAt, to: &page)
            page.add("%;width:")
            write(shareOf: attempt.duration, to: &page)
            page.add("%\"></i>")
        }
        page.add("</div></div>")
        guard run.verdict != .passed else { return }
        for line in run.verdict == .flaky ? [run.retries ?? ""] : run.failures {
            page.add("<p class=\"f\">", text: line, "</p>")
        }
    }

    /// Writes the share of the axis in percent, with one decimal unless that is 0.
    private func write(shareOf time: Duration, to page: inout MarkupWriter) {
        let share = min(1, max(0, Self.microseconds(time) / longest))
        let (whole, tenth) = Int((share * 1000).rounded()).quotientAndRemainder(dividingBy: 10)
        page.add(whole)
        guard tenth != 0 else { return }
        page.add(".")
        page.add(tenth)
    }

    /// Costs a tenth of what dividing durations does.
    private static func microseconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return Double(seconds) * 1_000_000 + Double(attoseconds) / 1_000_000_000_000
    }

    /// Writes attempts, request and response, if there is room for them.
    private mutating func writeDetails(of run: ReportedRun, to page: inout MarkupWriter) {
        guard detailBytes < RunPage.maximumDetails else { return }
        var parts: [String] = []
        if run.attempts.count > 1 || run.verdict != .passed, !run.attempts.isEmpty {
            parts.append(run.attempts.map(\.sentence).joined(separator: "\n"))
        }
        if !run.notes.isEmpty { parts.append(run.notes.joined(separator: "\n")) }
        if let exchange = run.exchange { parts += [exchange.request, exchange.response].compactMap { $0 } }
        guard !parts.isEmpty else { return }
        let start = page.count
        page.add("<details><summary>")
        page.add(text: run.place.method + " " + run.place.file)
        if let line = run.place.line { page.add(":\(line)") }
        page.add("</summary>")
        for part in parts { page.add("<pre>", lines: part, "</pre>") }
        page.add("</details>")
        guard detailBytes + page.count - start <= RunPage.maximumDetails else { return page.cut(to: start) }
        detailBytes += page.count - start
    }
}

/// Durations counted in buckets, each of which begins at the square root of 2 times the one before.
struct TimeBuckets: Equatable, Sendable {
    private var counts: [Int: Int] = [:]

    mutating func add(_ duration: Duration) { counts[Self.index(of: duration), default: 0] += 1 }

    /// From the shortest to the longest, with the empty ones between.
    var bars: [(from: Duration, count: Int)] {
        guard let first = counts.keys.min(), let last = counts.keys.max() else { return [] }
        return (first...last).map { index -> (from: Duration, count: Int) in
            let start = Double(sign: .plus, exponent: index / 2, significand: index % 2 == 0 ? 1 : 2.0.squareRoot())
            return (.microseconds(start), counts[index] ?? 0)
        }
    }

    /// The bar to which a duration belongs, the nearest for one outside of all.
    func bar(of duration: Duration) -> Int {
        guard let first = counts.keys.min(), let last = counts.keys.max() else { return 0 }
        return min(max(Self.index(of: duration), first), last) - first
    }

    private static func index(of duration: Duration) -> Int {
        let microseconds = max(1, duration / .microseconds(1))
        return microseconds.exponent * 2 + (microseconds.significand >= 2.0.squareRoot() ? 1 : 0)
    }
}
