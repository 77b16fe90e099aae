extension Batch {
    /// `7 of 12 done · 1 failed · 3.2 s · 2 at a time`, or as many of these parts as fit.
    /// - Parameters:
    ///   - shown: the number of rows that match the filter; nil without one.
    ///   - signIns: the number of requests that wait for a sign-in.
    func summary(now: Duration, matching shown: Int?, signIns: Int = 0, columns: Int) -> [Span] {
        var parts = parts(now: now, matching: shown, signIns)
        while parts.count > 1, parts.reduce(-3, { $0 + 3 + TextWidth.of($1.text) }) > columns { parts.removeLast() }
        return Array(parts.map { [$0] }.joined(separator: [Span(text: " · ", role: .dim)]))
    }

    private func parts(now: Duration, matching shown: Int?, _ signIns: Int) -> [Span] {
        let passed = isEnded && counts.failed + counts.cancelled == 0
        var parts = [Span(text: "\(counts.ended) of \(rows.count) done", role: .plain)]
        if counts.failed > 0 { parts.append(Span(text: "\(counts.failed) failed", role: .failure)) }
        if counts.cancelled > 0 { parts.append(Span(text: "\(counts.cancelled) cancelled", role: .warning)) }
        if passed { parts.append(Span(text: "all passed", role: .success)) }
        if counts.running > 0 { parts.append(Span(text: "\(counts.running) running", role: .running)) }
        if signIns > 0 {
            parts.append(Span(text: "\(signIns) wait\(signIns == 1 ? "s" : "") for a sign-in", role: .warning))
        }
        if replay != nil, counts.ended > 0 {
            let same = isEnded && incomparable == 0 ? "all the same" : "none differs"
            parts.append(
                differing > 0
                    ? Span(text: "\(differing) differ\(differing == 1 ? "s" : "")", role: .warning)
                    : Span(text: same, role: .success))
            if incomparable > 0 { parts.append(Span(text: "\(incomparable) without an earlier run", role: .dim)) }
        }
        if left > 0 { parts.append(Span(text: "\(left) that may change something left out", role: .dim)) }
        if disabled > 0 { parts.append(Span(text: "\(disabled) disabled", role: .dim)) }
        if let shown { parts.append(Span(text: "\(shown) match", role: .info)) }
        // Below it, the clock of a screen is late itself.
        if lateness >= .milliseconds(100) {
            parts.append(Span(text: "began up to \(TimeText.duration(lateness)) late", role: .warning))
        }
        let elapsed = elapsed(now: now)
        let time = isEnded ? TimeText.duration(elapsed) : TimeText.running(elapsed)
        parts.append(Span(text: again.map { "\($0) run again in \(time)" } ?? time, role: .plain))
        if !isEnded, let text = limitText(now: now) { parts.append(Span(text: text, role: .info)) }
        return parts + paceTexts.map { Span(text: $0, role: .dim) }
    }

    /// The parts of the plan that are not as usual.
    private var paceTexts: [String] {
        let run = plan.run
        return (run.concurrency > 1 ? ["\(run.concurrency) at a time"] : [])
            + (plan.rateText.map { ["at most \($0) a second"] } ?? [])
            + (run.failsFast ? ["to the first failure"] : [])
    }

    /// The result in one line, for when the table is closed.
    var ending: Notice {
        let isGood = counts.failed + counts.cancelled == 0
        let failed = counts.failed > 0 ? ["\(counts.failed) failed"] : []
        let cancelled = counts.cancelled > 0 ? ["\(counts.cancelled) cancelled"] : []
        let verdict = isGood ? ["all passed"] : failed + cancelled
        let time = TimeText.duration(elapsed(now: .zero))
        let parts = [Count.of(rows.count, "request")] + verdict + [again.map { "\($0) run again in \(time)" } ?? time]
        return Notice(
            isGood ? .success : .warning, "\(title): \(parts.joined(separator: ", ")); T shows them")
    }

    var title: String { names.last ?? "" }
}

