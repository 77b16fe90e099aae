import OmbiCore

extension HistoryReader {
    /// The newest runs of a selection with their attempts, to be tried under other policies. Cancelled runs do not count.
    func simulation(_ filter: HistoryFilter) throws(DatabaseError) -> PolicySimulation {
        let (condition, values) = try condition(filter)
        let rows = try database.rows(
            """
            SELECT recorded.id, recorded.duration, recorded.outcome, recorded.sla, recorded.method,
                attempt.started, attempt.duration, attempt.outcome, attempt.failure, attempt.pause
            FROM (SELECT id, duration, outcome, sla, method FROM run WHERE \(condition) AND run.outcome != 3
                ORDER BY run.id DESC LIMIT ?) AS recorded JOIN attempt ON attempt.run = recorded.id
            ORDER BY recorded.id, attempt.number
            """, values + [.integer(PolicySimulation.maximumRuns)], read: RecordedAttempt.init)
        var runs: [PolicySimulation.Run] = []
        var index = 0
        while index < rows.count {
            let attempts = rows[index...].prefix { $0.run == rows[index].run }
            runs.append(PolicySimulation.Run(attempts))
            index += attempts.count
        }
        return PolicySimulation(runs)
    }
}

/// A row of an attempt with its run.
private struct RecordedAttempt: Sendable {
    var run: Int
    var runDuration: Duration
    var outcome: RecordedOutcome
    var sla: Duration?
    var method: RequestMethod
    var startedAt: Duration
    var duration: Duration
    /// As `AttemptCode` has it.
    var code: Int
    var failure: RetryPolicy.Failure?
    var wasRepeated: Bool

    init(_ row: Database.Row) {
        run = row.integer(0)
        runDuration = row.duration(1)
        outcome = RecordedOutcome(rawValue: row.integer(2)) ?? .error
        sla = row.optionalDuration(3)
        method = RequestMethod(rawValue: row.text(4)) ?? .post
        startedAt = row.duration(5)
        duration = row.duration(6)
        code = row.integer(7)
        failure = row.optionalInteger(8).map(AttemptCode.failure)
        wasRepeated = row.optionalInteger(9) != nil
    }

    func ending(isLast: Bool) -> PolicySimulation.Ending {
        guard isLast else { return failure == .timeout ? .cutOff : .failed }
        // A status that was repeated may be what the request expects.
        if outcome == .passed { return .passed }
        switch code {
        case 0: return .rejected
        case 1 where failure == .timeout: return mayRepeat ? .cutOff : .final
        case 1: return mayRepeat ? .failed : .final
        case 4: return .failed
        case 5: return .cutOff
        default: return .final
        }
    }

    /// True where the engine repeats such a failure: the request is idempotent, or nothing reached the server.
    private var mayRepeat: Bool { method.isIdempotent || failure == .connection || wasRepeated }
}

extension PolicySimulation.Run {
    /// - Parameter rows: those of one run, one at least.
    fileprivate init(_ rows: ArraySlice<RecordedAttempt>) {
        var end = Duration.zero
        var attempts: [PolicySimulation.Attempt] = []
        for row in rows {
            attempts.append(
                .init(
                    gap: max(.zero, row.startedAt - end), duration: row.duration,
                    ending: row.ending(isLast: attempts.count == rows.count - 1)))
            end = row.startedAt + row.duration
        }
        self.init(
            attempts: attempts, duration: rows.first?.runDuration ?? .zero, passed: rows.first?.outcome == .passed,
            sla: rows.first?.sla)
    }
}
