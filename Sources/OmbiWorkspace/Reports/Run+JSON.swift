/// A run that has just ended as JSON: `run` in `schema/run.schema.json`.
extension SessionResult {
    /// - Parameters:
    ///   - name: the request by the names of collection and folders.
    ///   - row: the number of its row of data; nil without data.
    package func json(name: String, row: Int?, method: RequestMethod) -> JSONValue {
        let head: JSONValue = [
            "name": .string(name), "row": row.map { JSONValue.number($0) }, "method": .string(method.rawValue),
            "url": .nullable(prepared?.url),
        ]
        let size = receivedResponse.map { $0.body?.count ?? 0 }
        let figures = JSONValue.figures(
            RecordedOutcome(self), status: receivedResponse?.statusCode, failure: failures.first,
            duration: report?.duration, attempts: attemptCount)
        return head.appending(figures).appending(["bytes": .nullable(size)]).appending(
            details(attempts.map { json(of: $0) }))
    }

    /// An attempt with the redirects that it followed.
    private func json(of attempt: AttemptReport) -> JSONValue {
        attempt.json.appending(redirects(of: attempt) { $0.json })
    }

    /// An attempt of the history with the redirects that it followed, all with their responses.
    package func jsonWithResponses(of attempt: AttemptReport) -> JSONValue {
        attempt.jsonWithResponse.appending(redirects(of: attempt) { $0.jsonWithResponse })
    }

    private func redirects(of attempt: AttemptReport, _ json: (RedirectedRequest) -> JSONValue) -> JSONValue {
        let redirected = prepared?.redirected(by: attempt) ?? []
        return ["redirects": redirected.isEmpty ? nil : JSONValue.array(redirected.map(json))]
    }

    /// The attempts. The last one has the head of the run's response, even of an interrupted one; the history stores it
    /// once.
    package var attempts: [AttemptReport] {
        var attempts = report?.attempts ?? []
        // Of several attempts, the one before may be the one that broke off.
        if let last = attempts.indices.last, attempts[last].received == nil, response == nil, let partial,
            !attempts.contains(where: \.isPartial)
        {
            attempts[last].received = TransportResponse(headers: partial.headers, statusCode: partial.statusCode)
            attempts[last].isPartial = true
        }
        if let last = attempts.indices.last, attempts[last].received != nil, attempts[last].received?.headers == nil {
            attempts[last].received?.headers = receivedResponse?.headers
        }
        return attempts
    }

    /// The attempts with their responses, except for the response of the run.
    fileprivate var attemptsWithResponses: [JSONValue] {
        let attempts = attempts
        return attempts.indices.map { index in
            let json = attempts.isFollowed(index) ? attempts[index].jsonWithResponse : attempts[index].json
            return json.appending(redirects(of: attempts[index]) { $0.jsonWithResponse })
        }
    }

    /// The members that a run in a list lacks.
    fileprivate func details(_ attempts: [JSONValue]) -> JSONValue {
        [
            "failures": .strings(failures), "expectations": .array(expectations.map(\.json)),
            "attempts": .array(attempts), "remark": remark.map(JSONValue.string), "pages": pages?.json,
            "fallback": fallback?.json, "verifiesTLS": prepared?.verifiesTLS == false ? .bool(false) : nil,
            "sentFirst": dependencies.isEmpty ? nil : .array(dependencies.map(\.json)),
            "captured": captured.isEmpty ? nil : .array(captured.map(\.json)),
            "traceURL": tracePage.map(JSONValue.string),
        ]
    }

    /// The page of the trace; nil for none.
    package var tracePage: String? {
        guard let trace = attempts.last?.trace else { return nil }
        return prepared?.page(of: trace)
    }
}

/// A run of the history in short.
extension HistoryEntry {
    package var json: JSONValue {
        let head: JSONValue = [
            "id": .number(id), "startedAt": .time(startedAt), "file": .string(request.file),
            "path": .strings(request.path), "environment": .nullable(environment), "method": .string(method),
            "url": .nullable(url.isEmpty ? nil : url),
        ]
        let figures = JSONValue.figures(
            outcome, status: status, failure: failure, duration: duration, attempts: attempts)
        return head.appending(figures).appending(["bytes": .nullable(size)])
    }
}

