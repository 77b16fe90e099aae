import Dispatch
import OmbiCore

/// Follows one run: keeps its events, lets a test wait for one, and for the result.
final class Recorder<T: Requestable>: Sendable where T.ResponseBody: Sendable {
    typealias Outcome = Result<T.Response, T.Failure>

    private struct State {
        var events: [RequestEvent] = []
        var outcome: Outcome?
        var eventsAfterEnd = 0
        var waiters: [(@Sendable (State) -> Bool, CheckedContinuation<Void, Never>)] = []

        mutating func takeReady() -> [CheckedContinuation<Void, Never>] {
            let ready = waiters.filter { $0.0(self) }.map(\.1)
            let copy = self
            waiters.removeAll { $0.0(copy) }
            return ready
        }
    }

    private let state = Lock(State())

    var events: [RequestEvent] { state.withLock { $0.events } }
    var eventsAfterEnd: Int { state.withLock { $0.eventsAfterEnd } }

    var hasEnded: Bool { state.withLock { $0.outcome != nil } }

    @Sendable func add(_ event: RequestEvent) {
        change { state in
            if state.outcome != nil { state.eventsAfterEnd += 1 }
            state.events.append(event)
        }
    }

    @Sendable func end(_ outcome: Outcome) { change { $0.outcome = outcome } }

    private func change(_ body: (inout State) -> Void) {
        let ready = state.withLock { state in
            body(&state)
            return state.takeReady()
        }
        for waiter in ready { waiter.resume() }
    }

    private func wait(_ condition: @escaping @Sendable (State) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if condition(state) { return true }
                state.waiters.append((condition, continuation))
                return false
            }
            if isReady { continuation.resume() }
        }
    }

    func waitForEvent(_ condition: @escaping @Sendable (RequestEvent) -> Bool) async {
        await wait { $0.events.contains(where: condition) || $0.outcome != nil }
    }

    func waitForWait(beforeAttempt number: Int) async {
        await waitForEvent { if case .waiting(number, _, _, _) = $0 { true } else { false } }
    }

    func waitForAttempt(_ number: Int) async {
        await waitForEvent { if case .attemptStarted(number, _, _) = $0 { true } else { false } }
    }

    var outcome: Outcome? {
        get async {
            await wait { $0.outcome != nil }
            return state.withLock { $0.outcome }
        }
    }

    var report: RequestReport? {
        get async {
            _ = await outcome
            return events.lazy.compactMap { if case .finished(let report) = $0 { report } else { nil } }.last
        }
    }
}

extension RequestManager {
    /// Sends through the front end's door, on a concurrent queue.
    func record<T: Requestable>(
        _ request: T, retry: RetryPolicy = .never, sla: Duration? = .seconds(180),
        fallback: T.Response? = nil
    ) -> (Recorder<T>, RequestTask<T>) where T.ResponseBody: Sendable {
        let recorder = Recorder<T>()
        let task = send(
            request, retry: retry, sla: sla, on: DispatchQueue.global(), fallbackResponse: fallback,
            handler: recorder.end, onEvent: recorder.add)
        return (recorder, task)
    }
}
