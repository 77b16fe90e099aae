import OmbiPlatform

/// Serves a tape on one address until it is stopped. All connections are one loop on the thread of the caller.
final class TapeServer: Sendable {
    /// The reason why nothing can be served.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let host: String
    let port: Int
    private let listener: Int32
    /// A pipe; a byte in it ends the loop.
    private let end: (reading: Int32, writing: Int32)

    /// Other clients wait until one has finished, or sends nothing.
    private let maximumConnections: Int

    /// - Parameters:
    ///   - host: an address of IPv4.
    ///   - port: 0 for any that is free.
    init(host: String, port: Int, maximumConnections: Int = 128) throws(Failure) {
        guard let listening = TapeSocket.listening(host: host, port: port) else {
            let reason = String(cString: strerror(errno))
            throw Failure(description: "cannot listen on \(port == 0 ? "" : "port \(port) of ")\(host): \(reason)")
        }
        guard let end = TapeSocket.pipeEnds() else {
            let reason = String(cString: strerror(errno))
            close(listening.socket)
            throw Failure(description: "cannot listen on \(host): \(reason)")
        }
        (listener, self.port) = listening
        (self.host, self.end, self.maximumConnections) = (host, end, maximumConnections)
    }

    deinit { for descriptor in [listener, end.reading, end.writing] { close(descriptor) } }

    var url: String { "http://\(host):\(port)" }

    /// Ends `run`, from any thread.
    func stop() {
        var byte: UInt8 = 0
        _ = write(end.writing, &byte, 1)
    }

    /// Serves requests until `stop`.
    /// - Parameter onEvent: called on the same thread.
    func run(_ tape: Tape, _ speed: TapeSpeed, onEvent: @escaping (TapeConnection.Event) -> Void) {
        var loop = Loop(tape: tape, speed: speed, isOpen: !TapeSocket.isLoopback(host), onEvent: onEvent)
        defer { for open in loop.open { close(open.socket) } }
        // True where a client waits for a connection that another one has.
        var isFull = false
        while true {
            // A descriptor of -1 is skipped.
            var polled = [pollfd(fd: end.reading, events: Int16(POLLIN), revents: 0)]
            polled.append(pollfd(fd: isFull ? -1 : listener, events: Int16(POLLIN), revents: 0))
            polled += loop.open.map { pollfd(fd: $0.socket, events: loop.events(of: $0.connection), revents: 0) }
            let timeout = isFull ? TapeSocket.retry(within: loop.timeout) : loop.timeout
            if poll(&polled, nfds_t(polled.count), timeout) < 0, errno != EINTR { return }
            guard polled[0].revents == 0 else { return }
            loop.advance(polled.dropFirst(2).map(\.revents))
            isFull = false
            guard polled[1].revents != 0 else { continue }
            if loop.makeRoom(for: maximumConnections), let socket = TapeSocket.connection(from: listener) {
                loop.add(socket)
            } else {
                isFull = true
            }
        }
    }
}

/// The connections of a server, between two looks at their sockets.
private struct Loop {
    private(set) var open: [(socket: Int32, connection: TapeConnection)] = []
    private var tape: Tape
    private let speed: TapeSpeed
    private let isOpen: Bool
    private let onEvent: (TapeConnection.Event) -> Void
    private let start = ContinuousClock.now

    init(
        tape: Tape, speed: TapeSpeed, isOpen: Bool, onEvent: @escaping (TapeConnection.Event) -> Void
    ) {
        (self.tape, self.speed, self.isOpen, self.onEvent) = (tape, speed, isOpen, onEvent)
    }

    private var now: Duration { ContinuousClock.now - start }

    mutating func add(_ socket: Int32) { open.append((socket, TapeConnection(at: now, isOpen: isOpen))) }

    /// Returns true where another connection can be taken. If need be, it ends the oldest one whose client sends nothing,
    /// or is gone before its response is due.
    mutating func makeRoom(for maximum: Int) -> Bool {
        guard open.count >= maximum else { return true }
        let time = now
        let spare = open.indices.filter { index in
            let (socket, connection) = open[index]
            return connection.isReading ? connection.isSpare(at: time) : TapeSocket.isAtEnd(socket)
        }
        guard let oldest = spare.min(by: { open[$0].connection.deadline < open[$1].connection.deadline }) else {
            return false
        }
        TapeSocket.finish(open.remove(at: oldest).socket)
        return true
    }

    func events(of connection: TapeConnection) -> Int16 {
        if connection.isReading { return Int16(POLLIN) }
        return connection.output(at: now).isEmpty ? 0 : Int16(POLLOUT)
    }

    /// In milliseconds, rounded up.
    var timeout: CInt {
        let time = now
        guard let next = open.map({ $0.connection.nextTime(at: time) }).min() else { return -1 }
        return CInt(clamping: Int(max(0, (next - time).milliseconds)) + 1)
    }

