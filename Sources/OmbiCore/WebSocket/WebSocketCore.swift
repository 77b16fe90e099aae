#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a `WebSocket` is behind its handle: connects, speaks the protocol, keeps time, and connects anew.
///
/// It has no thread of its own. Whoever brings news (a caller, the channel, a timer) changes the state under the lock;
/// what follows from it is done outside, in order, by one thread at a time. So no code of others runs under the lock, and
/// a channel may call back from within its calls.
final class WebSocketCore: Sendable {
    /// What it is made with.
    struct Plan: Sendable {
        var options: WebSocketOptions
        var transport: any Transport
        var clock: any RunClock
        var log: RequestLog?
        /// From -1 to 1, for the jitter.
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

    /// Since the WebSocket was made.
    var now: Duration { plan.clock.now - startedAt }

    /// Changes the state, and does what follows from it.
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

    func look<Value>(_ body: (State) -> Value) -> Value { state.withLock { body($0) } }

    /// Waits in a list until somebody takes the task out, unless `ready` has the outcome at once. A cancelled task is taken
    /// out with `WebSocketError.cancelled`.
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

    /// One timer is set to the earliest deadline. When that moves away, the timer comes early and is set again.
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
