/// Runs of the history as text for people.
enum HistoryText {
    /// `1042  2026-11-23 08:11:07  ✓ GET    200   12 ms  shop/users/list  local`
    static func line(_ entry: HistoryEntry) -> String {
        let mark = entry.outcome == .passed ? "✓" : entry.outcome == .cancelled ? "–" : "✗"
        let parts = [
            String(entry.id).padded(to: 6), HistoryTab.time(entry.startedAt), mark + " " + entry.method.padded(to: 7),
            (entry.status.map(String.init) ?? "–").padded(to: 3), TimeText.duration(entry.duration).padded(to: 8),
            entry.request.shortName, entry.environment, entry.attempts > 1 ? "\(entry.attempts) attempts" : nil,
            entry.outcome == .passed ? nil : entry.failure,
        ]
        return SafeText.line(parts.compactMap { $0 }.joined(separator: "  "))
    }

    /// Runs, the newest first, with the marks and the loads between them, and the loads before all of them.
    static func lines(_ entries: [HistoryEntry], _ marks: [HistoryMark], _ loads: [HistoryLoad] = []) -> [String] {
        var others: [(date: Date, line: String, isLoad: Bool)] = []
        for mark in marks { others.append((mark.date, mark.line, false)) }
        for load in loads { others.append((load.startedAt, line(load), true)) }
        var rest = others.sorted { $0.date > $1.date }[...]
        var lines: [String] = []
        for entry in entries {
            while let next = rest.first, next.date > entry.startedAt {
                lines.append(next.line)
                rest.removeFirst()
            }
            lines.append(line(entry))
        }
        return (lines + rest.filter { $0.isLoad }.map { $0.line }).map(SafeText.line)
    }

    /// `L3      2026-11-23 08:11:07  load locust, 200 users for 5m, 12000 sent, 3 failed, p95 12 ms  shop/list  local`
    static func line(_ load: HistoryLoad) -> String {
        let parts = [
            load.name.padded(to: 6), HistoryTab.time(load.startedAt), "load " + load.words,
            load.requests.joined(separator: ", ").excerpt(maximumNames), load.environment,
        ]
        return SafeText.line(parts.compactMap { $0 }.joined(separator: "  "))
    }

    /// The characters of the names of a load's requests.
    private static let maximumNames = 80

    static func lines(_ load: HistoryLoad) -> [String] {
        guard let result = LoadResult(load) else { return [line(load)] }
        let rows = result.table.split(separator: "\n").map(String.init)
        return [line(load), ""] + rows + (result.lossWords.map { [$0] } ?? [])
    }

    /// `3  2026-11-22 14:02:10  deploy 1.4.2`
    static func line(_ mark: HistoryMark) -> String {
        SafeText.line(String(mark.id).padded(to: 3) + "  \(HistoryTime.local(mark.date))  \(mark.name)")
    }

    static func lines(_ run: RecordedRun) -> [String] {
        var lines = [line(run.entry), ""]
        if let request = run.result.prepared {
            lines.append("\(request.method.rawValue) \(request.url)")
            lines += request.headers.map { "\($0.name): \($0.value)" }
            if let body = request.body, !body.isEmpty { lines += [""] + body.split(separator: "\n").map(String.init) }
            lines.append("")
        }
        for attempt in run.result.attempts {
            lines.append(line(attempt))
            lines += (run.result.prepared?.redirects(of: attempt.number) ?? []).map { line($0) }
        }
        if let page = run.result.tracePage { lines.append("trace: " + page) }
        lines += run.result.failures.map { "✗ " + $0 }
        if let fallback = run.result.fallback { lines.append(fallback.words) }
        if let remark = run.result.remark { lines.append(remark) }
        if run.result.response == nil { lines += certificates(run.result.report?.attempts.last?.metrics.tls) }
        if let response = run.result.receivedResponse { lines += HistoryText.lines(response) }
        return lines.map(SafeText.line)
    }

    static func lines(_ attempt: AttemptReport) -> [String] {
        ([line(attempt)] + (attempt.received.map { lines($0) } ?? [])).map(SafeText.line)
    }

    private static func lines(_ response: TransportResponse) -> [String] {
        var lines = ["", response.statusCode.map(StatusCode.words) ?? "no status"]
        lines += (response.headers?.fields ?? []).map { "\($0.key.name): \($0.value.text)" }
        if let size = response.body?.count, size > 0 {
            lines += ["", "\(TimeText.size(size)) of body; --body prints it"]
        }
        return lines
    }

    /// `certificate CN = shop.test, issued by CN = Test CA, for shop.test, until 2026-12-01 00:00 UTC`
    private static func certificates(_ tls: TLSReport?) -> [String] {
        (tls?.certificates ?? []).map { certificate in
            let names = certificate.names.isEmpty ? nil : "for " + certificate.names.joined(separator: ", ")
            let parts = [
                "certificate " + certificate.subject, "issued by " + certificate.issuer, names,
                certificate.notAfter.map { "until " + $0.shortText },
            ]
            return parts.compactMap { $0 }.joined(separator: ", ")
        }
    }