    /// - Parameter ready: what `poll` said of each connection.
    mutating func advance(_ ready: [Int16]) {
        for (index, events) in ready.enumerated() {
            let socket = open[index].socket
            var connection = open[index].connection
            if connection.isReading {
                if events != 0 { read(from: socket, into: &connection) }
            } else if events & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 {
                connection.end()
            }
            send(to: socket, from: &connection)
            if connection.deadline <= now { connection.end() }
            open[index].connection = connection
        }
        for closed in open where closed.connection.isEnded { TapeSocket.finish(closed.socket) }
        open.removeAll { $0.connection.isEnded }
    }

    private mutating func read(from socket: Int32, into connection: inout TapeConnection) {
        guard let bytes = TapeSocket.received(from: socket) else { return connection.end() }
        guard !bytes.isEmpty else { return }
        if let event = connection.take(bytes, at: now, &tape, speed) { onEvent(event) }
    }

    /// Sends what is due, and goes on with a request that came behind it.
    private mutating func send(to socket: Int32, from connection: inout TapeConnection) {
        while !connection.isReading, !connection.isEnded {
            let time = now
            guard connection.isDue(at: time) else { return }
            let output = connection.output(at: time)
            guard let count = TapeSocket.sent(output, to: socket) else { return connection.end() }
            connection.didSend(count, at: time)
            if count < output.count { return }
            if let event = connection.advance(at: time, &tape, speed) { onEvent(event) }
        }
    }
}

/// The socket calls of a tape. Nothing blocks but `poll`, and child processes inherit no descriptor.
enum TapeSocket {
    #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue)
    private static let sending = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
    #else
    private static let stream = SOCK_STREAM
    private static let sending = MSG_DONTWAIT
    #endif

    /// Returns true for the text of an IPv4 address.
    static func isAddress(_ text: String) -> Bool { address(text) != nil }

    /// Returns true for an address that only programs of this machine reach.
    static func isLoopback(_ text: String) -> Bool {
        guard let number = address(text)?.s_addr else { return false }
        return UInt32(bigEndian: number) >> 24 == 127
    }

    private static func address(_ text: String) -> in_addr? {
        var parsed = in_addr()
        return inet_pton(AF_INET, text, &parsed) == 1 ? parsed : nil
    }

    /// Returns nil on failure, with the reason in `errno`.
    static func listening(host: String, port: Int) -> (socket: Int32, port: Int)? {
        guard let number = UInt16(exactly: port), let bound = address(host) else {
            errno = EINVAL
            return nil
        }
        let listener = socket(AF_INET, stream, 0)
        guard listener >= 0 else { return nil }
        var yes: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = number.bigEndian
        place.sin_addr = bound
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(listener, pointer, length) == 0 && getsockname(listener, pointer, &length) == 0
            }
        }
        guard isBound, isPrepared(listener), listen(listener, 128) == 0 else {
            let reason = errno
            close(listener)
            errno = reason
            return nil
        }
        return (listener, Int(UInt16(bigEndian: place.sin_port)))
    }

    /// Returns nil on failure, with the reason in `errno`.
    static func pipeEnds() -> (reading: Int32, writing: Int32)? {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Returns a connection; nil for one that is gone already.
    static func connection(from listener: Int32) -> Int32? {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { return nil }
        guard isPrepared(connection) else {
            close(connection)
            return nil
        }
        #if canImport(Darwin)
        var yes: Int32 = 1
        setsockopt(connection, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
        #endif
        return connection
    }

    private static func isPrepared(_ socket: Int32) -> Bool {
        fcntl(socket, F_SETFD, FD_CLOEXEC) == 0 && fcntl(socket, F_SETFL, O_NONBLOCK) == 0
    }

    /// Returns what has come, nothing if nothing has; nil at the end of the connection.
    static func received(from connection: Int32) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(connection, &buffer, buffer.count, 0)
        if count < 0 { return errno == EAGAIN || errno == EINTR ? [] : nil }
        return count == 0 ? nil : Array(buffer[..<count])
    }

    /// Returns true where the client has closed its side, and nothing is left of what it has sent.
    static func isAtEnd(_ connection: Int32) -> Bool {
        var byte: UInt8 = 0
        return recv(connection, &byte, 1, Int32(MSG_PEEK)) == 0
    }

    /// Returns a time for `poll` after which a server looks again whether it has room for a client that waits.
    /// - Parameter timeout: in milliseconds; -1 for none.
    static func retry(within timeout: CInt) -> CInt { timeout < 0 ? 200 : min(timeout, 200) }

    /// Returns the number of bytes that the system took; nil where the client is gone.
    static func sent(_ bytes: ArraySlice<UInt8>, to connection: Int32) -> Int? {
        if bytes.isEmpty { return 0 }
        let count = bytes.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, sending) }
        if count < 0 { return errno == EAGAIN || errno == EINTR ? 0 : nil }
        return count
    }

    /// Ends a connection: what was sent still arrives.
    static func finish(_ connection: Int32) {
        shutdown(connection, Int32(SHUT_WR))
        close(connection)
    }
}
