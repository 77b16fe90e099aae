// The door for async.
extension RequestManager {
    /// Sends a request, and returns its response.
    ///
    /// Throws the `RequestError` of the request, and nothing else. Cancelling the Swift task ends the run, and the call
    /// throws `RequestError.cancelled`; nothing is sent where the task was cancelled before.
    ///
    /// - Parameters:
    ///   - requestable: The request. What it sends is made once for each run.
    ///   - authentication: Credentials for a request that has none of its own; nil leaves them to the manager.
    ///   - retries: Attempts after the first; a negative number counts as 0. Every failure of an attempt is repeated
    ///     at once, whatever the method.
    ///   - sla: The limit over all attempts and waits; nil is none. With zero and less nothing is sent, and
    ///     `RequestError.slaExceeded(_:)` is thrown.
    ///   - fallbackResponse: Stands in when every attempt failed and the request has none of its own.
    public final func response<T: Requestable>(
        for requestable: T, authentication: RequestAuthentication? = nil, retries: Int = 0,
        sla: Duration? = .seconds(180), fallbackResponse: T.Response? = nil
    ) async throws(T.Failure) -> T.Response where T.ResponseBody: Sendable {
        try await response(
            for: requestable, authentication: authentication, retry: .plain(retries: retries), sla: sla,
            fallbackResponse: fallbackResponse)
    }

    /// Sends a request, with a policy that says which failures are worth another attempt, and returns its response.
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

    /// Sends a request, with the SLA in seconds, and returns its response; infinity is no limit.
    public final func response<T: Requestable>(
        for requestable: T, authentication: RequestAuthentication? = nil, retries: Int = 0, sla: Double,
        fallbackResponse: T.Response? = nil
    ) async throws(T.Failure) -> T.Response where T.ResponseBody: Sendable {
        try await response(
            for: requestable, authentication: authentication, retry: .plain(retries: retries),
            sla: .limit(seconds: sla), fallbackResponse: fallbackResponse)
    }

    /// Sends a request, and returns the body of its response. The parameters mean what they mean to
    /// `response(for:authentication:retries:sla:fallbackResponse:)`.
    ///
    /// A response without a body is an error: `RequestError.decodingError(_:_:)` with a `MissingBody` as its cause and with
    /// the response. For a `NoBody` none is needed.
    public final func value<T: Requestable>(
        for requestable: T, authentication: RequestAuthentication? = nil, retries: Int = 0,
        sla: Duration? = .seconds(180), fallbackResponse: T.Response? = nil
    ) async throws(T.Failure) -> T.ResponseBody where T.ResponseBody: Sendable {
        try await value(
            for: requestable, authentication: authentication, retry: .plain(retries: retries), sla: sla,
            fallbackResponse: fallbackResponse)
    }

    /// Sends a request, with a policy that says which failures are worth another attempt, and returns the body of its
    /// response.
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

extension Requestable {
    /// The body of a response; an error where there is none.
    static func value(of response: Response) throws(Failure) -> ResponseBody {
        if let body = response.body ?? NoBody() as? ResponseBody { return body }
        throw .decodingError(
            MissingBody(),
            TransportResponse(url: response.url, headers: response.headers, statusCode: response.statusCode))
    }
}

/// The reason why there is no value: the response has no body, or its decoder made none of it.
public struct MissingBody: Error, Sendable, Hashable {
    /// For tests, and for errors of one's own.
    public init() {}
}

extension MissingBody: CustomStringConvertible {
    public var description: String { "the response has no body" }
}
