/// All that a history keeps in mind between its transactions.
struct HistoryState {
    var database: Database?
    /// The file that was opened last.
    var file: FileIdentity?
    /// The cause of the last problem, which is reported once, however many runs it costs.
    var problem: String?
    /// True once damaged rows, or an unreadable log, were reported.
    var isDamageTold = false
    var isLogTold = false
    var untilPruning = 0
    /// Bytes until the next look at the size of the journal.
    var untilLook = 0
    var pending = PendingRuns()
    var isWriting = false
    /// The time since when another program keeps runs from being written.
    var busySince: ContinuousClock.Instant?
    /// The requests of files, to be noted once there is a database.
    var outlines: [String: CollectionOutline] = [:]
    /// Renames while runs were under way, the newest last.
    var moves: [PathMove] = []
    /// Those that wait until fewer runs are pending.
    var waiting: [CheckedContinuation<Void, Never>] = []

    mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] { exchange(&waiting, with: []) }
    var onProblem: @Sendable (String) -> Void = { _ in }
}

/// A rename or a move while runs were under way.
struct PathMove {
    var old: ItemPath
    var new: ItemPath
    var date: Date

    /// Returns the path of a run that began at a time, after the move.
    func path(_ path: ItemPath, since start: Date) -> ItemPath {
        guard date > start, path.file == old.file, path.path.starts(with: old.path) else { return path }
        return ItemPath(file: new.file, path: new.path + path.path.dropFirst(old.path.count))
    }
}

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
        if runs.count <= Self.maximumBatch, bytes <= Self.maximumBytes {
            defer { (runs, bytes) = ([], 0) }
            inHand = runs.count
            return runs
        }
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

    /// Gives up the batch.
    /// - Parameter withRest: True to give up all runs waiting after it, too.
    mutating func lose(withRest: Bool, _ reason: String) {
        self.reason = reason
        lost += inHand
        wrote()
        guard withRest else { return }
        lost += runs.count
        (runs, bytes) = ([], 0)
    }

    /// Returns a sentence about the runs lost since the last call; nil if there are none.
    mutating func takeNotice() -> String? {
        let (count, isFirst) = (lost - reported, reported == 0)
        guard count > 0 else { return nil }
        reported = lost
        let words = !isFirst ? "\(lost) runs in all are" : count == 1 ? "the run is" : "\(count) runs are"
        return "\(words) not in the history: \(reason)"
    }
}
