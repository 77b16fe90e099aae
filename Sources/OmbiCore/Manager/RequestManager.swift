/// Sends requests to one host, and holds what they have in common.
///
/// There are three doors. `makeRequest` gives a publisher, `send` calls back, `response(for:)` is async. All of them
/// start the same run: the request is made once, attempted, decoded and validated; what fails is attempted again as the
/// call allows, within its SLA; a fallback response stands in at the end.
///
/// **What a call may say.** `retries` is the number of attempts after the first; a negative number counts as 0. It
/// repeats every failure of an attempt at once, whatever the method. A `RetryPolicy` in its place chooses failures,
/// waits, and which methods are safe. `sla` is the limit over all attempts and waits together, 180 s by default; with
/// 0, a negative time or not a number nothing is sent, and the run ends with `RequestError.slaExceeded`; infinity is
/// no limit. A fallback response of the request goes before one of the call, and none is used after a cancellation.
///
/// **On which thread.** What a request sends (its members and their closures, its encoder, the interceptors) is made
/// once per run, on the thread that calls or subscribes, before anything is sent. The decoder, the validator, the
/// fallback and the progress closures run on a thread of the transport or of a timer. Results come on the scheduler or
/// the queue that the call names, else as `callbackQueue` says. Code that `ImmediateScheduler` delivers runs on a thread of
/// the transport: requests that it sends begin when it returns, or after 5 ms.
///
/// A manager may be used from any thread. It keeps itself alive as long as one of its runs.
///
/// Unchecked because a class that may be subclassed cannot be checked: the settings lie behind one lock, the rest is
/// constant. A subclass states the same of what it adds.
open class RequestManager: @unchecked Sendable {
    /// The base of all URLs, such as "https://api.example.com"; may have a path.
    public let host: String
    /// The log for requests, responses and failures; nil for none.
    public let log: RequestLog?
    let transport: any Transport
    let clock: any RunClock
    private let checkedHost: Result<RequestHost, any Error>
    private let settings = Lock(Settings())
    private let runs = Lock(Runs())

    private struct Settings {
        var additionalHeaders: RequestHeaders = [:]
        var authentication: RequestAuthentication?
        var injectsDefaultHeaders = true
        var userAgent: String? = UserAgent.ofThisProgram.text
        /// Those of the last request.
        var defaultHeaders: DefaultHeaders?
        var interceptors: [RequestInterceptor] = []
        var callbackQueue: DispatchQueue?
        var middlewares: [any RequestMiddleware] = []
        var authenticator: (any Authenticator)?
        /// Shared with the requests, so that none of them copies it.
        var connection = ConnectionBox.standard
        var cookieJar: CookieJar?
        var origins = OriginRegistry()
    }

    /// The runs under way, so that they can be cancelled by the type of their request.
    private struct Runs {
        var running: [ObjectIdentifier: RequestRun] = [:]
        /// Responses that are read while they arrive; their runs are not in `running`.
        var streams: [ObjectIdentifier: StreamedRun] = [:]

        var all: [any Running] { running.values.map { $0 as any Running } + streams.values.map { $0 as any Running } }
    }

    #if canImport(CCurl)
    /// The host is checked here; an error in it is the error of every request (`MalformedRequest.Part.host`).
    /// - Parameters:
    ///   - host: Begins with `http://` or `https://`; may have a port and a path.
    ///   - transport: How requests get to the server. Managers that are given the same one share its connections and its
    ///     threads.
    ///   - log: Receives requests, responses and failures; nil for none.
    public init(host: String, transport: any Transport = CurlTransport.shared, log: RequestLog? = nil) {
        self.host = host
        checkedHost = Result { try RequestHost(host) }
        self.transport = transport
        self.log = log
        clock = SystemClock()
    }
    #else
    /// The host is checked here; an error in it is the error of every request (`MalformedRequest.Part.host`).
    /// There is no libcurl on this platform: OmbiURLSession adds an initializer that needs no transport.
    public init(host: String, transport: any Transport, log: RequestLog? = nil) {
        self.host = host
        checkedHost = Result { try RequestHost(host) }
        self.transport = transport
        self.log = log
        clock = SystemClock()
    }
    #endif

    #if canImport(CCurl)
    /// A manager whose SLA and waits go by another clock: one that a test moves by hand, say.
    ///
    /// Dates in `Retry-After` headers are compared with the date of the system all the same, and the limits of a
    /// single attempt come from the transport.
    public init(
        host: String, transport: any Transport = CurlTransport.shared, log: RequestLog? = nil,
        clock: any Clock<Duration>
    ) {
        self.host = host
        checkedHost = Result { try RequestHost(host) }
        self.transport = transport
        self.log = log
        self.clock = Self.runClock(clock)
    }
    #else
    /// A manager whose SLA and waits go by another clock: one that a test moves by hand, say.
    ///
    /// Dates in `Retry-After` headers are compared with the date of the system all the same, and the limits of a
    /// single attempt come from the transport.
    public init(
        host: String, transport: any Transport, log: RequestLog? = nil, clock: any Clock<Duration>
    ) {
        self.host = host
        checkedHost = Result { try RequestHost(host) }
        self.transport = transport
        self.log = log
        self.clock = Self.runClock(clock)
    }
    #endif

