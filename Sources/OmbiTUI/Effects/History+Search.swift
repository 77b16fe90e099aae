import OmbiWorkspace

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Searches over the runs of all requests.
extension History {
    /// Returns a page with the files named as in the search; nil once the search was cancelled for a newer one.
    func found(_ search: RunSearch) async -> HistoryAnswer? {
        let names = Dictionary(search.files.map { (resolved(ItemPath(file: $0)).file, $0) }) { first, _ in first }
        do throws(HistorySearch.Problem) {
            var filter = try HistorySearch.filter(search.text, now: Date())
            filter.files = names.keys.sorted()
            return await found(search, filter, names)
        } catch { return .notFound(error.text, search) }
    }

    private func found(
        _ search: RunSearch, _ filter: HistoryFilter, _ names: [String: String]
    ) async -> HistoryAnswer? {
        do throws(HistoryError) {
            var page = try await page(filter, before: search.before, limit: RunSearch.page)
            if search.before == nil { page.loads = try await loads(filter) }
            if Task.isCancelled { return nil }
            for index in page.entries.indices {
                let file = page.entries[index].request.file
                page.entries[index].request.file = names[file] ?? file
            }
            return .found(page, search)
        } catch { return .notFound(error.description.asSentence, search) }
    }

    /// Returns a run that is shown by itself.
    func peeked(_ id: HistoryEntry.ID) async throws(HistoryError) -> HistoryAnswer {
        guard let run = try await run(id) else { return .failed("This run is no longer in the history") }
        return .peeked(run, age: Duration.age(of: run.entry.startedAt, at: Date()))
    }
}
