/// Runs as an HTTP archive (HAR 1.2): an entry for each attempt with its response, and before it one for each redirect
/// that it followed. `_attempt` is that of `schema/run.schema.json`.
enum ArchiveJSON {
    /// The text before the entries, which are written one after the other with commas between.
    static let start =
        "{\"log\":{\"version\":\"1.2\",\"creator\":{\"name\":\"Ombi\",\"version\":\"\(Program.version)\"},\"entries\":["
    static let end = "]}}"

    /// Returns the entries of a run; none for one that sent nothing.
    static func entries(_ run: RecordedRun) -> [String] {
        guard let request = run.result.prepared else { return [] }
        let attempts = run.result.attempts
        return attempts.enumerated().flatMap { index, attempt -> [String] in
            let isFinal = index == attempts.count - 1 && run.result.receivedResponse != nil
            let redirected = request.redirected(by: attempt)
            var last = Entry(
                whole: attempt, attempt: attempt, request: request.last(of: attempt),
                body: isFinal ? Body(of: run) : Body(of: attempt))
            last.exclude(redirected)
            return (entries(redirected, of: attempt) + [last]).map { value($0, of: run).compact }
        }
    }

    /// The entries of the redirects of an attempt.
    private static func entries(_ redirected: [RedirectedRequest], of attempt: AttemptReport) -> [Entry] {
        var start = attempt.startedAt
        return redirected.enumerated().map { index, hop in
            var step = attempt.redirected(by: hop.redirect)
            step.startedAt = start
            start += hop.redirect.duration
            step.metrics.httpVersion = attempt.metrics.httpVersion
            // The bytes on the wire of a step are not known, where there are any.
            step.metrics.bytesSent = hop.request.body?.isEmpty ?? true ? 0 : -1
            step.metrics.bytesReceived = hop.redirect.body?.isEmpty == true ? 0 : -1
            var body = Body(of: step)
            if hop.redirect.body == nil { body.missing = "the body is not kept" }
            return Entry(
                whole: attempt, attempt: step, request: hop.request, body: body, target: hop.redirect.target,
                place: "redirect \(index + 1) of \(redirected.count)")
        }
    }

    /// A request with its response: a redirect of an attempt, or its end.
    private struct Entry {
        var whole: AttemptReport
        /// The attempt as far as the entry is about it.
        var attempt: AttemptReport
        var request: PreparedRequest
        var body: Body
        /// The URL that the response redirects to, where that is followed.
        var target: String?
        /// The place among the redirects; nil for the end.
        var place: String?

        /// Leaves out the times of the redirects, and the response where it is theirs.
        mutating func exclude(_ redirected: [RedirectedRequest]) {
            guard let hop = redirected.last?.redirect else { return }
            if attempt.endsBehind(hop) { (body.response, body.size, body.missing) = (nil, 0, nil) }
            attempt = attempt.excluding(redirected.map(\.redirect))
        }
    }

    /// The response of an entry, and what is known of a body that is not kept.
    private struct Body {
        var response: TransportResponse?
        var size: Int
        var missing: String?

        init(of run: RecordedRun) {
            response = run.result.receivedResponse
            size = run.entry.size ?? response?.body?.count ?? 0
            missing = run.missingBody
        }

        init(of attempt: AttemptReport) {
            response = attempt.received
            size = attempt.omittedBody ?? response?.body?.count ?? 0
            missing = attempt.omittedBody.map { "the body is not kept (\($0) bytes)" }
        }
    }

