#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A transport between a run and its own, for a streamed response: for the run an attempt ends with the head of the
/// response, while the pieces of the body bypass it into a buffer.
///
/// Retries, the SLA, middlewares and credentials therefore apply until a head is accepted. The body of a response whose
/// head the validator rejects is collected, for the error.
final class StreamTransport: Transport {
    /// The maximum size in bytes; a longer body of a rejected response is cut off.
    static let maximumErrorBody = 1 << 20

    private let base: any Transport
    private let isRefused: @Sendable (TransportResponse) -> Bool
    /// The latest attempt.
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

    /// Transfers ownership of the latest attempt's body. A body that is not taken ends with the next attempt, or with
    /// `cancel`.
    func takePieces() -> PieceBuffer? { take(replacingBy: nil)?.pieces }

    func cancel() { take(replacingBy: nil)?.abandon() }

    private func take(replacingBy attempt: StreamAttempt?) -> StreamAttempt? {
        latest.withLock { latest in
            defer { latest = attempt }
            return latest
        }
    }
}
