// Sending and receiving on a connection.
extension WebSocketCore {
    /// Starts the next send, and the next receive unless enough is unread.
    func pump(_ state: inout State) {
        guard let number = state.link?.number, let channel = state.link?.channel, state.link?.metrics != nil else {
            return
        }
        if state.link?.isSending == false, !state.isBroken, let batch = state.link?.machine.takeBatch() {
            state.link?.isSending = true
            state.effects.append { [self] in
                channel.send(batch.bytes) { self.sent(batch.messages, $0, link: number) }
            }
        }
        if state.link?.isReceiving == false, wantsBytes(state) {
            state.link?.startReceiving(at: now)
            state.effects.append { [self] in channel.receive { self.received($0, link: number) } }
        }
        // The peer's close frame is not needed, or this side's cannot be sent.
        let isDone = state.isAbandoned && state.link?.isSending == false || state.isBroken
        if state.isClosing, isDone { finishLink(&state) }
    }

    private func wantsBytes(_ state: State) -> Bool {
        guard state.link?.accepted == nil else { return false }
        return !state.isOpen || state.inboxBytes < plan.options.bufferBytes
    }

    private func sent(_ messages: [Int], _ result: Result<Void, TransportError>, link number: Int) {
        change { state in
            guard state.link?.number == number else { return }
            state.link?.isSending = false
            if case .failure(let error) = result { return sendingFailed(&state, error) }
            for id in messages {
                if let message = state.outgoing.removeValue(forKey: id) {
                    record(&state, .sent(message.kind, bytes: message.bytes))
                }
                if let sender = state.senders.remove(id) { state.resume([sender], .success(true)) }
            }
            pump(&state)
        }
    }

    /// Stops sending, but keeps reading: a peer that closes at once breaks the connection for what is sent to it, while
    /// its last messages and its close frame may still arrive.
    private func sendingFailed(_ state: inout State, _ error: TransportError) {
        guard state.isOpen else { return disconnected(&state, error) }
        state.link?.brokenBy = error
        state.link?.lastReceivedAt = now
        state.outgoing = [:]
        state.resume(state.senders.removeAll(), .failure(.connectionError(error)))
        pump(&state)
    }

    private func received(_ result: Result<Data, TransportError>, link number: Int) {
        change { state in
            guard let server = state.link?.server, state.link?.number == number else { return }
            state.link?.isReceiving = false
            switch result {
            case .failure(let error): return disconnected(&state, error)
            case .success(let bytes) where bytes.isEmpty:
                let what = state.isOpen ? "closed the connection without a close frame" : "closed the connection"
                return disconnected(&state, TransportError(code: .connectionLost, message: "\(server) \(what)"))
            case .success(let bytes):
                state.link?.lastReceivedAt = now
                state.link?.pingedAt = nil
                for event in state.link?.machine.receive(bytes) ?? [] { handle(event, &state) }
            }
            pump(&state)
        }
    }

    /// Handles the end of the underlying connection: in the closing handshake, or prematurely.
    private func disconnected(_ state: inout State, _ error: TransportError) {
        guard !state.isClosing, let link = state.link else { return finishLink(&state) }
        lose(&state, link.machine.end(link.brokenBy ?? error))
    }

    func handle(_ event: WebSocketMachine.Event, _ state: inout State) {
        guard !leaveToSurroundings(event, &state) else { return }
        switch event {
        case .opened(let head, let subprotocol): opened(&state, head, subprotocol)
        case .message(let message): deliver(message, &state)
        case .ping: record(&state, .pingReceived)
        case .pong(let payload): pong(payload, &state)
        case .closed(let code, let reason):
            state.link?.peerClose = (code, reason)
            startClosing(&state, code, reason, byPeer: true)
        case .failed(let error):
            state.link?.failure = error
            if let response = error.response { keepCookies(&state, of: response) }
            guard case .protocolError(let code, _) = error else { return finishLink(&state) }
            startClosing(&state, code, "", byPeer: false)
        }
    }

    /// Messages after a call of `close` are not delivered: there may be no reader, and the close frame follows them.
    private func deliver(_ message: WebSocketMessage, _ state: inout State) {
        guard state.isOpen else { return }
        record(&state, .received(message.kind, bytes: message.count))
        if let reader = state.readers.removeFirst() { return state.resume([reader], .success(message)) }
        state.inbox.append(message)
        state.inboxBytes += Self.weight(of: message)
    }

    /// The size of a message in the buffer; empty messages take memory, too.
    static func weight(of message: WebSocketMessage) -> Int { message.count + 64 }

    /// Resolves a ping and all earlier ones: a peer may respond only to the newest of several (RFC 6455 §5.5.3).
    private func pong(_ payload: Data, _ state: inout State) {
        guard payload.count == 8 else { return }
        let id = payload.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let id = Int(exactly: id), state.pingTimes[id] != nil else { return }
        for (ping, sentAt) in state.pingTimes where ping <= id {
            state.pingTimes[ping] = nil
            if ping == id { record(&state, .pongReceived(after: now - sentAt)) }
            if let pinger = state.pingers.remove(ping) { state.resume([pinger], .success(now - sentAt)) }
        }
    }

    /// Starts closing after the first close frame of either side.
    func startClosing(_ state: inout State, _ code: WebSocketCloseCode, _ reason: String, byPeer: Bool) {
        let deadline = now + plan.options.closeTimeout
        let earlier = state.link?.deadline ?? deadline
        state.link?.deadline = min(earlier, deadline)
        guard !state.isClosing else { return }
        state.phase = .closing
        record(&state, .closing(code, reason: reason, byPeer: byPeer))
    }

