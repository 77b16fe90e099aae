// Sending requests with async and await.
extension RequestManager {
    /// Sends a request, and returns its response.
    ///
    /// Throws the `RequestError` of the request, and nothing else. Cancelling the Swift task ends the run, and the call
    /// throws `RequestError.cancelled`; if the task was cancelled before, nothing is sent.
    ///
    /// - Parameters:
    ///   - requestable: The request, evaluated once per run.
    ///   - authentication: Credentials for a request without its own; nil uses those of the manager.
    ///   - retries: Attempts after the first; a negative number counts as 0. Every failed attempt is repeated at once,
    ///     whatever the method.
    ///   - sla: The limit over all attempts and waits; nil for none. At zero or less, nothing is sent, and
    ///     `RequestError.slaExceeded(_:)` is thrown.
    ///   - fallbackResponse: The response if every attempt fails and the request has no fallback of its own.
    public final func response<T: Requestable>(
        for requestable: T, authentication: RequestAuthentication? = nil, retries: Int = 0,
        sla: Duration? = .seconds(180), fallbackResponse: T.Response? = nil
    ) async throws(T.Failure) -> T.Response where T.ResponseBody: Sendable {
        try await response(
            for: requestable, authentication: authentication, retry: .plain(retries: retries), sla: sla,
            fallbackResponse: fallbackResponse)
    }

    /// Sends a request with a policy for retries, and returns its response.
    public final func response<T: Requestable>(
        for requestable: T, authentication: RequestAuthentication? = nil, retry: RetryPolicy,
        sla: Duration? = .seconds(180), fallbackResponse: T.Response? = nil
    ) async throws(T.Failure) -> T.Response where T.ResponseBody: Sendable {
        let outcome = RunOutcome<T>()
        let run = makeRun(
            requestable, RunOptions(authentication: authentication, policy: retry, sla: sla),
            fallback: fallbackResponse, outcome: outcome)
        let result = await withTaskCancellationHandler {
            start(run)
            return await outcome.result
        } onCancel: {
            run.cancel()
        }
        return try result.get()
    }

    /// Sends a request, and returns the body of its response. The parameters are those of
    /// `response(for:authentication:retries:sla:fallbackResponse:)`.
    ///
    /// A response without a body is an error: `RequestError.decodingError(_:_:)` with a `MissingBody` as its cause and
    /// with the response. A `NoBody` needs none.
    public final func value<T: Requestable>(
        for requestable: T, authentication: RequestAuthentication? = nil, retries: Int = 0,
        sla: Duration? = .seconds(180), fallbackResponse: T.Response? = nil
    ) async throws(T.Failure) -> T.ResponseBody where T.ResponseBody: Sendable {
        try await value(
            for: requestable, authentication: authentication, retry: .plain(retries: retries), sla: sla,
            fallbackResponse: fallbackResponse)
    }

    /// Sends a request with a policy for retries, and returns the body of its response.
    public final func value<T: Requestable>(
        for requestable: T, authentication: RequestAuthentication? = nil, retry: RetryPolicy,
        sla: Duration? = .seconds(180), fallbackResponse: T.Response? = nil
    ) async throws(T.Failure) -> T.ResponseBody where T.ResponseBody: Sendable {
        let response = try await response(
            for: requestable, authentication: authentication, retry: retry, sla: sla,
            fallbackResponse: fallbackResponse)
        return try T.value(of: response)
    }
}

extension RequestManager {
    /// Sends a request whose type is not statically known, such as the next one of a queue of `any Requestable`, and
    /// returns its response. The error is the `RequestError` of the request.
    ///
    ///     let response = try await manager.response(for: queue.removeFirst())
    ///     if let order = response.body as? Order { … }
    @_disfavoredOverload
    public final func response(
        for requestable: any Requestable, authentication: RequestAuthentication? = nil, retry: RetryPolicy = .never,
        sla: Duration? = .seconds(180)
    ) async throws -> sending RequestResponse<Any> {
        try await untypedResponse(
            for: requestable, RunOptions(authentication: authentication, policy: retry, sla: sla))
    }

    private func untypedResponse<T: Requestable>(
        for requestable: T, _ options: RunOptions
    ) async throws -> sending RequestResponse<Any> {
        let outcome = RunOutcome<T>()
        let run = makeRun(requestable, options, fallback: nil, outcome: outcome)
        await withTaskCancellationHandler {
            start(run)
            await outcome.untilKnown()
        } onCancel: {
            run.cancel()
        }
        guard let result = outcome.current else { throw T.Failure.unknownError }
        return try result.get().untyped
    }
}

extension RequestResponse {
    /// The response with a body of any type.
    var untyped: RequestResponse<Any> {
        RequestResponse<Any>(url: url, headers: headers, statusCode: statusCode, body: body)
    }
}

extension Requestable {
    /// Returns the body of a response; throws if there is none.
    static func value(of response: Response) throws(Failure) -> ResponseBody {
        if let body = response.body ?? NoBody() as? ResponseBody { return body }
        throw .decodingError(
            MissingBody(),
            TransportResponse(url: response.url, headers: response.headers, statusCode: response.statusCode))
    }
}
