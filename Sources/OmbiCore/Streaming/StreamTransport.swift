#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Stands between a run and its transport, for a response that is streamed: for the run an attempt ends with the head of
/// the response, and the pieces of the body flow past it into a buffer.
///
/// So retries, the SLA, middlewares and credentials apply until a head is accepted. Of a response whose head the validator
/// refuses the body is collected, for the error.
final class StreamTransport: Transport {
    /// In bytes. A longer body of a refused response is cut off.
    static let maximumErrorBody = 1 << 20

    private let base: any Transport
    private let isRefused: @Sendable (TransportResponse) -> Bool
    /// Of the latest attempt.
    private let latest = Lock<StreamAttempt?>(nil)

    init(_ base: any Transport, isRefused: @escaping @Sendable (TransportResponse) -> Bool) {
        self.base = base
        self.isRefused = isRefused
    }

    var acceptedEncodings: String? { base.acceptedEncodings }

    func start(
        _ request: TransportRequest, onEvent: @escaping @Sendable (TransportEvent) -> Void
    ) -> any TransportTask {
        var request = request
        request.responseDelivery = .pieces
        let attempt = StreamAttempt(isRefused: isRefused, onEvent: onEvent)
        take(replacingBy: attempt)?.abandon()
        attempt.pieces.setTask(base.start(request) { attempt.receive($0) })
        return attempt
    }

    /// Gives away the body of the latest attempt. What was not given away ends with the next attempt, or with `cancel`.
    func takePieces() -> PieceBuffer? { take(replacingBy: nil)?.pieces }

    func cancel() { take(replacingBy: nil)?.abandon() }

    private func take(replacingBy attempt: StreamAttempt?) -> StreamAttempt? {
        latest.withLock { latest in
            defer { latest = attempt }
            return latest
        }
    }
}
