/// The figures of the runs of the request that the history has, all or those in a range.
enum StatisticsTab {
    static func rows(_ history: RequestHistory?, columns: Int) -> [ResponseRow] {
        guard let history else { return [] }
        let statistics = history.statistics
        guard statistics.runs > 0 else {
            return [
                .hint(
                    history.range == .all
                        ? "No run is in the history yet. s sends the request."
                        : "No run is in the history \(history.range.text). / changes the limit.")
            ]
        }
        let figures = [
            range(history), totals(statistics), trouble(history), addresses(statistics), windows(history),
            times(statistics), connections(statistics), proposal(statistics),
        ].joined()
        return figures.flatMap { folded($0, columns: columns) } + timeline(statistics, history.marks, columns: columns)
            + counts(statistics) + histogram(statistics, columns: columns)
    }

    /// A row that is wider than the pane goes on below its value: with its note, or with what stands behind `;`. So does
    /// a note that is wider.
    static func folded(_ row: ResponseRow, columns: Int) -> [ResponseRow] {
        let width = row.spans.reduce(0) { $0 + TextWidth.of($1.text) }
        guard width > columns, row.spans.count > 1 else { return [row] }
        var head = row
        var rest = head.spans.removeLast()
        if row.spans.count == 2 {
            guard let end = rest.text.firstRange(of: "; ") else { return [row] }
            head.spans.append(Span(text: String(rest.text[..<end.lowerBound]), role: rest.role))
            rest.text = String(rest.text[end.upperBound...])
        }
        let margin = Span(text: String(repeating: " ", count: labelColumns), role: .plain)
        return [head]
            + lines(of: rest.text, columns: columns - labelColumns).map { line in
                ResponseRow([margin, Span(text: line, role: rest.role)], row.content)
            }
    }

    /// The parts of a note, as many in a line as fit.
    private static func lines(of note: String, columns: Int) -> [String] {
        let parts = note.split(separator: ";").map { part in String(part.drop { $0 == " " }) }
        return parts.reduce(into: [String]()) { lines, part in
            if let last = lines.last, TextWidth.of(last) + 2 + TextWidth.of(part) <= columns {
                lines[lines.count - 1] = last + "; " + part
            } else {
                lines.append(part)
            }
        }
    }

    private static func range(_ history: RequestHistory) -> [ResponseRow] {
        guard history.range != .all else { return [] }
        return [
            row("limited to", history.range.text, note: "of \(Count.of(history.count, "run")); / changes the limit")
        ]
    }

    private static func totals(_ statistics: HistoryStatistics) -> [ResponseRow] {
        let span = [statistics.first, statistics.last].compactMap { $0 }.map(HistoryTab.time).joined(separator: " to ")
        let cancelled = statistics.cancelled > 0 ? " · \(statistics.cancelled) cancelled" : ""
        return [
            row("runs", "\(statistics.runs)\(cancelled)", note: span),
            row("first try", text(statistics.firstTry), note: "passed with one attempt"),
            row("eventually", text(statistics.eventual), note: "passed after all attempts"),
        ]
    }

    private static func times(_ statistics: HistoryStatistics) -> [ResponseRow] {
        let remark = statistics.isRounded ? ", rounded up by 2.2 % at most" : ""
        let rows = [("runs", statistics.ofRuns), ("attempts", statistics.ofAttempts)].compactMap { name, percentiles in
            percentiles.map { row("time of \(name)", $0, remark) }
        }
        let newest = statistics.isRounded ? ", of the newest \(HistoryStatistics.maximumForPhases) runs" : ""
        return [ResponseRow([])] + rows + statistics.phases.map { row("  " + $0.phase.rawValue, $0.times, newest) }
    }

    private static func row(
        _ name: String, _ percentiles: HistoryStatistics.Percentiles, _ remark: String
    ) -> ResponseRow {
        row(
            name, "p50 \(text(percentiles.p50))  p95 \(text(percentiles.p95))  p99 \(text(percentiles.p99))",
            note: "max \(text(percentiles.maximum))" + remark)
    }

    static func trouble(of history: RequestHistory) -> TroubledTime? {
        history.statistics.ofRuns.flatMap { TroubledTime(in: Array(history.counted), median: $0.p50) }
    }

