/// The runs in flight when the program ends. When the terminal goes away they go on without a screen, each until its
/// limit.
struct AwayRuns: Equatable, Sendable {
    /// An ended run in short.
    struct Entry: Equatable, Sendable {
        var name: String
        /// Nil for a run that passed.
        var failure: String?
    }

    /// A run that has not ended.
    struct Pending: Equatable, Sendable {
        var id: RunID
        var name: String
        /// The time at which it is cancelled, or given up once it is.
        var deadline: Duration
        var isCancelled = false
    }

    private(set) var pending: [Pending]
    private(set) var ended: [Entry] = []

    /// For a run without an SLA.
    static let standardLimit = Duration.seconds(60)
    static let maximumLimit = Duration.seconds(3600)
    /// The time that a run takes to end and to be recorded.
    static let grace = Duration.seconds(5)

    init(_ pending: [Pending]) { self.pending = pending }

    /// The time of the next thing to do; nil once all have ended.
    var deadline: Duration? { pending.map(\.deadline).min() }

    /// The same runs, each to be cancelled at once.
    func cancelled(at time: Duration) -> AwayRuns {
        var runs = self
        for index in runs.pending.indices { runs.pending[index].deadline = time }
        return runs
    }

    mutating func end(_ id: RunID, _ result: SessionResult) {
        guard let index = pending.firstIndex(where: { $0.id == id }) else { return }
        let run = pending.remove(at: index)
        ended.append(Entry(name: run.name, failure: result.failures.first))
    }

    /// Returns the runs to cancel now. One that has not ended after that is given up.
    mutating func overdue(at time: Duration) -> [RunID] {
        for run in pending where run.isCancelled && run.deadline <= time {
            ended.append(Entry(name: run.name, failure: "given up"))
        }
        pending.removeAll { $0.isCancelled && $0.deadline <= time }
        var overdue: [RunID] = []
        for index in pending.indices where pending[index].deadline <= time {
            (pending[index].isCancelled, pending[index].deadline) = (true, time + Self.grace)
            overdue.append(pending[index].id)
        }
        return overdue
    }
}

extension Runs {
    /// The runs in flight, with the time that each may still take: the rest of its SLA. What has no end of its own, and
    /// what waits for a person, ends at once.
    func away(at time: Duration) -> AwayRuns {
        AwayRuns(
            active.map { run in
                AwayRuns.Pending(id: run.id, name: run.name, deadline: time + run.limitWithoutScreen(at: time))
            })
    }
}

extension RunState {
    fileprivate func limitWithoutScreen(at time: Duration) -> Duration {
        guard signIn == nil, !isOpenEnded, !isConversation else { return .zero }
        guard sla > .zero else { return AwayRuns.standardLimit }
        return min(max(.zero, sla - elapsed(now: time)) + AwayRuns.grace, AwayRuns.maximumLimit)
    }
}

/// The runs that the end of the program would cancel.
extension Runs {
    /// The names of the runs, the watch and the folder's run that quitting would cancel.
    var underWay: [String] {
        let running = active.filter { !interrupted.contains($0.id) }
        var names: [String] = []
        for run in running where batch?.row(of: run.id) == nil && run.item != watch?.item {
            let name = run.isConversation ? "\(run.name) (WebSocket)" : run.name
            if !names.contains(name) { names.append(name) }
        }
        if let watch { names.append("the watch of \(watch.name)") }
        if let batch, batch.counts.waiting > 0 || batch.running.contains(where: { !interrupted.contains($0) }) {
            names.append("the run of \(batch.title), \(batch.counts.ended) of \(batch.rows.count) done")
        }
        return names
    }

    /// Cancels the run of a request, or all of a folder's.
    /// - Returns: its name and the effects; nil where nothing is left to cancel.
    mutating func interrupt(_ node: TreeNode?, at time: Duration) -> (name: String, effects: [Effect])? {
        guard let node else { return nil }
        interrupted = interrupted.filter { self[id: $0]?.isRunning ?? false || batch?.row(of: $0) != nil }
        if let batch, batch.node == node, !batch.isEnded {
            let runs = (self.batch?.cancelAll(at: time) ?? []).filter { !interrupted.contains($0) }
            guard batch.counts.waiting > 0 || !runs.isEmpty else { return nil }
            interrupted += runs
            return (batch.title, runs.map { Effect.cancel($0) })
        }
        guard let run = self[node.item], run.isRunning, !interrupted.contains(run.id) else { return nil }
        interrupted.append(run.id)
        return (run.name, [.cancel(run.id)])
    }
}
