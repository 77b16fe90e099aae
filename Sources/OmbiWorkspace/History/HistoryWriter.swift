/// Writes runs into the database: a row each, one for each attempt, and the contents.
///
/// It lives for one transaction, during which the numbers of what recurs stay what they are.
struct HistoryWriter {
    let database: Database
    let contents: HistoryContents
    let limits: HistoryLimits
    private var texts: [String: Int] = [:]
    private var requests: [ItemPath: Int] = [:]
    private var prepared: (request: PreparedRequest, id: Int)?
    private var body: (data: Data, id: Int)?
    /// The first run that is not counted yet.
    private var firstRun: Int?

    init(database: Database, contents: HistoryContents, limits: HistoryLimits) {
        (self.database, self.contents, self.limits) = (database, contents, limits)
    }

    /// Counts the runs that were written since the last time, inside their transaction.
    mutating func count() throws(DatabaseError) {
        guard let firstRun else { return }
        try HistoryTallies.add(from: firstRun, in: database)
        self.firstRun = nil
    }

    /// Writes a run, inside a transaction.
    mutating func write(_ run: RunToRecord) throws(DatabaseError) {
        // The request that was sent is put together each time that it is asked for.
        let sent = run.result.prepared
        let id = try writeRun(run, sent)
        for (index, attempt) in (run.result.report?.attempts ?? []).enumerated() {
            let (isExpected, rejection) = (
                run.result.expectsFailure(ofAttemptAt: index), run.result.rejection(ofAttemptAt: index)
            )
            try write(attempt, of: id, isExpected: isExpected, rejection)
        }
        try HistoryResponses(database: database, contents: contents).write(run.result, of: id, limits)
        try HistoryRedirects(database: database, contents: contents)
            .write(sent?.redirects ?? [], of: run.result, id, limits)
    }

    private mutating func writeRun(_ run: RunToRecord, _ sent: PreparedRequest?) throws(DatabaseError) -> Int {
        let result = run.result
        let request = try self.request(run.request)
        let environment = try text(run.environment)
        let url = try text(sent.map { LogMask.url($0.url) })
        let failure = try text(result.failures.first)
        let prepared = try sent.map { request throws(DatabaseError) in try id(of: request) }
        return try insertRun([
            .integer(request), environment, .integer(run.startedAt.microseconds),
            .integer(result.duration.wholeMicroseconds), .optional(result.report?.sla?.wholeMicroseconds),
            .integer(RecordedOutcome(result).rawValue), .optional(result.receivedResponse?.statusCode),
            .integer(result.tries), .text(sent?.method.rawValue ?? run.method), url, failure,
            .optional(result.receivedResponse.map { $0.body?.count ?? 0 }), try body(run), .optional(prepared),
            .text(RecordedDetails.json(result, sent).compact),
        ])
    }

    /// - Returns: the number of the run.
    mutating func insertRun(_ values: [Database.Value]) throws(DatabaseError) -> Int {
        try database.forEach(Self.insertRun, values) { _ in true }
        let id = database.lastInsertedRow
        if firstRun == nil { firstRun = id }
        return id
    }

