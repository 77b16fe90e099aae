import OmbiBase

/// The point at which a headless run ends a stream.
struct StreamEnd: Sendable {
    var events: Int?
    var duration: Duration?
    var condition: EventCondition?
}

/// The streams of a headless run: passes each event on as it arrives, and ends each stream where it should end.
final class StreamWatch: Sendable {
    private struct Progress {
        var reader: StreamReader?
        var store: ResponseStore?
        var isTimed = false
        var isOver = false
        var isMet = false
        /// The reason why the stream was ended, as a sentence.
        var problem: String?
    }

    private struct State {
        var running: [Int: Progress] = [:]
        /// A sentence for each turn that fails by its events.
        var failures: [Int: String] = [:]
        /// The number of those whose results passed.
        var failedCount = 0
    }

    /// The bytes that a stream may be ahead of the output.
    private static let lead = 4 << 20

    private let end: StreamEnd
    private let onEvent: @Sendable (StreamedEvent, RunTurn) -> Bool
    private let state = Lock(State())

    /// - Parameter onEvent: gets each event; returns false to end the streams.
    init(_ end: StreamEnd, onEvent: @escaping @Sendable (StreamedEvent, RunTurn) -> Bool) {
        self.end = end
        self.onEvent = onEvent
    }

    /// The number of requests that passed but for their events.
    var failedCount: Int { state.withLock { $0.failedCount } }

    /// A sentence for a turn that fails by its events, such as those that do not meet the condition; nil for others.
    func failure(of turn: RunTurn) -> String? { state.withLock { $0.failures[turn.number] } }

    /// Takes in the events of runs, in order.
    func receive(_ turn: RunTurn, _ event: SessionEvent, _ run: SessionRun) {
        switch event {
        case .step(.attemptStarted):
            change(turn) { ($0.reader, $0.store) = (nil, nil) }
            startTimer(turn, run)
        case .step(.headReceived(_, let head, _)): change(turn) { $0.reader = StreamReader(head) }
        case .step(.bodyStarted(_, let store, _)):
            let isStream = change(turn) { progress in
                progress.store = store
                return progress.reader != nil
            }
            if isStream { store.setReader(lead: Self.lead) }
            read(turn, run, isComplete: false)
        case .step(.bodyReceived): read(turn, run, isComplete: false)
        case .ended(let result): ended(turn, result, run)
        case .prepared, .step, .redirected, .signIn, .dependency, .captured, .page: break
        }
    }

    private func startTimer(_ turn: RunTurn, _ run: SessionRun) {
        guard let duration = end.duration else { return }
        let isFirst = change(turn) { progress in
            defer { progress.isTimed = true }
            return !progress.isTimed
        }
        guard isFirst else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(Int(duration.inSeconds * 1e9))) { [self] in
            change(turn) { $0.isOver = true }
            run.finish()
        }
    }

    private func read(_ turn: RunTurn, _ run: SessionRun, isComplete: Bool) {
        guard let store = state.withLock({ $0.running[turn.number]?.store }) else { return }
        read(Bytes(store), store.arrivals, turn, run, isComplete: isComplete) { store.read(upTo: $0) }
    }

    /// - Parameter onRead: gets the position after each portion, once its events are written.
    private func read(
        _ bytes: Bytes, _ arrivals: BodyArrivals?, _ turn: RunTurn, _ run: SessionRun, isComplete: Bool,
        onRead: (Int) -> Void = { _ in }
    ) {
        while true {
            let (events, position, problem) = change(turn) { progress -> ([StreamedEvent], Int, String?) in
                guard !progress.isOver else { return ([], 0, nil) }
                let events = progress.reader?.read(bytes, arrivals, isComplete: isComplete) ?? []
                return (events, progress.reader?.position ?? 0, progress.reader?.problem)
            }
            for event in events {
                guard !isOver(turn) else { return }
                if ends(event, turn) { return run.finish() }
            }
            onRead(position)
            if let problem {
                change(turn) { ($0.isOver, $0.problem) = (true, problem) }
                return run.finish()
            }
            if events.isEmpty { return }
        }
    }

    private func isOver(_ turn: RunTurn) -> Bool { state.withLock { $0.running[turn.number]?.isOver ?? false } }

    /// Passes an event on. Returns true if the stream ends with it.
    private func ends(_ event: StreamedEvent, _ turn: RunTurn) -> Bool {
        let goesOn = onEvent(event, turn)
        var (isMet, problem) = (false, String?.none)
        if event.received != nil, let condition = end.condition {
            let time = EvaluationTime { [self] in isOver(turn) }
            do throws(EvaluationTime.Interruption) { isMet = try condition.isMet(by: event.data, within: time) } catch {
                problem = "\(condition.text): \(error.reason)"
            }
        }
        guard !goesOn || isMet || problem != nil || event.received != nil && event.received == end.events else {
            return false
        }
        change(turn) { ($0.isOver, $0.isMet, $0.problem) = (true, isMet, problem) }
        return true
    }

    private func ended(_ turn: RunTurn, _ result: SessionResult, _ run: SessionRun) {
        if let store = state.withLock({ $0.running[turn.number]?.store }) {
            // An unfinished event at the end of a broken body is none.
            read(Bytes(store), store.arrivals, turn, run, isComplete: result.response != nil)
        } else if let body = result.response?.body {
            read(Bytes(body), nil, turn, run, isComplete: true)
        }
        state.withLock { state in
            let progress = state.running.removeValue(forKey: turn.number)
            guard let progress else { return }
            let reason = progress.reader == nil ? ", as the response is no stream" : ""
            let unmet = end.condition.flatMap {
                progress.isMet || !result.passed ? nil : "no event met \($0.text)" + reason
            }
            guard let failure = progress.problem ?? unmet else { return }
            state.failures[turn.number] = failure
            if result.passed { state.failedCount += 1 }
        }
    }

    @discardableResult
    private func change<Value: Sendable>(_ turn: RunTurn, _ change: (inout Progress) -> Value) -> Value {
        state.withLock { change(&$0.running[turn.number, default: Progress()]) }
    }
}

/// An event of a stream, for the output of a headless run.
struct StreamedEvent: Equatable, Sendable {
    /// Counted from 1.
    var number: Int
    /// The time since the start of the attempt, and since the event before; nil where they are not known.
    var time: Duration?
    var gap: Duration?
    /// Nil for what has no types, such as lines of JSON.
    var type: String?
    var id: String?
    var data: String
    /// The number of events of the server up to this one; nil for what this side says in a conversation, and for its steps.
    var received: Int?

    /// The data as JSON, or as a string where it is something else.
    var value: JSONValue { (try? JSONValue.parse(data)) ?? .string(data) }

    /// `0.081 s    +80 ms  tick #1  {"tick":1}`
    var row: String {
        let time = time.map { TimeText.seconds($0, places: 3) } ?? "–"
        let gap = gap.map { "+" + TimeText.duration($0) } ?? ""
        let name = type.map { $0 + (id.map { " #\($0)" } ?? "") + "  " } ?? ""
        let text = data.contains(where: \.isNewline) ? String(data.map { $0.isNewline ? "⏎" : $0 }) : data
        return SafeText.line(time.leftPadded(to: 9) + gap.leftPadded(to: 9) + "  " + name + text)
    }
}
