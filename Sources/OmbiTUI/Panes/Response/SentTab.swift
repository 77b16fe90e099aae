/// The request as sent, secrets masked: URL, headers and body, then what else was filled in and decided, each with its
/// source.
enum SentTab {
    static func rows(_ run: RunState, body: SentBody) -> [ResponseRow] {
        guard let sent = run.openedRequest else { return [] }
        let headers = wire(run, sent) + PreparedRows.headers(sent)
        let head = [PreparedRows.first(sent)] + PreparedRows.table(headers) { .header($0, $1) }
        // As on the wire, and then the rest.
        let content = sent.body == nil ? [] : [ResponseRow([])] + body.rows
        let settings = version(run) + PreparedRows.settings(sent) + PreparedRows.variables(sent)
        return head + content + [ResponseRow([])] + PreparedRows.table(settings) { .value($1, named: $0) }
    }

    /// The headers that the transport adds, once an attempt was made.
    private static func wire(_ run: RunState, _ sent: PreparedRequest) -> [PreparedRows.Row] {
        guard let attempt = run.finished.last else { return [] }
        let known = Set(sent.headers.filter(\.isSent).map { $0.name.lowercased() })
        var rows: [PreparedRows.Row] = []
        if !known.contains("host"), let host = Self.host(of: sent.url) { rows.append(("Host", host, "from the URL")) }
        let length = attempt.metrics.bytesSent
        if length > 0, known.isDisjoint(with: ["content-length", "transfer-encoding"]) {
            rows.append(("Content-Length", "\(length)", "from the body"))
        }
        return rows
    }

    /// The host and the port of a URL, the port only where it is not the one of the scheme.
    private static func host(of url: String) -> String? {
        guard let parts = url.firstRange(of: "://") else { return nil }
        let scheme = url[..<parts.lowerBound].lowercased()
        let authority = url[parts.upperBound...].prefix { !"/?#".contains($0) }
        let host = authority.split(separator: "@").last.map(String.init) ?? ""
        let port = scheme == "https" ? ":443" : ":80"
        return host.hasSuffix(port) ? String(host.dropLast(port.count)) : host
    }

    private static func version(_ run: RunState) -> [PreparedRows.Row] {
        guard let version = run.finished.last?.metrics.httpVersion else { return [] }
        return [("HTTP", version, "agreed with the server")]
    }
}

/// The body of a request as it was sent, in colours. JSON is laid out for reading; copies are as sent.
struct SentBody: Equatable, Sendable {
    private(set) var rows: [ResponseRow] = []
    private var run: RunID?
    private var text: String?

    /// Larger bodies are shown as they are.
    private static let maximumColoured = 200_000

    /// Makes the rows of another body; none anew for the same.
    mutating func follow(_ run: RunState?) {
        let body = run?.openedRequest?.body
        guard run?.id != self.run || body != text else { return }
        (self.run, text) = (run?.id, body)
        rows = body.map { Self.rows(of: $0, type: run?.sent?.contentType) } ?? []
    }

    static func rows(of text: String, type: String?) -> [ResponseRow] {
        guard text.utf8.count <= maximumColoured else { return plain(text) }
        guard let highlighter = type.flatMap(ContentType.init).flatMap(LineHighlighter.init) else { return plain(text) }
        let shown =
            highlighter == .json ? (try? JSONValue.parse(text)).map { String($0.text.dropLast()) } ?? text : text
        let bytes = Bytes(shown.utf8)
        var start = 0
        return shown.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let range = start..<start + line.utf8.count
            start = range.upperBound + 1
            let spans = SpanBuilder.spans(
                of: range, in: bytes, skipping: 0, columns: maximumColumns,
                styles: highlighter.styles(of: range, in: bytes), matches: [])
            return ResponseRow(spans.map { Span(text: $0.text, role: $0.style.role) })
        }
    }

    /// The columns of a line that are coloured.
    private static let maximumColumns = 4096

    private static func plain(_ text: String) -> [ResponseRow] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map {
            ResponseRow([Span(text: String($0), role: .plain)])
        }
    }
}

extension PreparedRequest {
    var contentType: String? {
        headers.first { $0.name.lowercased() == "content-type" }?.value
    }
}

/// The rows of a prepared request, secrets masked: URL, headers, what else was filled in and decided, each with its source.
enum PreparedRows {
    typealias Row = (name: String, value: String, note: String)

    /// Method and URL.
    static func first(_ sent: PreparedRequest) -> ResponseRow {
        ResponseRow(
            [
                Span(text: sent.method.rawValue + " ", role: sent.method.role), Span(text: sent.url, role: .plain),
                Span(text: sent.hostSource == .request ? "" : "  host \(sent.hostSource)", role: .dim),
            ], .value(sent.url, named: "the URL as sent"))
    }

