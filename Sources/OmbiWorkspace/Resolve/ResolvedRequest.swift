/// A saved request with its templates filled in and its policies merged, as OmbiCore sends it.
///
/// It holds unmasked secrets and stays in this module: others see `PreparedRequest` and the events of a `Session`.
struct ResolvedRequest: Sendable, Equatable {
    var name: String
    var method: RequestMethod
    /// Scheme and authority, and the path of the environment's host when it has one; without a slash at the end.
    var host: String
    var hostSource: Provenance
    /// Percent-encoded; empty, or with a slash in front.
    var path: String
    var query: ResolvedQuery
    /// The headers of the request, its folders and the collection, with its credentials and the type of its body.
    var headers: RequestHeaders
    /// The headers of the environment, without those that the request has itself.
    var additionalHeaders: RequestHeaders
    /// The levels of the inherited headers.
    var headerSources: [RequestHeaders.Key: Provenance]
    /// Nil for none.
    var credentials: PreparedCredentials?
    var credentialsSource: Provenance
    var body: PreparedBody?
    /// True for another origin than the environment's.
    var isForeign: Bool
    var verifyTLS: Bool
    /// The way to the server, with absolute paths.
    var connection = Connection()
    /// The host of ssh that connections go through; nil for none.
    var via: SSHHost?
    /// The settings of the connection, masked.
    var connectionSettings: [PreparedRequest.ConnectionSetting] = []
    /// Nil leaves cookies to the program.
    var keepsCookies: Bool?
    /// The limit of one attempt, from its start to the last byte of the response.
    var attemptTimeout: Duration?
    /// The limit over all attempts and waits.
    var sla: PreparedRequest.Setting<Duration>
    /// The defaults of Ombi, which do not hold for a stream.
    var liftedLimits: LiftedLimits = []
    /// True if each attempt has a trace.
    var isTraced = false
    /// The template of the page of a trace; nil for none.
    var traceURL: String?
    var plan = ExchangePlan.http
    /// The URL of a later page, instead of host, path and query; nil for the request itself.
    var pageURL: URL?
    var retry: RetryPolicy
    var retriesSource: Provenance
    /// The variables that were filled in, unmasked.
    var variables: [UsedVariable]
    var expectation: Expectation?
    /// True if the same request with the same captured values and secrets is resolved to this again.
    var isRepeatable = false
    var sources = PartSources()
    /// Every source with every destination that it goes to.
    var flows: [Flow] = []
    /// The place that a request with sources is sent to; nil until its flows are known.
    var knownDestination: Destination?
    /// The texts that are masked in the name of a host.
    var secrets: [String] = []
    /// Masks the paths in sources and destinations, by the values of the request alone: the text of a grant must not
    /// change with other secrets.
    var pathRedactor = Redactor()
    /// Masks every secret that is in this request.
    var redactor: Redactor
}

/// A resolved request that is passed on without being copied: each of its texts and lists would be retained.
final class SharedRequest: Sendable {
    let value: ResolvedRequest
    /// The request to show: without the socket of a tunnel, which is meaningless elsewhere, and as its first page.
    let prepared: PreparedRequest
    /// The request as sent, without the parts of one run; nil before it is first sent.
    private let transportRequest = Lock<TransportRequest?>(nil)
    private let lastSent = Lock<ShownRequest?>(nil)

    convenience init(_ value: ResolvedRequest) { self.init(value, shownAs: PreparedRequest(value)) }

    init(_ value: ResolvedRequest, shownAs prepared: PreparedRequest) {
        (self.value, self.prepared) = (value, prepared)
    }

    /// Returns the request as sent, without the parts of one run. It is built once.
    ///
    /// A redirect to another origin withholds the headers of the environment, like those of a manager. The query is
    /// encoded already. `attemptTimeout` is the only limit of an attempt.
    func transportRequest(by manager: RequestManager) throws -> TransportRequest {
        if let known = transportRequest.withLock({ $0 }) { return known }
        let made = try manager.buildRequest(path: value.path) { request in
            request.method = value.method
            request.headers.merge(value.headers)
            request.headers.merge(value.additionalHeaders)
            request.originHeaders.formUnion(value.additionalHeaders.fields.map(\.key))
            (request.body, request.bodyStream) = (value.body?.encoded.data, value.body?.encoded.stream)
            request.attemptTimeout = value.attemptTimeout
            request.liftedLimits = value.liftedLimits
            if value.connection != request.connection { request.connection = value.connection }
            request.connectionAuthentication = value.credentials?.connectionAuthentication
            if let query = value.query.encoded, let url = URL(string: request.url.absoluteString + "?" + query) {
                request.url = url
            }
            if let pageURL = value.pageURL { request.url = pageURL }
        }
        transportRequest.withLock { $0 = made }
        return made
    }
}

