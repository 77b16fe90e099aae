import Dispatch
import OmbiCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The runs of all programs of a user, in one file of SQLite that is readable by its owner only.
///
/// Nothing here but `follow` blocks the caller: one queue opens the file when it is first needed, writes and reads. Several programs use
/// the file at once. A run is in it entirely or not at all, also when a program is killed.
public final class History: Sendable {
    private struct State {
        var database: Database?
        /// The cause of the last problem, which is reported once, however many runs it costs.
        var problem: String?
        var untilPruning = 0
        var pending: [RunToRecord] = []
        /// The bytes of their bodies.
        var pendingBytes = 0
        var isWriting = false
        /// The requests of files, to be noted once there is a database.
        var outlines: [String: CollectionOutline] = [:]
        /// Renames while runs were under way, the newest last.
        var moves: [Move] = []
        /// Those that wait until fewer runs are pending.
        var waiting: [CheckedContinuation<Void, Never>] = []

        /// Takes the oldest runs, one at least.
        mutating func takeBatch(upTo count: Int, bytes: Int) -> [RunToRecord] {
            var size = 0
            let runs = Array(
                pending.prefix(count).prefix { run in
                    size += run.size
                    return size <= bytes || size == run.size
                })
            pending.removeFirst(runs.count)
            pendingBytes -= runs.reduce(0) { $0 + $1.size }
            return runs
        }

        mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
            defer { waiting = [] }
            return waiting
        }
        var onProblem: @Sendable (String) -> Void = { _ in }
    }

    private struct Move {
        var old: ItemPath
        var new: ItemPath
        var date: Date

        /// Returns the path of a run that began at a time, after the move.
        func path(_ path: ItemPath, since start: Date) -> ItemPath {
            guard date > start, path.file == old.file, path.path.starts(with: old.path) else { return path }
            return ItemPath(file: new.file, path: new.path + path.path.dropFirst(old.path.count))
        }
    }

    public let path: String
    private let limits: HistoryLimits
    private let now: @Sendable () -> Date
    private let state = Lock(State())
    private let queue = DispatchQueue(label: "ombi.history", qos: .utility)
    private let fileSystem: any FileSystem

    /// Runs that are recorded between two looks at the limits.
    private static let pruningInterval = 1000
    /// Runs that are kept in memory until they are written.
    private static let maximumPending = 1000
    private static let maximumPendingBytes = 32 << 20
    /// Of the folder with large bodies.
    private static let bodiesSuffix = ".bodies"
    /// Renames that are kept for the runs that are under way.
    private static let maximumMoves = 10_000
    /// Runs in a transaction.
    private static let maximumBatch = 200

    /// - Parameters:
    ///   - path: that of the database; its folder is created with the first run.
    ///   - now: the clock of the system.
    public init(
        path: String, limits: HistoryLimits = HistoryLimits(), fileSystem: any FileSystem = PosixFileSystem(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.path = path
        self.limits = limits
        self.fileSystem = fileSystem
        self.now = now
    }

    /// `$XDG_STATE_HOME/ombi/history.sqlite`, or that in `~/.local/state`. Nil without a home folder.
    public static var standardPath: String? { StateFolder.path.map { $0 + "/history.sqlite" } }

    // MARK: Recording

    /// Takes a run that has just ended, to be recorded soon. Waits only while very many others are still to be recorded.
    public func record(_ order: RunOrder, _ result: SessionResult) async {
        guard order.isRecorded else { return }
        let duration = Double(result.duration.wholeMicroseconds) / 1_000_000
        let run = RunToRecord(
            request: order.itemPath, environment: order.environment, startedAt: now().addingTimeInterval(-duration),
            method: order.request.method.rawValue, result: result)
        await withCheckedContinuation { continuation in
            let (begins, hasRoom) = state.withLock { state in
                defer { state.isWriting = true }
                state.pending.append(run)
                state.pendingBytes += run.size
                let hasRoom =
                    state.pending.count <= Self.maximumPending && state.pendingBytes <= Self.maximumPendingBytes
                if !hasRoom { state.waiting.append(continuation) }
                return (!state.isWriting, hasRoom)
            }
            if begins { queue.async { [self] in writePending() } }
            if hasRoom { continuation.resume() }
        }
    }

    /// Writes what has come since, in as few transactions as possible.
    private func writePending() {
        while true {
            let (runs, waiting) = state.withLock { state in
                let runs = state.takeBatch(upTo: Self.maximumBatch, bytes: Self.maximumPendingBytes)
                if runs.isEmpty { state.isWriting = false }
                return (runs, state.takeWaiting())
            }
            waiting.forEach { $0.resume() }
            if runs.isEmpty { return }
            write(runs)
        }
    }

    private func write(_ runs: [RunToRecord]) {
        do throws(DatabaseError) {
            try perform { (database) throws(DatabaseError) in
                var writer = HistoryWriter(database: database, contents: contents(database), limits: limits)
                try database.transaction { () throws(DatabaseError) in
                    // Many runs in a row are of one file, and finding out where it really is needs the system.
                    var paths: [String: String] = [:]
                    let moves = state.withLock { $0.moves }
                    for var run in runs {
                        let file = run.request.file
                        run.request.file = paths[file] ?? resolved(ItemPath(file: file)).file
                        paths[file] = run.request.file
                        run.request = moves.reduce(run.request) { $1.path($0, since: run.startedAt) }
                        try writer.write(run)
                    }
                }
            }
            state.withLock { $0.problem = nil }
            noteOutlines()
            pruneSometimes(after: runs.count)
        } catch {
            let words = runs.count == 1 ? "the run is" : "\(runs.count) runs are"
            report("\(words) not in the history", error)
        }
    }

    /// Notes the requests of files that were seen before there was a database.
    private func noteOutlines() {
        let outlines = state.withLock { state in
            defer { state.outlines = [:] }
            return state.outlines
        }
        for (file, outline) in outlines { follow(file, outline, recognises: false) }
    }

    private func pruneSometimes(after count: Int) {
        let isDue = state.withLock { state in
            state.untilPruning -= count
            guard state.untilPruning < 0 else { return false }
            state.untilPruning = Self.pruningInterval
            return true
        }
        guard isDue else { return }
        do throws(DatabaseError) {
            try perform { (database) throws(DatabaseError) in
                try HistoryPruning(database: database, contents: contents(database)).prune(limits, now: now())
            }
        } catch { report("the history cannot be kept within its limits", error) }
    }

    private func report(_ problem: String, _ error: DatabaseError) {
        let isNew = state.withLock { state in
            defer { state.problem = error.message }
            return state.problem != error.message
        }
        if isNew { tell("\(problem): \(error.message)") }
    }

    private func tell(_ problem: String) { state.withLock { $0.onProblem }(problem) }

    /// Waits for what is still to be recorded, but not for long.
    public func finish() {
        let end = DispatchWorkItem {}
        queue.async(execute: end)
        _ = end.wait(timeout: .now() + .seconds(5))
    }

    /// Passes on a sentence for each problem with recording, on a queue of the history.
    public func onProblem(_ handler: @escaping @Sendable (String) -> Void) {
        state.withLock { $0.onProblem = handler }
    }

    // MARK: Reading

    /// The newest runs first.
    public func entries(
        _ filter: HistoryFilter = HistoryFilter(), limit: Int = 500, offset: Int = 0
    ) async throws(HistoryError) -> [HistoryEntry] {
        try await read { (reader) throws(DatabaseError) in
            try reader.entries(filter, limit: limit, offset: offset)
        } ?? []
    }

    /// The newest run of each request, in the order in which the requests were first recorded.
    public func newestOfEach(_ filter: HistoryFilter, limit: Int = 10_000) async throws(HistoryError) -> [HistoryEntry]
    {
        try await read { (reader) throws(DatabaseError) in try reader.newestOfEach(filter, limit: limit) } ?? []
    }

    public func count(_ filter: HistoryFilter = HistoryFilter()) async throws(HistoryError) -> Int {
        try await read { (reader) throws(DatabaseError) in try reader.count(filter) } ?? 0
    }

    /// Returns nil for a number that no run has.
    /// - Parameter includesBody: false leaves the body of the response out, as if it were empty.
    public func run(_ id: Int, includesBody: Bool = true) async throws(HistoryError) -> RecordedRun? {
        try await read { (reader) throws(DatabaseError) in
            try reader.run(id, includesBody: includesBody)
        }.flatMap { $0 }
    }

    /// Returns the newest response to the same request that passed and whose body is kept: from the same environment and
    /// URL, to the same body.
    public func lastGood(
        _ item: ItemPath, environment: String?, _ request: PreparedRequest
    ) async throws(HistoryError) -> RecordedRun? {
        var filter = HistoryFilter(item: resolved(item))
        (filter.environment, filter.outcomes) = (environment, [.passed])
        return try await read { [filter] (reader) throws(DatabaseError) in
            try reader.lastGood(filter, request)
        }.flatMap { $0 }
    }

    /// Returns the run before or after another in a selection, and its place there; nil where there is none.
    /// - Parameters:
    ///   - id: that of the other run; nil for one that is newer than all.
    ///   - isOlder: false for the run after it.
    ///   - skipping: the number of older runs to pass over.
    public func neighbor(
        of id: Int?, isOlder: Bool, skipping: Int = 0, in filter: HistoryFilter
    ) async throws(HistoryError) -> (run: RecordedRun, place: HistoryPlace)? {
        try await read { (reader) throws(DatabaseError) in
            guard let found = try reader.neighbor(of: id, isOlder: isOlder, skipping: skipping, in: filter),
                let run = try reader.run(found)
            else { return nil }
            return (run, try reader.place(of: found, in: filter))
        }.flatMap { $0 }
    }

    /// Returns the place of a run in a selection.
    public func place(of id: Int, in filter: HistoryFilter) async throws(HistoryError) -> HistoryPlace {
        try await read { (reader) throws(DatabaseError) in try reader.place(of: id, in: filter) }
            ?? HistoryPlace(number: 1, count: 1)
    }

    /// Returns a value of the kept responses of a selection, over time.
    /// - Parameter path: a JSONPath; of several values that it selects, the first.
    public func values(at path: String, _ filter: HistoryFilter) async throws(HistoryError) -> ValueHistory {
        try await read { (reader) throws(DatabaseError) in try reader.values(at: path, filter) }
            ?? ValueHistory(path: path, periods: [], runs: 0, isCut: false)
    }

    public func statistics(_ filter: HistoryFilter) async throws(HistoryError) -> HistoryStatistics {
        let now = now()
        return try await read { (reader) throws(DatabaseError) in try reader.statistics(filter, now: now) }
            ?? HistoryStatistics(runs: [], attempts: [], now: now)
    }

    /// Returns the last runs of every request of some files, the oldest first: one look for all rows of a list.
    /// - Parameter files: their paths as they are recorded.
    public func recent(files: [String], limit: Int) async throws(HistoryError) -> [ItemPath: [RecentRun]] {
        try await read { (reader) throws(DatabaseError) in try reader.recent(files: files, limit: limit) } ?? [:]
    }

    /// Returns the newest runs of a selection, to be tried under other policies.
    public func simulation(_ filter: HistoryFilter) async throws(HistoryError) -> PolicySimulation {
        try await read { (reader) throws(DatabaseError) in try reader.simulation(filter) } ?? PolicySimulation([])
    }

    /// Removes runs for good.
    /// - Returns: how many there were.
    public func delete(_ filter: HistoryFilter) async throws(HistoryError) -> Int {
        try await read { [self] (reader) throws(DatabaseError) in
            try HistoryPruning(database: reader.database, contents: contents(reader.database)).remove(filter)
        } ?? 0
    }

    /// Gives the runs of an item to another path, and those of all that is in it: after it was renamed or moved. Runs that
    /// are under way go along once they have ended.
    public func rename(_ old: ItemPath, to new: ItemPath) {
        let date = now()
        queue.async { [self] in
            let (old, new) = (resolved(old), resolved(new))
            state.withLock { state in
                state.moves.append(Move(old: old, new: new, date: date))
                if state.moves.count > Self.maximumMoves { state.moves.removeFirst(Self.maximumMoves / 2) }
            }
            guard fileSystem.size(path) > 0 else { return }
            do throws(DatabaseError) {
                try perform { (database) throws(DatabaseError) in try HistoryMove(database: database).move(old, to: new)
                }
            } catch { report("the history of \(old.path.last ?? old.file) stays under its old name", error) }
        }
    }

    /// Takes in the requests of a file: runs of those that were renamed or moved since it was seen last come along, where it is
    /// clear which they are.
    /// - Parameters:
    ///   - recognises: false for a change that was told as a rename already.
    ///   - waits: true blocks until that is done, on this thread: none of Dispatch's is woken up for it.
    public func follow(file: String, _ outline: CollectionOutline, recognises: Bool = true, waits: Bool = false) {
        let file = resolved(ItemPath(file: file)).file
        let work: @Sendable () -> Void = { [self] in
            guard fileSystem.size(path) > 0 else { return state.withLock { $0.outlines[file] = outline } }
            follow(file, outline, recognises: recognises)
        }
        if waits { queue.sync(execute: work) } else { queue.async(execute: work) }
    }

    /// A file that cannot be written says so with the next run.
    private func follow(_ file: String, _ outline: CollectionOutline, recognises: Bool) {
        try? perform { (database) throws(DatabaseError) in
            try HistoryOutlines(database: database, fileSystem: fileSystem)
                .follow(file, outline, recognises: recognises)
        }
    }

    /// Nil where there is no history yet.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (HistoryReader) throws(DatabaseError) -> Value
    ) async throws(HistoryError) -> Value? {
        let result: Result<Value?, DatabaseError> = await withCheckedContinuation { continuation in
            queue.async { [self] in
                continuation.resume(
                    returning: Result { () throws(DatabaseError) in
                        guard fileSystem.size(path) > 0 else { return nil }
                        return try perform { (database) throws(DatabaseError) in
                            try body(
                                HistoryReader(database: database, contents: contents(database), limits: limits))
                        }
                    })
            }
        }
        do throws(DatabaseError) { return try result.get() } catch { throw HistoryError(error, path: path) }
    }

    // MARK: The database

    /// Runs on the queue only. A damaged file is set aside, and a new one begun.
    private func perform<Value>(
        _ body: (Database) throws(DatabaseError) -> Value
    ) throws(DatabaseError) -> Value {
        do throws(DatabaseError) {
            return try body(database())
        } catch  where error.kind == .damaged {
            try setAside()
            return try body(database())
        }
    }

    private func database() throws(DatabaseError) -> Database {
        if let open = state.withLock({ $0.database }) { return open }
        do throws(FileError) {
            if let slash = path.lastIndex(of: "/") { try fileSystem.makeFolder(String(path[..<slash])) }
            // SQLite itself would let others read it.
            if try fileSystem.modeForReplacing(path) == nil {
                try fileSystem.create(path, mode: 0o600) { () throws(FileError) in nil }
            }
        } catch  where error.code == FileError.isThere {
            // Another program has just begun it.
        } catch {
            throw DatabaseError(error.isFull ? .full : .cannotOpen, error.description)
        }
        let database = try Database(path: path)
        try HistorySchema.prepare(database)
        state.withLock { $0.database = database }
        return database
    }

    private func setAside() throws(DatabaseError) {
        state.withLock { $0.database = nil }
        let name = "\(path).damaged-\(now().microseconds / 1_000_000)"
        do throws(FileError) {
            try fileSystem.rename(path, to: name)
            // They belong to the file that is gone.
            for suffix in ["-wal", "-shm"] { fileSystem.remove(path + suffix) }
            // Only the file that is gone knows their names. Without large bodies there is no such folder.
            try? fileSystem.rename(path + Self.bodiesSuffix, to: name + Self.bodiesSuffix)
        } catch { throw DatabaseError(.damaged, error.description) }
        tell("the history was damaged; it is set aside as \(name), and a new one is begun")
    }

    private func contents(_ database: Database) -> HistoryContents {
        HistoryContents(database: database, folder: path + Self.bodiesSuffix, fileSystem: fileSystem)
    }

    // MARK: Paths

    /// The same selection, with the path of the file as it is recorded.
    public func resolved(_ filter: HistoryFilter) -> HistoryFilter {
        var filter = filter
        filter.item = filter.item.map(resolved)
        return filter
    }

    /// The same file has one path, however it was named.
    public func resolved(_ path: ItemPath) -> ItemPath {
        guard let real = try? fileSystem.resolve(path.file) else { return path }
        let isAbsolute = real.hasPrefix("/")
        let folder = isAbsolute ? "" : ((try? fileSystem.resolve(".")) ?? "") + "/"
        return ItemPath(file: folder + real, path: path.path)
    }
}

/// The reason why a history cannot be read.
public struct HistoryError: Error, Equatable, Sendable, CustomStringConvertible {
    public let description: String

    init(_ error: DatabaseError, path: String) { description = "cannot read the history \(path): \(error.message)" }
}
