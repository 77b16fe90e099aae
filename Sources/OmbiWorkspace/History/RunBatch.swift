/// Gathers runs in their stored form for the journal: without secrets, and large contents once.
///
/// Most runs resemble the last one of their request: what they share is masked, and written as text, once.
struct RunBatch {
    /// Kept from batch to batch, with the places by the identities.
    private var known: [KnownRequest] = []
    private var places: [ObjectIdentifier: Int] = [:]
    private var memory: BatchMemory

    /// More requests than most collections have.
    private static let maximumKnown = 500
    /// Runs in a transaction, and the bytes after which it gets no more: a few bodies are as much work as many runs.
    private static let (maximumRuns, maximumBytes) = (200, 8 << 20)

    init(limits: HistoryLimits) { memory = BatchMemory(limits: limits) }

    var limits: HistoryLimits { memory.limits }

    /// Returns the runs since the last time.
    mutating func take() -> ExcerptBytes {
        if known.count > Self.maximumKnown { (known, places) = ([], [:]) }
        return memory.contents.take()
    }

    /// The number of runs since the last time.
    var count: Int { memory.contents.written.count }
    /// Their bytes.
    var size: Int { memory.contents.written.size }

    /// - Returns: The runs up to this one, if they are as many, or as large, as those that are written at once.
    mutating func add(_ run: RunToRecord, _ result: SessionResult) -> ExcerptBytes? {
        var entry = HistoryExcerpt.Run(request: run.request)
        fill(&entry, from: run, result)
        memory.contents.add(&entry)
        return count >= Self.maximumRuns || size >= Self.maximumBytes ? take() : nil
    }

    /// Adds runs that may have large bodies, of which those that are the same are masked once.
    mutating func add(_ runs: [EndedRun]) -> [ExcerptBytes] {
        let full = runs.compactMap { add($0.run, $0.result) }
        for index in known.indices { known[index].forgetLargeBody() }
        return full
    }

