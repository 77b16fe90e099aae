import OmbiCore

/// Runs that are sent together, as those of a folder: a request that is sent first for one of them, which needs what it
/// captures, is not sent again when its own turn comes.
public final class RunGroup: Equatable, Sendable {
    private let items: Set<ItemID>
    private let state = Lock(State())

    private struct State {
        /// The runs that were begun for others, and whose requests have not had their own turns since.
        var sent: [DependencyRun.Key: DependencyRun] = [:]
        /// The names of the requests for which others would be sent first.
        var planned: [DependencyRun.Key: String] = [:]
    }

    /// - Parameter items: the requests that have turns of their own.
    public init(_ items: some Sequence<ItemID>) { self.items = Set(items) }

    public static func == (one: RunGroup, other: RunGroup) -> Bool { one === other }

    /// Notes a run that was begun for another one.
    func add(_ run: DependencyRun) {
        guard items.contains(run.key.item) else { return }
        state.withLock { $0.sent[run.key] = run }
    }

    /// Returns the run that was begun for another one, and counts as that of one turn.
    func take(_ key: DependencyRun.Key) -> DependencyRun? { state.withLock { $0.sent.removeValue(forKey: key) } }

    /// Forgets the runs of a row of data that has had all its turns.
    func forget(row: Int) {
        state.withLock { state in state.sent = state.sent.filter { $0.key.row != row } }
    }

    /// Notes that a request would be sent first for the named one.
    func plan(_ key: DependencyRun.Key, for name: String) {
        guard items.contains(key.item) else { return }
        state.withLock { state in
            if state.planned[key] == nil { state.planned[key] = name }
        }
    }

    /// The name of the request for which that one would have been sent already.
    func takePlanned(_ key: DependencyRun.Key) -> String? {
        state.withLock { $0.planned.removeValue(forKey: key) }
    }
}
