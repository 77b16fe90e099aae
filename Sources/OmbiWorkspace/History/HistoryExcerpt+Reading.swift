extension History {
    /// Returns the newest runs of a selection with all their attempts, as many as one file holds, and the marks of a
    /// time.
    package func excerpt(
        _ filter: HistoryFilter, marksSince start: Date, until end: Date
    ) async throws(HistoryError) -> HistoryExcerpt {
        try await read { (reader) throws(DatabaseError) in
            var excerpt = try reader.excerpt(filter, .standard)
            excerpt.marks = try reader.marks(since: start, until: end)
            return excerpt
        } ?? HistoryExcerpt()
    }
}

extension HistoryReader {
    /// The newest runs of a selection, the oldest first. Contents of runs that failed or were repeated come first where
    /// there is not room for all.
    func excerpt(_ filter: HistoryFilter, _ limits: ExcerptLimits) throws(DatabaseError) -> HistoryExcerpt {
        let (condition, values) = try condition(filter)
        let rows = try database.rows(
            """
            SELECT run.id, request.file, request.path, environment.value, run.started, run.duration, run.sla,
                run.outcome, run.status, run.attempts, run.method, url.value, failure.value, run.size, run.body,
                run.prepared, run.response
            FROM run JOIN request ON request.id = run.request
                LEFT JOIN text AS environment ON environment.id = run.environment
                LEFT JOIN text AS url ON url.id = run.url
                LEFT JOIN text AS failure ON failure.id = run.failure
            WHERE run.id IN (SELECT run.id FROM run WHERE \(condition) ORDER BY run.id DESC LIMIT ?)
            ORDER BY run.id
            """, values + [.integer(limits.runs)], read: Self.excerptRow)
        var excerpt = HistoryExcerpt()
        var attempts = 0
        let newest = rows.map { $0.run.startedAt }.max() ?? 0
        // Without room for all, the oldest go.
        for row in rows.reversed() where newest - row.run.startedAt <= limits.span {
            var run = row.run
            run.attempts = try excerptAttempts(of: row.id)
            run.redirects = try excerptRedirects(of: row.id, run.details)
            attempts += run.attempts.count
            guard attempts <= limits.attempts else { break }
            excerpt.runs.append(run)
        }
        excerpt.runs.reverse()
        var kept = KeptContents(contents: contents, limits: limits)
        let isUrgent = excerpt.runs.map { $0.outcome != .passed || $0.attempts.count > 1 }
        for urgent in [true, false] {
            for index in excerpt.runs.indices where isUrgent[index] == urgent { try kept.take(&excerpt.runs[index]) }
        }
        excerpt.contents = kept.all
        return excerpt
    }

    /// A run with the numbers of its contents in the database.
    private static func excerptRow(_ row: Database.Row) -> (id: Int, run: HistoryExcerpt.Run) {
        var run = HistoryExcerpt.Run(request: ItemPath(file: row.text(1), path: HistoryPath.names(row.text(2))))
        run.environment = row.optionalText(3)
        (run.startedAt, run.duration) = (row.date(4).microseconds, row.duration(5).wholeMicroseconds)
        run.sla = row.optionalDuration(6)?.wholeMicroseconds
        run.outcome = RecordedOutcome(rawValue: row.integer(7)) ?? .error
        (run.status, run.attemptCount) = (row.status(8), row.count(9))
        (run.method, run.url, run.failure) = (row.text(10), row.optionalText(11), row.optionalText(12))
        (run.size, run.body, run.prepared) = (row.optionalCount(13), row.optionalInteger(14), row.optionalInteger(15))
        run.details = row.text(16)
        return (row.integer(0), run)
    }

