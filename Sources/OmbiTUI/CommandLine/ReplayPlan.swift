import OmbiCore
import OmbiDocument
import OmbiWorkspace

/// The requests of a replay, each with the run that it is compared with.
struct ReplayPlan: Sendable {
    struct Entry: Sendable {
        var job: Job
        var recorded: HistoryEntry
        var ignored: [JSONPath]
    }

    /// The environment to send to; nil for that of each run.
    let environment: String?
    /// The paths that the command line ignores.
    let ignored: [JSONPath]
    private(set) var jobs: [Entry] = []
    private(set) var missing: [ComparisonReport.Missing] = []
    /// The number of requests that are left out because they may change something.
    private(set) var unsafe = 0

    init(environment: String?, ignored: [JSONPath]) {
        self.environment = environment
        self.ignored = ignored
    }

    mutating func add(_ entries: [HistoryEntry], allMethods: Bool) {
        var requests = RecordedRequests()
        for entry in entries {
            guard let (request, collection) = requests.find(entry.request) else {
                missing.append(.init(request: entry.request, reason: "is no longer in its file"))
                continue
            }
            let name = environment ?? entry.environment
            if let name, !collection.canChoose(environment: name) {
                missing.append(.init(request: entry.request, reason: "has no environment \(name) in its file"))
                continue
            }
            var order = RunOrder(
                id: jobs.count + 1, request: request, collection: collection, environment: name,
                file: entry.request.file)
            order.sendsMessages = true
            guard allMethods || request.method.isSafe else {
                unsafe += 1
                continue
            }
            jobs.append(
                Entry(
                    job: Job(name: HistoryText.name(entry.request), order: order), recorded: entry,
                    ignored: ignored + requests.ignoredPaths(of: entry.request)))
        }
    }

    /// Sends the requests, and compares each response as it comes.
    func run(
        on session: Session, _ concurrency: Int, _ history: History?, show: @escaping @Sendable (RunComparison) -> Void
    ) async throws(HistoryError) -> ComparisonReport {
        let reader = history ?? History.standardPath.map { History(path: $0) }
        var report = ComparisonReport()
        report.missing = missing
        guard let reader else { return report }
        var recorded: [RecordedRun?] = []
        // Read before anything is sent: the runs to come may make the limits remove the oldest.
        for entry in jobs { recorded.append(try await reader.run(entry.recorded.id)) }
        let comparisons = Lock<[(index: Int, comparison: RunComparison)]>([])
        _ = await session.run(jobs.map(\.job.order), RunPlan(concurrency: concurrency)) { [recorded] turn, result in
            let entry = jobs[turn.order]
            guard let old = recorded[turn.order] else { return true }
            let comparison = RunComparison(
                entry.recorded.request, from: .init(old),
                to: .init(result, environment: entry.job.order.environment), ignoring: entry.ignored)
            comparisons.withLock { all in
                show(comparison)
                all.append((turn.order, comparison))
            }
            return !ResultOutput.standard.isClosed
        }
        report.comparisons = comparisons.withLock { $0 }.sorted { $0.index < $1.index }.map(\.comparison)
        let ignored = Dictionary(jobs.map { ($0.recorded.request, $0.ignored) }) { first, _ in first }
        try await report.findVolatile(in: reader) { ignored[$0] ?? [] }
        return report
    }
}
