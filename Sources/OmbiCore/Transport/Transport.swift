/// A response as received, before decoding. The body is the bytes after content decoding (gzip, br, zstd).
public typealias TransportResponse = RequestResponse<Data>

/// An event of one attempt, in order. `finished` or `failed` is always last and occurs exactly once; after `cancel()`
/// it is `failed` with the code `cancelled`.
public enum TransportEvent: Sendable, Equatable {
    /// The phase that starts.
    case phase(RequestPhase)
    /// The body bytes sent so far; the last event of a completely sent body has its full length.
    case sent(bytes: Int, expected: Int?)
    /// A redirect to follow. Its phases recur for the next request.
    case redirected(RedirectReport)
    /// Status and headers of the final response (after redirects).
    case head(ResponseHead)
    /// Follows the head if the body may be large: it can be read while it arrives. For a small body it occurs when its rest
    /// is late, or when the attempt fails, with the part received until then.
    case body(ResponseStore)
    /// The next piece of a body delivered in pieces (`ResponseDelivery.pieces`), decoded.
    case data(Data)
    /// The body bytes received so far, decoded; just before `finished` a last event has their total, unless it is 0.
    case received(bytes: Int, expected: Int?)
    /// The complete response, and its cost. No event follows.
    case finished(TransportResponse, TransportMetrics)
    /// The failure, and the cost of the attempt. No event follows.
    case failed(TransportError, TransportMetrics)
}

/// Status line and headers of a response, known before its body.
public struct ResponseHead: Sendable, Equatable {
    /// The URL of the response, after redirects.
    public var url: URL
    /// The status, from 100 to 599 in general (RFC 9110 §15).
    public var statusCode: Int
    /// Every header field, in the order of arrival.
    public var headers: RequestHeaders

    /// Creates a head, for transports and tests.
    public init(url: URL, statusCode: Int, headers: RequestHeaders) {
        self.url = url
        self.statusCode = statusCode
        self.headers = headers
    }
}

/// The cost of one attempt.
public struct TransportMetrics: Sendable, Equatable {
    /// The duration of each phase.
    public var timings: Timings
    /// "1.1", "2", "3"; nil if nothing was received.
    public var httpVersion: String?
    /// "127.0.0.1:8080"; nil without a connection.
    public var remoteAddress: String?
    /// True if an open connection was used instead of a new one.
    public var reusedConnection: Bool
    /// The body bytes on the wire (compressed size).
    public var bytesReceived: Int
    /// The body bytes sent.
    public var bytesSent: Int
    /// The redirects that were followed, in order.
    public var redirects: [RedirectReport]
    /// The TLS connection of the last request; nil without TLS. After a failed verification it has the certificates of the
    /// server.
    public var tls: TLSReport?
    /// The `Content-Encoding` of a body that is as it came, since its name is unknown; nil for any other body.
    public var unknownCoding: String?

    /// Creates metrics, for transports and tests.
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

/// The interface between the engine and the network: starts attempts and reports their events.
public protocol Transport: Sendable {
    /// The value of `Accept-Encoding` for the supported codings; nil if there are none.
    var acceptedEncodings: String? { get }

    /// Starts an attempt. Events arrive one at a time, in order, on threads of the transport. Until the last one, the
    /// receiver must not block them, which would delay other attempts. The last one may take long, start other
    /// attempts, and wait for them.
    func start(
        _ request: TransportRequest, onEvent: @escaping @Sendable (TransportEvent) -> Void
    ) -> any TransportTask

    /// Opens a connection to the server of a request, with the settings in its `connection`, for a WebSocket. Sends
    /// nothing.
    ///
    /// The completion is called once, with the cost of the connection or its failure, which is
    /// `TransportError.Code.cancelled` after `close()`. By default a transport does not support channels
    /// (`TransportError.Code.unsupportedOption`).
    func openChannel(
        for request: TransportRequest,
        _ completion: @escaping @Sendable (Result<TransportMetrics, TransportError>) -> Void
    ) -> any ByteChannel
}

extension Transport {
    public var acceptedEncodings: String? { nil }
}

/// A running attempt.
public protocol TransportTask: Sendable {
    /// Ends the attempt promptly; harmless once it has ended. Callable from any thread.
    func cancel()

    /// Pauses a body that is delivered in pieces, until `resume()`. Pieces in transit still arrive. Callable from any
    /// thread; does nothing by default.
    func pause()

    /// Continues after `pause()`.
    func resume()
}

extension TransportTask {
    public func pause() {}
    public func resume() {}
}

/// A bidirectional connection for bytes, under a WebSocket. `Transport.openChannel(for:_:)` opens it.
///
/// Its owner has at most one `receive` and one `send` in progress, and finally calls `close()`. Each completion is
/// called exactly once, on a thread of the transport, which it must not block, or within the call itself.
public protocol ByteChannel: Sendable {
    /// Receives the next bytes, at most some 64 KiB; empty at the end of the stream. Nothing is received between calls,
    /// so that the peer has to wait.
    func receive(_ completion: @escaping @Sendable (Result<Data, TransportError>) -> Void)

