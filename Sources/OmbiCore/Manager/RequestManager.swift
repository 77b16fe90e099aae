#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
/// the queue that the call names, else on a global queue. Code that `ImmediateScheduler` delivers runs on a thread of
/// the transport: it must not wait there for another request.
///
/// A manager may be used from any thread. It keeps itself alive as long as one of its runs.
///
/// Unchecked because a class that may be subclassed cannot be checked: the settings lie behind one lock, the rest is
/// constant. A subclass states the same of what it adds.
open class RequestManager: @unchecked Sendable {
    /// Where requests go, such as "https://api.example.com"; may carry a path of its own.
    public let host: String
    /// Where requests and responses are told; nil tells nobody.
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
        var interceptors: [RequestInterceptor] = []
        /// Shared with the requests, so that none of them copies it.
        var connection = ConnectionBox.standard
        var cookieJar: CookieJar?
    }

    /// The runs under way, so that they can be cancelled by the type of their request.
    private struct Runs {
        var nextID = 0
        var byID: [Int: RequestRun] = [:]
    }

    #if canImport(CCurl)
    /// The host is checked here; what is wrong with it is the error of every request (`MalformedRequest.Part.host`).
    /// - Parameters:
    ///   - host: Begins with `http://` or `https://`; may have a port and a path.
    ///   - transport: How requests get to the server. Managers that are given the same one share its connections and its
    ///     threads.
    ///   - log: Where requests, responses and failures are told; nil tells nobody.
    public init(host: String, transport: any Transport = CurlTransport.shared, log: RequestLog? = nil) {
        self.host = host
        checkedHost = Result { try RequestHost(host) }
        self.transport = transport
        self.log = log
        clock = SystemClock()
    }
    #else
    /// The host is checked here; what is wrong with it is the error of every request (`MalformedRequest.Part.host`).
    /// There is no libcurl on this platform: OmbiURLSession adds an initializer that needs no transport.
    public init(host: String, transport: any Transport, log: RequestLog? = nil) {
        self.host = host
        checkedHost = Result { try RequestHost(host) }
        self.transport = transport
        self.log = log
        clock = SystemClock()
    }
    #endif

    init(host: String, transport: any Transport, log: RequestLog? = nil, clock: any RunClock) {
        self.host = host
        checkedHost = Result { try RequestHost(host) }
        self.transport = transport
        self.log = log
        self.clock = clock
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
        set { settings.withLock { $0.additionalHeaders = newValue } }
    }

    /// Used when neither the request nor the call has its own; nil by default.
    open var requestAuthentication: RequestAuthentication? {
        get { settings.withLock { $0.authentication } }
        set { settings.withLock { $0.authentication = newValue } }
    }

    /// Whether requests get `User-Agent`, `Accept-Encoding` and `Accept-Language` where they have none; true by
    /// default. `Accept-Encoding` names what the transport decodes.
    open var shouldInjectDefaultHeaders: Bool {
        get { settings.withLock { $0.injectsDefaultHeaders } }
        set { settings.withLock { $0.injectsDefaultHeaders = newValue } }
    }

    /// The `User-Agent` of requests that have none. By default the program, as far as it is known, and Ombi: "shop
    /// (Linux) Ombi/0.1.0". nil sends none.
    open var userAgent: String? {
        get { settings.withLock { $0.userAgent } }
        set { settings.withLock { $0.userAgent = newValue } }
    }

    /// Run in order, before the request's own; none by default.
    open var requestInterceptors: [RequestInterceptor] {
        get { settings.withLock { $0.interceptors } }
        set { settings.withLock { $0.interceptors = newValue } }
    }

    /// How requests reach the server: proxy, trust, versions, addresses, limits and redirects. The defaults are those
    /// of `Connection.init()`. Like all settings of a manager, it is read when a run starts; managers that share a
    /// transport each have their own.
    public final var connection: Connection {
        get { settings.withLock { $0.connection }.value }
        set {
            let box = ConnectionBox(newValue)
            settings.withLock { $0.connection = box }
        }
    }

    /// Sends the cookies that are for a request, and keeps those that servers set; nil, the default, does neither.
    open var cookieJar: CookieJar? {
        get { settings.withLock { $0.cookieJar } }
        set {
            // The old one is let go of outside the lock.
            _ = settings.withLock { settings in
                defer { settings.cookieJar = newValue }
                return settings.cookieJar
            }
        }
    }

    /// What would go on the wire. Sends nothing. Throws what makes the request malformed: a `MalformedRequest`, or
    /// whatever the encoder, the stream of the body or an interceptor throws.
    public final func buildRequest<T: Requestable>(
        for requestable: T, authentication: RequestAuthentication? = nil
    ) throws -> TransportRequest {
        try builder().build(requestable, authentication: authentication)
    }

    /// From the properties, because a subclass may have its own.
    private func builder() throws -> RequestBuilder {
        let connection = settings.withLock { $0.connection }
        let encodings = connection.value.acceptsCompression ? transport.acceptedEncodings : "identity"
        let defaults =
            shouldInjectDefaultHeaders ? DefaultHeaders.make(userAgent: userAgent, acceptedEncodings: encodings) : [:]
        return RequestBuilder(
            host: try checkedHost.get(), defaultHeaders: defaults, additionalHeaders: additionalHeaders,
            authentication: requestAuthentication, interceptors: requestInterceptors, connection: connection,
            cookieJar: cookieJar)
    }

    /// Cancels the runs under way whose request is a `T` that passes the test; their handlers get
    /// `RequestError.cancelled`.
    public final func cancelRequests<T: Requestable>(
        with type: T.Type, passingTest test: (T) -> Bool = { _ in true }
    ) {
        for run in runs.withLock({ Array($0.byID.values) }) {
            if let request = run.work.anyRequestable as? T, test(request) { run.cancel() }
        }
    }

    /// The one way into the engine. `listener` gets every event, in order; it must only pass them on. `handler` is
    /// called once, at the end, on whatever thread that comes on.
    final func run<T: Requestable>(
        _ requestable: T, _ options: RunOptions, fallback: T.Response?,
        listener: (@Sendable (RequestEvent) -> Void)? = nil,
        handler: @escaping @Sendable (Result<T.Response, T.Failure>) -> Void
    ) -> any RunControl {
        let id = runs.withLock { runs in
            runs.nextID += 1
            return runs.nextID
        }
        let plan = RunPlan(
            policy: options.policy, sla: min(options.sla, .longest), transport: transport, clock: clock, log: log,
            random: { Double.random(in: -1...1) })
        let work = RequestWork(
            requestable, fallback: fallback, make: { try self.build(requestable, options) },
            handler: { result in
                self.runs.withLock { $0.byID[id] = nil }
                handler(result)
            })
        let run = RequestRun(work, plan: plan, listener: listener)
        runs.withLock { $0.byID[id] = run }
        run.start()
        return run
    }

    private func build<T: Requestable>(_ requestable: T, _ options: RunOptions) throws -> TransportRequest {
        var request = try buildRequest(for: requestable, authentication: options.authentication)
        if options.policy.addsIdempotencyKey, !request.method.isIdempotent, request.headers[.idempotencyKey] == nil {
            request.headers[.idempotencyKey] = .string(UUID().uuidString)
        }
        return request
    }
}
