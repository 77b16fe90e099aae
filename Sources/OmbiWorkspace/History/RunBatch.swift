/// Gathers runs in their stored form for the journal: without secrets, and large contents once.
///
/// Most runs resemble the last one of their request: what they share is masked, and written as text, once.
struct RunBatch {
    private var runs: [HistoryExcerpt.Run] = []
    /// Kept from batch to batch, with the places by the identities.
    private var known: [KnownRequest] = []
    private var places: [ObjectIdentifier: Int] = [:]
    private var memory: BatchMemory

    /// More requests than most collections have.
    private static let maximumKnown = 500

    init(limits: HistoryLimits) { memory = BatchMemory(limits: limits) }

    /// Returns the runs since the last time.
    mutating func take() -> HistoryExcerpt {
        if known.count > Self.maximumKnown { (known, places) = ([], [:]) }
        for index in known.indices { known[index].forgetLargeBody() }
        return HistoryExcerpt(runs: exchange(&runs, with: []), contents: memory.contents.take())
    }

    /// - Parameter request: The path under which the run is recorded.
    mutating func add(_ run: RunToRecord, as request: ItemPath) { runs.append(stored(run, as: request)) }

    private mutating func stored(_ run: RunToRecord, as request: ItemPath) -> HistoryExcerpt.Run {
        let result = run.result
        let attempts = result.reportedAttempts
        var entry = HistoryExcerpt.Run(request: request)
        entry.environment = run.environment
        (entry.startedAt, entry.duration) = (run.startedAt.microseconds, result.duration.wholeMicroseconds)
        entry.sla = result.sla?.wholeMicroseconds
        (entry.outcome, entry.attemptCount, entry.method) = (RecordedOutcome(result), result.tries, run.method)
        entry.failure = result.failures.first
        if let response = result.receivedResponse {
            (entry.status, entry.size) = (response.statusCode, response.body?.count ?? 0)
        }
        if let (shared, trail) = result.sent?.parts {
            fill(&entry, from: result, attempts, shared, trail)
            entry.redirects = memory.redirects(of: result, trail)
        } else {
            entry.details = RecordedDetails.text(result)
        }
        entry.attempts = memory.stored(attempts, of: result)
        return entry
    }

    private mutating func fill(
        _ entry: inout HistoryExcerpt.Run, from result: SessionResult, _ attempts: [AttemptReport],
        _ shared: ShownRequest, _ trail: PreparedRequest.Trail
    ) {
        let id = ObjectIdentifier(shared)
        if let place = places[id] { return known[place].fill(&entry, from: result, attempts, trail, &memory) }
        // Others of the collection may well expect the same.
        var new = KnownRequest(shared, known.last?.verdict)
        new.fill(&entry, from: result, attempts, trail, &memory)
        guard new.mayRecur else { return }
        places[id] = known.count
        known.append(new)
    }
}

/// Everything that runs of different requests share, in one batch and in those after it.
private struct BatchMemory {
    let limits: HistoryLimits
    var contents = BatchContents()
    var headers = HeaderWriter()
    var names = KnownNames()

    init(limits: HistoryLimits) { self.limits = limits }

    mutating func stored(_ attempts: [AttemptReport], of result: SessionResult) -> [HistoryExcerpt.Attempt] {
        var stored: [HistoryExcerpt.Attempt] = []
        stored.reserveCapacity(attempts.count)
        for index in attempts.indices {
            stored.append(.stored(attempts, at: index, of: result))
            if attempts.isFollowed(index) { stored[index].response = response(to: attempts[index], of: result) }
        }
        return stored
    }

    /// The response to an attempt that another one followed.
    private mutating func response(to attempt: AttemptReport, of result: SessionResult) -> HistoryExcerpt.Response? {
        guard let received = attempt.received else { return nil }
        var response = HistoryExcerpt.Response(status: received.statusCode, isPartial: attempt.isPartial)
        response.size = attempt.omittedBody ?? received.body?.count ?? 0
        response.headers = received.headers.map { RecordedDetails.text($0) }
        if response.size > 0, response.size <= limits.maximumBody {
            let body = result.masked(bodyOf: received, isPart: attempt.isPartial, &names)
            response.body = contents.number(of: body)
        }
        return response
    }

    mutating func redirects(of result: SessionResult, _ trail: PreparedRequest.Trail) -> [HistoryExcerpt.Redirect] {
        var redirects: [HistoryExcerpt.Redirect] = []
        for (place, redirect) in trail.redirects.enumerated() {
            guard let size = redirect.body?.count, size > 0, size <= limits.maximumBody,
                let body = contents.number(of: result.keptBody(of: redirect, &names))
            else { continue }
            redirects.append(HistoryExcerpt.Redirect(place: place, body: body))
        }
        return redirects
    }
}

/// The contents of a batch by their numbers.
private struct BatchContents {
    private var all: [Data] = []
    private var numbers: [Data: Int] = [:]
    private var batch = 0

    /// In bytes: to look for a smaller one takes more steps than to write it again.
    private static let minimumShared = 1 << 10

    mutating func take() -> [Data] {
        batch += 1
        numbers = [:]
        return exchange(&all, with: [])
    }