    private func excerptAttempts(of run: Int) throws(DatabaseError) -> [HistoryExcerpt.Attempt] {
        var attempts = try database.rows(
            """
            SELECT number, reason, started, duration, queue, resolve, connect, tls, send, wait, receive, outcome,
                failure, message.value, status, pause, pauseReason, address.value, reused, version, bytesReceived,
                bytesSent
            FROM attempt LEFT JOIN text AS message ON message.id = attempt.message
                LEFT JOIN text AS address ON address.id = attempt.address
            WHERE run = ? ORDER BY number
            """, [.integer(run)], read: Self.excerptAttempt)
        let responses = try database.rows(
            "SELECT number, status, headers, partial, size, body FROM response WHERE run = ?", [.integer(run)]
        ) { row in
            (
                number: row.count(0),
                response: HistoryExcerpt.Response(
                    status: row.status(1), headers: row.optionalText(2), isPartial: row.integer(3) != 0,
                    size: row.count(4), body: row.optionalInteger(5))
            )
        }
        for row in responses {
            guard let index = attempts.firstIndex(where: { $0.number == row.number }) else { continue }
            attempts[index].response = row.response
        }
        return attempts
    }

    private func excerptRedirects(of run: Int, _ details: String) throws(DatabaseError) -> [HistoryExcerpt.Redirect] {
        guard details.contains("\"redirects\""), let json = try? JSONValue.parse(details) else { return [] }
        return try HistoryRedirects(database: database, contents: contents).bodies(of: run, json).map {
            HistoryExcerpt.Redirect(place: $0.place, body: $0.content)
        }
    }

    private static func excerptAttempt(_ row: Database.Row) -> HistoryExcerpt.Attempt {
        var attempt = HistoryExcerpt.Attempt()
        (attempt.number, attempt.reason) = (row.count(0), row.integer(1))
        (attempt.startedAt, attempt.duration) = (row.duration(2).wholeMicroseconds, row.duration(3).wholeMicroseconds)
        attempt.phases = RequestPhase.allCases.indices.map { row.duration(4 + $0).wholeMicroseconds }
        (attempt.outcome, attempt.failure) = (row.integer(11), row.optionalInteger(12))
        (attempt.message, attempt.status) = (row.optionalText(13), row.status(14))
        attempt.pause = row.optionalDuration(15)?.wholeMicroseconds
        (attempt.pauseReason, attempt.address) = (row.optionalInteger(16), row.optionalText(17))
        (attempt.isReused, attempt.version) = (row.integer(18) != 0, row.optionalText(19))
        (attempt.bytesReceived, attempt.bytesSent) = (row.count(20), row.count(21))
        return attempt
    }
}

/// Gathers the contents of runs, each once, as long as there is room.
private struct KeptContents {
    let contents: HistoryContents
    let limits: ExcerptLimits
    private(set) var all: [Data] = []
    private var bytes = 0
    /// The places of the contents by their numbers in the database; nil for those that are left out.
    private var places: [Int: Int?] = [:]

    init(contents: HistoryContents, limits: ExcerptLimits) { (self.contents, self.limits) = (contents, limits) }

    /// Replaces the numbers of the contents of a run by their places here.
    mutating func take(_ run: inout HistoryExcerpt.Run) throws(DatabaseError) {
        run.prepared = try place(of: run.prepared)
        for index in run.attempts.indices {
            guard let body = run.attempts[index].response?.body else { continue }
            run.attempts[index].response?.body = try place(of: body)
        }
        run.body = try place(of: run.body)
        var redirects: [HistoryExcerpt.Redirect] = []
        for redirect in run.redirects {
            guard let body = try place(of: redirect.body) else { continue }
            redirects.append(HistoryExcerpt.Redirect(place: redirect.place, body: body))
        }
        run.redirects = redirects
    }

    private mutating func place(of id: Int?) throws(DatabaseError) -> Int? {
        guard let id else { return nil }
        if let known = places[id] { return known }
        guard let data = try contents.content(id), data.count <= limits.content, bytes + data.count <= limits.contents
        else {
            places[id] = .some(nil)
            return nil
        }
        bytes += data.count
        all.append(data)
        places[id] = all.count - 1
        return all.count - 1
    }
}
