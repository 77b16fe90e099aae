import OmbiCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The response of the target between the transport that receives it and the loop that passes it on. It holds little:
/// the transport pauses while the client does not read.
final class ProxyExchange: Sendable {
    /// The end of a response, and its cost.
    enum End: Sendable {
        case finished(TransportMetrics)
        case failed(TransportError, TransportMetrics)
    }

    /// The parts of a response since the last look.
    struct News: Sendable {
        var head: ResponseHead?
        var pieces: [Data] = []
        /// The last news.
        var end: End?
    }

    private struct State {
        var news = News()
        /// The bytes of the pieces.
        var pending = 0
        var task: (any TransportTask)?
        var isCancelled = false
        var wantsPause = false
        /// The last state that was asked of the transport.
        var isPaused = false
        /// True while a thread pauses or resumes the transport; it checks the state again afterwards.
        var isSwitching = false
    }

    private let state = Lock(State())
    /// Called when there are news, on a thread of the transport.
    private let onNews: @Sendable () -> Void

    /// The bytes above which the transport is paused; it resumes at a quarter of them.
    private static let maximumPending = 256 << 10

    init(onNews: @escaping @Sendable () -> Void) { self.onNews = onNews }

    func start(_ request: TransportRequest, over transport: any Transport) {
        var request = request
        request.responseDelivery = .pieces
        let task = transport.start(request) { [self] event in receive(event) }
        let isCancelled = state.withLock { state -> Bool in
            if state.news.end == nil { state.task = task }
            return state.isCancelled
        }
        if isCancelled { task.cancel() } else { switchTask() }
    }

    func cancel() {
        let task = state.withLock { state -> (any TransportTask)? in
            state.isCancelled = true
            (state.news.pieces, state.pending) = ([], 0)
            defer { state.task = nil }
            return state.task
        }
        task?.cancel()
    }

    private func receive(_ event: TransportEvent) {
        let isNews = state.withLock { state -> Bool in
            switch event {
            case .head(let head): state.news.head = head
            case .data(let piece):
                guard !state.isCancelled else { return false }
                state.news.pieces.append(piece)
                state.pending += piece.count
                if state.pending > Self.maximumPending { state.wantsPause = true }
            case .finished(_, let metrics): state.news.end = .finished(metrics)
            case .failed(let error, let metrics): state.news.end = .failed(error, metrics)
            case .phase, .sent, .redirected, .body, .received: return false
            }
            if state.news.end != nil { state.task = nil }
            return true
        }
        guard isNews else { return }
        switchTask()
        onNews()
    }

    /// Takes what has come. The end comes with the last piece.
    /// - Parameter room: the bytes that are wanted; the last piece may have more.
    func take(room: Int) -> News {
        let news = state.withLock { state -> News in
            var taken = News(head: state.news.head)
            state.news.head = nil
            var (size, count) = (0, 0)
            while count < state.news.pieces.count, size < room {
                size += state.news.pieces[count].count
                count += 1
            }
            taken.pieces = Array(state.news.pieces.prefix(count))
            state.news.pieces.removeFirst(count)
            state.pending -= size
            if state.pending <= Self.maximumPending / 4 { state.wantsPause = false }
            if state.news.pieces.isEmpty { taken.end = state.news.end }
            return taken
        }
        switchTask()
        return news
    }

    /// Pauses or resumes the transport, outside the lock: a pause and a resume of two threads must not overtake each
    /// other.
    private func switchTask() {
        while let (task, pauses) = beginSwitch() {
            if pauses { task.pause() } else { task.resume() }
            state.withLock { state in
                state.isPaused = pauses
                state.isSwitching = false
            }
        }
    }

    private func beginSwitch() -> (task: any TransportTask, pauses: Bool)? {
        state.withLock { state in
            guard let task = state.task, !state.isSwitching, state.isPaused != state.wantsPause else { return nil }
            state.isSwitching = true
            return (task, state.wantsPause)
        }
    }
}
