/// The server's side of one stubbed WebSocket connection: accepts the handshake, plays its steps, answers pings and the
/// close. It has no thread: everything happens within the calls of the client.
final class StubChannel: ByteChannel {
    typealias Step = StubTransport.WebSocketStep
    private typealias Receiving = @Sendable (Result<Data, TransportError>) -> Void

    private struct State {
        var steps: ArraySlice<Step>
        var reader = ClientFrameReader()
        var hasAccepted = false
        /// The messages of the client that no step has taken.
        var inbox = Fifo<WebSocketMessage>()
        /// The bytes for the client.
        var outbox = Data()
        var hasClosed = false
        var hasEnded = false
        var receiving: Receiving?
    }

    private let record: StubTransport.Record?
    private let state: Lock<State>

    init(_ steps: [Step], record: StubTransport.Record?) {
        self.record = record
        state = Lock(State(steps: steps[...]))
    }

    func receive(_ completion: @escaping @Sendable (Result<Data, TransportError>) -> Void) {
        state.withLock { $0.receiving = completion }
        deliver()
    }

    func send(_ bytes: Data, _ completion: @escaping @Sendable (Result<Void, TransportError>) -> Void) {
        let problem = state.withLock { state -> TransportError? in
            guard !state.hasEnded else { return TransportError(code: .connectionLost, message: "the stub has ended") }
            take(bytes, &state)
            return nil
        }
        completion(problem.map { .failure($0) } ?? .success(()))
        deliver()
    }

    func close() {
        let receiving = state.withLock { state in
            state.hasEnded = true
            return state.receiving.take()
        }
        receiving?(.failure(TransportError.cancelled))
    }

    private func deliver() {
        let (receiving, bytes) = state.withLock { state -> (Receiving?, Data) in
            guard state.receiving != nil, !state.outbox.isEmpty || state.hasEnded else { return (nil, Data()) }
            return (state.receiving.take(), exchange(&state.outbox, with: Data()))
        }
        receiving?(.success(bytes))
    }

    // MARK: Under the lock

    private func take(_ bytes: Data, _ state: inout State) {
        state.reader.add(bytes)
        if !state.hasAccepted {
            guard let head = state.reader.takeHead() else { return }
            state.hasAccepted = true
            accept(head, &state)
        }
        while let item = state.reader.next() { handle(item, &state) }
        play(&state)
    }

    /// Answers the opening handshake, with the first subprotocol that the client offers.
    private func accept(_ head: [String], _ state: inout State) {
        if case .refuse(let status)? = state.steps.first {
            state.outbox += Data("HTTP/1.1 \(StatusCode.words(status))\r\nContent-Length: 0\r\n\r\n".utf8)
            state.hasEnded = true
            return
        }
        func value(_ name: String) -> String? {
            head.first { $0.lowercased().hasPrefix(name + ":") }.map {
                String($0.dropFirst(name.count + 1).drop { $0 == " " })
            }
        }
        let key = HandshakeKey(value("sec-websocket-key") ?? "")
        var lines = ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade"]
        lines.append("Sec-WebSocket-Accept: \(key.accept)")
        if let offered = value("sec-websocket-protocol")?.split(separator: ",").first {
            lines.append("Sec-WebSocket-Protocol: \(offered)")
        }
        state.outbox += Data((lines + ["", ""]).joined(separator: "\r\n").utf8)
    }

    private func handle(_ item: ClientFrameReader.Item, _ state: inout State) {
        switch item {
        case .message(let message):
            record?.add(message)
            state.inbox.append(message)
        case .ping(let payload): write(.pong, payload, &state)
        case .pong: return
        case .close(let payload):
            if !state.hasClosed { write(.close, payload.prefix(2), &state) }
            state.hasEnded = true
        }
    }

    private func play(_ state: inout State) {
        while !state.hasEnded, !state.hasClosed, let step = state.steps.first {
            switch step {
            case .send(let message): write(message, &state)
            case .receive: guard state.inbox.popFirst() != nil else { return }
            case .respond(let response):
                guard let message = state.inbox.popFirst() else { return }
                for reply in response(message) { write(reply, &state) }
            case .close(let code, let reason):
                let number = code.rawValue
                write(.close, Data([UInt8(number >> 8), UInt8(number & 255)] + reason.utf8), &state)
                state.hasClosed = true
            case .drop: state.hasEnded = true
            case .refuse: break
            }
            state.steps = state.steps.dropFirst()
        }
    }

    private func write(_ message: WebSocketMessage, _ state: inout State) {
        write(message.kind == .text ? .text : .binary, message.data, &state)
    }

