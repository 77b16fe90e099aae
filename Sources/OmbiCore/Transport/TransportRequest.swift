/// A request as sent: every default, template and encoder is already applied.
public struct TransportRequest: Sendable, Equatable {
    /// The URL, with the scheme `http` or `https`.
    public var url: URL
    /// The method; any but CONNECT.
    public var method: RequestMethod
    /// The header fields in sending order.
    public var headers: RequestHeaders
    /// The body; nil sends none.
    public var body: Data?
    /// The stream to send instead of `body`; nil for none.
    public var bodyStream: BodyStream?
    /// The maximum time without a byte in either direction; nil for no limit. Includes the wait for a connection, but
    /// not the queue for one.
    public var idleTimeout: Duration?
    /// The limit of one attempt, from its start to the last byte of the response; nil, the default, for none.
    public var attemptTimeout: Duration?
    /// The names of header fields that belong to the origin of `url`: a redirect withholds them from another one, like
    /// sensitive and secret fields. They include the manager's additional headers.
    public var originHeaders: Set<RequestHeaders.Key>
    /// The names of query parameters whose values are masked in logs, in addition to those with sensitive names.
    public var sensitiveQueryNames: Set<String> = []
    /// The delivery of the response's body.
    public var responseDelivery: ResponseDelivery
    /// The jar whose cookies are sent and stored, for each redirect anew; nil for none. A transport adds them to
    /// `headers` and stores those that a response sets.
    public var cookieJar: CookieJar?
    /// Makes the credentials of each redirect within the origin; nil if those of the request stay right.
    package var hopCredentials: HopCredentials?
    /// Credentials that the transport negotiates for the connection; nil for none.
    package var connectionAuthentication: ConnectionAuthentication?
    /// The limits that an open-ended response ends.
    package var liftedLimits: LiftedLimits = []
    package var tracing = AttemptTracing.off
    /// The settings shared by all requests of the manager.
    var settings: ConnectionBox
    /// The gate before each hop, and what it decides by; nil for none.
    var pass: GatePass?

    /// Creates a request, for transports, interceptors and tests.
    public init(
        url: URL, method: RequestMethod = .get, headers: RequestHeaders = [:], body: Data? = nil,
        bodyStream: BodyStream? = nil, idleTimeout: Duration? = .seconds(120), attemptTimeout: Duration? = nil,
        originHeaders: Set<RequestHeaders.Key> = [], responseDelivery: ResponseDelivery = .whole,
        cookieJar: CookieJar? = nil, connection: Connection? = nil
    ) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
        self.bodyStream = bodyStream
        self.idleTimeout = idleTimeout
        self.attemptTimeout = attemptTimeout
        self.originHeaders = originHeaders
        self.responseDelivery = responseDelivery
        self.cookieJar = cookieJar
        settings = connection.map(ConnectionBox.init) ?? .standard
    }

    /// The settings for reaching the server.
    public var connection: Connection {
        get { settings.value }
        set { settings = ConnectionBox(newValue) }
    }

    /// The length in bytes; nil without a body, and for a stream of unknown length.
    public var bodyLength: Int? { bodyStream == nil ? body?.count : bodyStream?.length }
}

/// The handling of a response's body by a transport.
public enum ResponseDelivery: Sendable, Hashable {
    /// Stores the body; `TransportEvent.finished` has all of it.
    case whole
    /// Delivers the body in pieces (`TransportEvent.data`) without storing it. `TransportTask.pause()` pauses it.
    case pieces
}

/// Settings shared by many requests, so that copying a request does not copy each of them.
final class ConnectionBox: Sendable, Equatable {
    static let standard = ConnectionBox(Connection())
    let value: Connection

    init(_ value: Connection) { self.value = value }

    static func == (left: ConnectionBox, right: ConnectionBox) -> Bool {
        left === right || left.value == right.value
    }
}

/// Credentials of a scheme that authenticates a connection and not a request, which the transport itself negotiates.
///
/// All requests of such a negotiation are one attempt: the run sees the response that ends it. They go to the origin of
/// the request alone, over a connection that no other request uses. A WebSocket has none.
package final class ConnectionAuthentication: Sendable {
    package enum Scheme: Sendable, Hashable {
        /// Negotiate (RFC 4559) with the Kerberos ticket of the user.
        case negotiate
        /// NTLM. The user name may have a domain in front: `DOMAIN\user`.
        case ntlm(username: String, password: String)
    }

    package let scheme: Scheme

    package init(_ scheme: Scheme) { self.scheme = scheme }
}

extension ConnectionAuthentication: Equatable {
    package static func == (left: ConnectionAuthentication, right: ConnectionAuthentication) -> Bool {
        left === right || left.scheme == right.scheme
    }
}

extension ConnectionAuthentication.Scheme: CustomStringConvertible, CustomReflectable {
    /// The name of the scheme alone.
    package var description: String {
        switch self {
        case .negotiate: "Negotiate"
        case .ntlm: "NTLM"
        }
    }

    /// Keeps the password out of debuggers and failing tests.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension ConnectionAuthentication: CustomStringConvertible {
    package var description: String { scheme.description }
}

extension ConnectionAuthentication {
    /// The error of a request for which the transport cannot negotiate.
    package func unsupported(_ reason: String) -> TransportError {
        TransportError(code: .unsupportedOption, message: "\(scheme) authentication \(reason)")
    }
}
