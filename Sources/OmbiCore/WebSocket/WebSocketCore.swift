/// The implementation of a `WebSocket`: connects, speaks the protocol, enforces deadlines, and reconnects.
///
/// It has no thread of its own. Callers, the channel and timers change the state under the lock; the resulting effects
/// run outside, in order, on one thread at a time. Therefore no foreign code runs under the lock, and a channel may
/// call back from within its calls.
final class WebSocketCore: Sendable {
    struct Plan: Sendable {
        var options: WebSocketOptions
        var transport: any Transport
        var clock: any RunClock
        var log: RequestLog?
        /// A random number from -1 to 1, for the jitter.
        var random: @Sendable () -> Double = { Double.random(in: -1...1) }
    }

    typealias MakeRequest = @Sendable () throws -> (TransportRequest, Surroundings?)

    let plan: Plan
    private let state: Lock<State>
    private let startedAt: Duration

    init(_ plan: Plan, make: @escaping MakeRequest) {
        self.plan = plan
        startedAt = plan.clock.now
        state = Lock(State(make: make))
    }

    /// The time since the creation of the WebSocket.
    var now: Duration { plan.clock.now - startedAt }

    /// Changes the state, and runs the resulting effects.
    func change(_ body: (inout State) -> Void) {
        var effects = state.withLock { state in
            body(&state)
            setTimer(&state)
            return state.takeEffects()
        }
        while !effects.isEmpty {
            for effect in effects { effect() }
            effects = state.withLock { $0.takeNextEffects() }
        }
    }

    func withState<Value>(_ body: (State) -> Value) -> Value { state.withLock { body($0) } }

    /// Waits in a list until the task is resumed from there, unless `ready` returns an outcome at once. A cancelled
    /// task is removed with `WebSocketError.cancelled`.
    func wait<Value>(
        in list: WritableKeyPath<State, Waiters<Value>> & Sendable,
        _ ready: @Sendable (inout State, _ id: Int) -> Result<Value, WebSocketError>?
    ) async throws(WebSocketError) -> Value {
        guard !Task.isCancelled else { throw .cancelled }
        let id = state.withLock { $0.makeID() }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                change { state in
                    if let outcome = ready(&state, id) {
                        state.effects.append { continuation.resume(returning: outcome) }
                    } else {
                        state[keyPath: list].add(id, continuation)
                    }
                }
                if Task.isCancelled { cancelWait(id, in: list) }
            }
        } onCancel: {
            cancelWait(id, in: list)
        }
        return try outcome.get()
    }

    private func cancelWait<Value>(_ id: Int, in list: WritableKeyPath<State, Waiters<Value>>) {
        change { state in
            guard let continuation = state[keyPath: list].remove(id) else { return }
            state.takeBack(id)
            state.effects.append { continuation.resume(returning: .failure(.cancelled)) }
        }
    }

    /// Sets a single timer to the earliest deadline. When that moves to a later time, the timer fires early and is set
    /// again.
    private func setTimer(_ state: inout State) {
        guard let deadline = deadline(state) else {
            guard let timer = state.timer else { return }
            (state.timer, state.timerDeadline) = (nil, nil)
            return state.effects.append { timer.cancel() }
        }
        guard deadline < state.timerDeadline ?? .longest * 2 else { return }
        state.timerDeadline = deadline
        state.effects.append { [self] in
            let timer = plan.clock.schedule(after: max(deadline - now, .zero)) { [weak self] in self?.timerFired() }
            self.state.withLock { exchange(&$0.timer, with: timer) }?.cancel()
        }
    }

    private func timerFired() {
        var isTimeToConnect = false
        change { state in
            state.timerDeadline = nil
            guard let deadline = deadline(state), now >= deadline else { return }
            isTimeToConnect = onDeadline(&state)
        }
        if isTimeToConnect { connect() }
    }
}

// The operations of the handle.
extension WebSocketCore {
    /// Waits for a connection, and returns its head even if it has ended since: its messages are still to be read.
    func opened() async throws(WebSocketError) -> ResponseHead {
        let head = try await untilOpen(orEnded: true)
        change { $0.isHeadNew = false }
        return head
    }

