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

extension StubTransport {
    /// The reply to one attempt: a response, a failure, or a part of a response and then a failure.
    public struct Reply: Sendable {
        /// nil for a failure without a response.
        private(set) var response: TransportResponse?
        /// The error after the response; nil if that is complete.
        private(set) var error: TransportError?
        private(set) var delay: Duration = .zero
        /// The length in bytes.
        private(set) var pieceLength = Int.max
        private(set) var pieceDelay: Duration = .zero
        /// True if the response gets the URL of the request.
        private(set) var answersFromRequest = false

        /// Returns a complete response without any change.
        public static func success(_ response: TransportResponse) -> Reply { Reply(response: response) }

        /// Returns a network failure; the preceding part of a response is in `TransportError.response`.
        public static func failure(_ error: TransportError) -> Reply { Reply(response: nil, error: error) }

        /// Returns a complete response from the URL of the request, with `Content-Length` unless the body is empty.
        public static func response(
            statusCode: Int = 200, data: Data = Data(), headers: RequestHeaders = [:]
        ) -> Reply {
            var headers = headers
            if !data.isEmpty, headers[.contentLength] == nil { headers[.contentLength] = .int(data.count) }
            return success(TransportResponse(headers: headers, statusCode: statusCode, body: data))
                .changed { $0.answersFromRequest = true }
        }

        /// Returns a response whose body is the text of `json`, as `application/json`.
        public static func json(_ json: String, statusCode: Int = 200, headers: RequestHeaders = [:]) -> Reply {
            let headers = RequestHeaders([.init(.contentType, .contentType(.json))]).merging(headers)
            return response(statusCode: statusCode, data: Data(json.utf8), headers: headers)
        }

        /// No reply: the attempt ends by its timeouts, or when it is cancelled.
        public static let silence = failure(TransportError(code: .timedOut)).delayed(by: .longest)

        /// Returns the reply with a wait before the head of the response, or before the failure.
        public func delayed(by delay: Duration) -> Reply { changed { $0.delay = delay } }

        /// Returns the reply with the body in pieces of that many bytes, and a wait between them. Each is a separate
        /// event (`TransportEvent.received(bytes:expected:)`, `TransportEvent.data(_:)`).
        public func inPieces(of length: Int, every delay: Duration = .zero) -> Reply {
            changed { ($0.pieceLength, $0.pieceDelay) = (max(length, 1), delay) }
        }

        /// Returns the reply cut off by a failure after the last byte.
        public func failing(with error: TransportError) -> Reply { changed { $0.error = error } }

        func response(to request: TransportRequest) -> TransportResponse? {
            guard answersFromRequest else { return response }
            return response.map {
                TransportResponse(url: request.url, headers: $0.headers, statusCode: $0.statusCode, body: $0.body)
            }
        }

        private func changed(_ change: (inout Reply) -> Void) -> Reply {
            var copy = self
            change(&copy)
            return copy
        }
    }
}
