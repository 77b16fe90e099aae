#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What arrives over the wire, before decoding. The body is the bytes after content decoding (gzip, br, zstd).
public typealias TransportResponse = RequestResponse<Data>

/// What a transport tells about one attempt, in order. `finished` or `failed` is always last and comes exactly once;
/// after `cancel()` it is `failed` with the code `cancelled`.
public enum TransportEvent: Sendable, Equatable {
    /// The phase now under way.
    case phase(RequestPhase)
    /// Body bytes that have gone out; of a body that went out whole the last one has its full length.
    case sent(bytes: Int, expected: Int?)
    /// A redirect that is followed. Its phases come again for the next request.
    case redirected(RedirectReport)
    /// Status and headers of the final response (after redirects).
    case head(ResponseHead)
    /// Comes right after the head when the body may be large: it can be read while it arrives. Of a small body it comes
    /// when the attempt fails, with the part that had arrived.
    case body(ResponseStore)
    /// The next piece of a body that is delivered in pieces (`ResponseDelivery.pieces`), decoded.
    case data(Data)
    /// Body bytes that have come in, decoded; just before `finished` a last one has their full number, if there are
    /// any.
    case received(bytes: Int, expected: Int?)
    /// The whole response, and what it cost. Nothing comes after it.
    case finished(TransportResponse, TransportMetrics)
    /// Why there is no response, and what was spent on it. Nothing comes after it.
    case failed(TransportError, TransportMetrics)
}

/// Status line and headers of a response, known before its body.
public struct ResponseHead: Sendable, Equatable {
    /// Where it came from, after redirects.
    public var url: URL
    /// From 100 to 599 as a rule (RFC 9110 §15).
    public var statusCode: Int
    /// Every field, in the order in which they came.
    public var headers: RequestHeaders

    /// For transports and tests.
    public init(url: URL, statusCode: Int, headers: RequestHeaders) {
        self.url = url
        self.statusCode = statusCode
        self.headers = headers
    }
}

/// What one attempt cost.
public struct TransportMetrics: Sendable, Equatable {
    /// How long each phase took.
    public var timings: Timings
    /// "1.1", "2", "3"; nil when nothing was received.
    public var httpVersion: String?
    /// "127.0.0.1:8080"; nil when no connection was made.
    public var remoteAddress: String?
    /// No connection had to be made: one that was open was taken.
    public var reusedConnection: Bool
    /// Body bytes as they came over the wire (compressed size).
    public var bytesReceived: Int
    /// Body bytes that went out.
    public var bytesSent: Int
    /// Each redirect that was followed, in order.
    public var redirects: [RedirectReport]
    /// The TLS connection of the last request; nil without TLS.
    public var tls: TLSReport?

    /// For transports and tests.
    public init(
        timings: Timings = Timings(), httpVersion: String? = nil, remoteAddress: String? = nil,
        reusedConnection: Bool = false, bytesReceived: Int = 0, bytesSent: Int = 0,
        redirects: [RedirectReport] = [], tls: TLSReport? = nil
    ) {
        self.timings = timings
        self.httpVersion = httpVersion
        self.remoteAddress = remoteAddress
        self.reusedConnection = reusedConnection
        self.bytesReceived = bytesReceived
        self.bytesSent = bytesSent
        self.redirects = redirects
        self.tls = tls
    }
}

/// The seam between the engine and the network: starts one attempt and tells its events.
public protocol Transport: Sendable {
    /// The value of `Accept-Encoding` that names what the transport decodes; nil when it decodes nothing.
    var acceptedEncodings: String? { get }

    /// Events come one at a time, in order, on threads of the transport's own. Until the last one, the receiver must
    /// not hold them up: other attempts wait. The last one may take its time, start other
    /// attempts, and wait for them.
    func start(
        _ request: TransportRequest, onEvent: @escaping @Sendable (TransportEvent) -> Void
    ) -> any TransportTask

    /// Opens a connection to the server of a request, with the settings in its `connection`, for a WebSocket. Sends nothing.
    ///
    /// The completion is called once, with the cost of the connection or its failure, which is
    /// `TransportError.Code.cancelled` after `close()`. By default a transport has no channels
    /// (`TransportError.Code.unsupportedOption`).
    func openChannel(
        for request: TransportRequest,
        _ completion: @escaping @Sendable (Result<TransportMetrics, TransportError>) -> Void
    ) -> any ByteChannel
}

extension Transport {
    public var acceptedEncodings: String? { nil }
}

/// One attempt under way.
public protocol TransportTask: Sendable {
    /// Ends the attempt promptly; harmless when it has ended already. Callable from any thread.
    func cancel()

    /// Takes in no more of a body that is delivered in pieces, until `resume()`. Pieces that are on their way still come.
    /// Callable from any thread; does nothing by default.
    func pause()

    /// Goes on after `pause()`.
    func resume()
}

extension TransportTask {
    public func pause() {}
    public func resume() {}
}
