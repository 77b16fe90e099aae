import OmbiCore

/// Keeps what a manager logs.
final class LogRecorder: Sendable {
    private let state = Lock<[RequestLog.Entry]>([])

    var entries: [RequestLog.Entry] { state.withLock { $0 } }

    func add(_ entry: RequestLog.Entry) { state.withLock { $0.append(entry) } }
}