    static func headers(_ sent: PreparedRequest) -> [Row] {
        sent.headers.map { ($0.name, $0.value, $0.isSent ? note($0.source) : "not sent; Ombi counts the body itself") }
    }

    static func settings(_ sent: PreparedRequest) -> [Row] {
        (sent.authentication.map { [("Authentication", $0.value, note($0.source))] } ?? []) + [
            ("Attempts", "\(sent.attempts.value)", note(ofSetting: sent.attempts.source)),
            ("SLA", DurationText.format(sent.sla.value), note(ofSetting: sent.sla.source)),
        ] + (sent.pages.map { [("Pages", $0.summary, "each with these attempts and this SLA")] } ?? [])
            + (sent.verifiesTLS ? [] : [("TLS", "not verified", "verifyTLS is false in the environment")])
            + sent.connection.map { ($0.name.asSentence, $0.value, note($0.source)) }
    }

    static func variables(_ sent: PreparedRequest) -> [Row] {
        sent.variables.map { ("{{\($0.name)}}", $0.value, note($0.source)) }
    }

    /// Empty for a part of the request itself.
    private static func note(_ source: PreparedRequest.Source) -> String {
        source == .request ? "" : source.description
    }

    private static func note(ofSetting source: PreparedRequest.Source) -> String {
        source == .ombi ? "default" : source.description
    }

    static func table(_ rows: [Row], _ content: (String, String) -> ResponseRow.Content) -> [ResponseRow] {
        let columns = min(28, rows.map(\.name.count).max() ?? 0)
        return rows.map { row in
            ResponseRow(
                [
                    Span(text: row.name.padded(to: columns) + "  ", role: .key), Span(text: row.value, role: .plain),
                    Span(text: "  " + row.note, role: .dim),
                ], content(row.name, row.value))
        }
    }
}

/// The rows of a request that was not sent: as it would leave, what would be sent first, and what would be retried.
enum PreviewRows {
    static func rows(_ preview: RunPreview) -> [ResponseRow] {
        let request = preview.request
        let once: [PreparedRows.Row] =
            preview.sentFor.map { [("Sent once", "before \($0)", "which needs what it captures")] } ?? []
        let first =
            once
            + preview.sentFirst.map { dependency -> PreparedRows.Row in
                ("Sent first", dependency.request.name, "for {{\(dependency.variable)}}")
            }
        let settings = PreparedRows.settings(request).map { row in
            row.0 == "SLA" ? withEnd(row, preview.slaEnd) : row
        }
        let details = first + settings + retries(preview) + PreparedRows.variables(request) + sources(preview)
        var rows = [PreparedRows.first(request)]
        rows += PreparedRows.table(PreparedRows.headers(request)) { .header($0, $1) }
        rows += warnings(of: preview).map { ResponseRow([Span(text: $0, role: .warning)]) }
        rows += [ResponseRow([])] + PreparedRows.table(details) { .value($1, named: $0) }
        guard let body = request.body else { return rows }
        return rows + [ResponseRow([])] + SentBody.rows(of: body, type: request.contentType)
    }

    static func warnings(of preview: RunPreview) -> [String] {
        let request = preview.request
        return [request.emptyCredentialsWarning?.asSentence, preview.credentialsWarning, request.codingWarning]
            .compactMap { $0 } + preview.queryProblems
    }

    /// The row of the SLA, with the time of day at which it would end.
    private static func withEnd(_ row: PreparedRows.Row, _ end: LocalTime?) -> PreparedRows.Row {
        guard let end else { return row }
        return (row.0, row.1, (row.2.isEmpty ? "" : row.2 + " · ") + "sent now, it ends at \(end.clock)")
    }

    /// A row for each source that goes somewhere, with whether it may.
    private static func sources(_ preview: RunPreview) -> [PreparedRows.Row] {
        preview.request.sources.map { sent in
            let isGranted = !preview.ungranted.contains(sent)
            let parts = sent.parts.isEmpty ? "" : "in " + sent.parts.joined(separator: ", ") + " · "
            let note = isGranted ? "allowed" : "asked before it is sent"
            return ("Sends", "\(sent.source) to \(sent.destination)", parts + note)
        }
    }