    private static func value(_ entry: Entry, of run: RecordedRun) -> JSONValue {
        let (attempt, wait) = (entry.attempt, entry.attempt.wait)
        let start = run.entry.startedAt.addingTimeInterval(attempt.startedAt.milliseconds / 1000)
        let timings = attempt.metrics.timings
        let version = attempt.metrics.protocolName ?? "HTTP/1.1"
        let names = run.entry.request.path.joined(separator: "/")
        let place = entry.place.map { ", " + $0 } ?? ""
        let pause = wait.map { ", then waited \(Int($0.milliseconds)) ms" } ?? ""
        return [
            "startedDateTime": .string(start.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))),
            "time": .milliseconds(timings.total),
            "request": value(entry.request, version, sent: attempt.metrics.bytesSent),
            "response": value(entry, version),
            "cache": [:], "timings": value(timings),
            "serverIPAddress": attempt.metrics.remoteAddress.map { JSONValue.string(host($0)) },
            "comment": .string("\(names), attempt \(attempt.number)\(place)\(pause)"), "_run": .number(run.entry.id),
            "_attempt": entry.whole.json,
        ]
    }

    private static func value(_ request: PreparedRequest, _ version: String, sent: Int) -> JSONValue {
        [
            "method": .string(request.method.rawValue), "url": .string(request.url), "httpVersion": .string(version),
            "cookies": [], "headers": .array(request.headers.map { JSONValue.pair($0.name, $0.value) }),
            "queryString": .array(query(request.url)),
            // In the text secrets are masked.
            "headersSize": .number(-1), "bodySize": .number(sent), "postData": content(request),
        ]
    }

    /// Nil for a request without a body.
    private static func content(_ request: PreparedRequest) -> JSONValue? {
        guard let body = request.body, !body.isEmpty else { return nil }
        let type = request.headers.first { $0.name.lowercased() == "content-type" }?.value ?? ""
        let missing = request.namesFiles ? "not recorded, as it was read from files: \(body)" : nil
        return [
            "mimeType": .string(type), "comment": missing.map(JSONValue.string),
            "text": missing == nil ? .string(body) : nil,
        ]
    }

    private static func query(_ url: String) -> [JSONValue] {
        let address = url.prefix { $0 != "#" }
        guard let mark = address.firstIndex(of: "?") else { return [] }
        let parameters = RequestParameters(encoded: String(address[address.index(after: mark)...]))
        return parameters.allParameters.map { JSONValue.pair($0.name, $0.value.text) }
    }

    private static func value(_ entry: Entry, _ version: String) -> JSONValue {
        let (attempt, body) = (entry.attempt, entry.body)
        let response = body.response
        let status = response?.statusCode ?? 0
        let headers = response?.headers?.fields ?? []
        let location = headers.first { $0.key.name.lowercased() == "location" }?.value.text ?? ""
        return [
            "status": .number(status), "statusText": .string(StatusCode.reason(status) ?? ""),
            "httpVersion": .string(version), "cookies": [],
            "headers": .array(headers.map { JSONValue.pair($0.key.name, $0.value.text) }),
            "content": content(body), "redirectURL": .string(entry.target ?? location), "headersSize": .number(-1),
            "bodySize": .number(response == nil ? -1 : attempt.metrics.bytesReceived),
            "_error": attempt.outcome.failure.map(JSONValue.string),
        ]
    }

    private static func content(_ shown: Body) -> JSONValue {
        let type = shown.response?[.contentType]?.text ?? ""
        let body = shown.response?.body ?? Data()
        let text = String(validating: body, as: UTF8.self)
        return [
            "size": .number(shown.size), "mimeType": .string(type.isEmpty ? "x-unknown" : type),
            "comment": shown.missing.map(JSONValue.string),
            "text": body.isEmpty ? nil : .string(text ?? body.base64EncodedString()),
            "encoding": text == nil ? .string("base64") : nil,
        ]
    }

    /// A phase that did not occur is -1, and `connect` includes TLS.
    private static func value(_ timings: Timings) -> JSONValue {
        let optional = { (duration: Duration) -> JSONValue in duration > .zero ? .milliseconds(duration) : .number(-1) }
        return [
            "blocked": optional(timings.queue), "dns": optional(timings.resolve),
            "connect": optional(timings.connect + timings.tls), "ssl": optional(timings.tls),
            "send": .milliseconds(timings.send), "wait": .milliseconds(timings.wait),
            "receive": .milliseconds(timings.receive),
        ]
    }

    /// Returns an address without its port and brackets.
    private static func host(_ address: String) -> String {
        if address.hasPrefix("["), let end = address.firstIndex(of: "]") {
            return String(address[address.index(after: address.startIndex)..<end])
        }
        let parts = address.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 2 ? String(parts[0]) : address
    }
}

extension TransportMetrics {
    /// "HTTP/1.1", as heads and HTTP archives have it.
    var protocolName: String? { httpVersion.map { "HTTP/\($0)" } }
}
