import Dispatch
import OmbiCore
import OmbiTerminal
import OmbiWorkspace

/// Records exchanges on a queue of its own: the proxy does not wait for files, unless very many exchanges do.
final class TrafficLog: Sendable {
    private struct State {
        var recorder: TrafficRecorder
        var isScheduled = false
        /// The number of requests that were written.
        var added = 0
        /// The last problem with the file; nil once it was written.
        var problem: String?
        var isFullTold = false
    }

    private let state: Lock<State>
    private let history: History?
    private let queue = DispatchQueue(label: "ombi.record", qos: .utility)
    private let room = DispatchSemaphore(value: TrafficLog.maximumPending)
    private let onLine: @Sendable (String) -> Void
    private let onProblem: @Sendable (String) -> Void

    /// Exchanges that wait to be recorded.
    private static let maximumPending = 32
    /// The time between a new request and its place in the file.
    private static let delay = DispatchTimeInterval.seconds(1)

    /// - Parameters:
    ///   - history: nil where nothing is kept.
    ///   - onLine: called with a safe line for each exchange, on the queue.
    init(
        _ recorder: TrafficRecorder, history: History?, onLine: @escaping @Sendable (String) -> Void,
        onProblem: @escaping @Sendable (String) -> Void
    ) {
        state = Lock(State(recorder: recorder))
        (self.history, self.onLine, self.onProblem) = (history, onLine, onProblem)
    }

    func add(_ event: ProxyConnection.Event) {
        room.wait()
        queue.async { [self] in
            record(event)
            room.signal()
        }
    }

    /// Waits until all is recorded and written.
    /// - Returns: the number of new requests in the file; nil where it could not be written.
    func finish() -> Int? {
        queue.sync { write(isLast: true) }
        history?.finish()
        return state.withLock { $0.problem == nil ? $0.added : nil }
    }

    private func record(_ event: ProxyConnection.Event) {
        switch event {
        case .refused(let status, let reason): onLine(SafeText.line("? refused with \(status): \(reason)"))
        case .passed(let exchange):
            let (recorded, isFull) = state.withLock { state -> (TrafficRecorder.Recorded, Bool) in
                let recorded = state.recorder.add(exchange)
                defer { state.isFullTold = state.isFullTold || state.recorder.isFull }
                return (recorded, state.recorder.isFull && !state.isFullTold)
            }
            if let history {
                let (order, result) = (recorded.order, recorded.result)
                Task { await history.record(order, result) }.wait()
            }
            onLine(SafeText.line(Self.line(recorded, exchange)))
            if isFull { onProblem("the collection takes no more requests; the history goes on") }
            schedule()
        }
    }

    /// `GET /users/42  200 OK, 512 B, 14 ms, new: GET /users/:userId`
    private static func line(_ recorded: TrafficRecorder.Recorded, _ exchange: ProxiedExchange) -> String {
        var parts: [String] = []
        switch recorded.result.ending {
        case .response(let response):
            parts.append(StatusCode.words(response.statusCode ?? 0))
            parts.append(TimeText.size(exchange.responseSize))
        case .failure(let message):
            parts.append((exchange.response == nil ? "502, " : "broken off, ") + message)
        case .cancelled: parts.append("the client was gone first")
        }
        parts.append(TimeText.duration(exchange.duration))
        if let name = recorded.newName { parts.append("new: " + name) }
        return recorded.title.excerpt(maximumTitle) + "  " + parts.joined(separator: ", ")
    }

    /// In characters.
    private static let maximumTitle = 200

    // MARK: Writing

    private func schedule() {
        let isDue = state.withLock { state -> Bool in
            guard state.recorder.hasNews, !state.isScheduled else { return false }
            state.isScheduled = true
            return true
        }
        guard isDue else { return }
        queue.asyncAfter(deadline: .now() + Self.delay) { [self] in
            state.withLock { $0.isScheduled = false }
            write(isLast: false)
        }
    }

    /// A problem is reported once, and the file written with the next request.
    private func write(isLast: Bool) {
        let problem = state.withLock { state -> String? in
            do throws(TrafficRecorder.Failure) {
                state.added += try state.recorder.write(isLast: isLast)
                state.problem = nil
                return nil
            } catch {
                defer { state.problem = error.description }
                return state.problem == error.description ? nil : error.description
            }
        }
        if let problem { onProblem(problem) }
    }
}