extension Batch.Row {
    var mark: RunSummary.Mark? {
        switch state {
        case .waiting: nil
        case .running: .running
        case .ended(let result): result.failures.isEmpty ? .succeeded : .failed
        }
    }

    /// Returns true where a filter shows the row. Words that are results, such as `failed` or `503`, are found in its result
    /// alone, whatever its name has in it.
    func matches(_ filter: String) -> Bool {
        let words = filter.lowercased().split(separator: " ").map(String.init)
        if !words.isEmpty, words.allSatisfy(Self.isResult) {
            let found = Set(stateText.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init))
            return words.allSatisfy(found.contains)
        }
        return FuzzyMatch(filter).score(text) != nil
    }

    private static func isResult(_ word: String) -> Bool {
        results.contains(word) || word.count == 3 && Int(word).map { (100...599).contains($0) } ?? false
    }

    private static let results: Set = ["waiting", "running", "passed", "failed", "cancelled", "same", "differs"]

    private var text: String { "\(label) \(parents) \(method.rawValue) \(path) \(stateText)" }

    private var stateText: String {
        switch state {
        case .waiting: "waiting"
        case .running: "running"
        case .ended(let result):
            ([
                result.words, comparison.map { $0.isSame ? "same" : "differs" } ?? "",
                result.isCancelled ? "cancelled" : result.failures.isEmpty ? "passed" : "failed",
            ] + result.failures)
            .joined(separator: " ")
        }
    }
}

extension ReplayVerdict {
    var span: Span {
        switch self {
        case .compared(let comparison):
            Span(text: comparison.shortVerdict, role: comparison.isSame ? .success : .warning)
        case .none: Span(text: "–", role: .dim)
        }
    }

    /// Both runs in a line.
    var detail: Span {
        switch self {
        case .none(let reason): return Span(text: "Nothing to compare with: \(reason).", role: .dim)
        case .compared(let comparison):
            let sides = [comparison.old, comparison.new].map { side in
                let time = side.duration.map { " in " + TimeText.duration($0) } ?? ""
                return "\(side.environment ?? "") \(side.status.map(String.init) ?? side.outcome.name)\(time)"
            }
            let words = "\(sides.joined(separator: " → ")) · \(comparison.verdict)"
            return Span(
                text: comparison.isSame ? words : words + "; Enter shows it",
                role: comparison.isSame ? .dim : .warning)
        }
    }
}

extension BatchResult {
    /// The status as text; without one, the failure.
    fileprivate var words: String { statusCode.map(StatusCode.words) ?? failures.first ?? "no status" }

    /// The failures in one line; nil for a request that passed.
    var reason: String? {
        failures.isEmpty ? nil : failures.joined(separator: "; ")
    }

    /// `200 OK`, `200 OK ✗ expected status 201`, `cancelled` or why there is no response. A cause that the column would
    /// cut gets the room of the reason phrase.
    /// - Parameters:
    ///   - name: that of the request, with which a failure may begin.
    ///   - showsAttempts: adds how many there were, if it took more than one.
    func spans(of name: String, isShort: Bool, showsAttempts: Bool, columns: Int) -> [Span] {
        guard let statusCode else {
            let text = words.hasPrefix(name + ": ") ? String(words.dropFirst(name.count + 2)) : words
            return [Span(text: text, role: isCancelled ? .warning : failures.isEmpty ? .plain : .failure)]
        }
        let verdict: RunSummary.Mark = failures.isEmpty ? .succeeded : .failed
        let others = failures.filter { $0 != words }
        let cause = others.isEmpty ? "" : " ✗ " + others.joined(separator: "; ")
        let isTight = !cause.isEmpty && TextWidth.of(words + cause) > columns
        let unmet = cause.isEmpty ? [] : [Span(text: cause, role: .failure)]
        let status = Span(text: isShort || isTight ? "\(statusCode)" : words, role: .forStatus(statusCode, verdict))
        let times = showsAttempts && !isShort && attempts > 1 ? [Span(text: " · \(attempts) attempts", role: .dim)] : []
        return [status] + unmet + times
    }

