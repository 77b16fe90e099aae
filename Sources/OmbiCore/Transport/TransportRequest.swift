#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A request as it goes on the wire: every default, template and encoder already applied.
public struct TransportRequest: Sendable, Equatable {
    /// With the scheme `http` or `https`.
    public var url: URL
    /// Any but CONNECT.
    public var method: RequestMethod
    /// In the order in which they are sent.
    public var headers: RequestHeaders
    /// nil sends none.
    public var body: Data?
    /// Sent instead of `body` when there is one.
    public var bodyStream: BodyStream?
    /// The longest time without a byte in either direction; nil is no limit. Waiting for a connection counts, queueing
    /// for one does not.
    public var idleTimeout: Duration?
    /// The limit of one attempt, from its start to the last byte of the response; nil, the default, is none.
    public var attemptTimeout: Duration?
    /// Names of header fields that belong to the origin of `url`: a redirect does not take them to another one, as it
    /// does not take sensitive and secret fields. The manager's additional headers are among them.
    public var originHeaders: Set<RequestHeaders.Key>
    /// Names of query parameters whose values are masked in logs, beside those that are masked for their names.
    public var sensitiveQueryNames: Set<String> = []
    /// What becomes of the response's body.
    public var responseDelivery: ResponseDelivery
    /// The cookies that go along and are stored, with each redirect anew; nil for none. A transport adds them to
    /// `headers` and keeps those that a response sets.
    public var cookieJar: CookieJar?
    /// Shared with all requests of the manager.
    var settings: ConnectionBox

    /// For transports, interceptors and tests.
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

    /// How to reach the server.
    public var connection: Connection {
        get { settings.value }
        set { settings = ConnectionBox(newValue) }
    }

    /// In bytes; nil without a body, and for a stream that does not know.
    public var bodyLength: Int? { bodyStream == nil ? body?.count : bodyStream?.length }
}

/// What a transport does with the body of a response.
public enum ResponseDelivery: Sendable, Hashable {
    /// Keeps it; the whole of it comes with `TransportEvent.finished`.
    case whole
    /// Hands it over in pieces (`TransportEvent.data`) and keeps nothing. `TransportTask.pause()` holds it back.
    case pieces
}

/// Settings that many requests share, so that a request is copied without copying each of them.
final class ConnectionBox: Sendable, Equatable {
    static let standard = ConnectionBox(Connection())
    let value: Connection

    init(_ value: Connection) { self.value = value }

    static func == (left: ConnectionBox, right: ConnectionBox) -> Bool {
        left === right || left.value == right.value
    }
}
