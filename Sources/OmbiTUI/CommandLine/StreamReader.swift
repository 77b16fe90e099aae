/// The events of a body while it arrives: server-sent events, lines of JSON, or records of a JSON text sequence (RFC 7464).
struct StreamReader {
    private enum Kind { case events, lines, records }

    /// The bytes of an event or of a line. A server that never ends one would take all memory.
    static let maximumEvent = 16 << 20
    private let maximumEvent: Int
    /// The bytes that are read at a time: their events are in memory together.
    private static let portion = 64 << 10
    /// The blocks in the index from which on a new one is begun.
    private static let maximumBlocks = 4096

    private var kind: Kind
    /// False until it is known where the text begins: behind a byte order mark.
    private var hasStart = false
    private var index = EventIndex()
    /// The number of blocks of the index that were read, and the start of the next line.
    private var readBlocks = 0
    private var lineStart = 0
    private var count = 0
    private let isConversation: Bool
    private var received = 0
    private var last: Duration?
    /// The end of the bytes that were read.
    private(set) var position = 0
    /// The reason why nothing more is read, as a sentence.
    private(set) var problem: String?

    /// Nil for a response that is no stream. The messages of a WebSocket are kept as events.
    init?(_ head: ResponseHead, maximumEvent: Int = StreamReader.maximumEvent) {
        self.maximumEvent = maximumEvent
        guard OpenEndedResponse.follows(head) else { return nil }
        let said = head.headers[.contentType].flatMap { ContentType($0.text)?.type } ?? ""
        let type = head.statusCode == 101 ? "text/event-stream" : said
        guard !type.hasPrefix("multipart/") else { return nil }
        isConversation = head.statusCode == 101
        kind = type == "text/event-stream" ? .events : JSONStreamType.isSequence(type) ? .records : .lines
    }

    /// Returns the next events that have arrived, those of a portion; empty once all are read. A block of comments only
    /// is none.
    mutating func read(_ bytes: Bytes, _ arrivals: BodyArrivals?, isComplete: Bool) -> [StreamedEvent] {
        guard findStart(of: bytes, isComplete: isComplete) else { return [] }
        while problem == nil {
            let end = min(bytes.count, position + Self.portion)
            let isLast = end == bytes.count
            let events =
                kind == .events
                ? readEvents(bytes[0..<end], arrivals, isComplete: isComplete && isLast)
                : readLines(bytes[0..<end], arrivals, isComplete: isComplete && isLast)
            position = end
            if !events.isEmpty || isLast { return events }
        }
        return []
    }

    /// Returns false while too little has come.
    private mutating func findStart(of bytes: Bytes, isComplete: Bool) -> Bool {
        guard !hasStart else { return true }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let head = bytes.array(0..<min(mark.count, bytes.count))
        guard isComplete || bytes.count > mark.count || !mark.starts(with: head) else { return false }
        hasStart = true
        lineStart = head == mark ? mark.count : 0
        index = EventIndex(start: lineStart)
        // Some servers send lines under that type.
        if kind == .records, lineStart < bytes.count, bytes[lineStart] != Self.recordSeparator { kind = .lines }
        return true
    }

    private static let recordSeparator: UInt8 = 0x1E
    /// A larger record is not complete before the next one begins.
    private static let maximumEarlyRecord = 64 << 10

    private mutating func readEvents(
        _ bytes: Bytes, _ arrivals: BodyArrivals?, isComplete: Bool
    ) -> [StreamedEvent] {
        index.extend(over: bytes, isComplete: isComplete)
        var events: [StreamedEvent] = []
        for range in index.events[readBlocks...] where checkSize(range, "an event") {
            let event = ServerEvent(in: bytes, range, limit: maximumEvent)
            guard event.hasData || event.id != nil else { continue }
            events.append(next(event.data, event.type, event.id, arrivals?.time(upTo: range.upperBound)))
        }
        readBlocks = index.events.count
        let unfinished = index.unfinished(in: bytes)
        if let unfinished { checkSize(unfinished, "an event") }
        if readBlocks > Self.maximumBlocks, !isComplete {
            (index, readBlocks) = (EventIndex(start: unfinished?.lowerBound ?? bytes.count), 0)
        }
        return events
    }

    private mutating func readLines(_ bytes: Bytes, _ arrivals: BodyArrivals?, isComplete: Bool) -> [StreamedEvent] {
        var events: [StreamedEvent] = []
        var start = position
        let separator = kind == .records ? Self.recordSeparator : 0x0A
        while let end = (start..<bytes.count).first(where: { bytes[$0] == separator }) {
            start = end + 1
            guard let event = line(endingAt: start, bytes, arrivals) else { continue }
            events.append(event)
        }
        guard isComplete || endsRecord(bytes) else {
            checkSize(lineStart..<bytes.count, "a line")
            return events
        }
        return events + [line(endingAt: bytes.count, bytes, arrivals)].compactMap { $0 }
    }

    /// True at the end of a whole record: the next one, which would end it, may take its time.
    private func endsRecord(_ bytes: Bytes) -> Bool {
        guard kind == .records, bytes.count > lineStart, bytes.count - lineStart <= Self.maximumEarlyRecord,
            bytes[bytes.count - 1] == 0x0A
        else { return false }
        let text = bytes.text(lineStart..<bytes.count).drop { $0 == "\u{1E}" || $0.isWhitespace }
        return (try? JSONValue.parse(String(text))) != nil
    }

    /// Returns the event of a line without the space around it; nil for an empty one.
    private mutating func line(endingAt end: Int, _ bytes: Bytes, _ arrivals: BodyArrivals?) -> StreamedEvent? {
        var range = lineStart..<end
        lineStart = end
        guard checkSize(range, "a line") else { return nil }
        // A record of a sequence begins with a separator (RFC 7464).
        while !range.isEmpty, bytes[range.upperBound - 1] <= 0x20 { range = range.lowerBound..<range.upperBound - 1 }
        while !range.isEmpty, bytes[range.lowerBound] <= 0x20 { range = range.lowerBound + 1..<range.upperBound }
        return range.isEmpty ? nil : next(bytes.text(range), nil, nil, arrivals?.time(upTo: end))
    }

    /// Ends the reading at an event that is too large.
    @discardableResult private mutating func checkSize(_ range: ByteRange, _ name: String) -> Bool {
        guard problem == nil else { return false }
        guard range.count > maximumEvent else { return true }
        problem = "\(name) of the stream is larger than \(maximumEvent) bytes"
        return false
    }

    private mutating func next(_ data: String, _ type: String?, _ id: String?, _ time: Duration?) -> StreamedEvent {
        count += 1
        let gap = time.flatMap { time in last.map { time - $0 } }
        last = time
        let isReceived = !isConversation || type?.hasPrefix("received") ?? false
        if isReceived { received += 1 }
        return StreamedEvent(
            number: count, time: time, gap: gap, type: type, id: id, data: data,
            received: isReceived ? received : nil)
    }
}

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
