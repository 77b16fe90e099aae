import OmbiPlatform

/// An HTTP server on 127.0.0.1 that responds to GET requests with a short page. It occupies a thread between `start` and
/// `stop`.
final class LoopbackListener: Sendable {
    private enum Phase {
        case idle, running, stopped
    }

    let port: Int
    private let socket: Int32
    /// A pipe; closing its writing end stops the thread.
    private let end: LoopbackSocket.Pipe
    private let phase = Lock(Phase.idle)

    init(port: Int) throws(OAuth2Error) {
        guard let listening = LoopbackSocket.listen(port: port) else {
            let reason = String(cString: strerror(errno))
            throw OAuth2Error(.notConfigured, details: "cannot listen on port \(port) of 127.0.0.1: \(reason)")
        }
        guard let end = LoopbackSocket.pipe() else {
            let reason = String(cString: strerror(errno))
            close(listening.socket)
            throw OAuth2Error(.notConfigured, details: "cannot listen on 127.0.0.1: \(reason)")
        }
        (socket, self.port) = listening
        self.end = end
    }

    /// Serves requests until `stop()`. `answer` runs on the server's thread.
    func start(_ answer: @escaping @Sendable (_ target: String) -> LoopbackReply) {
        let isFirst = phase.withLock { phase in
            guard phase == .idle else { return false }
            phase = .running
            return true
        }
        guard isFirst else { return }
        let (socket, end) = (socket, end.reading)
        DispatchQueue(label: "ombi.loopback").async {
            var loop = LoopbackLoop(socket: socket, end: end)
            loop.run(answer)
        }
    }

    /// Stops listening. A response in progress is still sent.
    func stop() {
        phase.withLock { phase in
            if phase == .idle { for descriptor in [socket, end.reading] { close(descriptor) } }
            if phase != .stopped { close(end.writing) }
            phase = .stopped
        }
    }
}

/// A response of the server.
enum LoopbackReply {
    case done, refused, notFound

    private var status: String {
        switch self {
        case .done: "200 OK"
        case .refused: "400 Bad Request"
        case .notFound: "404 Not Found"
        }
    }

    private var text: String {
        switch self {
        case .done: "You can close this page and go back to the program."
        case .refused: "This does not belong to the sign-in that the program waits for."
        case .notFound: "There is nothing here."
        }
    }

    var bytes: [UInt8] {
        let page = "<!doctype html><meta charset=utf-8><title>\(status)</title><p>\(text)</p>\n"
        let head = [
            "HTTP/1.1 \(status)", "Content-Type: text/html; charset=utf-8", "Content-Length: \(page.utf8.count)",
            "Cache-Control: no-store", "Referrer-Policy: no-referrer", "Connection: close", "", "",
        ]
        return Array((head.joined(separator: "\r\n") + page).utf8)
    }
}

/// The event loop of the server. Browsers may open connections that they never use.
private struct LoopbackLoop {
    private struct Connection {
        let socket: Int32
        var request: [UInt8] = []
    }

    let socket: Int32
    let end: Int32
    private var connections: [Connection] = []

    /// The limit; another connection closes the oldest.
    private static let maximumConnections = 16
    private static let maximumHeadBytes = 16 << 10

    init(socket: Int32, end: Int32) {
        self.socket = socket
        self.end = end
    }

    mutating func run(_ answer: (String) -> LoopbackReply) {
        while true {
            var descriptors = ([end, socket] + connections.map(\.socket)).map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            if poll(&descriptors, nfds_t(descriptors.count), -1) < 0, errno != EINTR { break }
            guard descriptors[0].revents == 0 else { break }
            let ready = Set(descriptors.dropFirst(2).filter { $0.revents != 0 }.map(\.fd))
            connections = connections.compactMap { ready.contains($0.socket) ? advance($0, answer) : $0 }
            if descriptors[1].revents != 0 { takeConnection() }
        }
        for descriptor in [socket, end] + connections.map(\.socket) { close(descriptor) }
    }

