#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The implementation of a `WebSocket`: connects, speaks the protocol, enforces deadlines, and reconnects.
///
/// It has no thread of its own. Callers, the channel and timers change the state under the lock; the resulting effects
/// run outside, in order, on one thread at a time. Therefore no foreign code runs under the lock, and a channel may
/// call back from within its calls.
final class WebSocketCore: Sendable {
    /// The parameters of a WebSocket.
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
            let old = self.state.withLock { state in
                defer { state.timer = timer }
                return state.timer
            }
            old?.cancel()
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
