/// Every attempt of a run as a bar on one time axis, the waits between them, and why each failed. Also drawn live.
struct Timeline {
    private let run: RunState
    private let elapsed: Duration
    /// The time at the right edge of the axis.
    private let end: Duration
    private let columns: Int
    private(set) var rows: [[Span]] = []

    /// Columns before the bars: the number of the attempt.
    private static let margin = 4

    init(_ run: RunState, _ view: ResponseView) {
        let longest = max(run.elapsed(now: view.now), run.longest)
        let end = Self.axisEnd(elapsed: longest, sla: run.sla)
        self.init(run, now: view.now, columns: view.columns, end: end)
    }

    /// A part of several timelines on one axis, whose end is given.
    init(_ run: RunState, now: Duration, columns: Int, end: Duration) {
        self.run = run
        elapsed = run.elapsed(now: now)
        self.columns = max(10, columns - Self.margin - 1)
        self.end = end
        build()
    }

    /// The axis above the attempts; nil where nothing was sent.
    var axisRow: [Span]? { hasAxis ? rows.first : nil }

    /// The legend of the phases; nil where nothing was sent.
    var legendRow: [Span]? { hasAxis ? rows.dropLast().last : nil }

    /// The attempts and the waits between them alone; none where nothing was sent.
    var attemptRows: [[Span]] { hasAxis ? Array(rows.dropFirst().dropLast(3)) : [] }

    private var hasAxis: Bool { rows.count > 3 }

    /// The first row of each attempt.
    private(set) var starts: [(row: Int, number: Int)] = []

    /// The row of the first attempt; nil before there is one.
    var firstAttempt: Int? { starts.first?.row }

    /// The rows without the legend and the summary.
    var attempts: [[Span]] { rows.count > 3 ? rows.dropLast(3) : rows }

    /// A round duration at or after the elapsed time; never past the SLA.
    static func axisEnd(elapsed: Duration, sla: Duration) -> Duration {
        var step = Duration.milliseconds(10)
        let factors = [2.0, 2.5, 2.0]
        for index in 0..<24 where step < elapsed * 1.05 { step = step * factors[index % 3] }
        return sla > .zero && (step > sla || elapsed * 2 > sla) ? sla : step
    }

    private mutating func build() {
        if run.finished.isEmpty, let failure = run.failure {
            // Nothing was sent, so there is no time to show, only the cause.
            rows = WrappedText.lines(of: failure, columns: columns + Self.margin).map {
                [Span(text: $0, role: .failure)]
            }
            return
        }
        rows.append(axis)
        addStart()
        for attempt in run.finished {
            let phases = phases(of: attempt)
            addBar(
                number: attempt.number, from: attempt.startedAt, phases: phases,
                text: text(of: attempt) + trust(of: attempt) + TraceRows.span(of: attempt))
            addMetrics(of: attempt, phases)
            if let wait = attempt.wait, !isWaiting(after: attempt) {
                addWait(
                    from: attempt.endedAt, to: attempt.endedAt + wait,
                    text: "waited " + TimeText.duration(wait) + (attempt.waitReason.map { " (\($0.name))" } ?? ""))
            }
        }
        addStage()
        rows.append([])
        rows.append(contentsOf: [legend, summary].map { [Span(text: "    ", role: .plain)] + $0 })
    }

    /// Adds the time from the key to the first attempt, where that is long enough to be asked about.
    private mutating func addStart() {
        let held = run.finished.first?.held ?? run.heldFirst
        let whole = run.finished.first?.startedAt ?? (run.attempt > 0 ? run.attemptStartedAt : elapsed)
        let first: Duration = run.isHeld && run.finished.isEmpty ? .zero : max(.zero, whole - held)
        let preparation = run.hasSignedIn ? "for templates, secrets and signing in" : "for templates and secrets"
        let parts = [
            (run.preparation, preparation), (held, "held by the breaker"), (first, "to start the transport"),
        ].filter { $0.0 >= Self.minimumStart }
        guard !parts.isEmpty, run.pendingSignIn == nil else { return }
        let text = parts.map { "\(TimeText.duration($0)) \($1)" }.joined(separator: " · ")
        let count = min(columns, column(of: first + held))
        let row = [
            Span(text: String(repeating: " ", count: Self.margin), role: .plain),
            Span(text: String(repeating: "·", count: count), role: .dim),
        ]
        add([Span(text: text, role: .dim)], to: row, used: count)
    }

