import OmbiPlatform

/// A reverse proxy on loopback. All connections of clients are one loop on the thread of the caller; the transport has
/// those of the target.
final class RecordServer: Sendable {
    /// The reason why there is no server.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The reasons for which the loop wakes up.
    private struct Signals {
        var isWritten = false
        var isStopped = false
    }

    let host: String
    let port: Int
    private let listener: Int32
    /// A pipe; a byte in it wakes the loop up.
    private let pipe: (reading: Int32, writing: Int32)
    private let signals = Lock(Signals())

    /// Other clients wait until one has finished, or sends nothing.
    static let maximumConnections = 64

    /// - Parameters:
    ///   - host: a loopback address of IPv4.
    ///   - port: 0 for any that is free.
    init(host: String, port: Int) throws(Failure) {
        guard let listening = TapeSocket.listening(host: host, port: port) else {
            throw Failure(
                description: "cannot listen on port \(port) of \(host): \(String(cString: strerror(errno)))")
        }
        guard let pipe = TapeSocket.pipeEnds() else {
            let reason = String(cString: strerror(errno))
            close(listening.socket)
            throw Failure(description: "cannot listen on \(host): \(reason)")
        }
        (listener, self.port) = listening
        (self.host, self.pipe) = (host, pipe)
    }

    deinit { for descriptor in [listener, pipe.reading, pipe.writing] { close(descriptor) } }

    var url: String { "http://\(host):\(port)" }

    /// Ends `run`, from any thread.
    func stop() { signal { $0.isStopped = true } }

    private func wake() { signal { _ in } }

    private func signal(_ change: (inout Signals) -> Void) {
        let isNew = signals.withLock { signals -> Bool in
            change(&signals)
            defer { signals.isWritten = true }
            return !signals.isWritten
        }
        guard isNew else { return }
        var byte: UInt8 = 0
        _ = write(pipe.writing, &byte, 1)
    }

    /// Returns true after `stop`.
    private func takeSignals() -> Bool {
        var byte: UInt8 = 0
        _ = read(pipe.reading, &byte, 1)
        return signals.withLock { signals -> Bool in
            signals.isWritten = false
            return signals.isStopped
        }
    }

    /// Passes requests on until `stop`.
    /// - Parameter onEvent: called on the same thread.
    func run(_ target: ProxyTarget, onEvent: @escaping (ProxyConnection.Event) -> Void) {
        var open: [(socket: Int32, connection: ProxyConnection)] = []
        defer {
            for (socket, connection) in open {
                connection.end()
                close(socket)
            }
        }
        // True where a client waits for a connection that another one has.
        var isFull = false
        while true {
            var polled = [pollfd(fd: pipe.reading, events: Int16(POLLIN), revents: 0)]
            // A descriptor of -1 is skipped.
            polled.append(pollfd(fd: isFull ? -1 : listener, events: Int16(POLLIN), revents: 0))
            polled += open.map { pollfd(fd: $0.socket, events: Self.events(of: $0.connection), revents: 0) }
            let timeout = Self.timeout(open.compactMap { $0.connection.deadline })
            if poll(&polled, nfds_t(polled.count), isFull ? TapeSocket.retry(within: timeout) : timeout) < 0 {
                guard errno == EINTR else { return }
                continue
            }
            if polled[0].revents != 0, takeSignals() { return }
            for (index, events) in polled.dropFirst(2).map(\.revents).enumerated() {
                Self.advance(open[index].connection, open[index].socket, events)
            }
            for ended in open where ended.connection.isEnded { close(ended.socket) }
            open.removeAll { $0.connection.isEnded }
            isFull = false
            guard polled[1].revents != 0 else { continue }
            if Self.makeRoom(in: &open), let socket = TapeSocket.connection(from: listener) {
                let connection = ProxyConnection(
                    target, at: ContinuousClock.now, wake: { [weak self] in self?.wake() }, onEvent: onEvent)
                open.append((socket, connection))
            } else {
                isFull = true
            }
        }
    }

    /// Returns true where another connection can be taken. If need be, it ends one whose client sends nothing.
    private static func makeRoom(in open: inout [(socket: Int32, connection: ProxyConnection)]) -> Bool {
        guard open.count >= maximumConnections else { return true }
        let now = ContinuousClock.now
        guard let spare = open.firstIndex(where: { $0.connection.isSpare(at: now) }) else { return false }
        let ended = open.remove(at: spare)
        ended.connection.end()
        TapeSocket.finish(ended.socket)
        return true
    }

    private static func events(of connection: ProxyConnection) -> Int16 {
        Int16(connection.isReading ? POLLIN : 0) | Int16(connection.unsent.isEmpty ? 0 : POLLOUT)
    }

    /// In milliseconds, rounded up; -1 for no limit.
    private static func timeout(_ deadlines: [ContinuousClock.Instant]) -> CInt {
        guard let next = deadlines.min() else { return -1 }
        let rest = next - ContinuousClock.now
        return CInt(clamping: Int(max(0, rest.milliseconds)) + 1)
    }

