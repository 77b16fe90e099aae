import Dispatch

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A transport that responds without a network, for tests.
///
///     let manager = RequestManager(
///         host: "https://api.example.com", transport: .stub(replies: [.response(statusCode: 503), .json(#"{"id": 42}"#)]))
///
/// Attempts run concurrently. Delays are measured by a clock, so that a test with its own clock does not wait.
/// Timeouts, pieces and pauses work as with a network.
public struct StubTransport: Transport {
    private let reply: @Sendable () -> Handler
    private let queue: DispatchQueue?
    private let clock: any Clock<Duration>
    private var record: Record?
    /// Makes the server's side of a WebSocket's connection; nil for none.
    private var makeChannel: (@Sendable (Record?) -> any ByteChannel)?

    /// A function that chooses the reply for an attempt.
    public typealias Handler = @Sendable (TransportRequest) -> Reply

    /// Creates a stub that calls a function once for each attempt, on a thread that it may block. A streamed body is
    /// also available as `body`.
    /// - Parameters:
    ///   - isSerial: Calls the function for one attempt after the other, in starting order.
    ///   - clock: Measures the delays of replies.
    ///   - handler: Chooses the reply.
    public init(
        isSerial: Bool = false, clock: any Clock<Duration> = ContinuousClock(), _ handler: @escaping Handler
    ) {
        self.init(isSerial: isSerial, clock: clock, reply: { handler })
    }

    private init(isSerial: Bool, clock: any Clock<Duration>, reply: @escaping @Sendable () -> Handler) {
        self.reply = reply
        self.clock = clock
        queue = isSerial ? DispatchQueue(label: "ombi.stub") : nil
    }

    /// Returns the same stub, which also adds every request to `record`.
    public func recording(in record: Record) -> StubTransport {
        var copy = self
        copy.record = record
        return copy
    }

    func withChannels(_ make: @escaping @Sendable (Record?) -> any ByteChannel) -> StubTransport {
        var copy = self
        copy.makeChannel = make
        return copy
    }

    public func openChannel(
        for request: TransportRequest,
        _ completion: @escaping @Sendable (Result<TransportMetrics, TransportError>) -> Void
    ) -> any ByteChannel {
        guard let makeChannel else { return refusedChannel(completion) }
        record?.add(request)
        completion(.success(TransportMetrics()))
        return makeChannel(record)
    }

    public func start(
        _ request: TransportRequest, onEvent: @escaping @Sendable (TransportEvent) -> Void
    ) -> any TransportTask {
        var request = request
        if let jar = request.cookieJar { request.headers = jar.adding(to: request.headers, for: request.url) }
        let handler = reply()
        let index = record?.add(request)
        let attempt = StubAttempt(request, clock: clock, onEvent: onEvent)
        let queue = queue ?? attempt.queue
        queue.async {
            attempt.start { request in
                if let index { record?.replace(index, request) }
                return handler(request)
            }
        }
        return attempt
    }
}

extension StubTransport {
    /// The requests received by stubs, in the starting order of their attempts. A streamed body is in `body`.
    public final class Record: Sendable {
        private let state = Lock<[TransportRequest]>([])
        private let clientMessages = Lock<[(isText: Bool, bytes: Data)]>([])

        /// Creates an empty record.
        public init() {}

        /// Every request so far.
        public var requests: [TransportRequest] { state.withLock { $0 } }

        /// The messages of the clients of WebSockets.
        var sentMessages: [(isText: Bool, bytes: Data)] { clientMessages.withLock { $0 } }

        func addMessage(isText: Bool, _ bytes: Data) { clientMessages.withLock { $0.append((isText, bytes)) } }

        @discardableResult fileprivate func add(_ request: TransportRequest) -> Int {
            state.withLock { requests in
                requests.append(request)
                return requests.count - 1
            }
        }

        fileprivate func replace(_ index: Int, _ request: TransportRequest) {
            state.withLock { $0[index] = request }
        }
    }
}

extension StubTransport {
    fileprivate static func replies(_ replies: [Reply], _ clock: any Clock<Duration>) -> StubTransport {
        let index = Lock(0)
        return StubTransport(isSerial: false, clock: clock) {
            let index = index.withLock { index in
                defer { index += 1 }
                return index
            }
            let reply = index < replies.count ? replies[index] : replies.last
            return { _ in reply ?? .failure(TransportError(code: .unknown, message: "the stub has no reply")) }
        }
    }
}

extension Transport where Self == StubTransport {
    /// Returns a stub whose function is called once for each attempt.
    public static func stub(_ handler: @escaping StubTransport.Handler) -> StubTransport { StubTransport(handler) }

    /// Returns a stub with successive replies, in the starting order of attempts; the last one repeats.
    public static func stub(
        replies: [StubTransport.Reply], clock: any Clock<Duration> = ContinuousClock()
    ) -> StubTransport {
        .replies(replies, clock)
    }

    /// Returns a stub with the same response to every request.
    public static func stub(with response: TransportResponse) -> StubTransport {
        StubTransport { _ in .success(response) }
    }

    /// Returns a stub with the same response to every request, with `Content-Length` unless the body is empty.
    public static func stubResponse(statusCode: Int, data: Data, headers: RequestHeaders = [:]) -> StubTransport {
        StubTransport { _ in .response(statusCode: statusCode, data: data, headers: headers) }
    }

    /// Returns a stub with the same response to every request, as `application/json`.
    public static func stubJSONResponse(statusCode: Int, data: Data, headers: RequestHeaders = [:]) -> StubTransport {
        var headers = headers
        if headers[.contentType] == nil { headers[.contentType] = .contentType(.json) }
        return .stubResponse(statusCode: statusCode, data: data, headers: headers)
    }

    /// Returns a stub with the same failure for every request.
    public static func stub(error: TransportError) -> StubTransport { StubTransport { _ in .failure(error) } }
}
