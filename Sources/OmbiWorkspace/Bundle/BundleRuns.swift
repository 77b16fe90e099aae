/// The runs of an excerpt as JSON of a bundle: a line for each run and each content.
extension HistoryExcerpt {
    var runLines: [String] { runs.map { Self.json($0).compact } }
    var contentLines: [String] { contents.map { Self.json($0).compact } }
    var markLines: [String] {
        marks.map { mark -> String in
            let json: JSONValue = ["at": .number(mark.date.microseconds), "name": .string(mark.name)]
            return json.compact
        }
    }

    /// A text unchanged; other bytes, and a text with many JSON escapes, in Base64.
    private static func json(_ content: Data) -> JSONValue {
        let isPlain = content.allSatisfy { $0 >= 0x20 || [0x09, 0x0A, 0x0D].contains($0) }
        if isPlain, let text = String(validating: content, as: UTF8.self) { return .string(text) }
        return ["base64": .string(content.base64EncodedString())]
    }

    private static func json(_ run: Run) -> JSONValue {
        let details = (try? JSONValue.parse(run.details)) ?? JSONValue.object([])
        let attempts = JSONValue.array(run.attempts.map { json($0) })
        let redirects = run.redirects.map { redirect -> JSONValue in
            ["place": JSONValue.number(redirect.place), "body": JSONValue.number(redirect.body)]
        }
        return [
            "path": JSONValue.strings(run.request.path), "environment": text(run.environment),
            "startedAt": JSONValue.number(run.startedAt), "duration": number(run.duration),
            "sla": number(run.sla), "outcome": JSONValue.string(run.outcome.name), "status": number(run.status),
            "attemptCount": number(run.attemptCount), "method": text(run.method), "url": text(run.url),
            "failure": text(run.failure), "size": number(run.size), "body": number(run.body),
            "request": number(run.prepared), "response": details, "attempts": attempts,
            "redirects": redirects.isEmpty ? nil : JSONValue.array(redirects),
        ]
    }

    private static func json(_ attempt: Attempt) -> JSONValue {
        let phases = JSONValue.array(attempt.phases.compactMap { number($0) })
        let response: JSONValue? = attempt.response.map { json($0) }
        return [
            "number": number(attempt.number), "reason": number(attempt.reason),
            "startedAt": number(attempt.startedAt), "duration": number(attempt.duration), "phases": phases,
            "outcome": number(attempt.outcome), "failure": number(attempt.failure), "message": text(attempt.message),
            "status": number(attempt.status), "pause": number(attempt.pause),
            "pauseReason": number(attempt.pauseReason), "address": text(attempt.address),
            "reused": attempt.isReused ? JSONValue.bool(true) : nil, "version": text(attempt.version),
            "bytesReceived": number(attempt.bytesReceived), "bytesSent": number(attempt.bytesSent),
            "response": response,
        ]
    }

    private static func json(_ response: Response) -> JSONValue {
        let headers: JSONValue? = response.headers.flatMap { try? JSONValue.parse($0) }
        return [
            "status": number(response.status), "headers": headers,
            "partial": response.isPartial ? JSONValue.bool(true) : nil, "size": number(response.size),
            "body": number(response.body),
        ]
    }

    /// Nil for none. A clock that was set may have made a time negative.
    private static func number(_ value: Int?) -> JSONValue? { value.map { JSONValue.number(max(0, $0)) } }
    private static func text(_ text: String?) -> JSONValue? { text.map { JSONValue.string($0) } }
}

/// Reads the runs of a bundle of unknown origin: numbers beyond the ranges of a history are rejected, and no other file
/// is read.
struct BundleRunReader {
    private let log: ImportLog
    private let limits: ExcerptLimits
    private var excerpt = HistoryExcerpt()
    private var attempts = 0

    /// In microseconds: 31 days.
    private static let maximumDuration = 31 * 86_400 * 1_000_000
    /// In microseconds since 1970: up to the year 2100.
    private static let dates = 0...4_102_444_800_000_000
    /// In bytes.
    private static let maximumText = 1 << 20
    private static let maximumContents = 100_000
    private static let maximumNames = 100

    init(log: ImportLog, limits: ExcerptLimits = .standard) { (self.log, self.limits) = (log, limits) }