    init(host: String, transport: any Transport, log: RequestLog? = nil, clock: any RunClock) {
        self.host = host
        checkedHost = Result { try RequestHost(host) }
        self.transport = transport
        self.log = log
        self.clock = clock
    }

    private static func runClock<C: Clock>(_ clock: C) -> any RunClock where C.Duration == Duration {
        ClockAdapter(clock)
    }

    #if canImport(CCurl)
    /// With a log of the system (`RequestLog.init(subsystem:category:)`), in the category "OmbiRequestManager".
    public convenience init(host: String, subsystem: String) {
        self.init(host: host, log: RequestLog(subsystem: subsystem, category: "OmbiRequestManager"))
    }
    #endif

    /// Added to every request, in place of fields of the same name; none by default. Like all settings of a manager,
    /// it is read when a run starts.
    open var additionalHeaders: RequestHeaders {
        get { settings.withLock { $0.additionalHeaders } }
        set { replace(\.additionalHeaders, newValue) }
    }

    /// Used when neither the request nor the call has its own; nil by default.
    open var requestAuthentication: RequestAuthentication? {
        get { settings.withLock { $0.authentication } }
        set { replace(\.authentication, newValue) }
    }

    /// Adds `User-Agent`, `Accept-Encoding` and `Accept-Language` to requests without them; true by
    /// default. `Accept-Encoding` names what the transport decodes.
    open var shouldInjectDefaultHeaders: Bool {
        get { settings.withLock { $0.injectsDefaultHeaders } }
        set { replace(\.injectsDefaultHeaders, newValue) }
    }

    /// The `User-Agent` of requests that have none. By default the program, as far as it is known, and Ombi: "shop
    /// (Linux) Ombi/0.1.0". nil sends none.
    open var userAgent: String? {
        get { settings.withLock { $0.userAgent } }
        set { replace(\.userAgent, newValue) }
    }

    /// Run in order, before the request's own; none by default.
    open var requestInterceptors: [RequestInterceptor] {
        get { settings.withLock { $0.interceptors } }
        set { replace(\.interceptors, newValue) }
    }

    /// The middlewares around every request, outermost first; none by default.
    open var middlewares: [any RequestMiddleware] {
        get { settings.withLock { $0.middlewares } }
        set { replace(\.middlewares, newValue) }
    }

    /// The authenticator for requests without other credentials: neither an authenticator of their own nor plain
    /// credentials of the request, the call or the manager. nil by default.
    open var authenticator: (any Authenticator)? {
        get { settings.withLock { $0.authenticator } }
        set { replace(\.authenticator, newValue) }
    }

    /// The queue for handlers and publishers when the call names no scheduler. nil, the default, takes a thread that
    /// belongs to nobody else, so that no handler waits for the one of another request.
    open var callbackQueue: DispatchQueue? {
        get { settings.withLock { $0.callbackQueue } }
        set { replace(\.callbackQueue, newValue) }
    }

    /// The way to the server: proxy, trust, versions, addresses, limits and redirects. The defaults are those
    /// of `Connection.init()`. Like all settings of a manager, it is read when a run starts; managers that share a
    /// transport each have their own.
    public final var connection: Connection {
        get { settings.withLock { $0.connection }.value }
        set { replace(\.connection, ConnectionBox(newValue)) }
    }

    /// Sends the cookies that are for a request, and keeps those that servers set; nil, the default, does neither.
    open var cookieJar: CookieJar? {
        get { settings.withLock { $0.cookieJar } }
        set { replace(\.cookieJar, newValue) }
    }

    /// The health of the servers, for policies with a breaker or a budget of retries; one of its own by default.
    open var originRegistry: OriginRegistry {
        get { settings.withLock { $0.origins } }
        set { replace(\.origins, newValue) }
    }

    /// The old value goes outside the lock: it may hold objects that come back here when they go.
    private func replace<Part>(_ part: WritableKeyPath<Settings, Part>, _ value: Part) {
        let old = settings.withLock { exchange(&$0[keyPath: part], with: value) }
        withExtendedLifetime(old) {}
    }

    /// Returns the request as it would go on the wire, before middlewares and authenticators. Sends nothing. Throws what
    /// makes the request malformed: a `MalformedRequest`, or any error of the encoder, the body stream or an interceptor.
    public final func buildRequest<T: Requestable>(
        for requestable: T, authentication: RequestAuthentication? = nil
    ) throws -> TransportRequest {
        let own = requestable._authenticator
        return try buildRequest(
            for: requestable, requestable._responseDecoder,
            credentials: own == nil ? credentials(for: requestable, call: authentication) : nil)
    }

