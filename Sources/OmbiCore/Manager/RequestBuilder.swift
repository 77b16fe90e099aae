internal import OmbiBase

/// Builds the request to send from a request and the settings of a manager. Pure: the same input, the same bytes.
struct RequestBuilder: Sendable {
    /// Checked once for all requests of a manager.
    var host: RequestHost
    var defaultHeaders: RequestHeaders
    var additionalHeaders: RequestHeaders
    var interceptors: [RequestInterceptor]
    var connection: ConnectionBox
    var cookieJar: CookieJar?

    /// Reads every member of the request once. Throws `MalformedRequest`, or what a member, an encoder or an interceptor
    /// throws.
    func build<T: Requestable>(
        _ requestable: T, _ decoder: BodyDecoder<T.ResponseBody>, credentials: RequestAuthentication?
    ) throws -> TransportRequest {
        let body = try requestable._bodyStream.map { EncodedBody(stream: $0) } ?? requestable._encodedBody
        let url = try host.url(path: requestable.path, query: requestable._query)
        var request = TransportRequest(
            url: url, method: requestable.method, headers: try headers(of: requestable, decoder, body),
            body: body?.data, bodyStream: body?.stream, idleTimeout: try Self.idleTimeout(requestable._timeoutInterval),
            attemptTimeout: requestable._attemptTimeout, originHeaders: originHeaders)
        request.settings = connection
        request.cookieJar = cookieJar
        try credentials?.authenticate(&request)
        request.headers.merge(additionalHeaders)
        for interceptor in interceptors { request = try interceptor.intercept(request) }
        request = try requestable._requestInterceptor.intercept(request)
        if request.url != url { try RequestURLCheck.url(request.url) }
        try Self.checkFields(request)
        return request
    }

    /// Later ones replace earlier ones of the same name: what the coders say, the defaults, the request's own. The
    /// credentials and the manager's additional ones follow.
    private func headers<T: Requestable>(
        of requestable: T, _ decoder: BodyDecoder<T.ResponseBody>, _ body: EncodedBody?
    ) throws -> RequestHeaders {
        var headers = RequestHeaders()
        if decoder.acceptType != nil || body?.contentType != nil { headers.reserveCapacity(Self.usualHeaders) }
        if let type = decoder.acceptType { headers.append(type, forKey: .acceptType) }
        if let type = body?.contentType { headers.append(type, forKey: .contentType) }
        headers.merge(defaultHeaders)
        headers.merge(try requestable._headers)
        return headers
    }

    /// More fields than most requests have.
    private static let usualHeaders = 8

    /// Header fields that a redirect to another origin withholds, whatever their names.
    private var originHeaders: Set<RequestHeaders.Key> { Set(additionalHeaders.fields.lazy.map(\.key)) }

    /// nil for infinity.
    private static func idleTimeout(_ seconds: Double) throws -> Duration? {
        guard seconds > 0 else { throw noTime(seconds) }
        return seconds.isInfinite ? nil : Duration(clampingSeconds: seconds)
    }

    private static func noTime(_ seconds: Double) -> MalformedRequest {
        MalformedRequest(
            .timeout, "the timeout of \(seconds) s leaves no time to answer; give more than 0 s, or .infinity")
    }

    /// Validates a request after foreign code. Throws `MalformedRequest`.
    static func check(_ request: TransportRequest) throws {
        try RequestURLCheck.url(request.url)
        try checkFields(request)
    }

    /// After the interceptors, which may have put anything in.
    fileprivate static func checkFields(_ request: TransportRequest) throws {
        try HeaderCheck.check(request.headers)
        for timeout in [request.idleTimeout, request.attemptTimeout] {
            guard timeout ?? .longest > .zero else { throw noTime(timeout?.inSeconds ?? 0) }
        }
        let method = request.method
        guard HeaderCheck.isToken(method.rawValue) else {
            throw MalformedRequest(
                .method,
                "\"\(method.rawValue.visible)\" is not a method; one has letters, digits and !#$%&'*+-.^_`|~ only")
        }
        guard method != .connect else {
            throw MalformedRequest(
                .method, "CONNECT asks a proxy for a tunnel (RFC 9110 section 9.3.6) and is no request to a server")
        }
    }
}

