/// A connection of a client to a recording proxy: its bytes and its requests, one after the other, without its socket.
/// Belongs to the loop of its server.
final class ProxyConnection {
    /// The end of a request.
    enum Event: Sendable {
        case passed(ProxiedExchange)
        /// A request that was not passed on.
        case refused(status: Int, reason: String)
    }

    private enum Phase {
        case head
        case exchange(ActiveExchange)
        /// The rest goes out, and then the end.
        case closing
        /// Bytes of the client are read and dropped, so that it gets the response.
        case lingering
        case ended
    }

    private var phase = Phase.head
    private var input: [UInt8] = []
    /// The bytes of the input that were looked at for the end of a head.
    private var searched = 0
    private var output: [UInt8] = []
    /// True for a client that has gone with a whole response, whose end the transport has yet to tell.
    private var isClientGone = false
    private var sent = 0
    private let target: ProxyTarget
    private let wake: @Sendable () -> Void
    private let onEvent: (Event) -> Void
    /// The time at which the connection ends if nothing happens; nil while the target has its turn.
    private(set) var deadline: ContinuousClock.Instant?

    /// The time for a head, and for a client that takes no more bytes.
    private static let patience = Duration.seconds(120)
    private static let linger = Duration.seconds(2)
    /// In bytes.
    private static let maximumOutput = 256 << 10

    /// - Parameter wake: called on any thread when there is something to do.
    init(
        _ target: ProxyTarget, at now: ContinuousClock.Instant, wake: @escaping @Sendable () -> Void,
        onEvent: @escaping (Event) -> Void
    ) {
        (self.target, self.wake, self.onEvent) = (target, wake, onEvent)
        deadline = now + Self.patience
    }

    /// True where it may end for the sake of another client: its own has sent no whole head for a second.
    func isSpare(at now: ContinuousClock.Instant) -> Bool {
        guard case .head = phase, unsent.isEmpty, let deadline else { return false }
        return deadline - now <= Self.patience - .seconds(1)
    }

    var isEnded: Bool { if case .ended = phase { true } else { false } }
    /// True once all was sent and the end of what is sent is due.
    var isFinishing: Bool { if case .closing = phase { unsent.isEmpty } else { false } }
    var unsent: ArraySlice<UInt8> { output[sent...] }

    /// True where bytes of the client are wanted.
    var isReading: Bool {
        switch phase {
        case .head: unsent.count < Self.maximumOutput
        // Behind the body a client sends nothing but the next request, or its end.
        case .exchange(let active): !isClientGone && active.hasRoom && input.count < ProxyHead.maximumSize
        case .closing, .ended: false
        case .lingering: true
        }
    }

    // MARK: In

    func receive(_ bytes: [UInt8], at now: ContinuousClock.Instant) {
        if case .lingering = phase { return }
        input += bytes
        advance(at: now)
    }

    /// The client has closed its side. With the last byte of a response it may do so before the transport says that
    /// this was the last one.
    func receiveEnd() {
        if case .exchange = phase { advance(at: ContinuousClock.now) }
        guard case .exchange(let active) = phase else {
            phase = .ended
            return
        }
        if active.isAnswered, unsent.isEmpty, !isClientGone {
            isClientGone = true
            return
        }
        active.abandon()
        report(active, isCancelled: !isClientGone)
        phase = .ended
    }

    /// Goes on with what has come from the client and from the target.
    func advance(at now: ContinuousClock.Instant) {
        while true {
            switch phase {
            case .head: guard readHead(at: now) else { return }
            case .exchange(let active): guard advance(active, at: now) else { return }
            case .closing, .lingering, .ended: return
            }
        }
    }