    /// Sends bytes; completes when the system has accepted all of them.
    func send(_ bytes: Data, _ completion: @escaping @Sendable (Result<Void, TransportError>) -> Void)

    /// Drops the connection. Operations in progress complete with `TransportError.Code.cancelled`; harmless on a closed
    /// connection. Callable from any thread.
    func close()
}

extension Transport {
    public func openChannel(
        for request: TransportRequest,
        _ completion: @escaping @Sendable (Result<TransportMetrics, TransportError>) -> Void
    ) -> any ByteChannel {
        refusedChannel(completion)
    }

    /// Fails, as a transport without channels does.
    func refusedChannel(
        _ completion: @escaping @Sendable (Result<TransportMetrics, TransportError>) -> Void
    ) -> any ByteChannel {
        let error = TransportError(
            code: .unsupportedOption, message: "\(Self.self) opens no channels, which a WebSocket runs over")
        completion(.failure(error))
        return ClosedChannel(error: error)
    }
}

/// The channel of a transport without support for channels.
private struct ClosedChannel: ByteChannel {
    let error: TransportError

    func receive(_ completion: @escaping @Sendable (Result<Data, TransportError>) -> Void) {
        completion(.failure(error))
    }

    func send(_ bytes: Data, _ completion: @escaping @Sendable (Result<Void, TransportError>) -> Void) {
        completion(.failure(error))
    }

    func close() {}
}

/// The reason why an attempt got no complete response, with a message that names the failed step.
public struct TransportError: Error, Equatable, Sendable {
    /// The kind of failure. `isTransient` is true if another attempt may help.
    public enum Code: String, Sendable, CaseIterable {
        /// The name of the host, or of the proxy, could not be resolved.
        case cannotFindHost
        /// The connection was refused, or there is no route.
        case cannotConnectToHost
        /// The connection broke before the response was complete.
        case connectionLost
        /// The attempt took longer than its timeout.
        case timedOut
        /// The attempt was cancelled.
        case cancelled
        /// TLS failed for a reason other than trust.
        case secureConnectionFailed
        /// The server could not be verified, or the file with the trusted certificates could not be used.
        case certificateNotTrusted
        /// There were more redirects than `RedirectPolicy.maximum`.
        case tooManyRedirects
        /// The redirect leads to another origin, and the policy stays in that of the request
        /// (`RedirectPolicy.staysInOrigin`).
        case redirectRefused
        /// The response was longer than `CurlTransport.Configuration.maximumResponseBytes`.
        case responseTooLarge
        /// The stream of the request's body could not be read, or did not have its stated length.
        case requestBodyFailed
        /// A large response could not be stored: no memory, or no room for a temporary file.
        case responseNotStored
        /// libcurl does not support the scheme, or cannot parse the URL.
        case unsupportedURL
        /// A setting of `Connection` is invalid, names an unusable file, or is not supported by the transport with the
        /// installed library.
        case unsupportedOption
        /// The response is not HTTP, or violates its rules.
        case malformedResponse
        /// The system has no file descriptor left for another connection.
        case noDescriptors
        /// The system has no memory, or no thread, for another request.
        case outOfMemory
        /// libcurl is missing on this machine, or could not be initialized.
        case transportUnavailable
        /// The gate of the request did not let it go to its destination (`RequestGate`).
        case refused
        /// Any other failure; see the message.
        case unknown
    }

    /// The kind of failure, for decisions.
    public var code: Code
    /// A sentence for people: "could not connect to 127.0.0.1:1 (connection refused)". Text from a server is truncated,
    /// with control characters escaped.
    public var message: String
    /// The remedy in terms of this library, if known: "check Connection.tls.caFile". The last part of `description`.
    public var advice: String?
    /// The part received before the failure: status, headers and the bytes so far; nil without a head.
    public var response: TransportResponse?

    /// Creates an error, for transports, stubs and tests. Without a message, the code describes the error.
    public init(code: Code, message: String = "", advice: String? = nil, response: TransportResponse? = nil) {
        self.code = code
        self.message = message
        self.advice = advice
        self.response = response
    }
}

extension TransportError {
    package static let cancelled = TransportError(code: .cancelled, message: "cancelled")
}

extension TransportError.Code {
    /// True if another attempt may succeed.
    public var isTransient: Bool {
        switch self {
        case .cancelled, .unsupportedURL, .unsupportedOption, .transportUnavailable, .responseTooLarge,
            .tooManyRedirects, .redirectRefused, .certificateNotTrusted, .requestBodyFailed, .responseNotStored,
            .refused:
            false
        case .cannotFindHost, .cannotConnectToHost, .connectionLost, .timedOut, .secureConnectionFailed,
            .malformedResponse, .noDescriptors, .outOfMemory, .unknown:
            true
        }
    }
}

extension TransportError: CustomStringConvertible {
    public var description: String { advice.map { "\(sentence); \($0)" } ?? sentence }

    /// The message without the advice.
    var sentence: String { message.isEmpty ? code.rawValue : message }
}