/// A request that its sender has made already, for a front end that sends the same one again and again: it goes on the
/// wire as it is, bytes come back, and every status is a response.
package struct BuiltRequest: Requestable {
    package typealias RequestBody = NoBody
    package typealias ResponseBody = Data
    package typealias ResponseError = NoError

    /// The request as sent; the error of one that could not be made.
    package let request: Result<TransportRequest, any Error>
    package let authenticator: (any Authenticator)?

    package init(_ request: Result<TransportRequest, any Error>, authenticator: (any Authenticator)?) {
        (self.request, self.authenticator) = (request, authenticator)
    }

    package var path: String { (try? request.get())?.url.path ?? "" }
    package var method: RequestMethod { (try? request.get())?.method ?? .get }

    var surroundings: Surroundings? { authenticator.map { Surroundings(middlewares: [], authenticator: $0) } }
}

extension RequestManager {
    /// Returns a request to a path below the host, with the default headers and what `add` adds. Throws `MalformedRequest`.
    package final func buildRequest(
        path: String, _ add: (inout TransportRequest) -> Void
    ) throws -> TransportRequest {
        let builder = try builder()
        let url = try builder.host.url(path: path, query: [])
        var request = TransportRequest(url: url, headers: builder.defaultHeaders, idleTimeout: nil)
        request.settings = builder.connection
        add(&request)
        if request.url != url { try RequestURLCheck.url(request.url) }
        try RequestBuilder.checkFields(request)
        return request
    }

    /// Sends a request that is made already.
    /// - Parameters:
    ///   - queue: Runs the closures; nil runs them on the thread that brings the news.
    ///   - handler: Receives the result, after the last event.
    ///   - onEvent: Receives the events in order; nil for a run that nobody watches.
    @discardableResult
    package final func send(
        _ built: BuiltRequest, retry: RetryPolicy, sla: Duration?, on queue: DispatchQueue?,
        handler: @escaping @Sendable (Result<TransportResponse, RequestError<NoError>>) -> Void,
        onEvent: (@Sendable (RequestEvent) -> Void)? = nil
    ) -> RequestTask<BuiltRequest> {
        let delivery = queue.map(Delivery.queue) ?? .immediate
        let work = BuiltWork(
            built, manager: self, transport: transport, policy: retry, delivery: delivery,
            handler: onEvent == nil ? handler : nil)
        let run = RequestRun(
            work, options: RunOptions(policy: retry, sla: sla), clock: clock, recordsEvents: true,
            origins: origins(for: retry))
        let outcome = work.outcome
        if let onEvent {
            EventDelivery(run: run, delivery: delivery, onEvent: onEvent) { outcome.current.map(handler) }.start()
        }
        start(run)
        return RequestTask(run: run, outcome: outcome)
    }
}

/// The work of a run whose request is made already. It has no type parameter: the runtime looks up nothing for it, which
/// costs a short request a tenth of its instructions.
final class BuiltWork: RunWork {
    typealias Result = Swift.Result<TransportResponse, RequestError<NoError>>

    let outcome = RunOutcome<BuiltRequest>()
    let transport: any Transport
    private let built: BuiltRequest
    private let manager: RequestManager
    private let policy: RetryPolicy
    private let delivery: Delivery
    private let handler: (@Sendable (Result) -> Void)?

    init(
        _ built: BuiltRequest, manager: RequestManager, transport: any Transport, policy: RetryPolicy,
        delivery: Delivery, handler: (@Sendable (Result) -> Void)?
    ) {
        self.built = built
        self.manager = manager
        self.transport = transport
        self.policy = policy
        self.delivery = delivery
        self.handler = handler
    }

    var anyRequestable: any Requestable { built }
    var log: RequestLog? { manager.log }

    func build() throws -> (TransportRequest, Surroundings?) {
        var request = try built.request.get()
        request.addIdempotencyKey(policy)
        return (request, built.surroundings)
    }

    func progress() -> ProgressDelivery? { nil }

    func evaluate(_ response: TransportResponse, to method: RequestMethod) -> RunResult {
        let response = response.bodiless(to: method)
        return .response { self.finish(.success(response), $0) }
    }

    func fallBack() -> RunResult? { nil }

    func error(_ failure: RunFailure) -> any Error { RequestError<NoError>(failure) }

    func failure(_ error: any Error, after response: TransportResponse?) -> RunFailure {
        RequestError<NoError>.failure(error, after: response)
    }

    func sentence(_ failure: RunFailure) -> String { RequestError<NoError>(failure).description }

    func finish(_ result: RunResult, of run: RequestRun, record: () -> Void) {
        manager.forget(run)
        switch result {
        case .response(let handOver): handOver(record)
        case .failure(let failure): finish(.failure(RequestError(failure)), record)
        }
    }

    private func finish(_ result: Result, _ record: () -> Void) {
        outcome.set(result)
        record()
        if let handler { delivery.handOver(result, to: handler) }
    }
}
