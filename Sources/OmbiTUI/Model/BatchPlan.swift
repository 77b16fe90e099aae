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

/// The runs that a replay compares with, and where it sends to.
struct ReplayTarget: Equatable, Sendable {
    var environment: String
    /// The environment of the recorded runs.
    var baseline: String?

    /// The number of requests at a time.
    static let concurrency = 4
}

/// The result of a run that is to be compared with a recorded run.
struct ReplayQuestion: Equatable, Sendable {
    /// The batch that asks, and its row.
    var batch: Int
    var row: Int
    var request: ItemPath
    var result: SessionResult
    var target: ReplayTarget
    /// The paths whose values may differ.
    var ignored: [String]
    /// True where the history has this run, too, which is then no other run to compare with.
    var isRecorded: Bool
}

/// The verdict of a replay on a response.
indirect enum ReplayVerdict: Equatable, Sendable {
    case compared(RunComparison)
    /// The reason why there is nothing to compare with, in a few words.
    case none(String)

    var isSame: Bool { if case .compared(let comparison) = self { comparison.isSame } else { false } }

    var comparison: RunComparison? { if case .compared(let comparison) = self { comparison } else { nil } }
}

/// Asks which values of a request differ from run to run, so that they say nothing in a comparison.
struct VolatileQuestion: Equatable, Sendable {
    var request: ItemPath
    var item: ItemID
    var environment: String?
    var status: Int?
    /// The paths whose values may differ already.
    var ignored: [String]
}

extension RequestMethod {
    /// The methods that are safe as in RFC 9110 §9.2.1: they only read.
    static let safe: [RequestMethod] = [.get, .head, .options, .trace]

    /// `GET, HEAD, OPTIONS and TRACE`, for help.
    static let safeNames: String = {
        let names = safe.map(\.rawValue)
        return names.dropLast().joined(separator: ", ") + names.suffix(1).map { " and " + $0 }.joined()
    }()

    var isSafe: Bool { Self.safe.contains(self) }
}

extension SavedRequest {
    /// True for a request that a replay sends without being told to: it only reads.
    var isReplayable: Bool { isSafe && !isWebSocket }

    /// True for a request that only reads. The method of one whose document is not read yet is not known.
    var isSafe: Bool { method.isSafe && !(operation?.isWithheld ?? false) }
}

extension RunOrder {
    /// The first request of the run that may change something, those that are sent first among them.
    var firstUnsafe: SavedRequest? { (sentFirst + [request]).first { !$0.isSafe } }
}

extension WatchPlan {
    private static let minimumInterval = Duration.milliseconds(100)
    private static let maximumTimes = 10_000

    /// Reads `5s`, `5s until passes` or `5s until fails`, each also with `20 times` after it, and `20 times` alone; nil for
    /// anything else.
    init?(_ text: String) {
        var words = text.split(separator: " ")
        var times: Int?
        if words.count > 1, words.last == "times" {
            guard let count = Int(words[words.count - 2]), (1...Self.maximumTimes).contains(count) else { return nil }
            times = count
            words.removeLast(2)
        }
        let written = words.first.map { DurationText.parse(String($0)) ?? .zero }
        let interval = written ?? (times == nil ? .zero : Self.minimumInterval)
        guard interval >= Self.minimumInterval, interval <= .seconds(86_400) else { return nil }
        self.init(every: interval)
        self.times = times
        guard words.count > 1 else { return }
        guard words.count == 3, words[1] == "until", let end = WatchEnd(rawValue: String(words[2])) else { return nil }
        self.end = end
    }

    var text: String { "every \(DurationText.format(interval))" + (end.map { " until it \($0.rawValue)" } ?? "") }
}

/// A request that is sent again and again until its result is the one that is waited for.
struct Watch: Equatable, Sendable {
    let item: ItemID
    let name: String
    /// The file and the environment in which it began: it goes on in no other.
    let file: String
    let environment: String?
    /// Tells its clock from that of an earlier watch.
    let number: Int
    private(set) var rounds: WatchRounds
    private(set) var changes = 0
    private(set) var failures = 0
    private var last: WatchedResult?

    init(_ order: RunOrder, plan: WatchPlan, number: Int, at time: Duration) {
        (item, name, self.number) = (order.request.id, order.request.name, number)
        (file, environment) = (order.file, order.environment)
        rounds = WatchRounds(plan, at: time)
    }

    /// The time until the clock is to be looked at again: a second at most, so that the screen counts down.
    func untilTick(at time: Duration) -> Duration { min(.seconds(1), max(.milliseconds(50), rounds.nextAt - time)) }

    mutating func begin(at time: Duration) { rounds.begin(at: time) }

    /// Takes in the result of a run. Returns a line for what changed; nil where nothing did.
    /// - Parameter ignored: the paths whose values may differ.
    mutating func end(_ result: SessionResult, ignoring ignored: [String] = []) -> Notice? {
        rounds.end(passed: result.passed)
        if !result.passed { failures += 1 }
        let new = WatchedResult(result, ignoring: ignored)
        guard let before = last else {
            last = new
            return nil
        }
        let found = new.changes(since: before)
        guard !found.isEmpty else { return nil }
        last = new
        changes += 1
        return Notice(new.passed ? .success : .failure, "\(name): " + found.joined(separator: " · "))
    }

    /// `after 20 runs, 4 failed`; a watch that waits for a result says with its end what failed.
    var count: String {
        let failed = rounds.plan.end == nil && failures > 0 ? ", \(failures) failed" : ""
        return "after \(Count.of(rounds.begun, "run"))\(failed)"
    }

    /// `watching list users every 5s · next in 3 s · 2 changes`; with a number of times `watching list users (7 of 20) …`
    func text(at time: Duration) -> String {
        let seconds = Int(max(.zero, rounds.nextAt - time) / .seconds(1) + 0.999)
        let count = rounds.plan.times.map { " (\(rounds.ended) of \($0))" } ?? ""
        return "watching \(name)\(count) \(rounds.plan.text) · next in \(seconds) s"
            + (changes > 0 ? " · \(Count.of(changes, "change"))" : "")
    }
}