    private static func advance(_ connection: ProxyConnection, _ socket: Int32, _ events: Int16) {
        if events & Int16(POLLERR | POLLNVAL) != 0 { return connection.end() }
        if events & Int16(POLLIN | POLLHUP) != 0 {
            if connection.isReading {
                guard let bytes = TapeSocket.received(from: socket) else { return connection.receiveEnd() }
                connection.receive(bytes, at: ContinuousClock.now)
            } else if events & Int16(POLLHUP) != 0 {
                return connection.end()
            }
        }
        repeat {
            connection.advance(at: ContinuousClock.now)
            let unsent = connection.unsent
            guard !unsent.isEmpty else { break }
            guard let count = TapeSocket.sent(unsent, to: socket) else { return connection.end() }
            connection.didSend(count, at: ContinuousClock.now)
            if count < unsent.count { break }
        } while !connection.isEnded
        if connection.isFinishing {
            shutdown(socket, Int32(SHUT_WR))
            connection.didFinish(at: ContinuousClock.now)
        }
        if let deadline = connection.deadline, deadline <= ContinuousClock.now { connection.end() }
    }
}

/// Records exchanges on a queue of its own: the proxy does not wait for files, unless very many exchanges do.
final class TrafficLog: Sendable {
    private struct State {
        var recorder: TrafficRecorder
        var isScheduled = false
        /// The number of requests that were written.
        var added = 0
        /// The last problem with the file; nil once it was written.
        var problem: String?
        var isFullTold = false
    }

    private let state: Lock<State>
    private let history: History?
    private let queue = DispatchQueue(label: "ombi.record", qos: .utility)
    private let room = DispatchSemaphore(value: TrafficLog.maximumPending)
    private let onLine: @Sendable (String) -> Void
    private let onProblem: @Sendable (String) -> Void

    /// Exchanges that wait to be recorded.
    private static let maximumPending = 32
    /// The time between a new request and its place in the file.
    private static let delay = DispatchTimeInterval.seconds(1)

    /// - Parameters:
    ///   - history: nil where nothing is kept.
    ///   - onLine: called with a safe line for each exchange, on the queue.
    init(
        _ recorder: TrafficRecorder, history: History?, onLine: @escaping @Sendable (String) -> Void,
        onProblem: @escaping @Sendable (String) -> Void
    ) {
        state = Lock(State(recorder: recorder))
        (self.history, self.onLine, self.onProblem) = (history, onLine, onProblem)
    }

    func add(_ event: ProxyConnection.Event) {
        room.wait()
        queue.async { [self] in
            record(event)
            room.signal()
        }
    }

    /// Waits until all is recorded and written.
    /// - Returns: the number of new requests in the file; nil where it could not be written.
    func finish() -> Int? {
        queue.sync { write(isLast: true) }
        history?.finish()
        return state.withLock { $0.problem == nil ? $0.added : nil }
    }

    private func record(_ event: ProxyConnection.Event) {
        switch event {
        case .refused(let status, let reason): onLine(SafeText.line("? refused with \(status): \(reason)"))
        case .passed(let exchange):
            let (recorded, isFull) = state.withLock { state -> (TrafficRecorder.Recorded, Bool) in
                let recorded = state.recorder.add(exchange)
                defer { state.isFullTold = state.isFullTold || state.recorder.isFull }
                return (recorded, state.recorder.isFull && !state.isFullTold)
            }
            if let history {
                let (order, result) = (recorded.order, recorded.result)
                Task { await history.record(order, result) }.wait()
            }
            onLine(SafeText.line(Self.line(recorded, exchange)))
            if isFull { onProblem("the collection takes no more requests; the history goes on") }
            schedule()
        }
    }

    /// `GET /users/42  200 OK, 512 B, 14 ms, new: GET /users/:userId`
    private static func line(_ recorded: TrafficRecorder.Recorded, _ exchange: ProxiedExchange) -> String {
        var parts: [String] = []
        switch recorded.result.ending {
        case .response(let response):
            parts.append(StatusCode.words(response.statusCode ?? 0))
            parts.append(TimeText.size(exchange.responseSize))
        case .failure(let message):
            parts.append((exchange.response == nil ? "502, " : "broken off, ") + message)
        case .cancelled: parts.append("the client was gone first")
        }
        parts.append(TimeText.duration(exchange.duration))
        if let name = recorded.newName { parts.append("new: " + name) }
        return recorded.title.excerpt(maximumTitle) + "  " + parts.joined(separator: ", ")
    }

    /// In characters.
    private static let maximumTitle = 200

    // MARK: Writing

    private func schedule() {
        let isDue = state.withLock { state -> Bool in
            guard state.recorder.hasNews, !state.isScheduled else { return false }
            state.isScheduled = true
            return true
        }
        guard isDue else { return }
        queue.asyncAfter(deadline: .now() + Self.delay) { [self] in
            state.withLock { $0.isScheduled = false }
            write(isLast: false)
        }
    }

    /// A problem is reported once, and the file written with the next request.
    private func write(isLast: Bool) {
        let problem = state.withLock { state -> String? in
            do throws(TrafficRecorder.Failure) {
                state.added += try state.recorder.write(isLast: isLast)
                state.problem = nil
                return nil
            } catch {
                defer { state.problem = error.description }
                return state.problem == error.description ? nil : error.description
            }
        }
        if let problem { onProblem(problem) }
    }
}
