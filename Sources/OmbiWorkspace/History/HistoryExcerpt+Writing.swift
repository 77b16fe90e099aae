#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension History {
    /// Adds the runs and the marks of an excerpt, all of them or none.
    /// - Parameter file: the path of the file whose requests they are from now on.
    public func add(_ excerpt: HistoryExcerpt, file: String) async throws(HistoryError) {
        let file = resolved(ItemPath(file: file)).file
        _ = try await answer(createsFile: true) { [self] () throws(DatabaseError) in
            try perform { (database) throws(DatabaseError) in
                try database.transaction { () throws(DatabaseError) in
                    var writer = HistoryWriter(database: database, contents: contents(database), limits: limits)
                    try writer.write(excerpt, file: file)
                }
            }
        }
    }
}

extension HistoryWriter {
    /// Writes an excerpt, inside a transaction.
    mutating func write(_ excerpt: HistoryExcerpt, file: String) throws(DatabaseError) {
        var ids: [Int] = []
        for content in excerpt.contents { ids.append(try contents.add(content)) }
        for run in excerpt.runs { try write(run, ids, file: file) }
        let marks = HistoryMarks(database: database)
        for mark in excerpt.marks { _ = try marks.add(mark.name, at: mark.date) }
    }

    private mutating func write(
        _ run: HistoryExcerpt.Run, _ contents: [Int], file: String
    ) throws(DatabaseError) {
        func content(_ index: Int?) -> Database.Value { .optional(index.flatMap { contents[safe: $0] }) }
        let request = try self.request(ItemPath(file: file, path: run.request.path))
        let environment = try text(run.environment)
        let url = try text(run.url)
        let failure = try text(run.failure)
        let values: [Database.Value] =
            [
                .integer(request), environment, .integer(run.startedAt), .integer(run.duration), .optional(run.sla),
                .integer(run.outcome.rawValue), .optional(run.status), .integer(run.attemptCount), .text(run.method),
                url, failure, .optional(run.size), content(run.body), content(run.prepared), .text(run.details),
            ]
        try database.forEach(Self.insertRun, values) { _ in true }
        let id = database.lastInsertedRow
        let bodies = HistoryRedirects(database: database, contents: self.contents)
        for redirect in run.redirects {
            guard let body = contents[safe: redirect.body] else { continue }
            try bodies.add(body, of: id, at: redirect.place)
        }
        for attempt in run.attempts {
            try write(attempt, of: id)
            guard let response = attempt.response else { continue }
            try database.run(
                "INSERT INTO response VALUES (?, ?, ?, ?, ?, ?, ?)", .integer(id), .integer(attempt.number),
                .optional(response.status), .optional(response.headers), .integer(response.isPartial ? 1 : 0),
                .integer(response.size), content(response.body))
        }
    }

    private static let insertRun =
        """
        INSERT INTO run (request, environment, started, duration, sla, outcome, status, attempts, method, url, failure,
            size, body, prepared, response)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    private mutating func write(_ attempt: HistoryExcerpt.Attempt, of run: Int) throws(DatabaseError) {
        let message = try text(attempt.message)
        let address = try text(attempt.address)
        let times: [Database.Value] = ([attempt.startedAt, attempt.duration] + attempt.phases).map { .integer($0) }
        let head: [Database.Value] = [.integer(run), .integer(attempt.number), .integer(attempt.reason)]
        let tail: [Database.Value] =
            [
                .integer(attempt.outcome), .optional(attempt.failure), message, .optional(attempt.status),
                .optional(attempt.pause), .optional(attempt.pauseReason), address,
                .integer(attempt.isReused ? 1 : 0), .optional(attempt.version), .integer(attempt.bytesReceived),
                .integer(attempt.bytesSent),
            ]
        try database.forEach(Self.insertAttempt, head + times + tail) { _ in true }
    }
}
