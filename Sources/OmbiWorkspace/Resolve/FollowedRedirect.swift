/// A redirect that an attempt followed, with every secret masked.
package struct FollowedRedirect: Equatable, Sendable {
    package var attempt: Int
    package var statusCode: Int
    /// The headers of the redirecting response.
    package var headers: RequestHeaders
    /// The body of the redirecting response; nil if unknown or not kept.
    package var body: Data?
    /// True for a body of which only a part came or is kept.
    package var isPartial = false
    /// The URL of the next request.
    package var target: String
    /// The method of the next request.
    package var method: RequestMethod
    /// The headers of the next request; nil if unknown.
    package var sent: RequestHeaders?
    /// The names of the headers that were withheld, because the target has another origin.
    package var withheld: [String]
    /// The phases from the request to the end of its response.
    package var timings: Timings
    package var remoteAddress: String?

    /// The maximum number of redirects kept of a run, from the newest attempts.
    static let maximum = 200

    package var duration: Duration { timings.total }

    /// - Parameter duration: the time to the response, where its phases are not known.
    package init(
        attempt: Int = 1, statusCode: Int, headers: RequestHeaders = [:], body: Data? = nil, target: String,
        method: RequestMethod = .get, withheld: [String] = [], duration: Duration = .zero,
        remoteAddress: String? = nil
    ) {
        self.attempt = attempt
        self.statusCode = statusCode
        self.headers = headers
        self.body = body
        self.target = target
        self.method = method
        self.withheld = withheld
        timings = Timings()
        timings.wait = duration
        self.remoteAddress = remoteAddress
    }

    package var response: TransportResponse {
        TransportResponse(headers: headers, statusCode: statusCode, body: body)
    }
}

extension FollowedRedirect {
    /// Leaves out the oldest beyond the maximum, with the rest of their attempt: its requests would be others. Of a
    /// single attempt the first ones stay.
    package static func limit(_ redirects: inout [FollowedRedirect]) {
        let excess = redirects.count - maximum
        guard excess > 0 else { return }
        let (cut, last) = (redirects[excess - 1].attempt, redirects[redirects.count - 1].attempt)
        redirects.removeAll { $0.attempt <= cut && $0.attempt != last }
        redirects.removeLast(max(0, redirects.count - maximum))
    }

    init(_ report: RedirectReport, of attempt: Int, _ redactor: Redactor) {
        self.init(
            attempt: attempt, statusCode: report.head.statusCode, headers: redactor.redact(report.head.headers),
            target: redactor.redact(report.target.absoluteString), method: report.method,
            withheld: report.withheld.map { redactor.redact($0.name) },
            remoteAddress: report.remoteAddress.map(redactor.redact(address:)))
        timings = report.timings
        sent = report.sent.map(redactor.redactSent)
        // A secret that is captured from the response may be in this one, too.
        guard !redactor.hidesEarlierResponses else { return }
        isPartial = report.isPartial
        body = report.body.map { isPartial ? redactor.redact(part: $0) : redactor.redact($0) }
    }
}

extension LiteralSecrets {
    /// The secrets in the URLs that the redirects of a run led to, which the servers there may repeat.
    init(inRedirectsOf report: RequestReport?) {
        self.init()
        for attempt in report?.attempts ?? [] {
            for redirect in attempt.metrics.redirects { add(url: redirect.target.absoluteString) }
        }
    }

    init(inTargetOf redirect: RedirectReport) { self.init(inURL: redirect.target.absoluteString) }

    init(inURL url: String) {
        self.init()
        add(url: url)
    }

    private mutating func add(url: String) {
        for part in url.split(whereSeparator: { $0 == "?" || $0 == "#" }).dropFirst() { add(query: part) }
    }
}

/// A redirected request of an attempt, as sent.
package struct RedirectedRequest: Equatable, Sendable {
    package var request: PreparedRequest
    package var redirect: FollowedRedirect
}

extension PreparedRequest {
    package func redirects(of attempt: Int) -> [FollowedRedirect] { redirects.filter { $0.attempt == attempt } }

    /// The requests of an attempt that were redirected, in order.
    package func redirected(by attempt: AttemptReport) -> [RedirectedRequest] {
        guard !redirects.isEmpty else { return [] }
        var request = sent(as: attempt)
        return redirects(of: attempt.number).map { redirect in
            defer { request = request.following(redirect) }
            return RedirectedRequest(request: request, redirect: redirect)
        }
    }

    /// The last request of an attempt: after its last redirect, or the only one.
    package func last(of attempt: AttemptReport) -> PreparedRequest {
        redirects(of: attempt.number).reduce(sent(as: attempt)) { $0.following($1) }
    }

    /// The next request: with the method of RFC 9110, §15.4, and without the body where the method changes.
    private func following(_ redirect: FollowedRedirect) -> PreparedRequest {
        var next = self
        if redirect.statusCode == 303 || redirect.method != method { next.body = nil }
        (next.url, next.method) = (redirect.target, redirect.method)
        if let sent = redirect.sent { next.headers = headers(as: sent) }
        return next
    }
}

extension AttemptReport {
    /// The part of an attempt up to a redirect, as a separate attempt.
    package func redirected(by redirect: FollowedRedirect) -> AttemptReport {
        var attempt = AttemptReport(
            number: number, reason: reason, startedAt: startedAt, duration: redirect.duration,
            metrics: TransportMetrics(timings: redirect.timings, remoteAddress: redirect.remoteAddress),
            outcome: .succeeded, response: redirect.response)
        attempt.metrics.bytesReceived = redirect.body?.count ?? 0
        (attempt.isPartial, attempt.trace) = (redirect.isPartial, trace)
        return attempt
    }

    /// The attempt from the end of redirects that it followed.
    package func excluding(_ redirects: [FollowedRedirect]) -> AttemptReport {
        var attempt = self
        for redirect in redirects {
            attempt.startedAt += redirect.duration
            attempt.duration = max(.zero, attempt.duration - redirect.duration)
            for phase in RequestPhase.allCases {
                let left = attempt.metrics.timings[phase] - redirect.timings[phase]
                attempt.metrics.timings[phase] = max(.zero, left)
            }
        }
        return attempt
    }

    /// True for an attempt that failed after its last redirect without another response, so that this redirect is the
    /// last one received.
    package func endsBehind(_ redirect: FollowedRedirect) -> Bool {
        errorCode != nil && received?.statusCode == redirect.statusCode && !isUnfollowedRedirect
    }

    /// True for an attempt that failed after a complete response: a redirect that is not followed, or a response that
    /// was to be retried when the SLA ended.
    package var failedWithWholeResponse: Bool {
        if case .failed(let kind, _) = outcome, [.status, .decoding, .validation].contains(kind) { return true }
        return isUnfollowedRedirect
    }

    /// True for an attempt that failed because the redirect that it received, if any, is not followed.
    package var isUnfollowedRedirect: Bool {
        guard let errorCode else { return false }
        return [.tooManyRedirects, .redirectRefused, .unsupportedURL, .refused].contains(errorCode)
    }
}
