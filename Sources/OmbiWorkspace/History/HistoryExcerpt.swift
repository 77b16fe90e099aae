/// Recorded runs of a history with their attempts, their contents and the marks of their time, for transfer to another
/// history. Every secret in it is masked already.
///
/// Numbers are in the units of the database: microseconds, and the codes of `AttemptCode` and `RecordedOutcome`.
package struct HistoryExcerpt: Equatable, Sendable {
    /// A recorded run. Contents are indices into `contents`.
    struct Run: Equatable, Sendable {
        var request: ItemPath
        var environment: String?
        var startedAt = 0
        var duration = 0
        var sla: Int?
        var outcome = RecordedOutcome.passed
        var status: Int?
        var attemptCount = 0
        var method = ""
        var url: String?
        var failure: String?
        /// The bytes of the body of its response, also where the body is not kept; nil without a response.
        var size: Int?
        var body: Int?
        var prepared: Int?
        /// The JSON of `RecordedDetails`.
        var details = "{}"
        var attempts: [Attempt] = []
        var redirects: [Redirect] = []
    }

    /// The kept body of a redirect.
    struct Redirect: Equatable, Sendable {
        /// The index of the redirect within its run.
        var place: Int
        var body: Int
    }

    struct Attempt: Equatable, Sendable {
        var number = 1
        var reason = 0
        var startedAt = 0
        var duration = 0
        /// In the order of `RequestPhase`.
        var phases: [Int] = []
        var outcome = 0
        var failure: Int?
        var message: String?
        var status: Int?
        var pause: Int?
        var pauseReason: Int?
        var address: String?
        var isReused = false
        var version: String?
        var bytesReceived = 0
        var bytesSent = 0
        /// Nil for the last attempt, whose response is the run's.
        var response: Response?
    }

    /// The response to an attempt that another one followed.
    struct Response: Equatable, Sendable {
        var status: Int?
        /// The JSON of the headers.
        var headers: String?
        var isPartial = false
        var size = 0
        var body: Int?
    }

    /// The oldest first.
    var runs: [Run] = []
    /// The start of the newest run; nil without runs.
    package var newest: Date? { runs.map(\.startedAt).max().map { Date(microseconds: $0) } }
    /// Bodies, and requests as JSON; each once.
    var contents: [Data] = []
    /// The oldest first.
    package internal(set) var marks: [HistoryMark] = []

    package var runCount: Int { runs.count }

    /// The requests of the runs, each once, in the order in which they come first.
    var requests: [ItemPath] {
        var known: Set<ItemPath> = []
        return runs.map(\.request).filter { known.insert($0).inserted }
    }
}

/// The bounds of an excerpt, both when it is read from a history and when it is accepted from a file.
struct ExcerptLimits: Sendable {
    var runs = 1000
    /// All attempts of all runs.
    var attempts = 50_000
    /// The bytes of a content; a larger one is left out.
    var content = 8 << 20
    /// The bytes of all contents.
    var contents = 12 << 20
    /// In microseconds, between the first and the last run: 400 days. Axes and averages are made for that.
    var span = 400 * 86_400 * 1_000_000

    static let standard = ExcerptLimits()
}

extension History {
    /// Adds the runs and the marks of an excerpt, all of them or none.
    /// - Parameter file: the path of the file whose requests they are from now on.
    package func add(_ excerpt: HistoryExcerpt, file: String) async throws(HistoryError) {
        let file = resolved(ItemPath(file: file)).file
        _ = try await change(createsFile: true) { [self] (database) throws(DatabaseError) in
            try database.transaction { () throws(DatabaseError) in
                var writer = HistoryWriter(database: database, contents: contents(database), limits: limits)
                try writer.write(excerpt, file: file)
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
        try count()
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
        let id = try insertRun(values)
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