    private func untilOpen(orEnded acceptsEnd: Bool = false) async throws(WebSocketError) -> ResponseHead {
        try await wait(in: \.openers) { state, _ in
            if acceptsEnd, let head = state.unreportedHead { return .success(head) }
            return switch state.phase {
            case .open where state.isBroken && !acceptsEnd: nil
            case .open: state.head.map { .success($0) }
            case .ended(let error): .failure(error ?? lateError(state))
            case .closing: state.ownClose == nil ? nil : .failure(lateError(state))
            case .connecting, .waiting: nil
            }
        }
    }

    /// Sends a message. Without a connection it waits for the next one; if the connection breaks during the transfer,
    /// it fails.
    func send(_ message: WebSocketMessage) async throws(WebSocketError) {
        let frames = frames(message)
        let outgoing = Outgoing(kind: message.kind, bytes: message.count)
        while true {
            _ = try await untilOpen()
            let isSent = try await wait(in: \.senders) { state, id in
                guard state.canSend else { return .success(false) }
                state.outgoing[id] = outgoing
                state.link?.machine.send(frames, number: id)
                pump(&state)
                return nil
            }
            if isSent { return }
        }
    }

    func ping() async throws(WebSocketError) -> Duration {
        while true {
            _ = try await untilOpen()
            let roundTrip = try await wait(in: \.pingers) { state, id in
                guard state.canSend else { return .success(nil) }
                ping(&state, id)
                return nil
            }
            if let roundTrip { return roundTrip }
        }
    }

    /// Returns nil after a regular close.
    func nextMessage() async throws(WebSocketError) -> WebSocketMessage? {
        try await wait(in: \.readers) { state, _ in
            if let message = state.inbox.popFirst() {
                state.inboxBytes -= Self.weight(of: message)
                pump(&state)
                return .success(message)
            }
            guard case .ended(let error) = state.phase else { return nil }
            return error.map { .failure($0) } ?? .success(nil)
        }
    }

    func close(_ code: WebSocketCloseCode, _ reason: String) async throws(WebSocketError) {
        guard code.isSendable else { throw .malformedClose("the close code \(code) cannot be sent") }
        guard reason.utf8.count <= Opcode.maximumControlPayload - 2 else {
            throw .malformedClose("the reason is \(reason.utf8.count) bytes long; a close frame has room for 123")
        }
        change { close(&$0, code, reason) }
        // A cancelled task does not wait; the closing handshake continues without it.
        _ = try? await wait(in: \.closers) { state, _ in state.hasEnded ? .success(()) : nil }
    }

    private func close(_ state: inout State, _ code: WebSocketCloseCode, _ reason: String) {
        guard !state.hasEnded, state.ownClose == nil else { return }
        state.ownClose = (code, reason)
        switch state.phase {
        case .connecting, .waiting: cancel(&state, nil)
        case .open:
            state.link?.machine.close(code, reason: reason)
            startClosing(&state, code, reason, byPeer: false)
            pump(&state)
        case .closing, .ended: return
        }
    }

    func cancel() { change { cancel(&$0, .cancelled) } }

    /// Closes after the release of the last handle: sends a close frame, and does not wait for the peer's.
    func abandon() {
        change { state in
            state.isAbandoned = true
            guard state.isOpen || state.isClosing else { return cancel(&state, nil) }
            state.link?.machine.close(.goingAway, reason: "")
            startClosing(&state, .goingAway, "", byPeer: false)
            pump(&state)
        }
    }

    /// Returns the event at a position, and the next position; nil at the end, and for a cancelled task.
    func event(at position: Int) async -> (event: WebSocketEvent, position: Int)? {
        while !Task.isCancelled {
            switch withState({ $0.history.read(position) }) {
            case .event(let event, let next): return (event, next)
            case .end: return nil
            case .nothingYet:
                _ = try? await wait(in: \.watchers) { state, _ in
                    if case .nothingYet = state.history.read(position) { nil } else { .success(()) }
                }
            }
        }
        return nil
    }
}