    private static let minimumStart = Duration.milliseconds(1)

    /// True for the current wait, which is drawn as it elapses, not as planned.
    private func isWaiting(after attempt: AttemptReport) -> Bool {
        if case .waiting = run.stage { attempt.number == run.finished.last?.number } else { false }
    }

    private mutating func addStage() {
        switch run.stage {
        case .preparing, .ended: break
        case .attempting where run.finished.count < run.attempt:
            addBar(number: run.attempt, from: run.attemptStartedAt, phases: livePhases, text: liveText)
        case .attempting: break
        case .waiting(let since, let until, let reason):
            let left = max(.zero, until - elapsed)
            let text =
                reason == .breaker
                ? run.holdText(left: left, isProbed: until <= since)
                : "waiting \(TimeText.running(left)) more (\(reason.name)) · r retries now"
            addWait(from: since, to: until <= since ? elapsed : min(elapsed, until), text: text)
        }
    }

    // MARK: Rows

    private mutating func addBar(number: Int, from start: Duration, phases: [(RequestPhase, Duration)], text: [Span]) {
        starts.append((rows.count, number))
        var row = [Span(text: String(number).padded(to: 2) + "  ", role: .title)]
        let first = column(of: start)
        row.append(Span(text: String(repeating: " ", count: first), role: .plain))
        var time = start
        var used = first
        for (phase, length) in phases {
            time += length
            let stop = max(used, column(of: time))
            row.append(Span(text: String(repeating: phase.glyph, count: stop - used), role: phase.role))
            used = stop
        }
        if used == first {
            row.append(Span(text: "▏", role: .phaseWait))
            used += 1
        }
        add(text, to: row, used: used)
    }

    /// Adds what the server says of its time, within the wait for it. It names no starts, so each bar begins with the
    /// wait; none goes beyond it.
    private mutating func addMetrics(of attempt: AttemptReport, _ phases: [(RequestPhase, Duration)]) {
        let metrics = run.serverTiming(of: attempt)
        guard !metrics.isEmpty else { return }
        let index = phases.firstIndex { $0.0 == .wait } ?? phases.endIndex
        let start = phases[..<index].reduce(attempt.startedAt) { $0 + $1.1 }
        let wait = index < phases.endIndex ? phases[index].1 : .zero
        let first = column(of: start)
        for metric in metrics.prefix(ServerTiming.maximumShown) {
            let stop = max(first, column(of: start + min(metric.duration ?? .zero, wait)))
            let row = [
                Span(text: String(repeating: " ", count: Self.margin + first), role: .plain),
                Span(text: String(repeating: "─", count: stop - first), role: .phaseWait),
            ]
            add([Span(text: metric.words(within: attempt.serverTime), role: .dim)], to: row, used: stop)
        }
        guard metrics.count > ServerTiming.maximumShown else { return }
        let more = Count.of(metrics.count - ServerTiming.maximumShown, "more metric")
        rows.append([Span(text: String(repeating: " ", count: Self.margin) + more, role: .dim)])
    }

    private mutating func addWait(from start: Duration, to stop: Duration, text: String) {
        let first = column(of: start)
        let count = max(1, column(of: stop) - first)
        let row = [
            Span(text: String(repeating: " ", count: Self.margin + first), role: .plain),
            Span(text: String(repeating: "·", count: count), role: .dim),
        ]
        add([Span(text: text, role: .dim)], to: row, used: first + count)
    }

    /// Adds the text behind the bar where it fits, else on a line of its own.
    private mutating func add(_ text: [Span], to row: [Span], used: Int) {
        let length = text.reduce(0) { $0 + TextWidth.of($1.text) }
        if used + 2 + length <= columns {
            rows.append(row + [Span(text: "  ", role: .plain)] + text)
        } else {
            rows.append(row)
            rows.append(contentsOf: wrapped(text))
        }
    }

    /// Wraps a message and what stands behind it.
    private func wrapped(_ text: [Span]) -> [[Span]] {
        guard let message = text.first else { return [] }
        let margin = Span(text: String(repeating: " ", count: Self.margin), role: .plain)
        let rest = text.dropFirst().first?.role ?? message.role
        var left = WrappedText.lines(of: message.text, columns: .max).first?.count ?? 0
        let whole = text.map(\.text).joined()
        let lines = TextWidth.of(whole) <= columns ? [whole] : WrappedText.lines(of: whole, columns: columns)
        return lines.map { line in
            let own = String(line.prefix(left))
            // The space at which the line was broken counts, too.
            left = max(0, left - own.count - 1)
            return [
                margin, Span(text: own, role: message.role), Span(text: String(line.dropFirst(own.count)), role: rest),
            ]
        }
    }

