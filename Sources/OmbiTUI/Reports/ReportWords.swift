/// The figures of an address as text, for the screen, the command line and reports.
extension HistoryAddress {
    /// `10.0.3.7:443`
    var name: String { address ?? "no connection" }

    /// `41 % status 503, 2 % timeout`
    var failureWords: String {
        guard attempts > 0, failed > 0 else { return "0 % failed" }
        return failures.prefix(Self.maximumFailures)
            .map { "\(Percent.text(Double($0.count) / Double(attempts))) \($0.name)" }.joined(separator: ", ")
    }

    /// `41 % status 503, p50 180 ms, p95 2.1 s`
    var words: String { ([failureWords] + Self.percentiles(times)).joined(separator: ", ") }

    /// `12 new, p50 200 ms, p95 400 ms; 130 reused, p50 180 ms, p95 2.1 s`
    var connectionWords: String {
        [(new, "new"), (reused, "reused")].filter { $0.0.attempts > 0 }.map { connections, name in
            (["\(connections.attempts) \(name)"] + Self.percentiles(connections.times)).joined(separator: ", ")
        }.joined(separator: "; ")
    }

    private static func percentiles(_ times: HistoryStatistics.Percentiles?) -> [String] {
        guard let times else { return [] }
        return ["p50 \(TimeText.duration(times.p50))", "p95 \(TimeText.duration(times.p95))"]
    }

    private static let maximumFailures = 2
}

/// A load as a row among runs.
extension HistoryLoad {
    /// `locust, 200 users for 5m at 50/s, 12000 sent, 3 failed, p95 12 ms`
    var words: String {
        let pace = rate.map { rate in " at " + (rate == rate.rounded() ? "\(Int(rate))" : "\(rate)") + "/s" } ?? ""
        let parts = [
            engine, "\(Count.of(users, "user")) for \(DurationText.format(duration))\(pace)", "\(sent) sent",
            "\(failed) failed", percentile("95").map { "p95 " + TimeText.duration($0) },
        ]
        return parts.compactMap { $0 }.joined(separator: ", ")
    }

    /// The names of the requests, each once.
    var requests: [String] { (result["requests"]?.elements ?? []).compactMap { $0["name"]?.stringValue } }
}

/// A mark as a line through runs.
extension HistoryMark {
    /// `── deploy 1.4.2, 2026-11-22 14:02:10`
    var line: String { "── \(name), \(HistoryTime.local(date))" }

    /// `── deploy 1.4.2, 14:02`, where the day is known.
    var shortLine: String { "── \(name), \(ReportTime(date, .system).minute)" }

    /// The reason why a text is no name of a mark; nil for one that is.
    static func problem(ofName name: String) -> String? {
        if name.allSatisfy(\.isWhitespace) { return "write a name, such as deploy 1.4.2" }
        return name.count > maximumName ? "write at most \(maximumName) characters" : nil
    }
}

extension [HistoryMark] {
    /// The marks between a run and the one before it.
    func before(_ run: HistoryEntry, after older: HistoryEntry?) -> [HistoryMark] {
        guard !isEmpty else { return [] }
        let start = older?.startedAt ?? .distantPast
        return filter { $0.date <= run.startedAt && $0.date > start }
    }
}

extension RunComparison {
    /// `same`, `2 values differ`, `another status, the same body`
    var verdict: String {
        if isSame { return "same" }
        switch body {
        case .values(let changes, let isCut):
            let number = isCut ? "more than \(changes.count) values" : Count.of(changes.count, "value")
            return number + (changes.count == 1 ? " differs" : " differ")
        case .other(let reason): return reason
        case .same:
            return old.hasResponse && new.hasResponse ? "another status, the same body" : "no response to compare"
        }
    }

    /// The verdict in a column: `same`, `12`, `status`
    var shortVerdict: String {
        if isSame { return "same" }
        if !old.hasResponse || !new.hasResponse { return "no resp." }
        if old.status != new.status { return "status" }
        if case .values(let changes, let isCut) = body { return "\(changes.count)\(isCut ? "+" : "") diff." }
        return "body"
    }
}

extension ItemPath {
    /// The path of requests that are in no file.
    static let scratchFile = GateQuestion.noFile

    /// `shop.json: users/list`
    var shortName: String {
        let isScratch = file == Self.scratchFile
        let name = isScratch ? "Scratch" : file.split(separator: "/").last.map(String.init) ?? file
        return name + ": " + path.joined(separator: "/")
    }
}

extension AttemptReport {
    /// The outcome: `503 Service Unavailable`, `could not connect to …`, `cancelled`.
    var resultText: String { outcome.failure ?? response?.statusCode.map(StatusCode.words) ?? "done" }

    /// The phases that took time, and what the server says of it: `connect 3 ms, wait 20 ms, of the server db 12 ms`.
    var phaseText: String {
        let phases = RequestPhase.allCases.filter { metrics.timings[$0] > .zero }
            .map { "\($0.rawValue) \(TimeText.duration(metrics.timings[$0]))" }.joined(separator: ", ")
        return phases + (serverTimingText.map { ", of the server \($0)" } ?? "")
    }
}

extension RateLimit {
    /// `412 left, 18m`, `3 left, 20 s, retry after 5 s`
    var words: String {
        let left = remaining.map { "\($0) left" }
        let time = left == nil ? nil : reset.map { TimeText.duration($0) }
        let retry = retryAfter.map { "retry after \(TimeText.duration($0))" }
        return [left, time, retry].compactMap { $0 }.joined(separator: ", ")
    }

    /// `api.example.com 412 left, 18m`
    func words(of host: String) -> String { host.isEmpty ? words : "\(host) \(words)" }
}

extension ServerTiming {
    /// The metrics of a response that are named; the others are counted.
    static let maximumShown = 16

    /// `db 53 ms (Postgres)`, `cache (hit)`; `db over 40 ms` for more time than the server can have taken.
    /// - Parameter time: `AttemptReport.serverTime`.
    func words(within time: Duration) -> String {
        let taken = duration.map { ($0 > time ? " over " : " ") + TimeText.duration(min($0, time)) }
        return name + (taken ?? "") + (description.map { " (\($0))" } ?? "")
    }
}

extension AttemptReport {
    /// The time that the server can have taken: the wait for it, or the whole attempt where its phases are not known.
    var serverTime: Duration { metrics.timings.wait > .zero ? metrics.timings.wait : duration }

    /// The metrics of a response: `db 53 ms, app 2 ms`; nil for none.
    var serverTimingText: String? {
        let all = serverTiming
        guard !all.isEmpty else { return nil }
        let words = all.prefix(ServerTiming.maximumShown).map { $0.words(within: serverTime) }
        let more = all.count - words.count
        return (words + (more > 0 ? [Count.of(more, "more metric")] : [])).joined(separator: ", ")
    }
}
