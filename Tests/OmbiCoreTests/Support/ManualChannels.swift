import Foundation

@testable import OmbiCore

/// A transport without a network: a test plays the server of each channel that is opened.
final class ManualChannels: Transport {
    private struct NoTask: TransportTask {
        func cancel() {}
    }

    private struct State {
        var channels: [ManualChannel] = []
        var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Lock(State())
    /// What every attempt to connect ends with at once; nil leaves it to the test.
    private let failure: TransportError?

    init(failure: TransportError? = nil) { self.failure = failure }

    var count: Int { state.withLock { $0.channels.count } }

    func start(
        _ request: TransportRequest, onEvent: @escaping @Sendable (TransportEvent) -> Void
    ) -> any TransportTask {
        onEvent(.failed(TransportError(code: .unknown), TransportMetrics()))
        return NoTask()
    }

    func openChannel(
        for request: TransportRequest,
        _ completion: @escaping @Sendable (Result<TransportMetrics, TransportError>) -> Void
    ) -> any ByteChannel {
        let channel = ManualChannel(request, completion)
        if let failure { channel.fail(failure) }
        let ready = state.withLock { state in
            state.channels.append(channel)
            defer { state.waiters.removeAll { $0.count <= state.channels.count } }
            return state.waiters.filter { $0.count <= state.channels.count }
        }
        for waiter in ready { waiter.continuation.resume() }
        return channel
    }

    /// Channel number `number`, from 1, as soon as it is there.
    func channel(_ number: Int = 1) async -> ManualChannel {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.channels.count < number { state.waiters.append((number, continuation)) }
                return state.channels.count >= number
            }
            if isThere { continuation.resume() }
        }
        return state.withLock { $0.channels[number - 1] }
    }

    /// The same, connected, and with its handshake accepted.
    func open(_ number: Int = 1, fields: [String] = []) async -> ManualChannel {
        let channel = await channel(number)
        channel.connect()
        channel.accept(fields)
        return channel
    }
}

/// One channel: what the client has sent, and the hands of the server. What it has for the client it gives from within
/// `receive`, as the client must bear.
final class ManualChannel: ByteChannel {
    private struct State {
        var opening: (@Sendable (Result<TransportMetrics, TransportError>) -> Void)?
        var receiving: (@Sendable (Result<Data, TransportError>) -> Void)?
        var sending: (@Sendable (Result<Void, TransportError>) -> Void)?
        /// For the client, in portions.
        var incoming = Fifo<Result<Data, TransportError>>()
        var handshake: String?
        var outgoing = Data()
        var frames: [WireFrame] = []
        var holdsWrites = false
        var isClosed = false
        var waiters: [(@Sendable (ManualChannel) -> Bool, CheckedContinuation<Void, Never>)] = []
    }

    let request: TransportRequest
    private let state: Lock<State>

    init(_ request: TransportRequest, _ opening: @escaping @Sendable (Result<TransportMetrics, TransportError>) -> Void)
    {
        self.request = request
        state = Lock(State(opening: opening))
    }

    // The client's side.

    func receive(_ completion: @escaping @Sendable (Result<Data, TransportError>) -> Void) {
        let portion = state.withLock { state -> Result<Data, TransportError>? in
            if state.isClosed { return .failure(TransportError(code: .cancelled)) }
            if let portion = state.incoming.popFirst() { return portion }
            state.receiving = completion
            return nil
        }
        if let portion { completion(portion) }
        changed()
    }

    func send(_ bytes: Data, _ completion: @escaping @Sendable (Result<Void, TransportError>) -> Void) {
        let isHeld = state.withLock { state in
            state.outgoing.append(bytes)
            if state.handshake == nil, let end = state.outgoing.firstRange(of: Data("\r\n\r\n".utf8)) {
                state.handshake = String(decoding: state.outgoing[..<end.lowerBound], as: UTF8.self)
                state.outgoing = Data(state.outgoing[end.upperBound...])
            }
            if state.handshake != nil {
                while let frame = WireFrame.take(from: &state.outgoing) { state.frames.append(frame) }
            }
            if state.holdsWrites { state.sending = completion }
            return state.holdsWrites
        }
        if !isHeld { completion(.success(())) }
        changed()
    }

    func close() {
        let (opening, receiving, sending) = state.withLock { state in
            defer { (state.isClosed, state.opening, state.receiving, state.sending) = (true, nil, nil, nil) }
            return (state.opening, state.receiving, state.sending)
        }
        let error = TransportError(code: .cancelled)
        opening?(.failure(error))
        receiving?(.failure(error))
        sending?(.failure(error))
        changed()
    }

    // The server's side.

    func connect(_ metrics: TransportMetrics = TransportMetrics()) {
        state.withLock { state in
            defer { state.opening = nil }
            return state.opening
        }?(.success(metrics))
    }

    func fail(_ error: TransportError) {
        let opening = state.withLock { state in
            defer { state.opening = nil }
            return state.opening
        }
        if let opening { opening(.failure(error)) } else { give(.failure(error)) }
    }

    /// The lines of the handshake that has come.
    var handshake: [String] { state.withLock { $0.handshake }?.components(separatedBy: "\r\n") ?? [] }

    func accept(_ fields: [String] = []) {
        let name = "Sec-WebSocket-Key: "
        let key = handshake.first { $0.hasPrefix(name) }.map { String($0.dropFirst(name.count)) } ?? ""
        give(OpeningHandshakeTests.accepting(fields, accept: HandshakeKey(key).accept))
    }

    func give(_ text: String) { give(.success(Data(text.utf8))) }

    func give(_ frames: WireFrame...) { give(.success(frames.reduce(Data()) { $0 + $1.bytes })) }

    func end() { give(.success(Data())) }

    private func give(_ portion: Result<Data, TransportError>) {
        let receiving = state.withLock { state in
            if state.receiving == nil { state.incoming.append(portion) }
            defer { state.receiving = nil }
            return state.receiving
        }
        receiving?(portion)
    }

    /// From now on a write stays under way, until it is let through.
    func holdWrites() { state.withLock { $0.holdsWrites = true } }

    func letWriteThrough(_ result: Result<Void, TransportError> = .success(())) {
        state.withLock { state in
            defer { state.sending = nil }
            return state.sending
        }?(result)
    }

    /// What the client has sent behind the handshake.
    var frames: [WireFrame] { state.withLock { $0.frames } }
    var isReading: Bool { state.withLock { $0.receiving != nil } }
    var isWriting: Bool { state.withLock { $0.sending != nil } }
    var isClosed: Bool { state.withLock { $0.isClosed } }
    /// Portions that the client has not taken.
    var backlog: Int { state.withLock { $0.incoming.count } }

    func frames(count: Int) async -> [WireFrame] {
        await wait { $0.frames.count >= count }
        return frames
    }

    func wait(_ condition: @escaping @Sendable (ManualChannel) -> Bool) async {
        await withCheckedContinuation { continuation in
            state.withLock { $0.waiters.append((condition, continuation)) }
            changed()
        }
    }

    private func changed() {
        let waiters = state.withLock { state in
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters {
            if waiter.0(self) {
                waiter.1.resume()
            } else {
                state.withLock { $0.waiters.append(waiter) }
            }
        }
    }
}
