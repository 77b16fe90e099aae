/// The headers of a response, or of the part that came, in the order in which they came.
enum HeadersTab {
    static func rows(_ run: RunState) -> [ResponseRow] {
        // The URL of the response, when redirects led elsewhere.
        let redirectedTo = run.hasOpened ? nil : run.sent?.redirectedTo
        let redirect = redirectedTo.map { url in
            ResponseRow(
                [Span(text: "→ ", role: .dim), Span(text: url, role: .info)],
                .value(url, named: "the URL of the response"))
        }
        let headers = rows(of: run.headers?.fields ?? []) { .header($0, $1) }
        return [redirect, limit(run)].compactMap { $0 } + headers + (run.hasOpened ? [] : RedirectRows.headers(run))
    }

    /// A row for each field, with the values in one column.
    static func rows(
        of fields: [RequestHeaders.Field], _ content: (_ name: String, _ value: String) -> ResponseRow.Content
    ) -> [ResponseRow] {
        let columns = min(28, fields.map { $0.key.name.count }.max() ?? 0)
        return fields.map { field in
            let (name, value) = (field.key.name, field.value.text)
            let spans = [Span(text: name.padded(to: columns) + "  ", role: .key), Span(text: value, role: .plain)]
            return ResponseRow(spans, content(name, value))
        }
    }

    /// The requests that the server still allowed with this response: `412 left, 18m`; nil where it does not say.
    private static func limit(_ run: RunState) -> ResponseRow? {
        guard let limit = run.headers.flatMap({ RateLimit($0) }) else { return nil }
        // With another status, `Retry-After` is about the resource alone.
        guard limit.remaining != nil || run.shownResponse?.statusCode == 429 else { return nil }
        return ResponseRow(
            [Span(text: "Rate limit: ", role: .dim), Span(text: limit.words, role: .info)],
            .value(limit.words, named: "the rate limit"))
    }
}

/// The cookies of the environment: their names and attributes, without their values.
enum CookiesTab {
    static func title(_ cookies: [KeptCookie]?) -> String {
        guard let count = cookies?.count, count > 0 else { return "Cookies" }
        return "Cookies \(count)"
    }

    /// A row for each cookie, so that the row under the cursor is one.
    static func rows(_ cookies: [KeptCookie]?) -> [ResponseRow] {
        guard let cookies else {
            return [.hint("No cookies are kept here. \"cookies\" in the tab Connection keeps them.")]
        }
        guard !cookies.isEmpty else { return [.hint("The jar is empty.")] }
        let columns = min(28, cookies.map { TextWidth.of($0.name) }.max() ?? 0)
        return cookies.map { cookie in
            ResponseRow(
                [
                    Span(text: cookie.name.padded(to: columns) + "  ", role: .key),
                    Span(text: LogMask.mask, role: .plain), Span(text: "  " + place(of: cookie), role: .plain),
                    Span(text: "  " + attributes(of: cookie), role: .dim),
                ], .value(cookie.name, named: "the name of the cookie"))
        }
    }

    /// `api.example.com/v2`; with a dot in front where subdomains get it, too.
    static func place(of cookie: KeptCookie) -> String {
        (cookie.isHostOnly ? "" : ".") + cookie.domain + cookie.path
    }

    private static func attributes(of cookie: KeptCookie) -> String {
        let parts = [
            cookie.expiresAt.map { "until \($0.shortText)" } ?? "session", cookie.isSecure ? "Secure" : nil,
            cookie.isHTTPOnly ? "HttpOnly" : nil, cookie.sameSite.map { "SameSite=\($0.rawValue)" },
        ]
        return parts.compactMap { $0 }.joined(separator: " · ")
    }
}

extension Date {
    /// `2026-11-23 08:11 UTC`
    var shortText: String {
        let style = Date.ISO8601FormatStyle.iso8601.year().month().day().dateTimeSeparator(.space)
        return formatted(style.time(includingFractionalSeconds: false)).prefix(16) + " UTC"
    }
}