    /// `2026-11-22 14:05:06 to 14:19:40  37 of 40 runs; slow is over 81 ms; 3 min after deploy 1.4.2`
    private static func trouble(_ history: RequestHistory) -> [ResponseRow] {
        guard let trouble = trouble(of: history) else { return [] }
        let (start, end) = (HistoryTab.time(trouble.start), HistoryTab.time(trouble.end))
        let sameDay = end.split(separator: " ").first == start.split(separator: " ").first
        let time = trouble.goesOn ? "since \(start)" : "\(start) to \(sameDay ? String(end.suffix(8)) : end)"
        let mark = history.marks.last {
            (0...RequestHistory.timeBefore).contains(trouble.start.timeIntervalSince($0.date))
        }
        let after = mark.map { "; \(Duration.age(of: $0.date, at: trouble.start).ageWords) after \($0.name)" }
        return [
            row(
                "slow or failed", time,
                note: "\(trouble.troubled) of \(Count.of(trouble.runs, "run")); slow is over \(text(trouble.limit))"
                    + (after ?? ""))
        ]
    }

    private static func windows(_ history: RequestHistory) -> [ResponseRow] {
        let windows = history.statistics.windows.filter { $0.runs > 0 }
        guard !windows.isEmpty else { return [] }
        let limit = history.within.map { "in " + DurationText.format($0) } ?? "SLA"
        return [ResponseRow([])]
            + windows.map { window in
                let left = window.budgetLeft(objective: history.objective) ?? 1
                return ResponseRow([
                    Span(text: "\(limit), \(window.name)".padded(to: labelColumns), role: .key),
                    Span(
                        text: words(of: window, objective: history.objective, in: history.environment),
                        role: left < 0 ? .failure : left < 0.5 ? .warning : .success),
                ])
            }
    }

    /// `99.5 %, 199 of 200 runs in live; 50 % of the error budget of 99 % left`
    static func words(
        of window: HistoryStatistics.Window, objective share: Double = HistoryStatistics.objective,
        in environment: String? = nil
    ) -> String {
        let left = window.budgetLeft(objective: share) ?? 1
        let objective = ObjectiveStatus.percent(share)
        let budget =
            left < 0
            ? "error budget exhausted (objective \(objective))"
            : "\(Percent.text(left)) of the error budget of \(objective) left"
        let runs = Count.of(window.runs, "run") + (environment.map { " in " + $0 } ?? "")
        return "\(text(window.share)), \(window.met) of \(runs); \(budget)"
    }

    /// The name of an address where it is copied, by which its rows are known.
    static let addressName = "the address"

    /// A row for each address, where there are several.
    private static func addresses(_ statistics: HistoryStatistics) -> [ResponseRow] {
        let addresses = statistics.addresses
        guard addresses.count > 1 else { return [] }
        let rest = addresses.count - maximumCounts
        let rows = zip(rows("by address", addresses) { ($0.name, $0.words) }, addresses).map { row, address in
            ResponseRow(row.spans, .value(address.address ?? "", named: addressName))
        }
        return [ResponseRow([])] + rows
            + (rest > 0 ? [row("", "\(rest) more", note: "ombi history hosts lists all")] : [])
    }

    /// The connections of each address, where there are several.
    private static func connections(_ statistics: HistoryStatistics) -> [ResponseRow] {
        guard statistics.addresses.count > 1 else { return [] }
        return rows("attempts", statistics.addresses) {
            ($0.name, "\($0.attempts): \($0.connectionWords)")
        }
    }

    private static func rows(
        _ title: String, _ addresses: [HistoryAddress], _ words: (HistoryAddress) -> (name: String, note: String)
    ) -> [ResponseRow] {
        addresses.prefix(maximumCounts).enumerated().map { index, address in
            let (name, note) = words(address)
            return row(index == 0 ? title : "", name, note: note)
        }
    }

    private static func counts(_ statistics: HistoryStatistics) -> [ResponseRow] {
        let lists = [("failed attempts", statistics.failures), ("repeated", statistics.retries)]
        return lists.filter { !$0.1.isEmpty }.flatMap { title, counts in
            [ResponseRow([])]
                + counts.prefix(maximumCounts).enumerated().map { index, count in
                    row(index == 0 ? title : "", "\(count.count)×", note: count.name)
                }
        }
    }

