/// A connection to a tape: the bytes that came, and those that go out at their times. A value without a socket and a
/// clock.
struct TapeConnection: Sendable {
    /// A part of a response.
    struct Step: Equatable, Sendable {
        /// The time from which it goes out.
        var time: Duration
        var bytes: [UInt8]
        /// True where the connection ends after it.
        var ends = false
    }

    /// A request and what it got, for the log.
    struct Event: Equatable, Sendable {
        var method: String
        var target: String
        var result: String
    }

    private var input: [UInt8] = []
    private var steps: [Step] = []
    /// The bytes of the first step that were sent.
    private var sent = 0
    private var hasContinued = false
    private(set) var isEnded = false
    /// The time at which the connection ends if nothing happens.
    private(set) var deadline: Duration

    /// The time for a whole request, and for a client that takes no more bytes.
    static let patience = Duration.seconds(30)

    /// True where pages of other sites may ask as well.
    private let isOpen: Bool

    init(at now: Duration, isOpen: Bool = false) {
        deadline = now + Self.patience
        self.isOpen = isOpen
    }

    /// True while it waits for bytes of a request.
    var isReading: Bool { steps.isEmpty && !isEnded }

    /// True where it may end for the sake of another client: its own has sent no whole request for a second.
    func isSpare(at now: Duration) -> Bool { isReading && now + Self.patience - deadline >= .seconds(1) }

    /// The bytes to send now.
    func output(at now: Duration) -> ArraySlice<UInt8> {
        guard let step = steps.first, step.time <= now else { return [] }
        return step.bytes[sent...]
    }

    /// True where a part of a response is due, be it the end of the connection.
    func isDue(at now: Duration) -> Bool { steps.first.map { $0.time <= now } ?? false }

    /// The time at which there is something to do; the deadline where the client has its turn.
    func nextTime(at now: Duration) -> Duration {
        guard let step = steps.first, step.time > now || output(at: now).isEmpty else { return deadline }
        return min(step.time, deadline)
    }

    // MARK: In

    /// Takes bytes, and plays the response where they complete a request.
    mutating func take(_ bytes: some Sequence<UInt8>, at now: Duration, _ tape: inout Tape, _ speed: TapeSpeed)
        -> Event?
    {
        if input.isEmpty { deadline = now + Self.patience }
        input += bytes
        return advance(at: now, &tape, speed)
    }

    /// Plays the response to a request that has come entirely.
    mutating func advance(at now: Duration, _ tape: inout Tape, _ speed: TapeSpeed) -> Event? {
        guard isReading else { return nil }
        // Old clients send an empty line behind a body (RFC 9112 §2.2).
        input.removeFirst(input.prefix { $0 == 0x0D || $0 == 0x0A }.count)
        guard !input.isEmpty else { return nil }
        switch TapeRequest.read(input) {
        case .incomplete(let awaitsContinue):
            guard awaitsContinue, !hasContinued else { return nil }
            hasContinued = true
            steps = [Step(time: now, bytes: Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))]
            return nil
        case .invalid(let status, let reason):
            return refuse(status, reason, at: now)
        case .complete(let request, let length):
            input.removeFirst(length)
            hasContinued = false
            if !isOpen, let reason = request.refusal { return refuse(403, reason, at: now) }
            return play(request, at: now, &tape, speed)
        }
    }

    private mutating func refuse(_ status: Int, _ reason: String, at now: Duration) -> Event {
        input = []
        steps = [Step(time: now, bytes: Self.message(status, ["error": .string(reason)]), ends: true)]
        deadline = now + Self.patience
        return Event(method: "?", target: "", result: "\(status), \(reason)")
    }

    private mutating func play(
        _ request: TapeRequest, at now: Duration, _ tape: inout Tape, _ speed: TapeSpeed
    ) -> Event {
        defer { deadline = (steps.last?.time ?? now) + Self.patience }
        guard let play = tape.play(request.method, request.target, body: request.body) else {
            guard !request.isPreflight else {
                let take = TapeTake(head: TapeTake.Head(status: 204, lines: []))
                steps = Self.steps(of: take, to: request, at: now, speed)
                return Event(
                    method: request.method, target: request.target.text, result: "204 No Content, a preflight (CORS)")
            }
            let nearest = tape.nearest(request.method, request.target)
            let asked = "\(request.method) \(request.target.text)"
            let json: JSONValue = [
                "error": .string("\(asked) was not recorded"), "nearest": JSONValue.nullable(nearest),
            ]
            steps = [Step(time: now, bytes: Self.message(501, json, request.grants), ends: true)]
            let hint = nearest.map { "; the nearest is \($0)" } ?? ""
            return Event(
                method: request.method, target: request.target.text, result: "501, not recorded" + hint)
        }
        steps = Self.steps(of: play.take, to: request, at: now, speed)
        return Event(method: request.method, target: request.target.text, result: Self.words(play, speed))
    }

    /// The parts of a response at their times: the head with one half of the body, and the rest.
    static func steps(
        of take: TapeTake, to request: TapeRequest, at now: Duration, _ speed: TapeSpeed
    ) -> [Step] {
        let take = take.granting(request.grants)
        let isHead = request.method == "HEAD"
        let start = now + speed.scaled(take.wait)
        let ends = take.isBroken || !request.keepsAlive
        let head = take.start(toHead: isHead, keepsAlive: request.keepsAlive)
        let body = take.content(toHead: isHead)
        let receive = speed.scaled(take.receive)
        guard receive > .zero, !body.isEmpty else { return [Step(time: start, bytes: head + body, ends: ends)] }
        let half = body.count / 2
        return [
            Step(time: start, bytes: head + body[..<half]),
            Step(time: start + receive, bytes: Array(body[half...]), ends: ends),
        ]
    }

    private static func message(_ status: Int, _ json: JSONValue, _ grants: [String] = []) -> [UInt8] {
        var head = TapeTake.Head(status: status, lines: ["Content-Type: application/json"] + grants)
        let body = Array((json.compact + "\n").utf8)
        head.length = body.count
        let take = TapeTake(head: head, body: Data(body))
        return take.start(toHead: false, keepsAlive: false) + body
    }

    // MARK: Out

    /// Notes bytes that were sent.
    mutating func didSend(_ count: Int, at now: Duration) {
        guard let step = steps.first else { return }
        sent += count
        if count > 0 { deadline = max(deadline, now + Self.patience) }
        guard sent >= step.bytes.count, step.time <= now else { return }
        (sent, isEnded) = (0, step.ends)
        steps.removeFirst()
    }

    /// The client has closed its side, or nothing has happened for too long.
    mutating func end() { isEnded = true }
}

extension TapeConnection {
    /// "503 Service Unavailable, 2 of 5, after 1.2 s"
    fileprivate static func words(_ play: Tape.Play, _ speed: TapeSpeed) -> String {
        let take = play.take
        var parts: [String] = []
        if let head = take.head {
            parts.append(StatusCode.words(head.status) + (take.isBroken ? ", broken off" : ""))
        } else {
            parts.append("no response, the connection ends")
        }
        parts.append(play.isRepeated ? "the last of \(play.count) again" : "\(play.number) of \(play.count)")
        let delay = speed.scaled(take.wait + take.receive)
        if delay > .zero { parts.append("in " + TimeText.duration(delay)) }
        if take.isBodyMissing { parts.append("without its body, which is not kept") }
        return parts.joined(separator: ", ")
    }
}
