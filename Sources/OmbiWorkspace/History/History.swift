/// The runs of all programs of a user, in one file of SQLite that is readable by its owner only.
///
/// Nothing here but `follow` and `finish` waits for the file: one queue opens the file when it is first needed, writes and reads. Several programs use
/// the file at once. A run is in it entirely or not at all, also when a program is killed.
package final class History: Sendable {
    package let path: String
    let limits: HistoryLimits
    let now: @Sendable () -> Date
    private let end: Date?
    private let state: Lock<HistoryState>
    private let queue = DispatchQueue(label: "ombi.history", qos: .utility)
    let fileSystem: any FileSystem
    private let patience: Duration
    private let maximumWait: Duration

    /// The time in which runs gather, as a transaction costs more than a run. A program that is killed loses them.
    private static let gathering = DispatchTimeInterval.milliseconds(20)
    /// Bytes that are added to the journal between two looks at its size.
    private static let lookInterval = 1 << 20
    /// In bytes, of a file that cannot be written.
    private static let maximumCopy = 256 << 20
    /// Runs that are put into tables between two looks at the limits.
    private static let pruningInterval = 1000
    /// Of the folder with large bodies.
    private static let bodiesSuffix = ".bodies"
    /// Renames that are kept for the runs that are under way.
    private static let maximumMoves = 10_000
    /// The time without any progress after which the end of a program no longer waits.
    private static let maximumStandstill = Duration.seconds(60)

    /// - Parameters:
    ///   - path: The path of the database; its folder is created with the first run.
    ///   - patience: The time that runs wait while another program writes the file; they are then lost.
    ///   - maximumWait: The time that any other access waits for it.
    ///   - end: The end of the windows of statistics; nil for now.
    ///   - now: The clock of the system.
    package init(
        path: String, limits: HistoryLimits = HistoryLimits(), fileSystem: any FileSystem = PosixFileSystem(),
        patience: Duration = .seconds(30), maximumWait: Duration = .seconds(5), end: Date? = nil,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.path = path
        self.limits = limits
        state = Lock(HistoryState(limits: limits))
        self.fileSystem = fileSystem
        self.patience = patience
        self.maximumWait = maximumWait
        self.end = end
        self.now = now
    }

    /// The time at which the windows of statistics and of objectives end, and from which `since:1h` counts.
    package var windowsEnd: Date { end ?? now() }

    // MARK: Recording

    /// Takes a run that has just ended, to be recorded soon. Waits only while very many others are still to be recorded.
    package func record(_ order: RunOrder, _ result: SessionResult) async {
        guard order.isRecorded else { return }
        let duration = Double(result.duration.wholeMicroseconds) / 1_000_000
        let run = RunToRecord(
            request: order.itemPath, environment: order.environment, startedAt: now().addingTimeInterval(-duration),
            method: order.request.method.rawValue, of: result)
        let (begins, hasRoom) = state.withLock { state in
            defer { state.isWriting = true }
            state.pending.add(run, result)
            return (!state.isWriting, state.pending.hasRoom)
        }
        guard !hasRoom else {
            if begins { queue.asyncAfter(deadline: .now() + Self.gathering) { [weak self] in self?.writePending() } }
            return
        }
        queue.async { [self] in writePending() }
        await withCheckedContinuation { continuation in
            let waits = state.withLock { state in
                // They may have been written by now.
                guard !state.pending.hasRoom else { return false }
                state.waiting.append(continuation)
                return true
            }
            if !waits { continuation.resume() }
        }
    }

    /// Writes the pending runs, in as few transactions as possible.
    private func writePending() {
        while true {
            putRawIntoForm()
            let (batch, waiting, isDone) = state.withLock { state in
                let batch = state.pending.takeBatch()
                let isDone = batch.count == 0 && !state.pending.hasRaw
                if isDone { state.isWriting = false }
                return (batch, state.takeWaiting(), isDone)
            }
            waiting.forEach { $0.resume() }
            if isDone { return }
            if batch.count > 0 { write(batch) }
        }
    }

    /// Puts runs with large bodies, and those behind them, into their stored form.
    private func putRawIntoForm() {
        guard case (var batch, let runs)? = state.withLock({ $0.pending.takeRaw() }) else { return }
        let full = batch.add(runs)
        state.withLock { $0.pending.put(batch, full) }
    }

    /// Runs some work once all pending runs are written.
    private func enqueue(_ work: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            writePending()
            work()
        }
    }

    /// Writes a batch. Where another program writes and does not finish, it is tried again for a while.
    private func write(_ batch: ExcerptBytes) {
        let (start, bytes) = (ContinuousClock.now, bytes(of: batch))
        while true {
            do throws(DatabaseError) {
                try access { (database) throws(DatabaseError) in
                    try database.transaction { () throws(DatabaseError) in
                        try HistoryJournal(database: database).add(bytes, runs: batch.count, at: now())
                    }
                }
                state.withLock { state in
                    (state.problem, state.busySince) = (nil, nil)
                    state.pending.wrote()
                    state.untilLook -= bytes.count
                }
                noteOutlines()
                return relieveJournal(isLarge: batch.isLarge)
            } catch  where error.kind == .busy && mayWait(since: start) {
                continue
            } catch {
                return lose(error)
            }
        }
    }

    private func lose(_ error: DatabaseError) {
        let text = state.withLock { state in
            // The runs behind them would wait in vain, too.
            state.pending.lose(withRest: error.kind == .busy, error.message)
            defer { state.problem = error.message }
            return state.problem == error.message ? nil : state.pending.takeNotice()
        }
        if let text { notify(text) }
    }

    /// - Parameter start: the time of the first try.
    private func mayWait(since start: ContinuousClock.Instant) -> Bool {
        state.withLock { state in
            let since = state.busySince ?? start
            state.busySince = since
            return ContinuousClock.now - since < patience
        }
    }

    /// Returns the bytes of a batch with its requests as they are called by now.
    private func bytes(of batch: ExcerptBytes) -> Data {
        let moves = state.withLock { $0.moves }
        // Many runs in a row are of one file, and finding out where it really is needs the system.
        var (paths, last): ([String: String], (file: String, path: String)) = ([:], ("", ""))
        return batch.bytes { request, startedAt in
            if request.file != last.file {
                last = (request.file, paths[request.file] ?? resolved(ItemPath(file: request.file)).file)
                paths[request.file] = last.path
            }
            let request = ItemPath(file: last.path, path: request.path)
            guard !moves.isEmpty else { return request }
            let start = Date(microseconds: startedAt)
            return moves.reduce(request) { $1.path($0, since: start) }
        }
    }

    /// Empties a journal that has grown. The runs in it are recorded, whatever comes of it: the next reader tries again.
    private func relieveJournal(isLarge: Bool) {
        let looks = state.withLock { state in
            guard state.untilLook < 0 else { return false }
            state.untilLook = Self.lookInterval
            return true
        }
        guard isLarge || looks else { return }
        do throws(DatabaseError) {
            try access { (database) throws(DatabaseError) in
                let isFull = try HistoryJournal(database: database).isFull(at: now())
                if isLarge || isFull { try emptyJournal(database) }
            }
        } catch  where error.kind == .busy {
            // Another program is at work on it.
        } catch { report("recorded runs wait in the history's journal", error) }
    }

    /// Puts the runs of the journal into their tables, and keeps the history within its limits.
    private func emptyJournal(_ database: Database) throws(DatabaseError) {
        let contents = contents(database)
        let count = try HistoryJournal(database: database).empty(into: contents)
        let isDue = state.withLock { state in
            state.untilPruning -= count
            guard state.untilPruning < 0 else { return false }
            state.untilPruning = Self.pruningInterval
            return true
        }
        guard isDue else { return }
        do throws(DatabaseError) {
            try HistoryPruning(database: database, contents: contents).prune(limits, now: now())
        } catch  where error.kind != .damaged { report("the history cannot be kept within its limits", error) }
    }

    /// Notes the requests of files that were seen before there was a database.
    private func noteOutlines() {
        let outlines = state.withLock { exchange(&$0.outlines, with: [:]) }
        for (file, outline) in outlines { follow(file, outline, recognises: false) }
    }

    private func report(_ problem: String, _ error: DatabaseError) {
        let isNew = state.withLock { state in
            defer { state.problem = error.message }
            return state.problem != error.message
        }
        if isNew { notify("\(problem): \(error.message)") }
    }

    private func notify(_ problem: String) { state.withLock { $0.onProblem }(problem) }

    /// Closes the file, which merges its log; the next access opens it again.
    private func close() {
        // It is closed outside of the lock.
        _ = state.withLock { state in
            defer { state.database = nil }
            return state.database
        }
    }

    /// Waits until the pending runs are written or given up, and reports the number of lost ones.
    package func finish() {
        let end = DispatchWorkItem { [self] in
            writePending()
            close()
        }
        queue.async(execute: end)
        var (progress, last, isReported) = (-1, ContinuousClock.now, false)
        while end.wait(timeout: .now() + .milliseconds(200)) == .timedOut {
            let (now, isBusy) = state.withLock { ($0.pending.progress, $0.busySince != nil) }
            if now != progress { (progress, last) = (now, ContinuousClock.now) }
            if isBusy, !isReported {
                notify("waiting for another program that writes the history")
                isReported = true
            }
            guard ContinuousClock.now - last < Self.maximumStandstill else {
                state.withLock { $0.pending.lose(withRest: true, "it does not answer") }
                break
            }
        }
        if let lost = state.withLock({ $0.pending.takeNotice() }) { notify(lost) }
    }

    /// Passes on a sentence for each problem with recording, on a queue of the history.
    package func onProblem(_ handler: @escaping @Sendable (String) -> Void) {
        state.withLock { $0.onProblem = handler }
    }

    // MARK: Changing

    /// Removes runs for good.
    /// - Returns: how many there were.
    package func delete(_ filter: HistoryFilter) async throws(HistoryError) -> Int {
        try await change { [self] (database) throws(DatabaseError) in
            try HistoryPruning(database: database, contents: contents(database)).remove(filter)
        } ?? 0
    }

    /// Moves the runs of an item, and of everything in it, to another path after a rename or a move. Unfinished runs
    /// follow when they end.
    package func rename(_ old: ItemPath, to new: ItemPath) {
        let date = now()
        // Before what is still to be written: each run goes by the time of its start.
        queue.async { [self] in
            let (old, new) = (resolved(old), resolved(new))
            state.withLock { state in
                state.moves.append(PathMove(old: old, new: new, date: date))
                if state.moves.count > Self.maximumMoves { state.moves.removeFirst(Self.maximumMoves / 2) }
            }
            guard fileSystem.size(path) > 0 else { return }
            do throws(DatabaseError) {
                try perform { (database) throws(DatabaseError) in try HistoryMove(database: database).move(old, to: new)
                }
            } catch { report("the history of \(old.path.last ?? old.file) stays under its old name", error) }
        }
    }

    /// Notes the requests of a file: runs of requests that were renamed or moved since the last time follow, if the
    /// match is unambiguous.
    /// - Parameters:
    ///   - recognises: False for a change that was already reported as a rename.
    ///   - waits: True to block until it is done, on this thread, without waking one of Dispatch's.
    package func follow(file: String, _ outline: CollectionOutline, recognises: Bool = true, waits: Bool = false) {
        let file = resolved(ItemPath(file: file)).file
        let work: @Sendable () -> Void = { [self] in
            guard fileSystem.size(path) > 0 else { return state.withLock { $0.outlines[file] = outline } }
            follow(file, outline, recognises: recognises)
        }
        if waits { queue.sync(execute: work) } else { enqueue(work) }
    }

    /// Notes the requests. A file that cannot be written is reported with the next run.
    private func follow(_ file: String, _ outline: CollectionOutline, recognises: Bool) {
        try? access { (database) throws(DatabaseError) in
            let outlines = HistoryOutlines(database: database, fileSystem: fileSystem)
            try outlines.follow(file, outline, recognises: recognises) { () throws(DatabaseError) in
                try emptyJournal(database)
            }
        }
    }

    /// False where nothing was recorded, here or before.
    private var mayHoldRuns: Bool { fileSystem.size(path) > 0 || state.withLock { $0.isWriting } }

    /// Returns the result of a query; nil without a history.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (HistoryReader) throws(DatabaseError) -> Value
    ) async throws(HistoryError) -> Value? {
        try await answer { [self] () throws(DatabaseError) in
            do throws(DatabaseError) {
                return try perform(toleratesBusy: true) { (database) throws(DatabaseError) in
                    try body(reader(database))
                }
            } catch  where error.mayBeReadable {
                guard let database = readOnly() else { throw error }
                return try counted(database) { (database) throws(DatabaseError) in try body(reader(database)) }
            }
        }
    }

    /// Changes the database; nil without a history.
    /// - Parameters:
    ///   - createsFile: True to begin a history.
    ///   - needsRuns: False for a change that has nothing to do with runs.
    func change<Value: Sendable>(
        createsFile: Bool = false, needsRuns: Bool = true,
        _ body: @escaping @Sendable (Database) throws(DatabaseError) -> Value
    ) async throws(HistoryError) -> Value? {
        try await answer(createsFile: createsFile) { [self] () throws(DatabaseError) in
            needsRuns ? try perform(body) : try access(body)
        }
    }

    /// Returns the result of some work on the queue; nil without a history.
    /// - Parameter createsFile: True for work that begins a history.
    private func answer<Value: Sendable>(
        createsFile: Bool = false, _ body: @escaping @Sendable () throws(DatabaseError) -> Value
    ) async throws(HistoryError) -> Value? {
        // Asked at each start, mostly before anything was recorded: no thread is woken.
        guard createsFile || mayHoldRuns else { return nil }
        let result: Result<Value?, DatabaseError> = await withCheckedContinuation { continuation in
            enqueue { [self] in
                continuation.resume(
                    returning: Result { () throws(DatabaseError) in
                        createsFile || fileSystem.size(path) > 0 ? try body() : nil
                    })
            }
        }
        do throws(DatabaseError) { return try result.get() } catch { throw HistoryError(error, path: path) }
    }

    private func reader(_ database: Database) -> HistoryReader {
        HistoryReader(database: database, contents: contents(database), limits: limits)
    }

    // MARK: The database

    /// Runs work on the tables, in which all runs are then, on the queue only.
    /// - Parameter toleratesBusy: True for work that does without the newest runs while another program writes.
    func perform<Value>(
        toleratesBusy: Bool = false, _ body: (Database) throws(DatabaseError) -> Value
    ) throws(DatabaseError) -> Value {
        try access { (database) throws(DatabaseError) in
            do throws(DatabaseError) { try emptyJournal(database) } catch  where toleratesBusy && error.kind == .busy {
                noteMissing(HistoryJournal.holdsRuns(database), "another program is writing the history")
            }
            return try body(database)
        }
    }

    /// Runs work that needs no runs, on the queue only. A damaged file is set aside, and a new one begun.
    private func access<Value>(
        _ body: (Database) throws(DatabaseError) -> Value
    ) throws(DatabaseError) -> Value {
        do throws(DatabaseError) {
            return try counted(database(), body)
        } catch  where error.kind == .damaged {
            try setAside()
            return try body(database())
        }
    }

    /// Reports damaged rows, once.
    private func counted<Value>(
        _ database: Database, _ body: (Database) throws(DatabaseError) -> Value
    ) throws(DatabaseError) -> Value {
        let value = try body(database)
        let isNew = state.withLock { state in
            defer { state.isDamageTold = state.isDamageTold || database.damagedRows > 0 }
            return database.damagedRows > 0 && !state.isDamageTold
        }
        if isNew { notify("the history has damaged rows; they are left out") }
        return value
    }

    private func database() throws(DatabaseError) -> Database {
        let (open, known) = state.withLock { ($0.database, $0.file) }
        // Another program may have set the file aside.
        if let open, FileIdentity(path) == known { return open }
        do throws(FileError) {
            try fileSystem.makeFolder(of: path)
            // SQLite itself would let others read it.
            if try fileSystem.modeForReplacing(path) == nil {
                try fileSystem.create(path, mode: 0o600) { () throws(FileError) in nil }
            }
        } catch  where error.code == FileError.isThere {
            // Another program has just begun it.
        } catch {
            throw DatabaseError(error.isFull ? .full : .cannotOpen, error.description)
        }
        state.withLock { ($0.database, $0.file) = (nil, FileIdentity(path)) }
        let database = try Database(path: path, maximumWait: maximumWait)
        try HistorySchema.prepare(database)
        state.withLock { $0.database = database }
        return database
    }

    /// The file opened for one query, if it cannot be written: the file system is read-only or full. nil if it cannot
    /// be read either.
    private func readOnly() -> Database? {
        func open(_ access: Database.Access) -> Database? {
            do throws(DatabaseError) {
                let database = try Database(path: path, access, maximumWait: maximumWait)
                try HistorySchema.check(database)
                return database
            } catch { return nil }
        }
        if let database = open(.read) { return withJournal(database) }
        // Without room for its log no program writes it.
        guard let database = open(.readAlone) else { return nil }
        noteMissing(fileSystem.size(path + "-wal") > 0, "the log of the history cannot be read here")
        return withJournal(database)
    }

    /// Returns a database in which the runs of the journal are in their tables: a copy in memory, unless it would be large.
    private func withJournal(_ database: Database) -> Database {
        guard HistoryJournal.holdsRuns(database) else { return database }
        if fileSystem.size(path) <= Self.maximumCopy, let copy = try? Database(copyOf: database),
            (try? HistoryJournal(database: copy).empty(into: contents(copy))) != nil
        {
            return copy
        }
        noteMissing(true, "the journal of the history cannot be emptied here")
        return database
    }

    /// Says once that runs cannot be read.
    private func noteMissing(_ isMissing: Bool, _ reason: String) {
        let isNew = state.withLock { state in
            defer { state.isLogTold = state.isLogTold || isMissing }
            return isMissing && !state.isLogTold
        }
        if isNew { notify("the newest runs are missing: \(reason)") }
    }

    private func setAside() throws(DatabaseError) {
        let opened = state.withLock { state in
            defer { state.database = nil }
            return state.file
        }
        let name = "\(path).damaged-\(now().microseconds / 1_000_000)"
        let isDone = try StateLock.exclusively(path, fileSystem) { () throws(DatabaseError) in
            // Another program may have been first.
            guard FileIdentity(path) == opened else { return false }
            do throws(FileError) {
                try fileSystem.rename(path, to: name)
                // They belong to the file that is gone.
                for suffix in ["-wal", "-shm"] { fileSystem.remove(path + suffix) }
                // Only the file that is gone knows their names. Without large bodies there is no such folder.
                try? fileSystem.rename(path + Self.bodiesSuffix, to: name + Self.bodiesSuffix)
            } catch { throw DatabaseError(.damaged, error.description) }
            return true
        }
        if isDone { notify("the history was damaged; it is set aside as \(name), and a new one is begun") }
    }

    func contents(_ database: Database) -> HistoryContents {
        HistoryContents(database: database, folder: path + Self.bodiesSuffix, fileSystem: fileSystem)
    }
}