    mutating func read(_ root: ForeignValue) throws(ImportError) -> HistoryExcerpt {
        for value in try list("contents", of: root, maximum: Self.maximumContents) {
            excerpt.contents.append(try content(value))
        }
        for value in try list("runs", of: root, maximum: limits.runs) { excerpt.runs.append(try run(value)) }
        let starts = excerpt.runs.map(\.startedAt)
        if let first = starts.min(), let last = starts.max(), last - first > limits.span {
            throw log.error(root.offset, "its runs are more than 400 days apart")
        }
        for value in try list("marks", of: root, maximum: HistoryMarks.maximum) {
            let date = try integer("at", of: value, in: Self.dates) ?? 0
            let name = String((try text("name", of: value) ?? "").prefix(HistoryMark.maximumName))
            excerpt.marks.append(HistoryMark(id: 0, date: Date(microseconds: date), name: name))
        }
        return excerpt
    }

    private func content(_ value: ForeignValue) throws(ImportError) -> Data {
        if let text = value.string { return Data(text.utf8) }
        guard let base64 = value["base64"]?.string, let data = Data(base64Encoded: base64) else {
            throw log.error(value.offset, "a content is a string, or { \"base64\": … }")
        }
        return data
    }

    private mutating func run(_ value: ForeignValue) throws(ImportError) -> HistoryExcerpt.Run {
        guard value.kind == .object else { throw log.error(value.offset, "a run is an object") }
        let names = try list("path", of: value, maximum: Self.maximumNames).map { $0.string ?? "" }
        guard !names.isEmpty else { throw log.error(value.offset, "\"path\" of a run has the names of its request") }
        var run = HistoryExcerpt.Run(request: ItemPath(file: "", path: names))
        run.environment = try text("environment", of: value)
        guard let start = try integer("startedAt", of: value, in: Self.dates) else {
            throw log.error(value.offset, "a run has no \"startedAt\"")
        }
        (run.startedAt, run.duration) = (start, try duration("duration", of: value) ?? 0)
        run.sla = try duration("sla", of: value)
        let outcome = try text("outcome", of: value)
        guard let known = RecordedOutcome.allCases.first(where: { $0.name == outcome }) else {
            throw log.error(value.offset, "\"outcome\" is one of passed, failed, error, cancelled")
        }
        run.outcome = known
        run.status = try integer("status", of: value, in: StoredRange.status)
        run.attemptCount = try integer("attemptCount", of: value, in: 0...limits.attempts) ?? 0
        (run.method, run.url) = (try text("method", of: value) ?? "GET", try text("url", of: value))
        run.failure = try text("failure", of: value)
        run.size = try integer("size", of: value, in: StoredRange.count)
        run.body = try place("body", of: value)
        run.prepared = try place("request", of: value)
        // It is JSON, which takes more memory than its text.
        if let request = run.prepared, excerpt.contents[request].count > limits.content {
            throw log.error(value.offset, "the request of a run is longer than \(limits.content >> 20) MiB")
        }
        run.details = try json("response", of: value) ?? "{}"
        for attempt in try list("attempts", of: value, maximum: limits.attempts) {
            run.attempts.append(try self.attempt(attempt, after: run.attempts.last?.number ?? 0))
        }
        for redirect in try list("redirects", of: value, maximum: FollowedRedirect.maximum) {
            run.redirects.append(try self.redirect(redirect, after: run.redirects.last?.place ?? -1))
        }
        return run
    }

    private mutating func attempt(
        _ value: ForeignValue, after last: Int
    ) throws(ImportError) -> HistoryExcerpt.Attempt {
        attempts += 1
        guard attempts <= limits.attempts else {
            throw log.error(value.offset, "the bundle has more than \(limits.attempts) attempts")
        }
        var attempt = HistoryExcerpt.Attempt()
        guard let number = try integer("number", of: value, in: 1...limits.attempts), number > last else {
            throw log.error(value.offset, "attempts have growing numbers from 1")
        }
        (attempt.number, attempt.reason) = (number, try code("reason", of: value) ?? 0)
        attempt.startedAt = try duration("startedAt", of: value) ?? 0
        attempt.duration = try duration("duration", of: value) ?? 0
        let phases = try list("phases", of: value, maximum: Self.phaseCount)
        guard phases.count == Self.phaseCount else {
            throw log.error(value.offset, "\"phases\" of an attempt has \(Self.phaseCount) numbers")
        }
        for phase in phases { attempt.phases.append(try integer(phase, "phases", in: 0...Self.maximumDuration)) }
        (attempt.outcome, attempt.failure) = (try code("outcome", of: value) ?? 0, try code("failure", of: value))
        attempt.message = try text("message", of: value)
        attempt.status = try integer("status", of: value, in: StoredRange.status)
        (attempt.pause, attempt.pauseReason) = (try duration("pause", of: value), try code("pauseReason", of: value))
        (attempt.address, attempt.version) = (try text("address", of: value), try text("version", of: value))
        attempt.isReused = value["reused"]?.bool ?? false
        attempt.bytesReceived = try integer("bytesReceived", of: value, in: StoredRange.count) ?? 0
        attempt.bytesSent = try integer("bytesSent", of: value, in: StoredRange.count) ?? 0
        if let response = value["response"] { attempt.response = try self.response(response) }
        return attempt
    }