/// The TLS connection of a response: version and cipher, what was verified, and the certificates of the server.
enum TLSTab {
    static func rows(_ run: RunState) -> [ResponseRow] {
        guard let attempt = run.finished.last else { return [] }
        guard let tls = attempt.metrics.tls else {
            guard run.headers != nil else { return [] }
            return [.hint("No TLS: the request went over plain HTTP.")]
        }
        let facts = [
            row("Address", attempt.metrics.remoteAddress ?? ""), row("Version", tls.version ?? ""),
            row("Cipher", tls.cipher ?? ""),
        ]
        return [verdict(tls, attempt)] + facts.compactMap { $0 } + certificates(tls, at: run.sent?.endedAt)
    }

    private static func verdict(_ tls: TLSReport, _ attempt: AttemptReport) -> ResponseRow {
        if tls.isVerified { return ResponseRow([Span(text: "✓ verified", role: .success)]) }
        // Without a version there was no connection.
        if tls.version == nil, let code = attempt.errorCode {
            let words = code == .certificateNotTrusted ? "✗ not trusted" : "✗ no secure connection"
            return ResponseRow([
                Span(text: words, role: .failure), Span(text: ": nothing was sent to this server", role: .dim),
            ])
        }
        return ResponseRow([
            Span(text: "✗ TLS not verified", role: .warning),
            Span(text: ": verifyTLS is false in the environment", role: .dim),
        ])
    }

    private static func certificates(_ tls: TLSReport, at now: Date?) -> [ResponseRow] {
        guard !tls.certificates.isEmpty else {
            return [ResponseRow([]), ResponseRow([Span(text: "The transport reports no certificates.", role: .dim)])]
        }
        return tls.certificates.enumerated().flatMap { index, certificate in
            let title =
                tls.certificates.count == 1 ? "Certificate" : "Certificate \(index + 1) of \(tls.certificates.count)"
            return [ResponseRow([]), ResponseRow([Span(text: title, role: .title)])]
                + [
                    row("Subject", certificate.subject), row("Issuer", certificate.issuer),
                    row("Names", certificate.names.joined(separator: ", ")),
                    row("Valid from", certificate.notBefore.map(\.shortText) ?? ""),
                    row("Valid until", certificate.notAfter.map(\.shortText) ?? "", life(certificate, at: now)),
                ].compactMap { $0 }
        }
    }

    /// `in 42 days`; for one that is not valid, why.
    private static func life(_ certificate: TLSReport.Certificate, at now: Date?) -> Span? {
        guard let now else { return nil }
        if let start = certificate.notBefore, start > now { return Span(text: "not valid yet", role: .failure) }
        guard let end = certificate.notAfter else { return nil }
        let days = Int((end.timeIntervalSince(now) / 86_400).rounded(.down))
        if end < now { return Span(text: "expired \(Count.of(max(1, -days), "day")) ago", role: .failure) }
        return Span(text: "in \(Count.of(days, "day"))", role: days < Self.soon ? .warning : .dim)
    }

    /// Days in which a certificate should be renewed.
    private static let soon = 14

    /// Nil for an empty value.
    private static func row(_ name: String, _ value: String, _ note: Span? = nil) -> ResponseRow? {
        guard !value.isEmpty else { return nil }
        let spans = [Span(text: name.padded(to: 11) + "  ", role: .key), Span(text: value, role: .plain)]
        return ResponseRow(
            spans + (note.map { [Span(text: "  ", role: .plain), $0] } ?? []), .value(value, named: name))
    }
}

/// The redirects that attempts followed.
enum RedirectRows {
    /// Rows for each: its status, its target, its time, and what was withheld from another origin.
    static func timeline(_ run: RunState) -> [ResponseRow] {
        let rows = rows(run)
        guard !rows.isEmpty else { return [] }
        let title = "    " + Count.of(rows.count, "redirect")
        return [ResponseRow([]), ResponseRow([Span(text: title, role: .dim)])] + rows.flatMap { $0 }
    }

