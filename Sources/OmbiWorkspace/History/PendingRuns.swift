/// The runs that are still to be written, and the number of those that never will be.
struct PendingRuns {
    private var runs: [RunToRecord] = []
    /// The bytes of their bodies.
    private var bytes = 0
    /// The runs of the batch that is being written.
    private var inHand = 0
    /// The number of runs that are not in the history, and the number of those that a notice has counted.
    private var lost = 0
    private var reported = 0
    /// The cause of the last loss.
    private var reason = ""
    /// Grows whenever runs were written or given up.
    private(set) var progress = 0

    /// Those that are kept in memory until they are written.
    private static let maximum = 1000
    private static let maximumBytes = 32 << 20
    /// Runs in a transaction.
    private static let maximumBatch = 200

    var hasRoom: Bool { runs.count <= Self.maximum && bytes <= Self.maximumBytes }

    mutating func add(_ run: RunToRecord) {
        runs.append(run)
        bytes += run.size
    }

    /// Takes the oldest runs, one at least.
    mutating func takeBatch() -> [RunToRecord] {
        var size = 0
        let batch = Array(
            runs.prefix(Self.maximumBatch).prefix { run in
                size += run.size
                return size <= Self.maximumBytes || size == run.size
            })
        runs.removeFirst(batch.count)
        bytes -= batch.reduce(0) { $0 + $1.size }
        inHand = batch.count
        return batch
    }

    /// The batch was written.
    mutating func wrote() {
        inHand = 0
        progress += 1
    }

    /// The batch cannot be written.
    /// - Parameter withRest: true gives up all that wait behind it, too.
    mutating func lose(withRest: Bool, _ reason: String) {
        self.reason = reason
        lost += inHand
        wrote()
        guard withRest else { return }
        lost += runs.count
        (runs, bytes) = ([], 0)
    }

    /// Returns a sentence about the runs that were lost since the last one; nil where there are none.
    mutating func takeNotice() -> String? {
        let (count, isFirst) = (lost - reported, reported == 0)
        guard count > 0 else { return nil }
        reported = lost
        let words = !isFirst ? "\(lost) runs in all are" : count == 1 ? "the run is" : "\(count) runs are"
        return "\(words) not in the history: \(reason)"
    }
}