    /// Returns the path, with its query, that requests a URL from this manager, such as the next page's; nil where the URL is
    /// not below its host.
    public final func path(to url: URL) -> String? { (try? checkedHost.get())?.path(to: url) }

    final func buildRequest<T: Requestable>(
        for requestable: T, _ decoder: BodyDecoder<T.ResponseBody>, credentials: RequestAuthentication?
    ) throws -> TransportRequest {
        try builder().build(requestable, decoder, credentials: credentials)
    }

    /// The nearest: from the request, else the call, else the manager.
    final func credentials<T: Requestable>(
        for requestable: T, call authentication: RequestAuthentication?
    ) throws -> RequestAuthentication? {
        try requestable._authentication ?? authentication ?? requestAuthentication
    }

    /// From the properties, because a subclass may have its own.
    final func builder() throws -> RequestBuilder {
        let connection = settings.withLock { $0.connection }
        let encodings = connection.value.acceptsCompression ? transport.acceptedEncodings : "identity"
        return RequestBuilder(
            host: try checkedHost.get(),
            defaultHeaders: shouldInjectDefaultHeaders ? defaultHeaders(userAgent, encodings) : [:],
            additionalHeaders: additionalHeaders, interceptors: requestInterceptors, connection: connection,
            cookieJar: cookieJar)
    }

    /// The same ones for all requests, as long as nothing changes.
    private func defaultHeaders(_ userAgent: String?, _ acceptedEncodings: String?) -> RequestHeaders {
        let last = settings.withLock { $0.defaultHeaders }
        if let last, last.userAgent == userAgent, last.acceptedEncodings == acceptedEncodings { return last.fields }
        let headers = DefaultHeaders(userAgent: userAgent, acceptedEncodings: acceptedEncodings)
        replace(\.defaultHeaders, headers)
        return headers.fields
    }

    /// The requests under way, the oldest first; streams until the last piece of the body has been read.
    public final var runningRequests: [RunningRequest] {
        runs.withLock { $0.all }.compactMap(RunningRequest.init)
            .sorted { $0.duration > $1.duration }
    }

    /// Cancels the requests under way that are a `T` that passes the test, also those that were sent as an
    /// `AnyRequestable`; their handlers, and the readers of streams and events, get `RequestError.cancelled`.
    public final func cancelRequests<T: Requestable>(
        with type: T.Type, passingTest test: (T) -> Bool = { _ in true }
    ) {
        for run in runs.withLock({ $0.all }) {
            if let request = run.requestable?.unwrapped(as: type), test(request) { run.cancel() }
        }
    }

    /// The one way into the engine: a run that has not started yet.
    /// - Parameters:
    ///   - transport: Replaces the manager's.
    ///   - outcome: Passes the result to its waiters.
    ///   - handler: Gets the result once, where `delivery` says.
    final func makeRun<T: Requestable>(
        _ requestable: T, _ options: RunOptions, fallback: T.Response?, recordsEvents: Bool = false,
        transport: (any Transport)? = nil, outcome: RunOutcome<T>? = nil, delivery: Delivery = .pool,
        handler: RequestWork<T>.Handler? = nil
    ) -> RequestRun {
        let work = RequestWork(
            requestable, manager: self, transport: transport ?? self.transport, options: options, fallback: fallback,
            outcome: outcome, delivery: delivery, handler: handler)
        return RequestRun(
            work, options: options, clock: clock, recordsEvents: recordsEvents,
            origins: origins(for: options.policy))
    }

    /// Returns nil for a policy without a breaker and a budget.
    final func origins(for policy: RetryPolicy) -> OriginRegistry? { policy.guardsOrigin ? originRegistry : nil }

    /// Starts a run, and keeps it until it has ended.
    final func start(_ run: RequestRun) {
        runs.withLock { $0.running[ObjectIdentifier(run)] = run }
        // It had ended before, and nobody forgets it later.
        if !run.start() { forget(run) }
    }

    /// Starts the run of a stream, and keeps it until its body has been read.
    final func start(_ stream: StreamedRun) {
        runs.withLock { $0.streams[ObjectIdentifier(stream)] = stream }
        _ = stream.run.start()
    }

    final func forget(_ stream: StreamedRun) {
        _ = runs.withLock { $0.streams.removeValue(forKey: ObjectIdentifier(stream)) }
    }

    /// For tests.
    final var runCount: Int { runs.withLock { $0.running.count + $0.streams.count } }

    final func forget(_ run: RequestRun) {
        _ = runs.withLock { $0.running.removeValue(forKey: ObjectIdentifier(run)) }
    }
}
