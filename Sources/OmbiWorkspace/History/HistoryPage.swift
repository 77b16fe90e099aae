#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A part of the runs that a filter selects, the newest first.
public struct HistoryPage: Equatable, Sendable {
    public var entries: [HistoryEntry]
    /// The run before which the search goes on; nil once all runs were looked at.
    public var next: HistoryEntry.ID?
    /// The start of the oldest run that was looked at; nil once all were.
    public var oldest: Date?
    /// The loads that the filter selects, the newest first: all of them with the first page.
    package var loads: [HistoryLoad] = []

    public init(entries: [HistoryEntry] = [], next: HistoryEntry.ID? = nil, oldest: Date? = nil) {
        (self.entries, self.next, self.oldest) = (entries, next, oldest)
    }
}

extension History {
    /// Steps of a search without a result after which it says how far it is.
    private static let maximumSteps = 4

    /// Returns the newest runs of a selection, or those before a run: as many as a few short looks into the history
    /// find. The search goes on at `HistoryPage.next`. A cancelled task ends it early.
    public func page(
        _ filter: HistoryFilter, before: HistoryEntry.ID? = nil, limit: Int = 100
    ) async throws(HistoryError) -> HistoryPage {
        var page = HistoryPage(next: before ?? Int.max)
        for _ in 0..<Self.maximumSteps {
            guard let next = page.next, page.entries.isEmpty, !Task.isCancelled else { break }
            let step = try await read { (reader) throws(DatabaseError) in
                try reader.page(filter, before: next, limit: limit)
            }
            page = step ?? HistoryPage()
        }
        return page
    }
}

extension HistoryReader {
    /// Runs that one step looks at. Each takes a lookup or two for a word, all of them some milliseconds.
    static let maximumStep = 5_000
    /// Runs of an index up to which they are all looked at.
    static let maximumFew = 2_000

    /// The newest runs of a selection before another, among so many.
    func page(
        _ filter: HistoryFilter, before: Int, limit: Int, step: Int = HistoryReader.maximumStep,
        few maximumFew: Int = HistoryReader.maximumFew
    ) throws(DatabaseError) -> HistoryPage {
        let filter = try withoutIntrospections(filter)
        if let few = try fewRuns(filter, maximumFew) {
            return try page(filter, among: few, before: before, limit: limit)
        }
        let end = try database.rows(
            "SELECT id FROM run WHERE id < ? ORDER BY id DESC LIMIT 1 OFFSET ?",
            [.integer(before), .integer(max(0, step - 1))]
        ) { $0.integer(0) }.first
        let (condition, values) = filter.condition
        // No index: one of a condition would have all of its runs sorted.
        let ids = try database.rows(
            "SELECT id FROM run NOT INDEXED WHERE id < ? AND id >= ? AND \(condition) ORDER BY id DESC LIMIT ?",
            [.integer(before), .integer(end ?? Int.min)] + values + [.integer(limit)]
        ) { $0.integer(0) }
        return try page(ids, next: ids.count < limit ? end : ids.last)
    }

    /// The same among runs that an index has found.
    private func page(
        _ filter: HistoryFilter, among few: [Int], before: Int, limit: Int
    ) throws(DatabaseError) -> HistoryPage {
        guard !few.isEmpty else { return HistoryPage() }
        var filter = filter
        (filter.ids, filter.before) = (few, before)
        let (condition, values) = filter.condition
        let ids = try database.rows(
            "SELECT id FROM run NOT INDEXED WHERE \(condition) ORDER BY id DESC LIMIT ?", values + [.integer(limit)]
        ) { $0.integer(0) }
        return try page(ids, next: ids.count < limit ? nil : ids.last)
    }

    private func page(_ ids: [Int], next: Int?) throws(DatabaseError) -> HistoryPage {
        var page = HistoryPage(next: next)
        if let next {
            page.oldest = try database.first("SELECT started FROM run WHERE id = ?", .integer(next)) { $0.date(0) }
        }
        // Without a number the filter would select all.
        guard !ids.isEmpty else { return page }
        var filter = HistoryFilter()
        filter.ids = ids
        page.entries = try entries(filter, limit: ids.count)
        return page
    }

    /// The runs that a time or the files of a filter leave; nil where neither does, or they are many.
    private func fewRuns(_ filter: HistoryFilter, _ maximum: Int) throws(DatabaseError) -> [Int]? {
        guard filter.ids.isEmpty else { return nil }
        if let since = filter.since {
            let ids = try database.rows(
                "SELECT id FROM run WHERE started >= ? LIMIT ?", [.integer(since.microseconds), .integer(maximum + 1)]
            ) { $0.integer(0) }
            if ids.count <= maximum { return ids }
        }
        guard !filter.files.isEmpty else { return nil }
        let marks = Array(repeating: "?", count: filter.files.count).joined(separator: ", ")
        let ids = try database.rows(
            "SELECT run.id FROM request JOIN run ON run.request = request.id WHERE request.file IN (\(marks)) LIMIT ?",
            filter.files.map(Database.Value.text) + [.integer(maximum + 1)]
        ) { $0.integer(0) }
        return ids.count <= maximum ? ids : nil
    }
}