    /// Returns false while a head has not come, or the response before it has not gone.
    private func readHead(at now: ContinuousClock.Instant) -> Bool {
        guard unsent.count < Self.maximumOutput else { return false }
        let start = input.prefix { $0 == 0x0D || $0 == 0x0A }.count
        if start > 0 { input.removeFirst(start) }
        guard !input.isEmpty else { return false }
        do throws(ProxyHead.Problem) {
            switch HeadEnd(in: input.prefix(ProxyHead.maximumSize + 4), from: searched) {
            case .found(let end):
                searched = 0
                let head = try ProxyHead(input[..<end])
                input.removeFirst(end + 4)
                try begin(head, at: now)
                return true
            case .bareLineFeed: throw ProxyHead.Problem(reason: HeadEnd.bareLineFeedReason)
            case .missing:
                searched = input.count
                guard input.count > ProxyHead.maximumSize else { return false }
                throw ProxyHead.Problem(status: 431, reason: "the head is longer than 64 KiB")
            }
        } catch {
            refuse(error, at: now)
            return false
        }
    }

    private func begin(_ head: ProxyHead, at now: ContinuousClock.Instant) throws(ProxyHead.Problem) {
        let active = ActiveExchange(head, at: now, wake: wake)
        guard let request = target.request(head, active.stream) else {
            throw ProxyHead.Problem(reason: "the path of the request is in no URL")
        }
        if head.awaitsContinue, head.framing != .length(0) { output += ProxyResponse.proceed }
        phase = .exchange(active)
        deadline = nil
        active.exchange.start(request, over: target.transport)
    }

    private func refuse(_ problem: ProxyHead.Problem, at now: ContinuousClock.Instant) {
        output += ProxyResponse.message(problem.status, problem.reason)
        onEvent(.refused(status: problem.status, reason: problem.reason))
        close(at: now)
    }

    private func close(at now: ContinuousClock.Instant) {
        phase = .closing
        input = []
        deadline = now + Self.patience
    }

    // MARK: Exchanges

    /// Returns true once the exchange is over.
    private func advance(_ active: ActiveExchange, at now: ContinuousClock.Instant) -> Bool {
        do throws(ProxyHead.Problem) { try active.take(&input) } catch {
            active.abandon()
            report(active, isCancelled: true)
            if active.response == nil { refuse(error, at: now) } else { close(at: now) }
            return true
        }
        guard unsent.count < Self.maximumOutput else { return false }
        let news = active.exchange.take(room: Self.maximumOutput - unsent.count)
        if let head = news.head, head.statusCode >= 200 { output += active.begin(head) }
        for piece in news.pieces { output += active.pass(piece) }
        if unsent.isEmpty { deadline = nil } else if deadline == nil { deadline = now + Self.patience }
        guard let end = news.end else { return false }
        finish(active, end, at: now)
        return true
    }

    private func finish(_ active: ActiveExchange, _ end: ProxyExchange.End, at now: ContinuousClock.Instant) {
        var goesOn = active.keepsAlive
        switch (end, active.response) {
        case (.finished, let response?): output += response.end
        case (.finished, nil):
            active.problem = TransportError(
                code: .malformedResponse, message: "the target switched to another protocol")
            goesOn = false
        case (.failed(let error, _), _):
            active.problem = error
            goesOn = false
        }
        if active.response == nil, let problem = active.problem {
            output += ProxyResponse.message(502, problem.description, toHead: active.head.method == "HEAD")
        }
        active.end(end)
        report(active, isCancelled: false)
        if isClientGone {
            phase = .ended
            return
        }
        if active.response?.framing == .connection { goesOn = false }
        guard goesOn else { return close(at: now) }
        (phase, searched) = (.head, 0)
        deadline = now + Self.patience
    }

    private func report(_ active: ActiveExchange, isCancelled: Bool) {
        onEvent(.passed(active.report(to: target, isCancelled: isCancelled, at: ContinuousClock.now)))
    }

    // MARK: Out

    /// Notes bytes that were sent.
    func didSend(_ count: Int, at now: ContinuousClock.Instant) {
        sent += count
        if sent == output.count || sent > Self.maximumOutput {
            output.removeFirst(sent)
            sent = 0
        }
        guard count > 0 else { return }
        if case .exchange = phase, unsent.isEmpty { deadline = nil } else { deadline = now + Self.patience }
    }

    /// The end of what is sent is on its way to the client.
    func didFinish(at now: ContinuousClock.Instant) {
        phase = .lingering
        deadline = now + Self.linger
    }

    /// Ends the connection: its client is gone, or nothing has happened for too long.
    func end() {
        receiveEnd()
        if !isEnded { receiveEnd() }
    }
}
