/// Reads runs out of the database.
struct HistoryReader {
    let database: Database
    let contents: HistoryContents
    let limits: HistoryLimits

    private static let columns = """
        run.id, request.file, request.path, environment.value, run.started, run.duration, run.method, url.value,
        run.outcome, run.status, failure.value, run.attempts, run.size,
        (SELECT attempt.failure FROM attempt WHERE attempt.run = run.id ORDER BY attempt.number DESC LIMIT 1)
        """
    private static let tables = """
        run JOIN request ON request.id = run.request
        LEFT JOIN text AS environment ON environment.id = run.environment
        LEFT JOIN text AS url ON url.id = run.url
        LEFT JOIN text AS failure ON failure.id = run.failure
        """

    /// Runs with a text up to which the indexes find them.
    private static let maximumRare = 10_000

    /// The condition of a `WHERE`, with its parameters.
    func condition(_ filter: HistoryFilter) throws(DatabaseError) -> (sql: String, values: [Database.Value]) {
        var filter = try withoutIntrospections(filter)
        filter.isTimeRare = try isTimeRare(filter)
        guard !filter.text.isEmpty else { return filter.condition }
        let found = try count(HistoryFilter.runsWithText, filter.textValues, upTo: Self.maximumRare)
        filter.isTextRare = found < Self.maximumRare
        return filter.condition
    }

    /// Returns a selection that leaves the requests for schemas out, unless it has them, numbers of runs, or one request only.
    func withoutIntrospections(_ filter: HistoryFilter) throws(DatabaseError) -> HistoryFilter {
        guard !filter.includesIntrospections, filter.ids.isEmpty, !filter.isOfOneRequest else { return filter }
        var filter = filter
        let end = HistoryPath.introspectionEnd
        filter.introspections = try database.rows(
            "SELECT id FROM request WHERE substr(path, ?) = ?", [.integer(-end.utf8.count), .text(end)]
        ) { $0.integer(0) }
        return filter
    }

    /// True if fewer runs match the time of a filter than match its requests, all of which SQLite would scan.
    /// - Parameter maximum: The number up to which runs of the time are counted at first.
    func isTimeRare(_ filter: HistoryFilter, counting maximum: Int = 10_000) throws(DatabaseError) -> Bool {
        guard filter.item != nil, filter.since != nil || filter.until != nil else { return false }
        var time = HistoryFilter()
        (time.since, time.until) = (filter.since, filter.until)
        var requests = HistoryFilter(item: filter.item)
        requests.includesContents = filter.includesContents
        func count(_ filter: HistoryFilter, upTo maximum: Int) throws(DatabaseError) -> Int {
            let (condition, values) = filter.condition
            return try self.count("SELECT 1 FROM run WHERE \(condition)", values, upTo: maximum)
        }
        let ofTime = try count(time, upTo: maximum)
        guard try count(requests, upTo: ofTime + 1) > ofTime else { return false }
        guard ofTime == maximum else { return true }
        return try count(requests, upTo: .max) > count(time, upTo: .max)
    }

    private func count(_ rows: String, _ values: [Database.Value], upTo maximum: Int) throws(DatabaseError) -> Int {
        try database.rows("SELECT count(*) FROM (\(rows) LIMIT ?)", values + [.integer(maximum)]) {
            $0.integer(0)
        }.first ?? 0
    }

    /// The newest runs first, by the order in which they were recorded: a clock that was set does not change it.
    func entries(_ filter: HistoryFilter, limit: Int, offset: Int = 0) throws(DatabaseError) -> [HistoryEntry] {
        let (condition, values) = try condition(filter)
        // The runs first, and what belongs to them afterwards: together, SQLite would sort all runs of the request.
        return try database.rows(
            """
            SELECT \(Self.columns) FROM \(Self.tables)
            WHERE run.id IN (SELECT run.id FROM run WHERE \(condition) ORDER BY run.id DESC LIMIT ? OFFSET ?)
            ORDER BY run.id DESC
            """, values + [.integer(limit), .integer(offset)], read: Self.entry)
    }

    /// The newest run of each request, in the order in which the requests were first recorded.
    func newestOfEach(_ filter: HistoryFilter, limit: Int) throws(DatabaseError) -> [HistoryEntry] {
        let (condition, values) = try condition(filter)
        return try database.rows(
            """
            SELECT \(Self.columns) FROM \(Self.tables)
            WHERE run.id IN (SELECT max(run.id) FROM run WHERE \(condition) GROUP BY run.request)
            ORDER BY run.request LIMIT ?
            """, values + [.integer(limit)], read: Self.entry)
    }

    func count(_ filter: HistoryFilter) throws(DatabaseError) -> Int {
        let (condition, values) = try condition(filter)
        return try database.rows("SELECT count(*) FROM run WHERE \(condition)", values) { $0.integer(0) }.first ?? 0
    }

