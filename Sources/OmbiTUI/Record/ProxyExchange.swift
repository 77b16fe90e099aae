/// The response of the target between the transport that receives it and the loop that passes it on. It holds little:
/// the transport pauses while the client does not read.
final class ProxyExchange: Sendable {
    /// The end of a response, and its cost.
    enum End: Sendable {
        case finished(TransportMetrics)
        case failed(TransportError, TransportMetrics)
    }

    /// The parts of a response since the last look.
    struct News: Sendable {
        var head: ResponseHead?
        var pieces: [Data] = []
        /// The last news.
        var end: End?
    }

    private struct State {
        var news = News()
        var pending = 0
        var task: (any TransportTask)?
        var isCancelled = false
        var wantsPause = false
        /// The last state that was asked of the transport.
        var isPaused = false
        /// True while a thread pauses or resumes the transport; it checks the state again afterwards.
        var isSwitching = false
    }

    private let state = Lock(State())
    /// Called when there are news, on a thread of the transport.
    private let onNews: @Sendable () -> Void

    /// The bytes above which the transport is paused; it resumes at a quarter of them.
    private static let maximumPending = 256 << 10

    init(onNews: @escaping @Sendable () -> Void) { self.onNews = onNews }

    func start(_ request: TransportRequest, over transport: any Transport) {
        var request = request
        request.responseDelivery = .pieces
        let task = transport.start(request) { [self] event in receive(event) }
        let isCancelled = state.withLock { state -> Bool in
            if state.news.end == nil { state.task = task }
            return state.isCancelled
        }
        if isCancelled { task.cancel() } else { switchTask() }
    }

    func cancel() {
        let task = state.withLock { state -> (any TransportTask)? in
            state.isCancelled = true
            (state.news.pieces, state.pending) = ([], 0)
            defer { state.task = nil }
            return state.task
        }
        task?.cancel()
    }

    private func receive(_ event: TransportEvent) {
        let isNews = state.withLock { state -> Bool in
            switch event {
            case .head(let head): state.news.head = head
            case .data(let piece):
                guard !state.isCancelled else { return false }
                state.news.pieces.append(piece)
                state.pending += piece.count
                if state.pending > Self.maximumPending { state.wantsPause = true }
            case .finished(_, let metrics): state.news.end = .finished(metrics)
            case .failed(let error, let metrics): state.news.end = .failed(error, metrics)
            case .phase, .sent, .redirected, .body, .received: return false
            }
            if state.news.end != nil { state.task = nil }
            return true
        }
        guard isNews else { return }
        switchTask()
        onNews()
    }

    /// Takes what has come. The end comes with the last piece.
    /// - Parameter room: the bytes that are wanted; the last piece may have more.
    func take(room: Int) -> News {
        let news = state.withLock { state -> News in
            var taken = News(head: state.news.head)
            state.news.head = nil
            var (size, count) = (0, 0)
            while count < state.news.pieces.count, size < room {
                size += state.news.pieces[count].count
                count += 1
            }
            taken.pieces = Array(state.news.pieces.prefix(count))
            state.news.pieces.removeFirst(count)
            state.pending -= size
            if state.pending <= Self.maximumPending / 4 { state.wantsPause = false }
            if state.news.pieces.isEmpty { taken.end = state.news.end }
            return taken
        }
        switchTask()
        return news
    }

    /// Pauses or resumes the transport, outside the lock: a pause and a resume of two threads must not overtake each
    /// other.
    private func switchTask() {
        while let (task, pauses) = beginSwitch() {
            if pauses { task.pause() } else { task.resume() }
            state.withLock { state in
                state.isPaused = pauses
                state.isSwitching = false
            }
        }
    }

    private func beginSwitch() -> (task: any TransportTask, pauses: Bool)? {
        state.withLock { state in
            guard let task = state.task, !state.isSwitching, state.isPaused != state.wantsPause else { return nil }
            state.isSwitching = true
            return (task, state.wantsPause)
        }
    }
}

/// The response to a client, in the bytes of its connection.
struct ProxyResponse: Sendable {
    /// The end of a body.
    enum Framing: Equatable, Sendable {
        case none, length, chunks, connection
    }

    let start: [UInt8]
    let framing: Framing
    /// In bytes, as the client was told; nil where it was not.
    private let length: Int?

    /// - Parameter keepsAlive: true where the client may go on with the next request.
    init(_ head: ResponseHead, to request: ProxyHead, keepsAlive: Bool) {
        let hasBody = request.method != "HEAD" && ![204, 304].contains(head.statusCode)
        let lengths = head.headers.values(for: .contentLength)
        let hasLength = lengths.count == 1 && head.headers["Transfer-Encoding"] == nil
        framing = !hasBody ? .none : hasLength ? .length : request.takesChunks ? .chunks : .connection
        length = hasLength ? lengths.first.flatMap { Int($0.text) } : nil
        var omitted = ProxyFields.names(ofConnectionIn: head.headers)
        if hasBody && !hasLength || head.statusCode == 204 { omitted.insert("content-length") }
        let reason = StatusCode.reason(head.statusCode) ?? ""
        var lines = ["HTTP/1.1 \(head.statusCode) \(reason)"]
        for field in head.headers.fields where !omitted.contains(field.key.name.lowercased()) {
            // A line end in a value would begin another field.
            guard HeaderCheck.isToken(field.key.name), HeaderCheck.isValue(field.value.text) else { continue }
            lines.append("\(field.key.name): \(field.value.text)")
        }
        if framing == .chunks { lines.append("Transfer-Encoding: chunked") }
        if !keepsAlive || framing == .connection { lines.append("Connection: close") }
        start = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    /// Returns true where a client with so many bytes of the body knows that it has all of them.
    func isComplete(after size: Int) -> Bool {
        switch framing {
        case .none: true
        case .length: length.map { size >= $0 } ?? false
        case .chunks, .connection: false
        }
    }

    /// Returns a piece of the body as it goes out.
    func bytes(of piece: Data) -> [UInt8] {
        switch framing {
        case .none: return []
        case .length, .connection: return Array(piece)
        case .chunks:
            // An empty chunk would be the last one.
            guard !piece.isEmpty else { return [] }
            var bytes = Array((String(piece.count, radix: 16) + "\r\n").utf8)
            bytes += piece
            return bytes + [0x0D, 0x0A]
        }
    }

    /// The bytes behind a complete body.
    var end: [UInt8] { framing == .chunks ? Array("0\r\n\r\n".utf8) : [] }

    static let proceed = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    /// A response of the proxy itself, after which the connection ends.
    static func message(_ status: Int, _ text: String, toHead isHead: Bool = false) -> [UInt8] {
        let body = Array("ombi record: \(text)\n".utf8)
        let lines = [
            "HTTP/1.1 \(status) \(StatusCode.reason(status) ?? "")", "Content-Type: text/plain; charset=utf-8",
            "Content-Length: \(body.count)", "Connection: close", "", "",
        ]
        return Array(lines.joined(separator: "\r\n").utf8) + (isHead ? [] : body)
    }
}