    private func write(_ opcode: Opcode, _ payload: Data, _ state: inout State) {
        state.outbox += FrameEncoder.header(opcode, isFinal: true, length: payload.count, isMasked: false)
        state.outbox += payload
    }
}

/// A reader of the bytes of a client: the head of its handshake, then its frames, which are masked.
struct ClientFrameReader {
    enum Item {
        case message(WebSocketMessage)
        case ping(Data)
        case pong
        case close(Data)
    }

    private var bytes = Data()
    private var message: (isText: Bool, data: Data)?

    mutating func add(_ bytes: Data) { self.bytes += bytes }

    /// Returns the lines of the handshake; nil before its end.
    mutating func takeHead() -> [String]? {
        let end = Data("\r\n\r\n".utf8)
        guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: end) }) else { return nil }
        let head = String(decoding: bytes[..<start], as: UTF8.self)
        bytes = Data(bytes[(start + end.count)...])
        return head.split(separator: "\r\n").map(String.init)
    }

    /// Returns the next message or control frame; nil before its end.
    mutating func next() -> Item? {
        while let (opcode, isFinal, payload) = takeFrame() {
            switch opcode {
            case .ping: return .ping(payload)
            case .pong: return .pong
            case .close: return .close(payload)
            case .text, .binary: message = (opcode == .text, payload)
            case .continuation: message?.data += payload
            }
            guard isFinal, let whole = message.take() else { continue }
            return .message(
                whole.isText ? .text(String(decoding: whole.data, as: UTF8.self)) : .binary(whole.data))
        }
        return nil
    }

    private mutating func takeFrame() -> (Opcode, isFinal: Bool, payload: Data)? {
        guard bytes.count >= 2, let opcode = Opcode(rawValue: bytes[0] & 0x0F) else { return nil }
        let lengthBytes = [126: 2, 127: 8][bytes[1] & 0x7F] ?? 0
        let start = 2 + lengthBytes + 4
        guard bytes.count >= start else { return nil }
        let length =
            lengthBytes == 0
            ? Int(bytes[1] & 0x7F) : bytes[2..<(2 + lengthBytes)].reduce(0) { $0 << 8 | Int($1) }
        guard bytes.count >= start + length else { return nil }
        let mask = Array(bytes[(start - 4)..<start])
        let payload = Data(bytes[start..<(start + length)].enumerated().map { $1 ^ mask[$0 & 3] })
        let isFinal = bytes[0] & 0x80 != 0
        bytes = Data(bytes[(start + length)...])
        return (opcode, isFinal, payload)
    }
}

extension StubTransport {
    /// A step of the server of a stubbed WebSocket, after it has accepted the handshake.
    public enum WebSocketStep: Sendable {
        /// Sends a message.
        case send(WebSocketMessage)
        /// Waits for a message of the client.
        case receive
        /// Waits for a message of the client, and sends what the function returns for it.
        case respond(@Sendable (WebSocketMessage) -> [WebSocketMessage])
        /// Starts the closing handshake.
        case close(WebSocketCloseCode, reason: String = "")
        /// Ends the connection without a close frame.
        case drop
        /// Refuses the handshake with a status, as the first step.
        case refuse(statusCode: Int)
    }

    /// Returns the same stub, which also plays the server of each WebSocket.
    ///
    /// After the last step the connection stays open. Pings and close frames of the client are answered. `Record.messages`
    /// has what the client has sent.
    public func playing(_ steps: WebSocketStep...) -> StubTransport { playing(scripts: [steps]) }

    /// Returns the same stub, which also plays the servers of successive connections, such as those of a WebSocket that
    /// reconnects; the last script repeats.
    public func playing(scripts: [[WebSocketStep]]) -> StubTransport {
        let count = Lock(0)
        return withChannels { record in
            let index = count.withLock { count in
                defer { count += 1 }
                return count
            }
            return StubChannel(index < scripts.count ? scripts[index] : scripts.last ?? [], record: record)
        }
    }
}

extension Transport where Self == StubTransport {
    /// Returns a stub that plays the server of each WebSocket, and has no reply to other requests:
    ///
    ///     let stub: StubTransport = .webSocket(.send("hello"), .receive, .close(.normal))
    public static func webSocket(_ steps: StubTransport.WebSocketStep...) -> StubTransport {
        StubTransport.stub(replies: []).playing(scripts: [steps])
    }
}

extension StubTransport.Record {
    /// The messages that the clients of stubbed WebSockets have sent so far, in order of arrival.
    public var messages: [WebSocketMessage] {
        sentMessages.map { $0.isText ? .text(String(decoding: $0.bytes, as: UTF8.self)) : .binary($0.bytes) }
    }

    func add(_ message: WebSocketMessage) { addMessage(isText: message.kind == .text, message.data) }
}