    func record(_ state: inout State, _ kind: WebSocketEvent.Kind) {
        state.history.add(WebSocketEvent(at: now, kind: kind))
        state.resume(state.watchers.removeAll(), .success(()))
    }
}

// The end of a connection, followed by another one or the end of the WebSocket.
extension WebSocketCore {
    /// The lifetime after which a connection resets the count of failures.
    private static let stableAfter: Duration = .seconds(30)

    /// Ends a connection without a closing handshake.
    func lose(_ state: inout State, _ error: WebSocketError) {
        state.link?.failure = error
        finishLink(&state)
    }

    /// Ends a connection after its closing handshake, complete or not.
    func finishLink(_ state: inout State) {
        guard let link = state.link, !leaveToSurroundings(&state) else { return }
        let cause = link.failure ?? state.ownClose.map { closed($0) } ?? link.peerClose.map { closed($0) }
        drop(&state, cause ?? .cancelled)
        if state.isAbandoned { return end(&state, nil) }
        if let own = state.ownClose {
            let close = link.peerClose ?? own
            return end(&state, link.failure, close: close)
        }
        guard let cause else { return end(&state, nil) }
        if let openedAt = link.openedAt, now - openedAt >= Self.stableAfter { state.failures = 0 }
        let isRegular = link.failure == nil && link.peerClose?.code.isRegular == true
        goOn(&state, after: cause, isRegular: isRegular, close: link.peerClose)
    }

    /// Continues with another connection after a wait, or else ends.
    func goOn(
        _ state: inout State, after cause: WebSocketError, isRegular: Bool = false,
        close: (code: WebSocketCloseCode, reason: String)? = nil
    ) {
        if let wait = waitBeforeNext(state, after: cause) { return waitToConnect(&state, wait, cause) }
        end(&state, isRegular ? nil : cause, close: close)
    }

    private func closed(_ close: (code: WebSocketCloseCode, reason: String)) -> WebSocketError {
        .closed(close.code, reason: close.reason)
    }

    /// Closes the channel. Pending messages and pings are lost.
    func drop(_ state: inout State, _ error: WebSocketError) {
        guard let link = state.link.take() else { return }
        state.lastClose = link.peerClose ?? (.abnormal, "")
        state.outgoing = [:]
        state.pingTimes = [:]
        if let channel = link.channel { state.effects.append { channel.close() } }
        state.resume(state.senders.removeAll(), .failure(error))
        state.resume(state.pingers.removeAll(), .failure(error))
    }

    /// Ends the connection at once, in any state.
    func cancel(_ state: inout State, _ error: WebSocketError?) {
        guard !state.hasEnded else { return }
        drop(&state, error ?? .cancelled)
        end(&state, error)
    }

    /// - Parameter close: The close that later calls report; nil for the close of the last connection.
    func end(
        _ state: inout State, _ error: WebSocketError?, close: (code: WebSocketCloseCode, reason: String)? = nil
    ) {
        guard !state.hasEnded else { return }
        state.phase = .ended(error)
        if let close, state.lastClose == nil { state.lastClose = close }
        state.resume(state.readers.removeAll(), error.map { .failure($0) } ?? .success(nil))
        let late = error ?? lateError(state)
        state.resume(state.openers.removeAll(), .failure(late))
        state.resume(state.closers.removeAll(), .success(()))
        record(&state, .closed(error))
        if let error { log(&state) { $0.failure("\(error)") } }
        let (make, surrounded, context) = (state.make, state.surrounded, state.context)
        (state.make, state.surrounded, state.context) = (nil, nil, nil)
        // Releasing their captures may run foreign code.
        state.effects.append {
            withExtendedLifetime((make, context)) {}
            surrounded?.cancel()
        }
    }

    /// Returns the error for calls after a regular close.
    func lateError(_ state: State) -> WebSocketError {
        closed(state.ownClose ?? state.lastClose ?? (.normal, ""))
    }
}

// Reconnecting.
extension WebSocketCore {
    /// Returns nil if it does not reconnect.
    private func waitBeforeNext(_ state: State, after cause: WebSocketError) -> Duration? {
        let policy = plan.options.reconnect
        guard state.failures < max(policy.retries, 0), mayFareBetter(policy, after: cause) else { return nil }
        if policy.honorsRetryAfter, let text = cause.response?[.retryAfter]?.text,
            let wait = RetryAfter.wait(text, now: plan.clock.secondsSince1970)
        {
            return wait <= policy.maximumRetryAfter ? wait : nil
        }
        return policy.backoff.wait(attempt: state.failures + 1, random: plan.random())
    }

    private func mayFareBetter(_ policy: RetryPolicy, after cause: WebSocketError) -> Bool {
        switch cause {
        case .connectionError(let error):
            error.code.isTransient && policy.failures.contains(error.code == .timedOut ? .timeout : .connection)
        case .refused(_, let response):
            policy.repeats(response)
        case .closed(let code, _):
            policy.failures.contains(.connection) && plan.options.reconnectCodes.contains(code)
        case .malformedRequest, .authenticationFailed, .middlewareFailed, .protocolError, .malformedClose, .cancelled:
            false
        }
    }

    private func waitToConnect(_ state: inout State, _ wait: Duration, _ cause: WebSocketError) {
        state.failures += 1
        state.isHeadNew = false
        state.phase = .waiting(until: now + wait)
        record(&state, .reconnecting(attempt: state.linkCount + 1, after: wait, because: cause))
    }
}