/// A run of the history, with its request, its attempts and its response.
extension RecordedRun {
    package var json: JSONValue {
        let request: JSONValue = result.prepared?.json ?? .null
        let response: JSONValue = result.receivedResponse?.json ?? .null
        return entry.json.appending(result.details(result.attemptsWithResponses)).appending([
            "request": request, "response": response,
        ])
    }
}

/// A run as a side of a comparison.
extension RunComparison.Side {
    package var json: JSONValue {
        let head: JSONValue = [
            "id": .nullable(run), "startedAt": .time(startedAt), "environment": .nullable(environment),
        ]
        return head.appending(
            .figures(outcome, status: status, failure: failure, duration: duration, attempts: attempts))
    }
}

extension JSONValue {
    /// The members that every form of a run has.
    fileprivate static func figures(
        _ outcome: RecordedOutcome, status: Int?, failure: String?, duration: Duration?, attempts: Int
    ) -> JSONValue {
        [
            "outcome": .string(outcome.name), "status": .nullable(status), "failure": .nullable(failure),
            "durationMs": .milliseconds(duration), "attemptCount": .number(attempts),
        ]
    }
}

extension Fallback {
    fileprivate var json: JSONValue {
        switch self {
        case .missing(let reason): return ["missing": .string(reason)]
        case .response(let used):
            let bytes = used.response.body?.count
            return used.source.json.appending([
                "date": .time(used.date), "ageMs": .milliseconds(used.age),
                "status": .nullable(used.response.statusCode), "bytes": bytes.map { JSONValue.number($0) },
            ])
        }
    }
}

extension PageSummary {
    fileprivate var json: JSONValue {
        ["count": .number(count), "expected": .nullable(expected), "more": .bool(hasMore)]
    }
}

extension DependencyResult {
    fileprivate var json: JSONValue {
        let outcome: RecordedOutcome = failures.isEmpty ? .passed : statusCode == nil ? .error : .failed
        return [
            "name": .string(request), "variable": .string(variable), "outcome": .string(outcome.name),
            "status": .nullable(statusCode),
            "failures": .strings(failures), "durationMs": .milliseconds(duration), "attemptCount": .number(attempts),
        ]
    }
}

/// An attempt as JSON: `attempt` in `schema/run.schema.json`.
extension AttemptReport {
    package var json: JSONValue {
        let phases = RequestPhase.allCases.map { phase in
            JSONValue.Member(phase.rawValue, .milliseconds(metrics.timings[phase]))
        }
        let notRetried: JSONValue = missedRetry?.json ?? .null
        let named: JSONValue? = trace.map { ["traceId": .string($0.traceID), "spanId": .string($0.spanID)] }
        let timing: JSONValue? = serverTiming.isEmpty ? nil : .array(serverTiming.map(\.json))
        return [
            "number": .number(number), "reason": .string(reason.rawValue), "startedAtMs": .milliseconds(startedAt),
            "durationMs": .milliseconds(duration), "outcome": .string(outcome.name),
            "status": .nullable(received?.statusCode), "failure": .nullable(outcome.failure),
            "failureKind": .nullable(outcome.failureKind?.rawValue), "phasesMs": .object(phases),
            "waitMs": .milliseconds(wait), "waitReason": .nullable(waitReason?.name),
            "notRetried": notRetried, "address": .nullable(metrics.remoteAddress),
            "reusedConnection": .bool(metrics.reusedConnection), "trace": named,
            "serverTiming": timing,
            "heldMs": held.map { JSONValue.milliseconds($0) },
        ]
    }
}

extension AttemptReport {
    /// An attempt of the history with its response; the last attempt has the response of the run.
    package var jsonWithResponse: JSONValue {
        guard let received else { return json }
        return json.appending([
            "response": received.json.appending([
                "partial": isPartial ? .bool(true) : nil, "omittedBytes": omittedBody.map { JSONValue.number($0) },
            ])
        ])
    }
}

