import OmbiWorkspace

/// The runs of a batch: begun here as long as there is room, and otherwise like those of single requests.
extension Runs {
    /// Begins a batch in place of the last one.
    mutating func begin(_ batch: Batch, at time: Duration) -> [Effect] {
        var batch = batch
        batch.id = lastID + 1
        self.batch = batch
        return beginNext(at: time)
    }

    mutating func restartFailed(in collection: Collection, at time: Duration) -> [Effect] {
        batch?.restartFailed(in: collection, at: time)
        return beginNext(at: time)
    }

    /// Begins the requests of the batch whose turn it is.
    mutating func beginNext(at time: Duration) -> [Effect] {
        guard batch?.counts.waiting ?? 0 > 0 else { return [] }
        let busy = activeItems
        var effects: [Effect] = []
        while true {
            let id = lastID + 1
            guard let order = batch?.takeNext(id: id, busy: busy) else { return effects }
            effects += begin(order, at: time)
        }
    }
}