    /// Not as its result, which would be a copy.
    private mutating func fill(_ entry: inout HistoryExcerpt.Run, from run: RunToRecord, _ result: SessionResult) {
        let attempts = result.reportedAttempts
        entry.environment = run.environment
        (entry.startedAt, entry.duration) = (run.startedAt.microseconds, result.duration.wholeMicroseconds)
        entry.sla = result.sla?.wholeMicroseconds
        (entry.outcome, entry.attemptCount, entry.method) = (
            RecordedOutcome(result), result.tries(attempts), run.method
        )
        entry.failure = result.failures.first
        if let response = result.receivedResponse {
            (entry.status, entry.size) = (response.statusCode, response.body?.count ?? 0)
        }
        if let (shared, trail) = run.sent {
            fill(&entry, from: result, attempts, shared, trail)
            entry.redirects = memory.redirects(of: result, trail)
        } else {
            entry.details = RecordedDetails.text(result)
        }
        entry.attempts = memory.stored(attempts, of: result)
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
        attempts.indices.map { index in
            let response = attempts.isFollowed(index) ? response(to: attempts[index], of: result) : nil
            return .stored(attempts, at: index, of: result, response)
        }
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

/// The bytes of a batch, with the numbers of its contents.
private struct BatchContents {
    private(set) var written = ExcerptBytes()
    private var numbers: [Data: Int] = [:]
    private var batch = 0

    /// In bytes: to look for a smaller one takes more steps than to write it again.
    private static let minimumShared = 1 << 10

    mutating func take() -> ExcerptBytes {
        batch += 1
        numbers = [:]
        return exchange(&written, with: ExcerptBytes())
    }

    mutating func add(_ run: inout HistoryExcerpt.Run) { written.add(&run) }

    mutating func number(of content: Data) -> Int {
        guard content.count >= Self.minimumShared else { return written.add(content) }
        if let known = numbers[content] { return known }
        let number = written.add(content)
        numbers[content] = number
        return number
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
    /// The bodies in a row of which each was another one.
    private var changes = 0
    private(set) var verdict: KnownVerdict?

    init(_ shared: ShownRequest, _ verdict: KnownVerdict?) {
        (self.shared, self.verdict) = (shared, verdict)
        (method, url) = (shared.request.method.rawValue, LogMask.url(shared.request.url))
        form = RecurringContent(Data(RecordedDetails.json(shared.request, url: url).compactBytes))
    }

    /// After these only one body of as many is kept, as the next one will be another one, too.
    private static let manyChanges = 8
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
        if let number = body?.number(of: raw, result.redactor, contentType, &memory.contents) {
            changes = 0
            return number
        }
        var content = RecurringContent(result.redactor.stored(raw, contentType, &memory.names))
        let number = memory.contents.number(of: &content)
        changes &+= 1
        let isKept = changes < Self.manyChanges || changes % Self.manyChanges == 0
        body = isKept ? KnownBody(raw, result.redactor, contentType, content) : nil
        return number
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

    /// In bytes; a larger one is not kept for long.
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
            && expectations.indices.allSatisfy { Self.areSame(expectations, result.expectations, at: $0) }
        return isSame ? text : nil
    }

    /// Inlined, like the next one: what is looked at would be copied for a call.
    @inline(__always)
    private static func areSame(_ one: [ExpectationResult], _ two: [ExpectationResult], at index: Int) -> Bool {
        one[index].isMet == two[index].isMet && one[index].place == two[index].place
            && one[index].subject.hasBytes(of: two[index].subject)
            && one[index].expected.hasBytes(of: two[index].expected)
            && one[index].found.hasBytes(of: two[index].found)
            && one[index].statement.hasBytes(of: two[index].statement)
    }

    private static func isAlone(
        in result: SessionResult, _ attempts: [AttemptReport], _ trail: PreparedRequest.Trail
    ) -> Bool {
        attempts.count == 1 && result.captured.isEmpty && result.pages == nil && result.fallback == nil
            && trail.redirects.isEmpty && trail.redirectedTo == nil && !hasMore(attempts)
    }

    /// Returns true for a first attempt with anything in the details of its run.
    @inline(__always)
    private static func hasMore(_ attempts: [AttemptReport]) -> Bool {
        attempts[0].missedRetry != nil || attempts[0].held != nil || attempts[0].trace != nil
            || attempts[0].metrics.unknownCoding != nil
    }
}

extension HistoryExcerpt.Attempt {
    /// The attempts are looked at in place: one by itself is a copy of all that it has.
    fileprivate static func stored(
        _ attempts: [AttemptReport], at index: Int, of result: SessionResult, _ response: HistoryExcerpt.Response?
    ) -> Self {
        let (outcome, failure, message) = AttemptCode.codes(
            of: attempts[index].outcome, attempts[index].errorCode,
            isExpected: result.expectsFailure(ofAttemptAt: index), rejection: result.rejection(ofAttemptAt: index))
        return Self(
            number: attempts[index].number, reason: AttemptCode.index(of: attempts[index].reason),
            startedAt: attempts[index].startedAt.wholeMicroseconds,
            duration: attempts[index].duration.wholeMicroseconds,
            phases: RequestPhase.allCases.map { attempts[index].metrics.timings[$0].wholeMicroseconds },
            outcome: outcome, failure: failure, message: message,
            status: attempts[index].isPartial ? nil : attempts[index].received?.statusCode,
            pause: attempts[index].wait?.wholeMicroseconds,
            pauseReason: attempts[index].waitReason.map(AttemptCode.index),
            address: attempts[index].metrics.remoteAddress, isReused: attempts[index].metrics.reusedConnection,
            version: attempts[index].metrics.httpVersion, bytesReceived: attempts[index].metrics.bytesReceived,
            bytesSent: attempts[index].metrics.bytesSent, response: response)
    }
}

typealias EndedRun = (run: RunToRecord, result: SessionResult)

/// A run on its way into the history, without its result.
struct RunToRecord: Sendable {
    let request: ItemPath
    let environment: String?
    let startedAt: Date
    /// For a run that could not be prepared.
    let method: String
    let sent: (shared: ShownRequest, trail: PreparedRequest.Trail)?
    /// About the bytes of its bodies and of the headers it received: most of the work to store it.
    let size: Int

    init(
        request: ItemPath, environment: String? = nil, startedAt: Date, method: String,
        of result: borrowing SessionResult
    ) {
        (self.request, self.environment, self.startedAt) = (request, environment, startedAt)
        self.method = method
        sent = result.sent?.parts
        let attempts = result.reportedAttempts
        var size = attempts.count * Self.attemptSize + (result.receivedResponse?.size ?? 0)
        for index in attempts.indices.dropLast() { size += attempts[index].received?.size ?? 0 }
        if let (shared, trail) = sent {
            size += shared.request.url.utf8.count + (shared.request.body?.utf8.count ?? 0)
            for redirect in trail.redirects { size += Self.attemptSize + (redirect.body?.count ?? 0) }
        }
        self.size = size
    }

    /// In bytes, for the figures of an attempt or a redirect.
    private static let attemptSize = 512
}

extension TransportResponse {
    /// The bytes of its body and its headers.
    fileprivate var size: Int {
        let fields = headers?.fields ?? []
        return fields.indices.reduce(body?.count ?? 0) {
            $0 + fields[$1].key.name.utf8.count + fields[$1].value.text.utf8.count
        }
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
    package var tries: Int { tries(reportedAttempts) }

    func tries(_ attempts: [AttemptReport]) -> Int {
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