/// A redirect of an attempt as JSON: `redirect` in `schema/run.schema.json`.
extension RedirectedRequest {
    fileprivate var json: JSONValue {
        [
            "method": .string(request.method.rawValue), "url": .string(LogMask.url(request.url)),
            "status": .number(redirect.statusCode), "target": .string(LogMask.url(redirect.target)),
            "durationMs": .milliseconds(redirect.duration), "address": .nullable(redirect.remoteAddress),
            "withheld": .strings(redirect.withheld),
        ]
    }

    fileprivate var jsonWithResponse: JSONValue {
        let response = redirect.response.json.appending(["partial": redirect.isPartial ? JSONValue.bool(true) : nil])
        return json.appending(["headers": request.json["headers"], "body": request.json["body"], "response": response])
    }
}

extension AttemptReport.Outcome {
    fileprivate var name: String {
        switch self {
        case .succeeded: "succeeded"
        case .failed: "failed"
        case .stopped: "stopped"
        case .cancelled: "cancelled"
        case .abandoned: "abandoned"
        case .slaExceeded: "slaExceeded"
        }
    }

    /// The reason why the attempt failed, for people; nil for a success.
    package var failure: String? {
        switch self {
        case .succeeded: nil
        case .failed(_, let message), .stopped(let message): message
        case .cancelled: "cancelled"
        case .abandoned: "ended by a retry"
        case .slaExceeded: "the SLA ended"
        }
    }

    fileprivate var failureKind: RetryPolicy.Failure? {
        if case .failed(let kind, _) = self { kind } else { nil }
    }
}

extension ServerTiming {
    fileprivate var json: JSONValue {
        [
            "name": .string(name), "durationMs": .milliseconds(duration),
            "description": description.map(JSONValue.string),
        ]
    }
}

extension WaitReason {
    fileprivate var name: String {
        switch self {
        case .backoff: "backoff"
        case .retryAfter: "retryAfter"
        case .reconnection: "reconnection"
        case .credentials: "credentials"
        case .breaker: "breaker"
        }
    }
}

extension MissedRetry {
    fileprivate var json: JSONValue {
        [
            "waitMs": .milliseconds(wait), "waitReason": .string(reason.name), "slaLeftMs": .milliseconds(slaLeft),
            "maximumMs": maximum.map { JSONValue.milliseconds($0) }, "budget": budget?.json,
        ]
    }
}

extension SpentRetryBudget {
    fileprivate var json: JSONValue {
        [
            "server": .string(server), "share": .number(share), "requests": .number(requests),
            "retries": .number(retries), "reason": .string(description),
        ]
    }
}

/// A request as JSON: `request` in `schema/run.schema.json`.
extension PreparedRequest {
    package var json: JSONValue {
        [
            "method": .string(method.rawValue), "url": .string(url),
            "headers": .array(headers.map { JSONValue.pair($0.name, $0.value) }), "body": .nullable(body),
        ]
    }
}

/// A response as JSON: `response` in `schema/run.schema.json`.
extension TransportResponse {
    package var json: JSONValue {
        let fields = (headers?.fields ?? []).map { JSONValue.pair($0.key.name, $0.value.text) }
        let text = body.flatMap { String(validating: $0, as: UTF8.self) }
        return ["status": .nullable(statusCode), "headers": .array(fields), "body": .nullable(text)]
    }
}

/// Times and names as all JSON of Ombi has them.
extension JSONValue {
    /// Milliseconds, rounded to the microsecond; `null` for nil.
    package static func milliseconds(_ duration: Duration?) -> JSONValue {
        guard let parts = duration?.components else { return .null }
        let microseconds = Double(parts.seconds) * 1e6 + Double(parts.attoseconds) / 1e12
        return .number(microseconds.rounded() / 1000)
    }

    /// `2026-11-23T08:11:07Z`; `null` for nil.
    package static func time(_ date: Date?) -> JSONValue {
        guard let date else { return .null }
        return .string(date.formatted(.iso8601))
    }

    /// A header, or a parameter of a query.
    package static func pair(_ name: String, _ value: String) -> JSONValue {
        ["name": .string(name), "value": .string(value)]
    }
}