    func neighbor(
        of id: Int?, isOlder: Bool, skipping: Int, in filter: HistoryFilter
    ) throws(DatabaseError) -> Int? {
        let (condition, values) = try condition(filter)
        let (comparison, order) = isOlder ? ("<", "DESC") : (">", "ASC")
        return try database.rows(
            "SELECT id FROM run WHERE \(condition) AND id \(comparison) ? ORDER BY id \(order) LIMIT 1 OFFSET ?",
            values + [.integer(id ?? Int(Int64.max)), .integer(skipping)]
        ) { $0.integer(0) }.first
    }

    /// The newest run of a selection that was the same request, with the body of its response.
    func lastGood(_ filter: HistoryFilter, _ request: PreparedRequest) throws(DatabaseError) -> RecordedRun? {
        let (condition, values) = try condition(filter)
        let ids = try database.rows(
            """
            SELECT id FROM run WHERE \(condition) AND (? OR environment IS NULL) AND method = ?
                AND url = (SELECT id FROM text WHERE value = ?) AND (body IS NOT NULL OR size = 0)
            ORDER BY id DESC LIMIT ?
            """,
            values + [
                .integer(filter.environment == nil ? 0 : 1), .text(request.method.rawValue),
                .text(LogMask.url(request.url)), .integer(Self.maximumCandidates),
            ]
        ) { $0.integer(0) }
        let body = request.body.map(LogMask.json)
        for id in ids {
            guard try run(id, includesBody: false)?.result.prepared?.body == body, let run = try run(id),
                run.missingBody == nil
            else { continue }
            return run
        }
        return nil
    }

    /// The maximum number of runs whose requests are compared with a failed one.
    private static let maximumCandidates = 50

    func place(of id: Int, in filter: HistoryFilter) throws(DatabaseError) -> HistoryPlace {
        let (condition, values) = try condition(filter)
        let newer = try database.rows(
            "SELECT count(*) FROM run WHERE \(condition) AND id >= ?", values + [.integer(id)]
        ) { $0.integer(0) }
        return HistoryPlace(number: newer.first ?? 1, count: try count(filter))
    }

    private static func entry(_ row: Database.Row) -> HistoryEntry {
        HistoryEntry(
            id: row.integer(0), request: ItemPath(file: row.text(1), path: HistoryPath.names(row.text(2))),
            environment: row.optionalText(3), startedAt: row.date(4),
            duration: row.duration(5), method: row.text(6), url: row.text(7),
            outcome: RecordedOutcome(rawValue: row.integer(8)) ?? .error, status: row.status(9),
            failure: row.optionalText(10), failureKind: row.optionalInteger(13).map(AttemptCode.failure),
            attempts: row.count(11), size: row.optionalCount(12))
    }

    /// Returns nil for a number that no run has.
    /// - Parameters:
    ///   - includesBody: false leaves the body of the response out, as if it were empty.
    ///   - maximumAttemptBody: in bytes; larger bodies of attempts are left out. By default `includesBody` holds.
    func run(
        _ id: Int, includesBody: Bool = true, maximumAttemptBody: Int? = nil
    ) throws(DatabaseError) -> RecordedRun? {
        var filter = HistoryFilter()
        filter.ids = [id]
        guard let entry = try entries(filter, limit: 1).first else { return nil }
        let row = try database.first(
            "SELECT body, prepared, response, sla FROM run WHERE id = ?", .integer(id)
        ) { ($0.optionalInteger(0), $0.optionalInteger(1), $0.text(2), $0.optionalDuration(3)) }
        guard let (body, prepared, details, sla) = row else { return nil }
        let json = (try? JSONValue.parse(details)) ?? .null
        let (data, missing) = includesBody ? try self.body(body, entry) : (nil, nil)
        let response = response(entry, json, data)
        var result = SessionResult(ending(entry, response))
        if entry.outcome == .error { result.partial = response }
        if let prepared, let content = try contents.content(prepared) {
            let text = String(decoding: content, as: UTF8.self)
            result.prepared = (try? JSONValue.parse(text)).flatMap(RecordedDetails.request)
        }
        var attempts = try self.attempts(of: id, json)
        let maximumBody = maximumAttemptBody ?? (includesBody ? .max : 0)
        try HistoryResponses(database: database, contents: contents).read(
            into: &attempts, of: id, maximumBody: maximumBody)
        if entry.attempts > 0 {
            result.report = RequestReport(
                attempts: attempts, attemptCount: max(entry.attempts, attempts.count), duration: entry.duration,
                sla: sla, outcome: outcome(entry))
        }
        RecordedDetails.read(json, into: &result)
        try HistoryRedirects(database: database, contents: contents).read(
            into: &result, of: id, json, maximumBody: maximumBody)
        return RecordedRun(entry: entry, result: result, missingBody: missing)
    }

