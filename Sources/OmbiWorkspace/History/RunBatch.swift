/// Gathers runs in their stored form for the journal: without secrets, and each content once.
///
/// Requests that are sent again, and equal bodies, are masked once.
struct RunBatch {
    private struct SentForm {
        var request: PreparedRequest
        /// The bytes of its texts.
        var size: Int
        /// Masked.
        var url: String
        var json: Data
    }

    private struct KnownBody {
        var redactor: Redactor
        var contentType: String?
        var place: Int
    }

    private let limits: HistoryLimits
    private var excerpt = HistoryExcerpt()
    private var places: [Data: Int] = [:]
    private var bodies: [Data: KnownBody] = [:]
    /// By their URLs, kept from batch to batch.
    private var forms: [String: SentForm] = [:]

    /// More requests than most collections have.
    private static let maximumForms = 500
    /// In bytes; a larger request is put together again.
    private static let maximumForm = 8 << 10

    init(limits: HistoryLimits) { self.limits = limits }

    /// Returns the runs since the last time.
    mutating func take() -> HistoryExcerpt {
        if forms.count > Self.maximumForms { forms = [:] }
        (places, bodies) = ([:], [:])
        return exchange(&excerpt, with: HistoryExcerpt())
    }

    mutating func add(_ run: RunToRecord) {
        let result = run.result
        // The request that was sent is put together each time that it is asked for.
        let sent = result.prepared
        let sentForm = sent.map { form(of: $0) }
        var entry = HistoryExcerpt.Run(request: run.request)
        entry.environment = run.environment
        (entry.startedAt, entry.duration) = (run.startedAt.microseconds, result.duration.wholeMicroseconds)
        entry.sla = result.report?.sla?.wholeMicroseconds
        (entry.outcome, entry.status) = (RecordedOutcome(result), result.receivedResponse?.statusCode)
        (entry.attemptCount, entry.method) = (result.tries, sent?.method.rawValue ?? run.method)
        (entry.url, entry.failure) = (sentForm?.url, result.failures.first)
        entry.size = result.receivedResponse.map { $0.body?.count ?? 0 }
        entry.body = body(of: result)
        entry.prepared = sentForm.map { place(of: $0.json) }
        entry.details = RecordedDetails.json(result, sent).compact
        entry.attempts = attempts(of: result)
        entry.redirects = redirects(of: result, sent)
        excerpt.runs.append(entry)
    }

    private mutating func form(of sent: PreparedRequest) -> SentForm {
        var request = sent
        // Each run has its own, and they are next to its response.
        (request.endedAt, request.redirectedTo, request.redirects) = (nil, nil, [])
        if let known = forms[request.url], known.request == request, known.size == size(of: request) { return known }
        let json = Data(RecordedDetails.json(request).compact.utf8)
        let form = SentForm(request: request, size: size(of: request), url: LogMask.url(request.url), json: json)
        if max(json.count, form.size) <= Self.maximumForm { forms[request.url] = form }
        return form
    }

    /// The bytes of the texts of a request: other bytes may be an equal text.
    private func size(of request: PreparedRequest) -> Int {
        let texts = request.headers.map(\.value) + request.variables.map(\.value) + [request.body ?? "", request.url]
        return texts.reduce(0) { $0 + $1.utf8.count }
    }

    private mutating func body(of result: SessionResult) -> Int? {
        guard let response = result.receivedResponse, let body = response.body, body.count <= limits.maximumBody else {
            return nil
        }
        // Neither a part nor the target of a redirect has a say in how it is masked.
        let isPlain = result.response != nil && response.headers?[.location] == nil
        let contentType = response[.contentType]?.text
        if isPlain, let known = bodies[body], known.redactor == result.redactor, known.contentType == contentType {
            return known.place
        }
        guard let place = place(of: result.maskedBody) else { return nil }
        if isPlain {
            bodies[body] = KnownBody(redactor: result.redactor, contentType: contentType, place: place)
        }
        return place
    }

    private mutating func place(of content: Data) -> Int {
        if let known = places[content] { return known }
        excerpt.contents.append(content)
        places[content] = excerpt.contents.count - 1
        return excerpt.contents.count - 1
    }

    private mutating func place(of content: Data?) -> Int? { content.map { place(of: $0) } }

    private mutating func attempts(of result: SessionResult) -> [HistoryExcerpt.Attempt] {
        let attempts = result.report?.attempts ?? []
        return attempts.indices.map { index in
            var attempt = HistoryExcerpt.Attempt(
                attempts[index], isExpected: result.expectsFailure(ofAttemptAt: index),
                rejection: result.rejection(ofAttemptAt: index))
            if attempts.isFollowed(index) { attempt.response = response(to: attempts[index], of: result) }
            return attempt
        }
    }

    /// The response to an attempt that another one followed.
    private mutating func response(to attempt: AttemptReport, of result: SessionResult) -> HistoryExcerpt.Response? {
        guard let received = attempt.received else { return nil }
        var response = HistoryExcerpt.Response(status: received.statusCode, isPartial: attempt.isPartial)
        response.size = attempt.omittedBody ?? received.body?.count ?? 0
        response.headers = received.headers.map { RecordedDetails.json($0).compact }
        if response.size > 0, response.size <= limits.maximumBody {
            response.body = place(of: result.masked(bodyOf: received, isPart: attempt.isPartial))
        }
        return response
    }

    /// The bodies of redirects. Most runs followed none.
    private mutating func redirects(
        of result: SessionResult, _ sent: PreparedRequest?
    ) -> [HistoryExcerpt.Redirect] {
        var redirects: [HistoryExcerpt.Redirect] = []
        for (index, redirect) in (sent?.redirects ?? []).enumerated() {
            guard let size = redirect.body?.count, size > 0, size <= limits.maximumBody,
                let body = place(of: result.keptBody(of: redirect))
            else { continue }
            redirects.append(HistoryExcerpt.Redirect(place: index, body: body))
        }
        return redirects
    }
}

extension HistoryExcerpt.Attempt {
    /// - Parameters:
    ///   - isExpected: True for an attempt whose failure its run expects.
    ///   - rejection: The failure of a response that the run rejects.
    fileprivate init(_ attempt: AttemptReport, isExpected: Bool, rejection: RetryPolicy.Failure?) {
        let metrics = attempt.metrics
        (number, reason) = (attempt.number, AttemptCode.index(of: attempt.reason))
        (startedAt, duration) = (attempt.startedAt.wholeMicroseconds, attempt.duration.wholeMicroseconds)
        phases = RequestPhase.allCases.map { metrics.timings[$0].wholeMicroseconds }
        (outcome, failure, message) = AttemptCode.codes(of: attempt, isExpected: isExpected, rejection: rejection)
        status = attempt.response?.statusCode
        (pause, pauseReason) = (attempt.wait?.wholeMicroseconds, attempt.waitReason.map(AttemptCode.index))
        (address, isReused, version) = (metrics.remoteAddress, metrics.reusedConnection, metrics.httpVersion)
        (bytesReceived, bytesSent) = (metrics.bytesReceived, metrics.bytesSent)
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
