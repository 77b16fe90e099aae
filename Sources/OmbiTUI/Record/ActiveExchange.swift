/// A request that is passed on, and the part of it that is recorded. Belongs to the loop of its server.
final class ActiveExchange {
    let head: ProxyHead
    let exchange: ProxyExchange
    /// The response to the client; nil until its head has come.
    private(set) var response: ProxyResponse?
    /// The reason why the target has not responded completely; nil for none.
    var problem: TransportError?
    private let start: ContinuousClock.Instant
    private var body: ProxyBody
    /// Nil for a request without a body.
    private let upload: ProxyUpload?
    private var responseHead: ResponseHead?
    /// True for a response that came before the end of the request: the connection ends with it.
    private var saysEnd = false
    private var requestCopy = KeptBody()
    private var responseCopy = KeptBody()
    private var metrics = TransportMetrics()

    /// - Parameter wake: called on any thread when there is something to do.
    init(_ head: ProxyHead, at now: ContinuousClock.Instant, wake: @escaping @Sendable () -> Void) {
        (self.head, start) = (head, now)
        let body = ProxyBody(head.framing)
        self.body = body
        // The body of a HEAD means nothing, and is read in vain.
        upload = body.isComplete || head.method == "HEAD" ? nil : ProxyUpload(onRoom: wake)
        exchange = ProxyExchange(onNews: wake)
    }

    /// The body that goes to the target; nil for none.
    var stream: BodyStream? {
        guard let upload else { return nil }
        if case .length(let count) = head.framing { return upload.stream(length: count) }
        return upload.stream(length: nil)
    }

    /// True where the client may send more of the body.
    var hasRoom: Bool { body.isComplete || upload?.hasRoom ?? true }

    /// False where the client was told that the connection ends, and while the body has not come.
    var keepsAlive: Bool { head.keepsAlive && body.isComplete && !saysEnd }

    /// True once the client can know that it has the whole response.
    var isAnswered: Bool { response?.isComplete(after: responseCopy.size) ?? false }

    /// Takes what belongs to the body from what the client has sent.
    func take(_ input: inout [UInt8]) throws(ProxyHead.Problem) {
        guard !body.isComplete, !input.isEmpty else { return }
        var rest = input[...]
        let piece = try body.take(&rest)
        input.removeFirst(input.count - rest.count)
        requestCopy.add(piece)
        upload?.append(piece)
        if body.isComplete { upload?.end() }
    }

    /// Returns the head as it goes to the client.
    func begin(_ head: ResponseHead) -> [UInt8] {
        let response = ProxyResponse(head, to: self.head, keepsAlive: keepsAlive)
        (responseHead, self.response) = (head, response)
        saysEnd = !keepsAlive
        return response.start
    }

    /// Returns a piece of the response as it goes to the client.
    func pass(_ piece: Data) -> [UInt8] {
        responseCopy.add(piece)
        return response?.bytes(of: piece) ?? []
    }

    func end(_ end: ProxyExchange.End) {
        switch end {
        case .finished(let metrics), .failed(_, let metrics): self.metrics = metrics
        }
    }

    /// The client is gone, or its request is malformed.
    func abandon() {
        upload?.breakOff()
        exchange.cancel()
    }

    func report(
        to target: ProxyTarget, isCancelled: Bool, at now: ContinuousClock.Instant
    ) -> ProxiedExchange {
        ProxiedExchange(
            method: head.method, url: target.origin + target.target(of: head), headers: head.passed,
            body: requestCopy.data, bodySize: requestCopy.size,
            response: responseHead.map {
                TransportResponse(url: nil, headers: $0.headers, statusCode: $0.statusCode, body: responseCopy.data)
            },
            responseSize: responseCopy.size, problem: problem, isCancelled: isCancelled, metrics: metrics,
            duration: now - start)
    }
}

/// The beginning of a body for the record: all of it, unless it is long.
private struct KeptBody {
    private var bytes: [UInt8] = []
    private(set) var size = 0

    /// In bytes.
    private static let maximum = 1 << 20

    mutating func add(_ piece: some Swift.Collection<UInt8>) {
        size += piece.count
        if size <= Self.maximum { bytes += piece } else { bytes = [] }
    }

    /// Nil for a body that is too long to be kept.
    var data: Data? { size <= Self.maximum ? Data(bytes) : nil }
}

/// The body of a request between the loop that reads it and the transport that sends it. It holds little: the client
/// waits while the target does not read.
final class ProxyUpload: WaitingBodyReader, Sendable {
    /// The reason why the body ends early.
    struct BrokenOff: Error, CustomStringConvertible {
        let description = "the client broke the request off"
    }

    private struct State {
        var bytes: [UInt8] = []
        /// The bytes of them that were read.
        var start = 0
        var isEnded = false
        var isBroken = false
        var wasRead = false
        var wake: (@Sendable () -> Void)?

        var count: Int { bytes.count - start }
    }

    private let state = Lock(State())
    /// Called when there is room again, on a thread of the transport.
    private let onRoom: @Sendable () -> Void

    /// The bytes above which no more are read from the client.
    private static let maximumPending = 256 << 10

    init(onRoom: @escaping @Sendable () -> Void) { self.onRoom = onRoom }

    /// The body to send.
    /// - Parameter length: in bytes; nil if unknown.
    func stream(length: Int?) -> BodyStream {
        BodyStream(length: length) { [self] in
            // Bytes that were read are gone.
            guard !state.withLock({ $0.wasRead }) else { throw BodyStreamError.readBefore }
            return self
        }
    }

    var hasRoom: Bool { state.withLock { $0.count < Self.maximumPending } }

    func append(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        wake { state in
            if state.start > Self.maximumPending / 2 {
                state.bytes.removeFirst(state.start)
                state.start = 0
            }
            state.bytes += bytes
        }
    }

    /// Ends the body: all of it has come.
    func end() { wake { $0.isEnded = true } }

    /// Ends the body in the middle.
    func breakOff() { wake { $0.isBroken = true } }

    private func wake(_ change: (inout State) -> Void) {
        let waiting = state.withLock { state -> (@Sendable () -> Void)? in
            change(&state)
            defer { state.wake = nil }
            return state.wake
        }
        waiting?()
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, wake: @escaping @Sendable () -> Void) throws -> Int? {
        let (count, hasRoom) = try state.withLock { state in try Self.read(into: buffer, &state, wake) }
        if hasRoom { onRoom() }
        return count
    }

    private static func read(
        into buffer: UnsafeMutableRawBufferPointer, _ state: inout State, _ wake: @escaping @Sendable () -> Void
    ) throws -> (count: Int?, hasRoom: Bool) {
        guard !state.isBroken else { throw BrokenOff() }
        guard state.count > 0 else {
            if state.isEnded { return (0, false) }
            state.wake = wake
            return (nil, false)
        }
        let wasFull = state.count >= maximumPending
        let count = min(buffer.count, state.count)
        buffer.copyBytes(from: state.bytes[state.start..<state.start + count])
        state.start += count
        state.wasRead = true
        if state.count == 0 { (state.bytes, state.start) = ([], 0) }
        return (count, wasFull && state.count < maximumPending)
    }
}