    private func body(_ id: Int?, _ entry: HistoryEntry) throws(DatabaseError) -> (Data?, String?) {
        guard let size = entry.size else { return (nil, nil) }
        guard let id else {
            return size == 0 ? (Data(), nil) : (nil, "the body was too large to be kept (\(size) bytes)")
        }
        guard let data = try contents.content(id) else { return (nil, "the kept body is damaged or was removed") }
        return (data, nil)
    }

    /// Returns the response, or the part that came; nil without any.
    private func response(_ entry: HistoryEntry, _ json: JSONValue, _ body: Data?) -> TransportResponse? {
        guard entry.status != nil || entry.size != nil else { return nil }
        return TransportResponse(
            headers: RecordedDetails.headers(json["headers"]), statusCode: entry.status, body: body)
    }

    private func ending(_ entry: HistoryEntry, _ response: TransportResponse?) -> SessionResult.Ending {
        switch entry.outcome {
        case .cancelled: .cancelled
        case .error: .failure(entry.failure ?? "no response")
        case .passed, .failed: .response(response ?? TransportResponse(headers: [:]))
        }
    }

    private func outcome(_ entry: HistoryEntry) -> RequestReport.Outcome {
        switch entry.outcome {
        case .passed, .failed: .succeeded
        case .cancelled: .cancelled
        case .error: .failed(entry.failure ?? "")
        }
    }

    private func attempts(of run: Int, _ json: JSONValue) throws(DatabaseError) -> [AttemptReport] {
        try database.rows(
            """
            SELECT number, reason, started, duration, queue, resolve, connect, tls, send, wait, receive, outcome, failure,
                message.value, status, pause, pauseReason, address.value, reused, version, bytesReceived, bytesSent
            FROM attempt LEFT JOIN text AS message ON message.id = attempt.message
                LEFT JOIN text AS address ON address.id = attempt.address
            WHERE run = ? ORDER BY number
            """, [.integer(run)], read: Self.attempt)
    }

    private static func attempt(_ row: Database.Row) -> AttemptReport {
        var timings = Timings()
        for (index, phase) in RequestPhase.allCases.enumerated() {
            timings[phase] = row.duration(4 + index)
        }
        let metrics = TransportMetrics(
            timings: timings, httpVersion: row.optionalText(19), remoteAddress: row.optionalText(17),
            reusedConnection: row.integer(18) != 0, bytesReceived: row.count(20), bytesSent: row.count(21))
        let pause = row.optionalDuration(15)
        var attempt = AttemptReport(
            number: row.count(0), reason: AttemptCode.reason(row.integer(1)),
            startedAt: row.duration(2), duration: row.duration(3), metrics: metrics,
            outcome: AttemptCode.outcome(
                row.integer(11), failure: row.optionalInteger(12), message: row.text(13)),
            response: row.status(14).map { TransportResponse(statusCode: $0) }, willRetry: pause != nil,
            wait: pause, waitReason: row.optionalInteger(16).map(AttemptCode.waitReason))
        attempt.errorCode = row.optionalInteger(12).flatMap(AttemptCode.error)
        return attempt
    }
}

extension HistoryReader {
    /// The numbers of the kept bodies of a selection in which a JSONPath selects something. Each different body is read once.
    func bodies(with path: String, _ filter: HistoryFilter) throws(DatabaseError) -> [Int] {
        let (condition, values) = try condition(filter)
        let all = try database.rows(
            "SELECT DISTINCT body FROM run WHERE \(condition) AND body IS NOT NULL ORDER BY body", values
        ) { $0.integer(0) }
        var found: [Int] = []
        for id in all {
            guard let body = try contents.content(id) else { continue }
            var reader = CaptureReader(TransportResponse(body: body))
            if try reader.recordedValue(at: path) != nil { found.append(id) }
        }
        return found
    }
}

extension CaptureReader {
    /// Returns the value at a JSONPath; nil for none. Throws where it takes too long: it would for the other bodies, too.
    mutating func recordedValue(at path: String) throws(DatabaseError) -> String? {
        let value = try? value(of: .path(path))
        if let interruption = time.interruption {
            throw DatabaseError(.interrupted, "\(path.excerpt(80)): \(interruption.reason)")
        }
        return value
    }
}

extension History {
    /// The same selection, with the path of the file in its recorded form, and with the bodies that its JSONPath finds.
    package func selected(_ filter: HistoryFilter) async throws(HistoryError) -> HistoryFilter {
        var filter = resolved(filter)
        guard let path = filter.bodyPath else { return filter }
        let all = filter
        filter.bodies = try await read { (reader) throws(DatabaseError) in try reader.bodies(with: path, all) } ?? []
        return filter
    }
}