extension SharedRequest {
    /// Returns the request as sent, masked. A run of many sends the same again and again: that is masked once.
    /// - Parameter wire: Unmasked.
    func shown(_ wire: TransportRequest, _ redactor: Redactor) -> ShownRequest {
        lastSent.withLock { last in
            if let last, last.isFor(wire, redactor) { return last }
            let shown = ShownRequest(prepared.sent(wire, redactor), wire, redactor)
            last = shown
            return shown
        }
    }
}

/// A masked request as it was sent, which the runs that sent the same share.
final class ShownRequest: Sendable {
    /// Without a trail.
    let request: PreparedRequest
    /// Unmasked, as the headers are; nil for a request that no other run has.
    private let url: URL?
    private let fields: [RequestHeaders.Field]
    private let redactor: Redactor

    /// - Parameter wire: Unmasked; nil if it was not sent.
    init(_ request: PreparedRequest, _ wire: TransportRequest? = nil, _ redactor: Redactor = Redactor()) {
        (self.request, url, fields, self.redactor) = (request, wire?.url, wire?.headers.fields ?? [], redactor)
    }

    /// False for a request that no other run has.
    var mayRecur: Bool { url != nil }

    /// Returns true for a request that is shown in the same way: each part is compared by its bytes.
    func isFor(_ other: TransportRequest, _ redactor: Redactor) -> Bool {
        guard let url, url == other.url, self.redactor == redactor else { return false }
        let others = other.headers.fields
        return fields.sharesStorage(with: others)
            || fields.count == others.count
                && zip(fields, others).allSatisfy {
                    $0.key.name.hasBytes(of: $1.key.name) && $0.value.text.hasBytes(of: $1.value.text)
                }
    }
}

extension ResolvedRequest {
    /// The environment whose `verifyTLS` applies to the request, as text for a message; nil for none.
    var verifyingEnvironment: String? {
        guard !isForeign else { return nil }
        if case .environment(let name) = hostSource { return "the environment " + name }
        return "the environment"
    }

    var attempts: PreparedRequest.Setting<Int> { .init(retry.retries + 1, retriesSource) }

    /// Nil for a request of another protocol.
    var webSocket: ResolvedWebSocket? { if case .webSocket(let socket) = plan { socket } else { nil } }

    /// Nil for a request without further pages.
    var pages: SavedPages? { if case .pages(let pages) = plan { pages } else { nil } }
}

extension ResolvedRequest: CustomStringConvertible, CustomReflectable {
    /// Method and address, masked.
    var description: String { redactor.redact("\(method.rawValue) \(host)\(path)") }
    /// Keeps secrets out of debuggers and failing tests.
    var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

/// The query of a request: each parameter in the bytes that are sent for it, and as text.
struct ResolvedQuery: Sendable, Equatable {
    struct Parameter: Sendable, Equatable {
        /// Decoded; the value is empty without a `=`.
        let name: String
        let value: String
        /// As sent: `name=value`, or its form in the URL.
        let encoded: String

        init(_ name: String, _ value: String) {
            (self.name, self.value) = (name, value)
            encoded = PercentEncoding.escapeParameter(name) + "=" + PercentEncoding.escapeParameter(value)
        }

        init(encoded: Substring) {
            let name = encoded.prefix { $0 != "=" }
            self.name = PercentEncoding.unescapeForm(name)
            value = PercentEncoding.unescapeForm(encoded[name.endIndex...].dropFirst())
            self.encoded = String(encoded)
        }
    }

    private(set) var parameters: [Parameter] = []

    init() {}

    /// Splits a percent-encoded query, which is sent unchanged.
    init(encoded: String) {
        parameters = encoded.split(separator: "&", omittingEmptySubsequences: false).map(Parameter.init(encoded:))
    }

    /// The query as sent; nil for none.
    var encoded: String? { parameters.isEmpty ? nil : parameters.map(\.encoded).joined(separator: "&") }

    /// The query behind its `?`; empty for none.
    var suffix: String { encoded.map { "?" + $0 } ?? "" }