    private static let maximumCounts = 8

    private static func histogram(_ statistics: HistoryStatistics, columns: Int) -> [ResponseRow] {
        let most = statistics.histogram.map(\.count).max() ?? 0
        guard most > 0 else { return [] }
        let room = max(10, min(40, columns - labelColumns - 10))
        return [ResponseRow([])]
            + statistics.histogram.map { bar in
                let cells = bar.count == 0 ? 0 : max(1, bar.count * room / most)
                return ResponseRow([
                    Span(text: "to \(text(bar.upTo))".padded(to: labelColumns), role: .key),
                    Span(text: String(repeating: "█", count: cells), role: .dim),
                    Span(text: bar.count == 0 ? "" : " \(bar.count)", role: .dim),
                ])
            }
    }

    /// A bar for the longest run of each part of the time, and below it the parts in which runs failed.
    private static func timeline(
        _ statistics: HistoryStatistics, _ marks: [HistoryMark], columns: Int
    ) -> [ResponseRow] {
        guard let first = statistics.first, let last = statistics.last, !statistics.timeline.isEmpty else { return [] }
        var slots = statistics.timeline
        while slots.count > max(6, columns - labelColumns) {
            slots = stride(from: 0, to: slots.count - 1, by: 2).map { slots[$0].merged(with: slots[$0 + 1]) }
        }
        var bars = Array(
            Sparkline.text(slots.filter { $0.runs > 0 }.map { $0.longest / .milliseconds(1) }, columns: slots.count)
        ).makeIterator()
        let cells = slots.map { $0.runs > 0 ? bars.next().map(String.init) ?? " " : " " }.joined()
        let failures = slots.map { $0.failed > 0 ? "✗" : " " }.joined()
        let label = { (text: String) in Span(text: text.padded(to: labelColumns), role: .key) }
        var rows = [ResponseRow([]), ResponseRow([label("longest run"), Span(text: cells, role: .phaseWait)])]
        if statistics.runs > statistics.passed {
            rows.append(ResponseRow([label("failed"), Span(text: failures, role: .failure)]))
        }
        let shown = marks.filter { $0.date >= first && $0.date <= last }.suffix(maximumCounts)
        if let line = line(of: shown, first, last, slots: slots.count) {
            rows.append(ResponseRow([label("marks"), Span(text: line, role: .warning)]))
        }
        let (start, end) = (HistoryTab.time(first), HistoryTab.time(last))
        let room = slots.count - start.count - end.count
        let axis = room > 0 ? start + String(repeating: " ", count: room) + end : "\(start) to \(end)"
        return rows + [ResponseRow([label(""), Span(text: axis, role: .dim)])]
            + shown.map {
                ResponseRow([label(""), Span(text: $0.line, role: .warning)], .value($0.name, named: "the mark"))
            }
    }

    /// `│` in the slot of each mark; nil without marks.
    private static func line(
        of marks: ArraySlice<HistoryMark>, _ first: Date, _ last: Date, slots: Int
    ) -> String? {
        guard !marks.isEmpty, last > first else { return nil }
        var cells = [String](repeating: " ", count: slots)
        for mark in marks {
            let share = mark.date.timeIntervalSince(first) / last.timeIntervalSince(first)
            cells[min(slots - 1, max(0, Int(share * Double(slots))))] = "│"
        }
        return cells.joined()
    }

    private static func proposal(_ statistics: HistoryStatistics) -> [ResponseRow] {
        guard let proposal = statistics.proposal else { return [] }
        return [
            row(
                "proposed",
                "timeout \(DurationText.format(proposal.timeout)), SLA \(DurationText.format(proposal.sla))",
                note: "from these runs; the palette (:) tries them")
        ]
    }

    private static let labelColumns = 18

    private static func text(_ share: Double?) -> String { share.map(Percent.text) ?? "–" }
    private static func text(_ duration: Duration) -> String { TimeText.duration(duration) }

    private static func row(_ name: String, _ value: String, note: String) -> ResponseRow {
        ResponseRow(
            [
                Span(text: name.padded(to: labelColumns), role: .key), Span(text: value, role: .plain),
                Span(text: "  " + note, role: .dim),
            ], .value(value, named: String(name.drop { $0 == " " })))
    }
}
