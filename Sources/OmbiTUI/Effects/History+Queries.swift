import OmbiWorkspace

/// The questions of the screen to the history.
extension History {
    /// Returns nil where there is nothing to say.
    func answer(_ query: HistoryQuery) async -> HistoryAnswer? {
        do throws(HistoryError) {
            switch query {
            case .show(let path): return .shown(try await shown(path))
            case .open(let id, let path, let item):
                guard let run = try await run(id) else { return .failed("this run is no longer in the history") }
                return .opened(run, try await place(of: id, in: HistoryFilter(item: resolved(path))), for: item)
            case .step(let id, let isOlder, let skipped, let path, let item):
                let filter = HistoryFilter(item: resolved(path))
                let found = try await neighbor(of: id, isOlder: isOlder, skipping: skipped, in: filter)
                return found.map { .opened($0.run, $0.place, for: item) } ?? .end(isOlder: isOlder)
            case .values(let value, let path):
                return .values(try await values(at: value, HistoryFilter(item: resolved(path))))
            case .delete(let ids, let path):
                var filter = HistoryFilter()
                filter.ids = ids
                _ = try await delete(filter)
                return .shown(try await shown(path))
            case .move(let old, let new):
                rename(old, to: new)
                return nil
            }
        } catch { return .failed(error.description) }
    }

    private func shown(_ path: ItemPath) async throws(HistoryError) -> RequestHistory {
        let filter = HistoryFilter(item: resolved(path))
        return RequestHistory(
            request: path, entries: try await entries(filter, limit: RequestHistory.maximumEntries),
            count: try await count(filter), statistics: try await statistics(filter))
    }
}