    private mutating func takeConnection() {
        guard let connection = LoopbackSocket.accept(from: socket) else { return }
        if connections.count == Self.maximumConnections { close(connections.removeFirst().socket) }
        connections.append(Connection(socket: connection))
    }

    /// Returns nil when the connection is finished.
    private func advance(_ connection: Connection, _ answer: (String) -> LoopbackReply) -> Connection? {
        var connection = connection
        guard LoopbackSocket.read(from: connection.socket, into: &connection.request),
            connection.request.count <= Self.maximumHeadBytes
        else {
            close(connection.socket)
            return nil
        }
        guard Self.isComplete(connection.request) else { return connection }
        let reply = Self.target(of: connection.request).map(answer) ?? .refused
        LoopbackSocket.write(reply.bytes, to: connection.socket)
        close(connection.socket)
        return nil
    }

    private static func isComplete(_ request: [UInt8]) -> Bool {
        request.firstRange(of: Array("\r\n\r\n".utf8)) != nil
    }

    /// Returns "/callback?code=1" of "GET /callback?code=1 HTTP/1.1"; nil for anything but a GET request.
    private static func target(of request: [UInt8]) -> String? {
        let line = request.prefix { $0 != 0x0D && $0 != 0x0A }
        let words = String(decoding: line, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[0] == "GET", words[1].hasPrefix("/"), words[2].hasPrefix("HTTP/1.") else {
            return nil
        }
        return String(words[1])
    }
}

/// Socket calls for the server on 127.0.0.1. Child processes, such as the browser, inherit no descriptor.
enum LoopbackSocket {
    typealias Pipe = (reading: Int32, writing: Int32)

    #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue)
    #else
    private static let stream = SOCK_STREAM
    #endif

    /// Returns nil on failure, with the reason in `errno`.
    static func listen(port: Int) -> (socket: Int32, port: Int)? {
        guard let number = UInt16(exactly: port) else {
            errno = EINVAL
            return nil
        }
        let listener = socket(AF_INET, stream, 0)
        // A connection may be gone before it is accepted.
        guard listener >= 0, isClosedOnExec(listener), fcntl(listener, F_SETFL, O_NONBLOCK) == 0 else { return nil }
        var yes: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = number.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(listener, pointer, length) == 0 && getsockname(listener, pointer, &length) == 0
            }
        }
        guard isListening, OmbiPlatform.listen(listener, 16) == 0 else {
            let reason = errno
            close(listener)
            errno = reason
            return nil
        }
        return (listener, Int(UInt16(bigEndian: address.sin_port)))
    }

    static func pipe() -> Pipe? {
        var ends: [Int32] = [0, 0]
        guard OmbiPlatform.pipe(&ends) == 0, ends.allSatisfy(isClosedOnExec) else { return nil }
        return (ends[0], ends[1])
    }

    static func accept(from listener: Int32) -> Int32? {
        let connection = OmbiPlatform.accept(listener, nil, nil)
        #if canImport(Darwin)
        var yes: Int32 = 1
        setsockopt(connection, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
        #endif
        return connection >= 0 && isClosedOnExec(connection) ? connection : nil
    }

    /// Appends received bytes. Returns false at the end of the connection.
    static func read(from connection: Int32, into bytes: inout [UInt8]) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
            let count = recv(connection, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
            if count < 0 { return errno == EAGAIN || errno == EINTR }
            bytes += buffer.prefix(count)
            return count > 0
        }
    }

    /// Sends a page, which fits into the socket's buffer.
    static func write(_ bytes: [UInt8], to connection: Int32) {
        #if canImport(Darwin)
        let flags = MSG_DONTWAIT
        #else
        let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
        #endif
        _ = send(connection, bytes, bytes.count, flags)
    }

    private static func isClosedOnExec(_ descriptor: Int32) -> Bool { fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 }
}
