import OmbiCore

/// Exchanges as runs of the history: one attempt each, with every credential masked.
extension TrafficRecorder {
    /// `GET /users/42`
    static func title(of exchange: ProxiedExchange, _ origin: String, _ redactor: Redactor) -> String {
        let url = LogMask.url(redactor.redact(exchange.url))
        return "\(exchange.method) " + (url.hasPrefix(origin) ? String(url.dropFirst(origin.count)) : url)
    }

    static func result(
        of exchange: ProxiedExchange, _ redactor: Redactor, environment: String
    ) -> SessionResult {
        let response = exchange.response.map { redactor.redact(kept($0)) }
        var ending = SessionResult.Ending.cancelled
        var outcome = AttemptReport.Outcome.cancelled
        var runOutcome = RequestReport.Outcome.cancelled
        if let problem = exchange.problem, !exchange.isCancelled {
            let message = redactor.redact(message: problem.description)
            ending = .failure(message)
            outcome = .failed(problem.code == .timedOut ? .timeout : .connection, message)
            runOutcome = .failed(message)
        } else if let response, !exchange.isCancelled {
            ending = .response(response)
            (outcome, runOutcome) = (.succeeded, .succeeded)
        }
        var attempt = AttemptReport(
            number: 1, startedAt: .zero, duration: exchange.duration, metrics: exchange.metrics, outcome: outcome)
        attempt.received = response
        attempt.isPartial = exchange.isCancelled || exchange.problem != nil
        attempt.errorCode = exchange.problem?.code
        let report = RequestReport(
            attempts: [attempt], duration: exchange.duration, sla: nil, outcome: runOutcome)
        var result = SessionResult(
            ending, prepared: prepared(exchange, redactor, environment: environment), report: report)
        if attempt.isPartial { result.partial = response }
        result.redactor = redactor
        return result
    }

    /// A body that is compressed is not kept: nothing could show it.
    private static func kept(_ response: TransportResponse) -> TransportResponse {
        guard let coding = response[.contentEncoding]?.text.lowercased(), coding != "identity" else { return response }
        var response = response
        response.body = nil
        return response
    }

    private static func prepared(
        _ exchange: ProxiedExchange, _ redactor: Redactor, environment: String
    ) -> PreparedRequest {
        let headers = exchange.headers.fields.map { field -> PreparedRequest.Header in
            let text = redactor.redact(field.value.text)
            // A referrer has the query of another request.
            let value = text.contains("://") ? LogMask.url(text) : text
            return PreparedRequest.Header(
                name: redactor.redact(field.key.name), value: field.key.isSensitive ? LogMask.mask : value)
        }
        let text = exchange.text
        var prepared = PreparedRequest(
            url: LogMask.url(redactor.redact(exchange.url)), hostSource: .environment(environment),
            method: RequestMethod(stringLiteral: exchange.method), headers: headers,
            body: text.flatMap { $0.isEmpty ? nil : body($0, exchange, redactor) }, sla: .init(.zero),
            attempts: .init(1))
        if text == nil {
            prepared.body = "\(exchange.bodySize) bytes, not recorded"
            // The text is not what went out.
            prepared.namesFiles = true
        }
        return prepared
    }

    private static func body(_ text: String, _ exchange: ProxiedExchange, _ redactor: Redactor) -> String {
        let type = exchange.headers[.contentType]?.text.lowercased() ?? ""
        let masked = redactor.redact(text)
        if type.hasPrefix("application/x-www-form-urlencoded") { return String(LogMask.url("?" + masked).dropFirst()) }
        return LogMask.json(masked)
    }
}
