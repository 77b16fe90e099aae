#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
        guard let link = state.link else { return }
        state.lastClose = link.peerClose ?? (.abnormal, "")
        state.link = nil
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

    /// - Parameter close: The close for later calls to report; nil for that of the last connection.
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