    private var axis: [Span] {
        let marks = [0.0, 0.25, 0.5, 0.75].map { (column(of: end * $0), TimeText.duration(end * $0)) }
        let edge = end == run.sla ? "SLA " + DurationText.format(end) : TimeText.duration(end)
        var text = ""
        for (column, label) in marks where column >= text.count && column + label.count < columns - edge.count {
            text += String(repeating: " ", count: column - text.count) + (column == 0 ? "0" : label) + " "
        }
        text += String(repeating: " ", count: max(0, columns - edge.count - text.count)) + edge
        return [Span(text: "    " + text, role: .dim)]
    }

    private var legend: [Span] {
        shownPhases.flatMap {
            [Span(text: $0.glyph, role: $0.role), Span(text: " \($0.rawValue)  ", role: .dim)]
        }
    }

    /// Queueing is rare; the legend has it only where it occurred.
    private var shownPhases: [RequestPhase] {
        let hasQueued = run.finished.contains { $0.metrics.timings.queue > .zero }
        let isQueued = run.phases.contains { $0.phase == .queue }
        return (hasQueued || isQueued ? [.queue] : []) + RequestPhase.shown
    }

    private var summary: [Span] {
        let sla = run.sla > .zero ? " · SLA \(DurationText.format(run.sla))" : ""
        // A stream and a sign-in go on before their attempt has ended.
        let number = max(run.finished.count, run.isRunning ? run.attempt : 0)
        let count = number == 0 ? run.isRunning ? "no attempt yet" : "no attempt" : Count.of(number, "attempt")
        return [Span(text: "\(count) · \(TimeText.duration(elapsed))\(sla)", role: .dim)]
    }

    // MARK: Words

    private func text(of attempt: AttemptReport) -> [Span] {
        let time = " · " + TimeText.duration(attempt.duration)
        let status = attempt.response?.statusCode
        let answer = status.map(StatusCode.words)
        switch attempt.outcome {
        case .succeeded:
            return [
                Span(text: answer ?? "succeeded", role: .forStatus(status, verdict(on: attempt))),
                Span(text: time + details(attempt), role: .dim),
            ]
        case .failed(let kind, let message):
            let missed = attempt.missedRetry.map { " · " + $0.words } ?? ""
            let next = attempt.willRetry ? " · retried (\(kind.rawValue))" : missed
            let role: Role = verdict(on: attempt) == .succeeded ? .success : .failure
            return [Span(text: answer ?? message, role: role), Span(text: time + next, role: .dim)]
        case .stopped(let message):
            return [Span(text: message, role: .failure), Span(text: time, role: .dim)]
        case .cancelled: return [Span(text: "cancelled", role: .warning), Span(text: time, role: .dim)]
        case .abandoned:
            return [Span(text: "abandoned for the next attempt", role: .warning), Span(text: time, role: .dim)]
        case .slaExceeded: return [Span(text: "SLA ended", role: .failure), Span(text: time, role: .dim)]
        }
    }

    private func verdict(on attempt: AttemptReport) -> RunSummary.Mark {
        run.isRunning || attempt.number != run.finished.last?.number ? .running : run.summary.mark
    }

    private func trust(of attempt: AttemptReport) -> [Span] {
        attempt.metrics.tls?.isVerified == false ? [Span(text: " · TLS not verified", role: .warning)] : []
    }

    private func details(_ attempt: AttemptReport) -> String {
        let parts = RequestPhase.allCases.compactMap { phase -> String? in
            let length = attempt.metrics.timings[phase]
            return length > .microseconds(50) ? "\(phase.rawValue) \(TimeText.duration(length))" : nil
        }
        return parts.isEmpty ? "" : "  (" + parts.joined(separator: " · ") + ")"
    }

    private var liveText: [Span] {
        let phase = run.phases.last?.phase
        let received = run.received > 0 ? " · " + TimeText.size(run.received) : ""
        let size = run.sending.map { " · " + $0.text } ?? received
        let total = run.expected.map { " of " + TimeText.size($0) } ?? ""
        let time = TimeText.running(elapsed - run.attemptStartedAt)
        return [
            Span(text: phase?.sentence ?? "starting", role: .running),
            Span(text: " · \(time)\(size)\(received.isEmpty ? "" : total) · x cancels", role: .dim),
        ]
    }