    /// `attempt 2 after a failure: 503, 12 ms (wait 11 ms, receive 0.3 ms), then 200 ms of waiting`
    private static func line(_ attempt: AttemptReport) -> String {
        let phases = RequestPhase.allCases.filter { attempt.metrics.timings[$0] > .zero }.map {
            "\($0.rawValue) \(TimeText.duration(attempt.metrics.timings[$0]))"
        }
        var line = "attempt \(attempt.number): "
        if case .stopped = attempt.outcome { line += "stopped: " }
        line += attempt.outcome.failure ?? attempt.response?.statusCode.map { "\($0)" } ?? "done"
        line += ", " + TimeText.duration(attempt.duration)
        if !phases.isEmpty { line += " (\(phases.joined(separator: ", ")))" }
        if let address = attempt.metrics.remoteAddress {
            line += ", \(address)" + (attempt.metrics.reusedConnection ? " again" : "")
        }
        if let held = attempt.held { line += ", held by the breaker for \(TimeText.duration(held))" }
        if let missed = attempt.missedRetry { line += ", " + missed.words }
        if let text = attempt.serverTimingText { line += ", of the server \(text)" }
        if let trace = attempt.trace { line += ", trace \(trace.traceID), span \(trace.spanID)" }
        if let wait = attempt.wait { line += ", then waited \(TimeText.duration(wait))" }
        return line
    }

    /// `  302 Found → GET https://api.example.com/next, 12 ms, 10.0.3.7:443, without Authorization`
    private static func line(_ redirect: FollowedRedirect) -> String {
        let target = LogMask.url(redirect.target)
        let parts = [
            "  \(StatusCode.words(redirect.statusCode)) → \(redirect.method.rawValue) \(target)",
            TimeText.duration(redirect.duration), redirect.remoteAddress,
            redirect.withheld.isEmpty ? nil : "without " + redirect.withheld.joined(separator: ", "),
        ]
        return parts.compactMap { $0 }.joined(separator: ", ")
    }

    /// `2026-11-23 14:05:09  12   3 runs`
    static func lines(_ values: ValueHistory) -> [String] {
        let width = min(40, values.periods.map { TextWidth.of($0.value ?? "") }.max() ?? 0)
        let lines = values.periods.map { period in
            "\(HistoryTab.time(period.first))  \((period.value ?? "–").padded(to: width))  \(Count.of(period.runs, "run"))"
        }
        return (lines + (values.isCut ? ["older responses were not looked at"] : [])).map(SafeText.line)
    }

    private static func line(_ name: String, _ times: HistoryStatistics.Percentiles) -> String {
        let texts = [
            ("p50", times.p50), ("p90", times.p90), ("p95", times.p95), ("p99", times.p99), ("max", times.maximum),
        ]
        return name.padded(to: 12) + texts.map { "\($0) \(TimeText.duration($1))" }.joined(separator: ", ")
    }

    /// - Parameter objective: the one against which the windows count; nil for the standard one.
    static func lines(_ statistics: HistoryStatistics, _ objective: ObjectiveEndpoint? = nil) -> [String] {
        var lines = [
            "runs        \(statistics.runs)" + (statistics.cancelled > 0 ? ", \(statistics.cancelled) cancelled" : "")
        ]
        guard statistics.runs > 0 else { return lines }
        let shares = [("first try", statistics.firstTry), ("eventually", statistics.eventual)]
        lines += shares.map { name, share in name.padded(to: 12) + (share.map(Percent.text) ?? "–") }
        for (name, times) in [("runs", statistics.ofRuns), ("attempts", statistics.ofAttempts)] {
            if let times { lines.append(line(name, times)) }
        }
        if statistics.isRounded { lines.append("".padded(to: 12) + "rounded up by 2.2 % at most") }
        lines += statistics.phases.map { line("  " + $0.phase.rawValue, $0.times) }
        if statistics.isRounded, !statistics.phases.isEmpty {
            lines.append("".padded(to: 12) + "phases of the newest \(HistoryStatistics.maximumForPhases) runs")
        }
        let limit = objective?.objective.within.map { "in " + DurationText.format($0) } ?? "SLA"
        for window in statistics.windows where window.runs > 0 {
            let name = "\(limit), \(window.name)"
            let words = StatisticsTab.words(
                of: window, objective: objective?.objective.share ?? HistoryStatistics.objective,
                in: objective?.environment)
            lines.append(name.padded(to: max(12, name.count + 2)) + words)
        }
        lines += statistics.failures.map { "failed".padded(to: 12) + "\($0.count)× \($0.name)" }
        lines += statistics.retries.map { "repeated".padded(to: 12) + "\($0.count)× \($0.name)" }
        return lines.map(SafeText.line)
    }

    /// `10.0.3.7:443  41 % status 503, p50 180 ms, p95 2.1 s`, and below it its connections and phases.
    static func hosts(_ statistics: HistoryStatistics) -> [String] {
        let width = min(40, statistics.addresses.map { TextWidth.of($0.name) }.max() ?? 0)
        return statistics.addresses.flatMap { address -> [String] in
            [
                address.name.padded(to: width) + "  " + address.words,
                "  attempts".padded(to: 12) + "\(address.attempts): \(address.connectionWords)",
            ] + address.phases.map { line("  " + $0.phase.rawValue, $0.times) }
        }.map(SafeText.line)
    }
}