    private static let insertRun = """
        INSERT INTO run (request, environment, started, duration, sla, outcome, status, attempts, method, url, failure,
            size, body, prepared, response)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    /// Runs in a row mostly send the same.
    private mutating func id(of request: PreparedRequest) throws(DatabaseError) -> Int {
        if let prepared, prepared.request == request { return prepared.id }
        let id = try contents.add(Data(RecordedDetails.json(request).compact.utf8))
        prepared = (request, id)
        return id
    }

    private mutating func body(_ run: RunToRecord) throws(DatabaseError) -> Database.Value {
        guard run.bodySize <= limits.maximumBody, let masked = run.result.maskedBody else { return .null }
        if let known = self.body, known.data == masked { return .integer(known.id) }
        guard let id = try contents.add(body: masked) else { return .null }
        self.body = (masked, id)
        return .integer(id)
    }

    static let insertAttempt =
        "INSERT INTO attempt VALUES (" + Array(repeating: "?", count: 23).joined(separator: ", ") + ")"

    private mutating func write(
        _ attempt: AttemptReport, of run: Int, isExpected: Bool, _ rejection: RetryPolicy.Failure?
    ) throws(DatabaseError) {
        let (outcome, failure, message) = AttemptCode.codes(
            of: attempt, isExpected: isExpected, rejection: rejection)
        let (metrics, timings) = (attempt.metrics, attempt.metrics.timings)
        let phases = RequestPhase.allCases.map { Database.Value.integer(timings[$0].wholeMicroseconds) }
        let values: [Database.Value] =
            [
                .integer(run), .integer(attempt.number),
                .integer(AttemptCode.index(of: attempt.reason)), .integer(attempt.startedAt.wholeMicroseconds),
                .integer(attempt.duration.wholeMicroseconds),
            ] + phases + [
                .integer(outcome), .optional(failure), try text(message), .optional(attempt.response?.statusCode),
                .optional(attempt.wait?.wholeMicroseconds), .optional(attempt.waitReason.map(AttemptCode.index)),
                try text(metrics.remoteAddress), .integer(metrics.reusedConnection ? 1 : 0),
                .optional(metrics.httpVersion), .integer(metrics.bytesReceived), .integer(metrics.bytesSent),
            ]
        try database.forEach(Self.insertAttempt, values) { _ in true }
    }

    // MARK: Texts that recur

    mutating func request(_ path: ItemPath) throws(DatabaseError) -> Int {
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
    mutating func text(_ text: String?) throws(DatabaseError) -> Database.Value {
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

/// A run on its way into the history.
struct RunToRecord: Sendable {
    var request: ItemPath
    var environment: String?
    var startedAt: Date
    /// For a run that could not be prepared.
    var method: String
    var result: SessionResult
    /// The bytes of all bodies.
    let size: Int

    init(request: ItemPath, environment: String? = nil, startedAt: Date, method: String, result: SessionResult) {
        self.request = request
        self.environment = environment
        self.startedAt = startedAt
        self.method = method
        self.result = result
        size = Self.size(result)
    }

    var bodySize: Int { Self.bodySize(result) }

    private static func bodySize(_ result: SessionResult) -> Int { result.receivedResponse?.body?.count ?? 0 }

    private static func size(_ result: SessionResult) -> Int {
        let attempts = result.report?.attempts ?? []
        let redirects = result.prepared?.redirects.reduce(0) { $0 + ($1.body?.count ?? 0) } ?? 0
        return attempts.dropLast().reduce(bodySize(result) + redirects) { $0 + ($1.received?.body?.count ?? 0) }
    }
}

extension SessionResult {
    /// The body in its stored form: without the secrets of the run and, in JSON, without values whose names mark them
    /// as secret. nil if there is none.
    package var maskedBody: Data? { receivedResponse.flatMap { masked(bodyOf: $0, isPart: response == nil) } }

    /// The body of a response of the run in the same form.
    /// - Parameter isPart: True for an interrupted one.
    func masked(bodyOf response: TransportResponse, isPart: Bool) -> Data? {
        guard let body = response.body else { return nil }
        var masked = isPart ? redactor.redact(part: body) : redactor.redact(body)
        if let mask = response.headers?.redirectMask {
            masked = isPart ? mask.redact(part: masked) : mask.redact(masked)
        }
        guard JSONText.mayBe(masked, response[.contentType]?.text) else { return masked }
        return Data(LogMask.json(Array(masked)))
    }
}

/// Recognises JSON by its type or its first character.
private enum JSONText {
    static func mayBe(_ body: Data, _ contentType: String?) -> Bool {
        if let contentType, namesJSON(contentType) { return true }
        guard contentType == nil else { return false }
        let first = body.first { !$0.isSpace }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }

    /// Compares bytes, as it is asked of each response.
    private static func namesJSON(_ contentType: String) -> Bool {
        var rest = contentType.utf8[...]
        while rest.count >= 4 {
            if rest.prefix(4).elementsEqual("json".utf8, by: { $0 | 0x20 == $1 }) { return true }
            rest.removeFirst()
        }
        return false
    }
}

extension UInt8 {
    fileprivate var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}

/// The runs that are still to be written, and the number of those that never will be.
struct PendingRuns {
    private var runs: [RunToRecord] = []
    /// The bytes of their bodies.
    private var bytes = 0
    /// The runs of the batch that is being written.
    private var inHand = 0
    /// The number of runs that are not in the history, and the number of those that a notice has counted.
    private var lost = 0
    private var reported = 0
    /// The cause of the last loss.
    private var reason = ""
    /// Grows whenever runs were written or given up.
    private(set) var progress = 0

    /// Those that are kept in memory until they are written.
    private static let maximum = 1000
    private static let maximumBytes = 32 << 20
    /// Runs in a transaction.
    private static let maximumBatch = 200

    var hasRoom: Bool { runs.count <= Self.maximum && bytes <= Self.maximumBytes }

    mutating func add(_ run: RunToRecord) {
        runs.append(run)
        bytes += run.size
    }

    /// Takes the oldest runs, one at least.
    mutating func takeBatch() -> [RunToRecord] {
        if runs.count <= Self.maximumBatch, bytes <= Self.maximumBytes {
            defer { (runs, bytes) = ([], 0) }
            inHand = runs.count
            return runs
        }
        var size = 0
        let batch = Array(
            runs.prefix(Self.maximumBatch).prefix { run in
                size += run.size
                return size <= Self.maximumBytes || size == run.size
            })
        runs.removeFirst(batch.count)
        bytes -= batch.reduce(0) { $0 + $1.size }
        inHand = batch.count
        return batch
    }

    /// The batch was written.
    mutating func wrote() {
        inHand = 0
        progress += 1
    }

    /// Gives up the batch.
    /// - Parameter withRest: True to give up all runs waiting after it, too.
    mutating func lose(withRest: Bool, _ reason: String) {
        self.reason = reason
        lost += inHand
        wrote()
        guard withRest else { return }
        lost += runs.count
        (runs, bytes) = ([], 0)
    }

    /// Returns a sentence about the runs lost since the last call; nil if there are none.
    mutating func takeNotice() -> String? {
        let (count, isFirst) = (lost - reported, reported == 0)
        guard count > 0 else { return nil }
        reported = lost
        let words = !isFirst ? "\(lost) runs in all are" : count == 1 ? "the run is" : "\(count) runs are"
        return "\(words) not in the history: \(reason)"
    }
}

extension SessionResult {
    /// Returns true for an attempt whose failure the run expects: one with the status of a run that passed, such as a 503
    /// that an expectation names, and one after which the run obtained new credentials, such as the first 401 of Digest.
    func expectsFailure(ofAttemptAt index: Int) -> Bool {
        let attempts = report?.attempts ?? []
        guard index < attempts.count else { return false }
        if index + 1 < attempts.count, attempts[index + 1].reason == .credentialsRefreshed { return true }
        guard passed, let status = attempts.last?.response?.statusCode else { return false }
        return attempts[index].response?.statusCode == status
    }

    /// The kind of failure of an attempt whose complete response the run rejects, such as an unexpected 404; nil for
    /// any other.
    func rejection(ofAttemptAt index: Int) -> RetryPolicy.Failure? {
        guard index + 1 == report?.attempts.count, !passed, let response else { return nil }
        let isMet = expectations.first { $0.place == .status }?.isMet
        return isMet ?? ((response.statusCode ?? 0) < 400) ? .validation : .status
    }

    /// The number of attempts, without those for new credentials, which every run with Digest needs. For a list of
    /// pages, the maximum of all pages.
    package var tries: Int {
        let attempts = report?.attempts ?? []
        guard pages != nil else { return attemptCount - attempts.count { $0.reason == .credentialsRefreshed } }
        return attempts.filter { $0.reason != .credentialsRefreshed }.countOfLongestPage
    }
}

extension [AttemptReport] {
    /// The number of attempts for the page that took the most; each page begins with a first attempt.
    var countOfLongestPage: Int {
        var (most, current) = (0, 0)
        for attempt in self {
            current = attempt.reason == .first ? 1 : current + 1
            most = Swift.max(most, current)
        }
        return most
    }
}