    private static func retries(_ preview: RunPreview) -> [PreparedRows.Row] {
        let timeout: PreparedRows.Row? = preview.attemptTimeout.map {
            ("Timeout", DurationText.format($0), "of an attempt")
        }
        let breaker: PreparedRows.Row? = preview.retry.breaker.map {
            ("Breaker", RequestPolicy.breakerText($0), "for all requests to the origin")
        }
        guard preview.retry.retries > 0 else { return [timeout, breaker].compactMap { $0 } }
        let budget: PreparedRows.Row? = preview.retry.retryBudget.map {
            ("Retry budget", RequestPolicy.budgetText($0), "of all requests to the origin")
        }
        let reasons = preview.retry.reasons
        let note =
            preview.repeatsOnlyUnsent
            ? "if nothing was sent: a \(preview.request.method.rawValue) may have an effect" : ""
        let retries: [PreparedRows.Row] = [
            ("Retried after", reasons.isEmpty ? "nothing" : reasons.joined(separator: ", "), note),
            ("Waits", preview.retry.backoff.words(retries: preview.retry.retries), ""),
        ]
        return [timeout].compactMap { $0 } + retries + [budget, breaker].compactMap { $0 }
    }
}

extension RunPreview {
    /// True for a request that is not repeated once bytes were sent (see `RetryPolicy.retriesUnsafeMethods`).
    var repeatsOnlyUnsent: Bool {
        let isKeyed = request.headers.contains { $0.name.lowercased() == "idempotency-key" }
        return !request.method.isIdempotent && !retry.retriesUnsafeMethods && !retry.addsIdempotencyKey
            && !isKeyed
    }
}

extension RetryPolicy {
    /// "a connection error", "a timeout", "5xx", "429"
    var reasons: [String] {
        var reasons: [String] = []
        if failures.contains(.connection) { reasons.append("a connection error") }
        if failures.contains(.timeout) { reasons.append("a timeout") }
        guard failures.contains(.status) else { return reasons }
        var left = statusCodes
        for family in 1...5 where left.isSuperset(of: family * 100...family * 100 + 99) {
            left.subtract(family * 100...family * 100 + 99)
            reasons.append("\(family)xx")
        }
        return reasons + left.sorted().map(String.init)
    }
}

extension Backoff {
    /// The waits, without their jitter: "1s, 2s, 4s, … at most 10s, jitter 20 %"
    func words(retries: Int) -> String {
        guard first > .zero else { return "none" }
        let shown = min(retries, 4)
        var waits: [String] = []
        var wait = first
        for _ in 0..<shown {
            waits.append(DurationText.format(min(wait, ceiling ?? wait)))
            wait = .nanoseconds(Int64(min(wait / .nanoseconds(1) * factor, 1e17)))
        }
        var text = waits.joined(separator: ", ") + (retries > shown ? ", …" : "")
        if retries > shown, let ceiling { text += " at most \(DurationText.format(ceiling))" }
        return jitter > 0 ? text + ", jitter \(Percent.text(min(1, jitter)))" : text
    }
}

/// The trace of a run in its timeline: its identifier, the span of each attempt, and the page that shows it. The page
/// is never opened from here, as a file of others may have named it.
enum TraceRows {
    static func rows(_ run: RunState) -> [ResponseRow] {
        guard let trace = run.finished.last(where: { $0.trace != nil })?.trace else { return [] }
        let page = run.sent?.page(of: trace).map { row("page", $0, .info, named: pageName) }
        return [ResponseRow([]), row("trace", trace.traceID, .plain, named: traceName)] + [page].compactMap { $0 }
    }

    /// ` · span 00f067aa0ba902b7`; nothing for an attempt that was not traced.
    static func span(of attempt: AttemptReport) -> [Span] {
        attempt.trace.map { [Span(text: " · span \($0.spanID)", role: .dim)] } ?? []
    }

    /// - Parameter attempt: nil for the last one.
    static func copies(_ run: RunState, of attempt: AttemptReport?) -> [PickerOverlay.Item] {
        guard let attempt = attempt ?? run.opened ?? run.finished.last, let trace = attempt.trace else { return [] }
        let page = run.sent?.page(of: trace).map { PickerOverlay.Item.copying($0, pageName) }
        let own = PickerOverlay.Item.copying(trace.header, "the traceparent of attempt \(attempt.number)")
        return [own, .copying(trace.traceID, traceName), page].compactMap { $0 }
    }

    private static let traceName = "the trace ID"
    private static let pageName = "the URL of the trace"

    private static func row(_ label: String, _ text: String, _ role: Role, named name: String) -> ResponseRow {
        ResponseRow(
            [Span(text: "    " + label.padded(to: 7), role: .dim), Span(text: text, role: role)],
            .value(text, named: name))
    }
}