    private func redirect(_ value: ForeignValue, after last: Int) throws(ImportError) -> HistoryExcerpt.Redirect {
        guard let place = try integer("place", of: value, in: 0...FollowedRedirect.maximum - 1), place > last,
            let body = try self.place("body", of: value)
        else {
            throw log.error(value.offset, "redirects have growing places from 0, and each has a \"body\"")
        }
        return HistoryExcerpt.Redirect(place: place, body: body)
    }

    private static let phaseCount = RequestPhase.allCases.count

    private func response(_ value: ForeignValue) throws(ImportError) -> HistoryExcerpt.Response {
        var response = HistoryExcerpt.Response()
        response.status = try integer("status", of: value, in: StoredRange.status)
        response.headers = try json("headers", of: value)
        response.isPartial = value["partial"]?.bool ?? false
        response.size = try integer("size", of: value, in: StoredRange.count) ?? 0
        response.body = try place("body", of: value)
        return response
    }

    // MARK: Values

    private func list(
        _ key: String, of value: ForeignValue, maximum: Int
    ) throws(ImportError) -> [ForeignValue] {
        guard let list = value[key] else { return [] }
        guard list.kind == .array else { throw log.error(list.offset, "\"\(key)\" is an array") }
        // Counted first: a list of numbers takes more memory than its text.
        guard list.document.childCount(of: list.node) <= maximum else {
            throw log.error(list.offset, "\"\(key)\" has more than \(maximum) elements")
        }
        return list.elements
    }

    private func integer(
        _ key: String, of value: ForeignValue, in range: ClosedRange<Int>
    ) throws(ImportError) -> Int? {
        guard let number = value[key] else { return nil }
        return try integer(number, key, in: range)
    }

    private func integer(
        _ value: ForeignValue, _ key: String, in range: ClosedRange<Int>
    ) throws(ImportError) -> Int {
        guard value.kind == .number, let number = Int(value.text), range.contains(number) else {
            throw log.error(
                value.offset, "\"\(key)\" is a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private func duration(_ key: String, of value: ForeignValue) throws(ImportError) -> Int? {
        try integer(key, of: value, in: 0...Self.maximumDuration)
    }

    /// A number of an enumeration (`AttemptCode`), which accepts unknown ones.
    private func code(_ key: String, of value: ForeignValue) throws(ImportError) -> Int? {
        try integer(key, of: value, in: 0...999)
    }

    private func place(_ key: String, of value: ForeignValue) throws(ImportError) -> Int? {
        guard let number = value[key] else { return nil }
        guard !excerpt.contents.isEmpty else { throw log.error(number.offset, "\"\(key)\": there are no contents") }
        return try integer(number, key, in: 0...excerpt.contents.count - 1)
    }

    private func text(_ key: String, of value: ForeignValue) throws(ImportError) -> String? {
        guard let text = value[key] else { return nil }
        try checkSize(text, key)
        guard let string = text.string else { throw log.error(text.offset, "\"\(key)\" is a string") }
        return string
    }

    private func json(_ key: String, of value: ForeignValue) throws(ImportError) -> String? {
        guard let json = value[key] else { return nil }
        try checkSize(json, key)
        return json.json.compact
    }

    private func checkSize(_ value: ForeignValue, _ key: String) throws(ImportError) {
        guard value.document.range(of: value.node).count <= Self.maximumText else {
            throw log.error(value.offset, "\"\(key)\" is longer than 1 MiB")
        }
    }
}
