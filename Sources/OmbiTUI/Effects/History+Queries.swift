import OmbiDocument
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
            case .compare(let question): return .compared(question, try await verdict(on: question))
            case .move(let old, let new):
                rename(old, to: new)
                return nil
            }
        } catch { return .failed(error.description) }
    }

    private func verdict(on question: ReplayQuestion) async throws(HistoryError) -> ReplayVerdict {
        guard question.isRecorded else { return .none("its runs are not kept") }
        let (target, baseline) = (question.target.environment, question.target.baseline)
        guard let new = try await newest(of: question.request, target).first else { return .none("not recorded") }
        let others = try await newest(of: question.request, baseline)
        guard let old = others.first(where: { $0.id != new.id }) else {
            return .none("no run in \(baseline ?? "the history")")
        }
        guard let left = try await run(old.id), let right = try await run(new.id) else {
            return .none("no longer in the history")
        }
        return .compared(
            RunComparison(
                question.request, from: .init(left), to: .init(right),
                ignoring: question.ignored.compactMap { try? JSONPath($0) }))
    }

    /// The newest runs that came to an end by themselves.
    private func newest(
        of request: ItemPath, _ environment: String?
    ) async throws(HistoryError) -> [HistoryEntry] {
        var filter = HistoryFilter(item: resolved(request))
        filter.environment = environment
        filter.outcomes = [.passed, .failed, .error]
        return try await entries(filter, limit: 2)
    }

    private func shown(_ path: ItemPath) async throws(HistoryError) -> RequestHistory {
        let filter = HistoryFilter(item: resolved(path))
        return RequestHistory(
            request: path, entries: try await entries(filter, limit: RequestHistory.maximumEntries),
            count: try await count(filter), statistics: try await statistics(filter))
    }
}