    /// The attempts, the time and the size.
    var numbers: [Span] {
        [
            attempts > 0 ? "\(attempts)" : "", duration.map(TimeText.duration) ?? "", size.map(TimeText.size) ?? "",
        ].map { Span(text: $0, role: .plain) }
    }
}

extension RunState {
    /// `attempt 2/4 · waiting 0.3 s`, or as much of it as makes sense in so many columns
    func progress(now: Duration, columns: Int) -> [Span] {
        let word = columns < 30 ? "" : "attempt "
        let activity = columns < 14 ? "" : " · " + activity(now: now)
        return [Span(text: "\(word)\(max(1, attempt))/\(attempts)\(activity)", role: .running)]
    }

    /// The current phase, or the wait with the time that is left of it.
    func activity(now: Duration) -> String {
        if case .waiting(_, let until, let reason) = stage {
            let left = TimeText.running(max(.zero, until - elapsed(now: now)))
            return (reason == .breaker ? "held by the breaker " : "waiting ") + left
        }
        guard let phase = phases.last?.phase else { return "starting" }
        if let sending { return "sending " + sending.text }
        if phase == .receive, received > 0 { return "receiving " + TimeText.size(received) }
        return phase.sentence
    }
}

/// The rows that show two runs side by side: status and time of both, and every value that differs.
enum ComparisonRows {
    static func rows(_ comparison: RunComparison) -> [[Span]] {
        let sides = [comparison.old, comparison.new]
        let width = sides.map { TextWidth.of(name($0)) }.max() ?? 0
        var rows = sides.map { row($0, width) }
        rows.append([])
        rows.append([Span(text: comparison.verdict, role: comparison.isSame ? .success : .warning)])
        let changes = comparison.body.changes
        guard !changes.isEmpty else { return rows }
        let paths = min(40, changes.map { TextWidth.of($0.path) }.max() ?? 0)
        rows += changes.map { row($0, paths) }
        rows += [[], [Span(text: "A path in \"may differ\" of the tab About is no longer compared.", role: .dim)]]
        return rows
    }

    /// The paths that differ from run to run, and what to do about them.
    static func rows(_ paths: [VolatilePath]) -> [[Span]] {
        [[], [Span(text: "These differ from run to run in one environment; i lets them differ:", role: .warning)]]
            + paths.map { path in
                [
                    Span(text: "  " + path.path, role: .key),
                    Span(text: "  in \(path.changes) of \(path.comparisons) runs", role: .dim),
                ]
            }
    }

    private static func name(_ side: RunComparison.Side) -> String {
        (side.startedAt.map { HistoryTime.local($0) + "  " } ?? "") + (side.environment ?? "")
    }

    private static func row(_ side: RunComparison.Side, _ width: Int) -> [Span] {
        let result = side.status.map(StatusCode.words) ?? side.failure ?? side.outcome.name
        let time = side.duration.map { "  " + TimeText.duration($0) } ?? ""
        let attempts = side.attempts > 1 ? "  \(side.attempts) attempts" : ""
        return [
            Span(text: name(side).padded(to: width) + "  ", role: .key),
            Span(text: result, role: side.hasResponse ? .forStatus(side.status) : .failure),
            Span(text: time + attempts, role: .dim),
        ]
    }

    private static func row(_ change: JSONValueChange, _ width: Int) -> [Span] {
        let path = Span(text: change.path.padded(to: width) + "  ", role: .key)
        let old = change.old.map { Span(text: $0, role: .removed) }
        let new = change.new.map { Span(text: $0, role: .added) }
        switch change.kind {
        case .added: return [Span(text: "+ ", role: .added), path] + [new].compactMap { $0 }
        case .removed: return [Span(text: "- ", role: .removed), path] + [old].compactMap { $0 }
        case .changed:
            return [Span(text: "~ ", role: .warning), path]
                + [old, Span(text: " → ", role: .dim), new].compactMap { $0 }
        }
    }
}
