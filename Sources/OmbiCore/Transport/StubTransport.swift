import Dispatch

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Answers without a network, for tests.
///
///     let manager = RequestManager(
///         host: "https://api.example.com", transport: .stub(replies: [.response(statusCode: 503), .json(#"{"id": 42}"#)]))
///
/// Attempts run at the same time. Delays pass on a clock, so a test with a clock of its own waits for nothing. The
/// timeouts of a request hold, and so do pieces and pauses.
public struct StubTransport: Transport {
    private let reply: @Sendable () -> Handler
    private let queue: DispatchQueue?
    private let clock: any Clock<Duration>
    private var record: Record?

    /// Chooses the reply for an attempt.
    public typealias Handler = @Sendable (TransportRequest) -> Reply

    /// Calls a function once for each attempt, on a thread that it may block. A body that is streamed is there as `body`,
    /// too.
    /// - Parameters:
    ///   - isSerial: Calls the function for one attempt after the other, in the order in which they start.
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

    /// The same stub, which also adds every request to `record`.
    public func recording(in record: Record) -> StubTransport {
        var copy = self
        copy.record = record
        return copy
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
    /// The requests that stubs got, in the order in which their attempts started. A body that was streamed is in `body`.
    public final class Record: Sendable {
        private let state = Lock<[TransportRequest]>([])

        /// An empty record.
        public init() {}

        /// Everything so far.
        public var requests: [TransportRequest] { state.withLock { $0 } }

        fileprivate func add(_ request: TransportRequest) -> Int {
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
    /// A function that is called once for each attempt.
    public static func stub(_ handler: @escaping StubTransport.Handler) -> StubTransport { StubTransport(handler) }

    /// One reply after the other, in the order in which attempts start; the last one repeats.
    public static func stub(
        replies: [StubTransport.Reply], clock: any Clock<Duration> = ContinuousClock()
    ) -> StubTransport {
        .replies(replies, clock)
    }

    /// The same response to every request.
    public static func stub(with response: TransportResponse) -> StubTransport {
        StubTransport { _ in .success(response) }
    }

    /// The same response to every request, with `Content-Length` unless the body is empty.
    public static func stubResponse(statusCode: Int, data: Data, headers: RequestHeaders = [:]) -> StubTransport {
        StubTransport { _ in .response(statusCode: statusCode, data: data, headers: headers) }
    }

    /// The same response to every request, as `application/json`.
    public static func stubJSONResponse(statusCode: Int, data: Data, headers: RequestHeaders = [:]) -> StubTransport {
        var headers = headers
        if headers[.contentType] == nil { headers[.contentType] = .contentType(.json) }
        return .stubResponse(statusCode: statusCode, data: data, headers: headers)
    }

    /// The same failure for every request.
    public static func stub(error: TransportError) -> StubTransport { StubTransport { _ in .failure(error) } }
}