    // MARK: Times

    private func phases(of attempt: AttemptReport) -> [(RequestPhase, Duration)] {
        let timings = attempt.metrics.timings
        let known = RequestPhase.allCases.map { ($0, timings[$0]) }.filter { $0.1 > .zero }
        // Time that curl did not attribute to a phase (an attempt that was cut short) counts as waiting.
        let rest = attempt.duration - timings.total
        guard rest > .zero else { return known }
        return neverConnected(attempt) ? connecting(known, rest) : known + [(.wait, rest)]
    }

    /// True for an attempt that failed before there was a server to wait for.
    private func neverConnected(_ attempt: AttemptReport) -> Bool {
        guard case .failed(.connection, _) = attempt.outcome, attempt.response == nil else { return false }
        let timings = attempt.metrics.timings
        return !attempt.metrics.reusedConnection && timings.tls + timings.send + timings.wait + timings.receive == .zero
    }

    /// The phases of an attempt that never connected: the last one took the rest, and there is nothing to resolve in a
    /// numeric address.
    private func connecting(_ known: [(RequestPhase, Duration)], _ rest: Duration) -> [(RequestPhase, Duration)] {
        var phases = known.filter { $0.0 != .resolve || !isNumeric }
        let left = known.reduce(rest) { $0 + $1.1 } - phases.reduce(.zero) { $0 + $1.1 }
        if let last = phases.last, last.0 != .queue {
            phases[phases.count - 1].1 += left
        } else {
            phases.append((.connect, left))
        }
        return phases
    }

    /// True where the host of the request is an address in numbers.
    private var isNumeric: Bool {
        guard let url = run.sent?.url, let origin = url.firstRange(of: "://") else { return false }
        let host = url[origin.upperBound...].prefix { !"/?#".contains($0) }
        return host.hasPrefix("[") || host.allSatisfy { $0.isNumber || $0 == "." || $0 == ":" }
    }

    private var livePhases: [(RequestPhase, Duration)] {
        let ends = run.phases.dropFirst().map(\.at) + [elapsed]
        return zip(run.phases, ends).map { ($0.phase, max(.zero, $1 - $0.at)) }
    }

    private func column(of time: Duration) -> Int {
        guard end > .zero else { return 0 }
        return min(columns, max(0, Int((time.milliseconds / end.milliseconds * Double(columns)).rounded())))
    }
}

extension WaitReason {
    var name: String {
        switch self {
        case .backoff: "backoff"
        case .retryAfter: "Retry-After"
        case .reconnection: "reconnection"
        case .credentials: "new credentials"
        case .breaker: "breaker"
        }
    }
}

extension RequestPhase {
    /// The phases of the legend. Sending is too short to be seen; it shares the look of waiting.
    static let shown: [RequestPhase] = [.resolve, .connect, .tls, .wait, .receive]

    var glyph: String {
        switch self {
        case .queue: "─"
        case .resolve: "░"
        case .connect: "▒"
        case .tls: "▚"
        case .send, .wait: "▓"
        case .receive: "█"
        }
    }

    var role: Role {
        switch self {
        case .queue: .dim
        case .resolve: .phaseResolve
        case .connect: .phaseConnect
        case .tls: .phaseTLS
        case .send: .phaseSend
        case .wait: .phaseWait
        case .receive: .phaseReceive
        }
    }

    /// A description of the phase while it lasts.
    var sentence: String {
        switch self {
        case .queue: "waiting for a free connection"
        case .resolve: "resolving the host"
        case .connect: "connecting"
        case .tls: "TLS handshake"
        case .send: "sending"
        case .wait: "waiting for the response"
        case .receive: "receiving"
        }
    }
}

extension Role {
    static func forStatus(_ status: Int?) -> Role {
        switch status {
        case .some(100..<300): .success
        case .some(300..<400): .info
        case .some(400..<500): .warning
        case .some: .failure
        case nil: .plain
        }
    }

    /// A status that was expected is no error, and one of a run that failed is no success.
    static func forStatus(_ status: Int?, _ verdict: RunSummary.Mark) -> Role {
        switch verdict {
        case .running: forStatus(status)
        case .succeeded: status.map { $0 >= 400 } ?? false ? .success : forStatus(status)
        case .failed: status.map { $0 < 400 } ?? true ? .failure : forStatus(status)
        }
    }
}
