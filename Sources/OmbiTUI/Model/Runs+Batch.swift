/// One request that was sent to several environments at once, to see them side by side. Each run is one of a copy of the
/// request, so that they do not wait for each other.
struct EnvironmentRuns: Equatable, Sendable {
    struct Lane: Equatable, Sendable {
        var environment: String
        var run: RunID
    }

    /// Tells it from the one before.
    var id: RunID
    var name: String
    var lanes: [Lane]

    /// The number of environments that are sent to at once.
    static let maximumLanes = 12
}

extension Runs {
    /// Sends a request to environments at once, in place of the last such request.
    mutating func begin(
        _ request: SavedRequest, in collection: Collection, file: String, recordedPath: ItemPath?, to names: [String],
        at time: Duration
    ) -> [Effect] {
        let folders = collection.folders(of: request.id)
        var effects: [Effect] = []
        var lanes: [EnvironmentRuns.Lane] = []
        let id = lastID + 1
        for environment in names.prefix(EnvironmentRuns.maximumLanes) {
            var copy = request
            copy.id = ItemID()
            lanes.append(.init(environment: environment, run: lastID + 1))
            var order = RunOrder(
                id: lastID + 1, request: copy, collection: collection, environment: environment, file: file,
                folders: folders)
            order.recordedPath = recordedPath
            effects += begin(order, at: time)
        }
        environments = EnvironmentRuns(id: id, name: request.name, lanes: lanes)
        return effects
    }
}

/// The runs of a batch: begun here when its queue has their turns, and otherwise like those of single requests.
extension Runs {
    /// Begins a batch in place of the last one.
    mutating func begin(_ batch: Batch, at time: Duration) -> [Effect] {
        var batch = batch
        batch.id = lastID + 1
        self.batch = batch
        return forgettingRows + beginNext(at: time)
    }

    mutating func restartFailed(in collection: Collection, at time: Duration) -> [Effect] {
        batch?.restartFailed(in: collection, at: time)
        return forgettingRows + beginNext(at: time)
    }

    /// Another pass captures the values of its rows of data anew.
    private var forgettingRows: [Effect] { batch?.plan.data == nil ? [] : [.forgetRows] }

    /// Begins the requests of the batch whose turn it is, or asks for a clock.
    mutating func beginNext(at time: Duration) -> [Effect] {
        guard batch?.counts.waiting ?? 0 > 0 else { return [] }
        let busy = itemsOutsideBatch
        var effects: [Effect] = []
        while true {
            let id = lastID + 1
            guard let next = batch?.takeNext(id: id, busy: busy, at: time) else { return effects }
            switch next {
            case .begin(let order): effects += begin(order, at: time)
            case .wait(let delay): return effects + [.batchTick(batch?.id ?? 0, after: delay)]
            }
        }
    }

    /// Begins what a clock was asked for; one of an earlier batch comes too late.
    mutating func batchTicked(_ id: Int, at time: Duration) -> [Effect] {
        guard batch?.id == id else { return [] }
        batch?.wake()
        return beginNext(at: time)
    }

    /// Takes in the result of a run, and begins the next ones.
    mutating func endInBatch(_ id: RunID, _ result: SessionResult, at time: Duration) -> [Effect] {
        guard let row = batch?.row(of: id) else { return beginNext(at: time) }
        var effects = (batch?.end(id, result, at: time) ?? []).map(Effect.cancel)
        if let question = batch?.question(about: row, result) { effects.append(.history(.judge(question))) }
        effects += beginNext(at: time)
        return batch?.isEnded ?? false ? effects + forgettingRows : effects
    }
}
