/// The values that were captured in a session, by file and environment. They are in memory only.
struct CaptureStore {
    private struct Place: Hashable {
        var file: String
        var environment: String?
        /// Nil for values that are the same for every row of a file of data.
        var row: Int?
    }

    private struct Entry {
        var value: CapturedValue
        var item: ItemID
        var time: ContinuousClock.Instant
        var maximumAge: Duration?
    }

    private struct Index {
        var items: [CollectionItem]
        var index: CaptureIndex
    }

    private var entries: [Place: [String: Entry]] = [:]
    private var indices: [String: Index] = [:]

    /// Returns the index of the order's collection, rebuilt only if its items have changed.
    mutating func index(for order: RunOrder) -> CaptureIndex {
        let items = order.collection.items
        if let known = indices[order.file], known.items.isSameArray(as: items) { return known.index }
        let index = CaptureIndex(order.collection)
        indices[order.file] = Index(items: items, index: index)
        return index
    }

    /// Returns the captured values for a run.
    /// - Parameters:
    ///   - waiters: the requests that wait for it, the first one first.
    ///   - start: of the first of all; a value that was captured since then is never too old.
    mutating func scope(
        for order: RunOrder, _ waiters: [SavedRequest], since start: ContinuousClock.Instant,
        now: ContinuousClock.Instant
    ) -> CapturedScope {
        var known = entries[Place(file: order.file, environment: order.environment)] ?? [:]
        if let row = order.row {
            let own = entries[Place(file: order.file, environment: order.environment, row: row.number)] ?? [:]
            known.merge(own) { $1 }
        }
        let index = index(for: order)
        guard !known.isEmpty || !index.requests.isEmpty else { return CapturedScope() }
        var scope = index.scope(for: waiters + [order.request])
        for (name, entry) in known {
            let requests = index.requests[name]
            // The value of a request in no collection, such as a scratch request, stays.
            let request = requests?.first { $0.id == entry.item }
            guard request != nil || requests == nil && order.collection.request(entry.item) == nil else { continue }
            let maximumAge = request?.captures.first { $0.name == name }?.maximumAge ?? entry.maximumAge
            let isFresh = entry.time >= start || maximumAge.map { entry.time.duration(to: now) <= $0 } ?? true
            if isFresh { scope.values[name] = entry.value }
        }
        return scope
    }

    mutating func add(_ values: [(Capture, CapturedValue)], of order: RunOrder, at time: ContinuousClock.Instant) {
        let place = Place(file: order.file, environment: order.environment, row: order.row(of: order.request))
        for (capture, value) in values {
            entries[place, default: [:]][value.name] = Entry(
                value: value, item: order.request.id, time: time, maximumAge: capture.maximumAge)
        }
    }

    /// Forgets a secret that a server has refused. Returns false for a value that is too new to be outdated, or no
    /// secret; true if it was forgotten already.
    mutating func forget(
        _ name: String, refused value: String, of order: RunOrder, at now: ContinuousClock.Instant
    ) -> Bool {
        let own = Place(file: order.file, environment: order.environment, row: order.row?.number)
        let places = [own, Place(file: order.file, environment: order.environment)]
        guard let place = places.first(where: { entries[$0]?[name] != nil }), let entry = entries[place]?[name] else {
            return true
        }
        // One that is no secret may be another by now, too: the refused request would go to another thing.
        guard entry.value.isSecret else { return false }
        guard entry.value.value == value else { return true }
        guard entry.time.duration(to: now) >= SecretStore.refusalAge else { return false }
        entries[place]?[name] = nil
        return true
    }

    /// Forgets the values of a row whose runs have ended.
    mutating func forget(row: Int) { entries = entries.filter { $0.key.row != row } }

    mutating func forgetRows() { entries = entries.filter { $0.key.row == nil } }
}

extension Array {
    /// True for a copy that shares its storage; false is inconclusive.
    fileprivate func isSameArray(as other: [Element]) -> Bool {
        count == other.count
            && withUnsafeBufferPointer { own in other.withUnsafeBufferPointer { $0.baseAddress == own.baseAddress } }
    }
}
