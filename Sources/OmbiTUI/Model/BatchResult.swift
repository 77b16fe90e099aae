import OmbiCore
import OmbiWorkspace

/// The result of one request of a batch, in the values of its row: the whole run is only kept until the next one of its
/// request.
struct BatchResult: Equatable, Sendable {
    var statusCode: Int?
    var attempts = 0
    var duration: Duration?
    /// In bytes.
    var size: Int?
    /// A sentence for each; empty for a run that passed.
    var failures: [String] = []
    var isCancelled = false
    /// True for a response that is not what the request expects.
    var missesExpectation = false
    /// False for a request that could not be prepared.
    var wasPrepared = false

    static let cancelled = BatchResult(SessionResult(.cancelled))

    init(_ result: SessionResult) {
        statusCode = result.response?.statusCode
        attempts = result.attemptsOfPage
        duration = result.report?.duration
        size = result.response.map { $0.body?.count ?? 0 }
        failures = result.failures
        isCancelled = result.ending == .cancelled
        missesExpectation = result.expectations.contains { !$0.isMet }
        wasPrepared = result.prepared != nil
    }
}
