/// Writes runs into their tables: a row each, one for each attempt, and the contents.
///
/// It lives for one transaction, during which the numbers of what recurs stay what they are.
struct HistoryWriter {
    let database: Database
    let contents: HistoryContents
    private var texts: [String: Int] = [:]
    private var requests: [ItemPath: Int] = [:]

    init(database: Database, contents: HistoryContents) { (self.database, self.contents) = (database, contents) }

    /// Writes the runs of an excerpt, inside a transaction. They are still to be counted.
    /// - Parameters:
    ///   - file: The path of the file whose requests they are from now on; nil for those that they have.
    ///   - needsContents: False to write runs without a body whose file cannot be written.
    /// - Returns: the number of the first run; nil for none.
    mutating func write(
        _ excerpt: HistoryExcerpt, file: String? = nil, needsContents: Bool = false
    ) throws(DatabaseError) -> Int? {
        var first: Int?
        var ids: [Int?] = []
        for content in excerpt.contents {
            let id = try contents.add(content)
            if id == nil, needsContents { throw DatabaseError(.full, "a large body cannot be written") }
            ids.append(id)
        }
        for var run in excerpt.runs {
            run.request.file = file ?? run.request.file
            let id = try write(run, ids)
            first = first ?? id
        }
        return first
    }

    /// - Returns: the number of the run.
    private mutating func write(_ run: HistoryExcerpt.Run, _ contents: [Int?]) throws(DatabaseError) -> Int {
        func content(_ index: Int?) -> Database.Value { .optional(index.flatMap { contents[safe: $0] ?? nil }) }
        let request = try self.request(run.request)
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
        for redirect in run.redirects {
            guard case .integer(let body) = content(redirect.body) else { continue }
            try database.run(
                "INSERT INTO redirect VALUES (?, ?, ?)", .integer(id), .integer(redirect.place), .integer(body))
        }
        for attempt in run.attempts {
            try write(attempt, of: id)
            guard let response = attempt.response else { continue }
            try database.run(
                "INSERT INTO response VALUES (?, ?, ?, ?, ?, ?, ?)", .integer(id), .integer(attempt.number),
                .optional(response.status), .optional(response.headers), .integer(response.isPartial ? 1 : 0),
                .integer(response.size), content(response.body))
        }
        return id
    }

    private static let insertRun = """
        INSERT INTO run (request, environment, started, duration, sla, outcome, status, attempts, method, url, failure,
            size, body, prepared, response)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    private static let insertAttempt =
        "INSERT INTO attempt VALUES (" + Array(repeating: "?", count: 23).joined(separator: ", ") + ")"

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

    // MARK: Texts that recur

    private mutating func request(_ path: ItemPath) throws(DatabaseError) -> Int {
        if let known = requests[path] { return known }
        let id = try find(path)
        requests[path] = id
        return id
    }

    private func find(_ path: ItemPath) throws(DatabaseError) -> Int {
        let (file, names) = (Database.Value.text(path.file), Database.Value.text(HistoryPath.text(path.path)))
        let known = try database.first(
            "SELECT id FROM request WHERE file = ? AND path = ?", file, names, read: { $0.integer(0) })
        if let known { return known }
        try database.run("INSERT INTO request (file, path) VALUES (?, ?)", file, names)
        return database.lastInsertedRow
    }

    /// Returns the number of a text; NULL for none.
    private mutating func text(_ text: String?) throws(DatabaseError) -> Database.Value {
        guard let text else { return .null }
        if let known = texts[text] { return .integer(known) }
        let id = try find(text)
        texts[text] = id
        return .integer(id)
    }

    private func find(_ text: String) throws(DatabaseError) -> Int {
        let known = try database.first(
            "SELECT id FROM text WHERE value = ?", .text(text), read: { $0.integer(0) })
        if let known { return known }
        try database.run("INSERT INTO text (value) VALUES (?)", .text(text))
        return database.lastInsertedRow
    }
}
