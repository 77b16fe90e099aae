import Foundation
import OmbiCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A running attempt: executes the actions of its state in order, on its own queue. All changes of the state are made
/// on that queue, so that events arrive one at a time, and a slow receiver delays no other attempt.
final class SessionAttempt: TransportTask {
    private let connection: Connection
    private let cookieJar: CookieJar?
    private let clock: any RunClock
    private let startedAt: Duration
    private let queue = DispatchQueue(label: "ombi.urlsession.attempt", qos: .userInitiated)
    /// nil after the last event: a retained task then retains neither the request nor the response nor a session.
    private let run: Lock<Run?>

    private struct Run {
        var state: AttemptState
        let sessions: SessionPool
        let onEvent: @Sendable (TransportEvent) -> Void
        var task: SessionTask?
        var timer: (any RunTimer)?

        mutating func step(
            _ change: (inout AttemptState, Duration) -> Void, _ now: Duration
        ) -> (actions: [AttemptState.Action], onEvent: @Sendable (TransportEvent) -> Void) {
            change(&state, now)
            return (state.takeActions(), onEvent)
        }
    }

    init(
        _ request: TransportRequest, limits: ResponseLimits, sessions: SessionPool, clock: any RunClock,
        onEvent: @escaping @Sendable (TransportEvent) -> Void
    ) {
        connection = request.connection
        cookieJar = request.cookieJar
        self.clock = clock
        startedAt = clock.now
        run = Lock(Run(state: AttemptState(request, limits: limits), sessions: sessions, onEvent: onEvent))
    }

    func start() { step { $0.begin(at: $1) } }

    func cancel() { step { $0.cancel(at: $1) } }

    func pause() {
        run.withLock { run in
            if run?.state.pause() == true { run?.task?.holdUp() }
        }
    }

    func resume() {
        let hasResumed = run.withLock { run in
            let hasResumed = run?.state.resume() == true
            if hasResumed { run?.task?.goOn() }
            return hasResumed
        }
        if hasResumed { step { $0.resumed(at: $1) } }
    }

    /// Changes the state, and executes the resulting actions. The closure gets the time since the start.
    private func step(_ change: @escaping @Sendable (inout AttemptState, Duration) -> Void) {
        queue.async { [self] in
            let now = clock.now - startedAt
            guard let (actions, onEvent) = run.withLock({ $0?.step(change, now) }) else { return }
            for action in actions { perform(action, onEvent) }
        }
    }

    private func perform(_ action: AttemptState.Action, _ onEvent: @Sendable (TransportEvent) -> Void) {
        switch action {
        case .emit(let event): onEvent(event)
        case .send(let hop, let number): send(hop.withCookies(from: cookieJar), number: number)
        case .storeCookies(let head): cookieJar?.store(head.headers, from: head.url)
        case .stop: run.withLock { $0?.task }?.cancel()
        case .drain: step { $0.drain(at: $1) }
        case .watch(let time): watch(time)
        case .end(let event):
            let ended = run.withLock { $0.take() }
            ended?.timer?.cancel()
            onEvent(event)
        }
    }

    private func send(_ hop: Hop, number: Int) {
        guard let sessions = run.withLock({ $0?.sessions }) else { return }
        do {
            if let authentication = hop.connectionAuthentication {
                throw authentication.unsupported("needs the transport of libcurl")
            }
            let settings = try SessionSettings(connection)
            let request = try SessionRequest(hop, connection) { [weak self] error in self?.bodyFailed(error) }
            let task = sessions.task(for: request, hop.trust == .own ? settings : settings.verified) { [self] event in
                step { $0.receive(event, number: number, at: $1) }
            }
            run.withLock { $0?.task = task }
            task.resume()
        } catch let error as TransportError {
            step { $0.fail(error, at: $1) }
        } catch {
            bodyFailed(error)
        }
    }

    private func bodyFailed(_ error: any Error) {
        let failure = TransportError(code: .requestBodyFailed, message: "\(error)")
        step { $0.fail(failure, at: $1) }
    }

    /// Sets the timer; there is one at a time.
    private func watch(_ time: Duration) {
        let timer = clock.schedule(after: time - (clock.now - startedAt)) { [weak self] in
            self?.step { $0.checkLimits(at: $1) }
        }
        run.withLock { $0?.timer = timer }
    }
}
