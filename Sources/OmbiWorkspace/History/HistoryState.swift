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
    var pending: PendingRuns
    var isWriting = false
    /// The time since when another program keeps runs from being written.
    var busySince: ContinuousClock.Instant?
    /// The requests of files, to be noted once there is a database.
    var outlines: [String: CollectionOutline] = [:]
    /// Renames while runs were under way, the newest last.
    var moves: [PathMove] = []
    /// Those that wait until fewer runs are pending.
    var waiting: [CheckedContinuation<Void, Never>] = []

    init(limits: HistoryLimits) { pending = PendingRuns(limits: limits) }

    /// Takes those that need not wait any longer.
    mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
        pending.hasRoom ? exchange(&waiting, with: []) : []
    }
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
///
/// Most are put into their stored form as they end, on the thread that they end on. One with a large body takes its time: it is
/// left to the thread that writes, and whatever ends meanwhile waits behind it.
struct PendingRuns {
    /// Empty while the thread that writes has it.
    private var batch: RunBatch
    private var isBatchTaken = false
    /// In the order in which they ended, after those of the batch.
    private var raw: [EndedRun] = []
    /// The bytes in them.
    private var rawBytes = 0
    /// The number, and the bytes, of those that are being put into their stored form; nil without any, and once they were
    /// given up.
    private var forming: (count: Int, bytes: Int)?
    /// Those before them, in the batches in which they are written.
    private var full: [ExcerptBytes] = []
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
    /// In bytes, of a run that is put into its stored form as it ends: about a tenth of a millisecond.
    private static let maximumSmall = 4 << 10

    init(limits: HistoryLimits) { batch = RunBatch(limits: limits) }

    private var count: Int {
        full.reduce(raw.count + (forming?.count ?? batch.count)) { $0 + $1.count }
    }
    private var bytes: Int { full.reduce(rawBytes + (forming?.bytes ?? batch.size)) { $0 + $1.size } }
    var hasRoom: Bool { count <= Self.maximum && bytes <= Self.maximumBytes }

    /// True with runs that are not in their stored form yet.
    var hasRaw: Bool { !raw.isEmpty }

    mutating func add(_ run: RunToRecord, _ result: SessionResult) {
        guard raw.isEmpty, run.size <= Self.maximumSmall, !isBatchTaken else {
            raw.append((run, result))
            rawBytes += run.size
            return
        }
        if let next = batch.add(run, result) { full.append(next) }
    }

    /// Takes the runs that are not in their stored form yet, with the batch for them; nil if there are none.
    mutating func takeRaw() -> (batch: RunBatch, runs: [EndedRun])? {
        guard !raw.isEmpty, !isBatchTaken else { return nil }
        (forming, isBatchTaken) = ((raw.count + batch.count, rawBytes + batch.size), true)
        rawBytes = 0
        return (exchange(&batch, with: RunBatch(limits: batch.limits)), exchange(&raw, with: []))
    }

    /// Takes the batch back, with those that are full. Runs that were given up meanwhile stay so.
    mutating func put(_ batch: RunBatch, _ full: [ExcerptBytes]) {
        (self.batch, isBatchTaken) = (batch, false)
        if forming == nil { _ = self.batch.take() } else { self.full += full }
        forming = nil
    }

    /// Takes the oldest runs, one at least; none if there are none in their stored form.
    mutating func takeBatch() -> ExcerptBytes {
        let next = full.isEmpty ? batch.take() : full.removeFirst()
        inHand = next.count
        if next.leftOut > 0 { (lost, reason) = (lost + next.leftOut, "its attempts cannot be told apart") }
        return next
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
        lost += count
        (full, raw, rawBytes, forming) = ([], [], 0, nil)
        _ = batch.take()
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