    mutating func number(of content: Data) -> Int {
        let isShared = content.count >= Self.minimumShared
        if isShared, let known = numbers[content] { return known }
        all.append(content)
        if isShared { numbers[content] = all.count - 1 }
        return all.count - 1
    }

    mutating func number(of content: Data?) -> Int? { content.map { number(of: $0) } }

    mutating func number(of content: inout RecurringContent) -> Int {
        if content.batch != batch { (content.number, content.batch) = (number(of: content.data), batch) }
        return content.number
    }
}

/// A content with its number in the batch that has had it last.
private struct RecurringContent {
    let data: Data
    var number = 0
    var batch = -1

    init(_ data: Data) { self.data = data }
}

/// A request as it was sent, in its stored form, with what its last run may share with the next one.
private struct KnownRequest {
    /// Held, so that nothing else has its identity.
    private let shared: ShownRequest
    private let method: String
    private let url: String
    private var form: RecurringContent
    private var body: KnownBody?
    private(set) var verdict: KnownVerdict?

    init(_ shared: ShownRequest, _ verdict: KnownVerdict?) {
        (self.shared, self.verdict) = (shared, verdict)
        (method, url) = (shared.request.method.rawValue, LogMask.url(shared.request.url))
        form = RecurringContent(Data(RecordedDetails.json(shared.request, url: url).compactBytes))
    }

    /// In bytes; a larger request is put together again.
    private static let maximumForm = 8 << 10

    var mayRecur: Bool { shared.mayRecur && form.data.count <= Self.maximumForm }

    mutating func fill(
        _ entry: inout HistoryExcerpt.Run, from result: SessionResult, _ attempts: [AttemptReport],
        _ trail: PreparedRequest.Trail, _ memory: inout BatchMemory
    ) {
        (entry.method, entry.url, entry.prepared) = (method, url, memory.contents.number(of: &form))
        entry.details = details(of: result, attempts, trail, &memory.headers)
        entry.body = body(of: result, &memory)
    }

    private mutating func details(
        of result: SessionResult, _ attempts: [AttemptReport], _ trail: PreparedRequest.Trail,
        _ headers: inout HeaderWriter
    ) -> String {
        let text: String
        if let known = verdict?.text(of: result, attempts, trail) {
            text = known
        } else {
            text = RecordedDetails.rest(result).compact
            verdict = KnownVerdict(result, attempts, trail, text)
        }
        return RecordedDetails.text(result, rest: text, endedAt: trail.endedAt, &headers)
    }

    /// - Parameter memory: With the headers of the response as the last ones.
    /// - Returns: The number of the masked body; nil if none is kept.
    private mutating func body(of result: SessionResult, _ memory: inout BatchMemory) -> Int? {
        guard let response = result.receivedResponse, let raw = response.body, raw.count <= memory.limits.maximumBody
        else { return nil }
        // A part, and the target of a redirect, are masked in ways of their own.
        guard result.response != nil, let fields = response.headers?.fields, memory.headers.location == nil else {
            let masked = result.masked(bodyOf: response, isPart: result.response == nil, &memory.names)
            return memory.contents.number(of: masked)
        }
        let contentType = memory.headers.contentType.map { fields[$0].value.text }
        if let number = body?.number(of: raw, result.redactor, contentType, &memory.contents) { return number }
        var content = RecurringContent(result.redactor.stored(raw, contentType, &memory.names))
        defer { body = KnownBody(raw, result.redactor, contentType, content) }
        return memory.contents.number(of: &content)
    }

    mutating func forgetLargeBody() { if body?.isLarge ?? false { body = nil } }
}

/// A body before and after it was masked.
private struct KnownBody {
    private let body: Data
    private let redactor: Redactor
    private let contentType: String?
    private var content: RecurringContent

    init(_ body: Data, _ redactor: Redactor, _ contentType: String?, _ content: RecurringContent) {
        (self.body, self.redactor, self.contentType, self.content) = (body, redactor, contentType, content)
    }

    /// In bytes; a larger one is not kept for the next batch.
    var isLarge: Bool { body.count > 8 << 10 }

    /// Returns nil for another body.
    mutating func number(
        of other: Data, _ redactor: Redactor, _ contentType: String?, _ contents: inout BatchContents
    ) -> Int? {
        guard body == other, self.redactor == redactor, self.contentType.hasBytes(of: contentType) else { return nil }
        return contents.number(of: &content)
    }
}

/// The verdict on a run, and the JSON of everything that a run without anything else has in its details.
private struct KnownVerdict {
    private let expectations: [ExpectationResult]
    private let failures: [String]
    private let tls: TLSReport?
    let text: String

    /// Returns nil for a run with anything else.
    init?(_ result: SessionResult, _ attempts: [AttemptReport], _ trail: PreparedRequest.Trail, _ text: String) {
        guard Self.isAlone(in: result, attempts, trail) else { return nil }
        (expectations, failures, self.text) = (result.expectations, result.failures, text)
        tls = attempts[0].metrics.tls
    }

