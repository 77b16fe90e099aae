import OmbiCore
import OmbiWorkspace

/// A folder or a collection that is to be run, and the pace and the number of its requests.
struct BatchPlan: Equatable, Sendable {
    var node: TreeNode
    var run = RunPlan()
    /// The path of a file with rows of data; nil for none.
    var dataPath: String?
    /// The rows of that file; nil until it has been read.
    var data: BatchData?
    /// Nil for a run without comparisons.
    var replay: ReplayTarget?

    /// The number of times that each request is sent.
    var times: Int { if case .times(let times) = run.length { times } else { 1 } }

    /// The requests begun in a second at most; nil for no limit.
    var rateText: String? { run.rate.map { $0 == $0.rounded() ? "\(Int($0))" : "\($0)" } }

    /// True until the file of data has been read.
    var lacksData: Bool { dataPath != nil && data == nil }

    /// The number of rows in the table for each request.
    var rowsOfRequest: Int { times * (data?.rows.count ?? 1) }

    /// The plan of the queue, in which each row of the table has one turn.
    var pace: RunPlan {
        var pace = run
        pace.length = .times(1)
        return pace
    }
}

/// The rows of a file of data, as it was read once.
final class BatchData: Equatable, Sendable {
    let rows: DataRows

    init(_ rows: DataRows) { self.rows = rows }

    static func == (one: BatchData, other: BatchData) -> Bool { one === other }
}

/// Something to be sent to a protected environment, once secrets and trust are there and its name has been typed.
enum CheckedRun: Equatable, Sendable {
    case request(ItemID)
    case batch(BatchPlan)
    /// The requests of the present batch that failed.
    case failedOfBatch
}

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