    /// The value of the first parameter of a name; setting it adds the parameter where there is none.
    subscript(name: String) -> String? {
        get { parameters.first { $0.name == name }?.value }
        set {
            guard let newValue else { return parameters.removeAll { $0.name == name } }
            guard let index = parameters.firstIndex(where: { $0.name == name }) else { return append(name, newValue) }
            parameters[index] = Parameter(name, newValue)
        }
    }

    mutating func append(_ name: String, _ value: String) {
        removeEmptyLast()
        parameters.append(Parameter(name, value))
    }

    /// Adds parameters that are percent-encoded already.
    mutating func append(encoded: String) {
        removeEmptyLast()
        parameters += ResolvedQuery(encoded: encoded).parameters
    }

    /// After `?` and `&` a parameter needs no other separator.
    private mutating func removeEmptyLast() {
        if parameters.last?.encoded.isEmpty ?? false { parameters.removeLast() }
    }
}

/// The `Exchange` that sends a resolved request, with what it alone needs.
enum ExchangePlan: Sendable, Equatable {
    case http
    case pages(SavedPages)
    case webSocket(ResolvedWebSocket)
}

/// The part of a resolved request that is a WebSocket.
struct ResolvedWebSocket: Sendable, Equatable {
    var subprotocols: [String] = []
    /// With their templates filled in.
    var messages: [SavedMessage] = []
    /// True to send all messages as soon as the WebSocket opens.
    var sendsMessages = false
}

extension Resolution {
    static let webSocketReason = "a WebSocket is opened with GET and without a body"

    mutating func plan(_ address: Address) throws(ResolveError) -> ExchangePlan {
        if let socket = try webSocket(address) { return .webSocket(socket) }
        return request.pages.map(ExchangePlan.pages) ?? .http
    }

    /// Returns nil for a request that is no WebSocket.
    private mutating func webSocket(_ address: Address) throws(ResolveError) -> ResolvedWebSocket? {
        guard request.webSocket != nil || address.isWebSocket else { return nil }
        guard request.method == .get, request.body == nil else {
            throw error("method", Self.webSocketReason)
        }
        if let problem = request.webSocket?.problem { throw error("webSocket", problem) }
        var resolved = ResolvedWebSocket(subprotocols: request.webSocket?.subprotocols ?? [])
        for message in request.webSocket?.messages ?? [] {
            let text = try fill(message.text, "message \"\(message.name)\"")
            literals.add(body: message.text)
            resolved.messages.append(SavedMessage(name: message.name, text: text))
        }
        sources.body.formUnion(scope.takeSources())
        return resolved
    }
}

/// The sources that the parts of a request were made from.
struct PartSources: Sendable, Equatable {
    var url: Set<Source> = []
    var headers: [RequestHeaders.Key: Set<Source>] = [:]
    /// The sources of the body, and of the messages of a WebSocket.
    var body: Set<Source> = []
    /// True if a file of this machine is a part of the body: the response may have any piece of it.
    var hasFile = false
    /// The sources of credentials that are obtained or computed while the request is sent.
    var credentials: Set<Source> = []
    /// Those of them that are in the URL of a page to sign in.
    var page: Set<Source> = []
    /// The sources of a proxy and its credentials, of a certificate's password and of the paths of a connection.
    var way: Set<Source> = []
    /// The programs that run for it. A value of one may be in no part: a header replaces it, or it is the name of a file.
    var programs: Set<Source> = []

    var isEmpty: Bool {
        url.isEmpty && headers.isEmpty && body.isEmpty && credentials.isEmpty && way.isEmpty && programs.isEmpty
    }

    mutating func add(_ sources: Set<Source>, to key: RequestHeaders.Key) {
        if !sources.isEmpty { headers[key, default: []].formUnion(sources) }
    }

    func parts(of source: Source) -> [String] {
        var parts = url.contains(source) ? ["URL"] : []
        parts += headers.filter { $0.value.contains(source) }.map { "header \($0.key.name)" }.sorted()
        if body.contains(source) { parts.append("body") }
        if credentials.contains(source) { parts.append("authentication") }
        if way.contains(source) { parts.append("connection") }
        if case .token = source { parts.append("authentication") }
        return parts
    }

    /// The sources of the values that the server receives.
    var sent: Set<Source> { headers.values.reduce(url.union(body).union(credentials)) { $0.union($1) } }
}