    /// The row of each among those of `timeline`.
    static func starts(_ run: RunState) -> [Int] {
        var row = titleRows
        return rows(run).map { rows in
            defer { row += rows.count }
            return row
        }
    }

    private static let titleRows = 2

    private static func rows(_ run: RunState) -> [[ResponseRow]] {
        (run.sent?.redirects ?? []).map { hop in
            let attempt = max(run.finished.count, run.attempt) > 1 ? String(hop.attempt).padded(to: 2) + "  " : "    "
            let row = ResponseRow(
                [Span(text: attempt, role: .title)] + spans(hop)
                    + [Span(text: " · \(TimeText.duration(hop.duration))", role: .dim)],
                .value(hop.target, named: "the target of the redirect"))
            return [row] + withheld(hop)
        }
    }

    /// The headers of each of the last attempt, below those of the response.
    static func headers(_ run: RunState) -> [ResponseRow] {
        let last = run.finished.last?.number
        let hops = (run.sent?.redirects ?? []).filter { $0.attempt == last }
        return hops.enumerated().flatMap { index, hop -> [ResponseRow] in
            let title = "Redirect \(index + 1) of \(hops.count): "
            let head = ResponseRow(
                [Span(text: title, role: .title)] + spans(hop), .value(hop.target, named: "the target of the redirect"))
            return [ResponseRow([]), head] + HeadersTab.rows(of: hop.headers.fields) { .value($1, named: $0) }
        }
    }

    /// `302 Found → GET https://api.example.com/next`
    private static func spans(_ hop: FollowedRedirect) -> [Span] {
        [
            Span(text: StatusCode.words(hop.statusCode), role: .forStatus(hop.statusCode)),
            Span(text: " → ", role: .dim), Span(text: hop.method.rawValue + " ", role: hop.method.role),
            Span(text: hop.target, role: .info),
        ]
    }

    /// The headers that were not sent to another origin.
    private static func withheld(_ hop: FollowedRedirect) -> [ResponseRow] {
        guard !hop.withheld.isEmpty else { return [] }
        let names = hop.withheld.joined(separator: ", ")
        return [ResponseRow([Span(text: "      without \(names), which stays at its origin", role: .dim)])]
    }
}

/// The verdict on each expectation of a run: what was expected and, where it was not met, what came instead.
enum ExpectTab {
    static func title(_ run: RunState?) -> String {
        guard let expectations = run?.expectations, !expectations.isEmpty else { return "Expect" }
        return expectations.failureCount == 0 ? "Expect ✓" : "Expect ✗ \(expectations.failureCount)"
    }

    static func rows(_ run: RunState) -> [ResponseRow] {
        guard run.response != nil else {
            guard !run.isRunning, run.headers != nil else { return [] }
            return [.hint("Nothing was checked: the response is not complete. s sends it again.")]
        }
        guard !run.expectations.isEmpty else {
            return [.hint("Nothing is expected. X on a value of the body expects it; so does the tab Expect.")]
        }
        return run.expectations.map(row)
    }

    private static func row(_ result: ExpectationResult) -> ResponseRow {
        let mark = Span(text: result.isMet ? "✓ " : "✗ ", role: result.isMet ? .success : .failure)
        if let statement = result.statement {
            return ResponseRow(
                [mark, Span(text: statement, role: .failure)], .value(statement, named: "the expectation"))
        }
        let found = result.isMet ? "" : "  \(result.place == .time ? "took" : "got") \(result.found)"
        return ResponseRow(
            [mark, Span(text: result.expected, role: .plain), Span(text: found, role: .failure)],
            .value(result.isMet ? result.expected : result.sentence, named: "the expectation"))
    }
}