    /// The text for a run with the same verdict and nothing else; nil for any other. Texts are compared by their bytes.
    func text(of result: SessionResult, _ attempts: [AttemptReport], _ trail: PreparedRequest.Trail) -> String? {
        let isSame =
            Self.isAlone(in: result, attempts, trail)
            && attempts.withUnsafeBufferPointer { $0[0].metrics.tls == tls }
            && failures.count == result.failures.count && expectations.count == result.expectations.count
            && failures.indices.allSatisfy { failures[$0].hasBytes(of: result.failures[$0]) }
            && expectations.indices.allSatisfy { expectations[$0].hasBytes(of: result.expectations[$0]) }
        return isSame ? text : nil
    }

    private static func isAlone(
        in result: SessionResult, _ attempts: [AttemptReport], _ trail: PreparedRequest.Trail
    ) -> Bool {
        attempts.count == 1 && result.captured.isEmpty && result.pages == nil && result.fallback == nil
            && trail.redirects.isEmpty && trail.redirectedTo == nil
            && attempts.withUnsafeBufferPointer { !$0[0].hasMore }
    }
}

extension AttemptReport {
    /// True with anything in the details of its run. Inlined, as it would be copied for a call.
    @inline(__always) fileprivate var hasMore: Bool {
        missedRetry != nil || held != nil || trace != nil || metrics.unknownCoding != nil
    }
}

extension ExpectationResult {
    fileprivate func hasBytes(of other: ExpectationResult) -> Bool {
        isMet == other.isMet && place == other.place && subject.hasBytes(of: other.subject)
            && expected.hasBytes(of: other.expected) && found.hasBytes(of: other.found)
            && statement.hasBytes(of: other.statement)
    }
}

extension HistoryExcerpt.Attempt {
    /// The attempts are looked at in place: one by itself is a copy of all that it has.
    fileprivate static func stored(_ attempts: [AttemptReport], at index: Int, of result: SessionResult) -> Self {
        var attempt = Self(number: attempts[index].number, reason: AttemptCode.index(of: attempts[index].reason))
        attempt.startedAt = attempts[index].startedAt.wholeMicroseconds
        attempt.duration = attempts[index].duration.wholeMicroseconds
        attempt.phases = RequestPhase.allCases.map { attempts[index].metrics.timings[$0].wholeMicroseconds }
        (attempt.outcome, attempt.failure, attempt.message) = AttemptCode.codes(
            of: attempts[index].outcome, attempts[index].errorCode,
            isExpected: result.expectsFailure(ofAttemptAt: index), rejection: result.rejection(ofAttemptAt: index))
        attempt.status = attempts[index].isPartial ? nil : attempts[index].received?.statusCode
        attempt.pause = attempts[index].wait?.wholeMicroseconds
        attempt.pauseReason = attempts[index].waitReason.map(AttemptCode.index)
        (attempt.address, attempt.version) = (
            attempts[index].metrics.remoteAddress, attempts[index].metrics.httpVersion
        )
        attempt.isReused = attempts[index].metrics.reusedConnection
        attempt.bytesReceived = attempts[index].metrics.bytesReceived
        attempt.bytesSent = attempts[index].metrics.bytesSent
        return attempt
    }
}

/// A run on its way into the history.
final class RunToRecord: Sendable {
    let request: ItemPath
    let environment: String?
    let startedAt: Date
    /// For a run that could not be prepared.
    let method: String
    let result: SessionResult
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

    private static func size(_ result: SessionResult) -> Int {
        let attempts = result.reportedAttempts
        var size = result.receivedResponse?.body?.count ?? 0
        for index in attempts.indices.dropLast() { size += attempts[index].received?.body?.count ?? 0 }
        for redirect in result.sent?.parts.trail.redirects ?? [] { size += redirect.body?.count ?? 0 }
        return size
    }
}

extension SessionResult {
    /// Returns true for an attempt whose failure the run expects: one with the status of a run that passed, such as a 503
    /// that an expectation names, and one after which the run obtained new credentials, such as the first 401 of Digest.
    func expectsFailure(ofAttemptAt index: Int) -> Bool {
        let attempts = reportedAttempts
        guard index < attempts.count else { return false }
        if index + 1 < attempts.count, attempts[index + 1].reason == .credentialsRefreshed { return true }
        guard passed, let status = attempts.last?.response?.statusCode else { return false }
        return attempts[index].response?.statusCode == status
    }

    /// The kind of failure of an attempt whose complete response the run rejects, such as an unexpected 404; nil for
    /// any other.
    func rejection(ofAttemptAt index: Int) -> RetryPolicy.Failure? {
        guard !passed, index + 1 == reportedAttempts.count, let response else { return nil }
        let isMet = expectations.first { $0.place == .status }?.isMet
        return isMet ?? ((response.statusCode ?? 0) < 400) ? .validation : .status
    }

    /// The number of attempts, without those for new credentials, which every run with Digest needs. For a list of
    /// pages, the maximum of all pages.
    package var tries: Int {
        let attempts = reportedAttempts
        let refreshed = attempts.indices.count { attempts[$0].reason == .credentialsRefreshed }
        guard pages != nil else { return attemptCount - refreshed }
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
