import Foundation

@testable import OmbiCore

/// Answers when the test says so, even attempts that were cancelled.
final class HeldTransport: Transport {
    private struct NoTask: TransportTask {
        func cancel() {}
    }

    private let attempts = Lock<[@Sendable (TransportEvent) -> Void]>([])

    func start(
        _ request: TransportRequest, onEvent: @escaping @Sendable (TransportEvent) -> Void
    ) -> any TransportTask {
        attempts.withLock { $0.append(onEvent) }
        return NoTask()
    }

    func answer(attempt number: Int, _ text: String) {
        let onEvent = attempts.withLock { $0[number - 1] }
        onEvent(.finished(TransportResponse(statusCode: 200, body: Data(text.utf8)), TransportMetrics()))
    }
}
