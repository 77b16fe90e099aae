import Foundation

/// A small HTTP/1.1 server on 127.0.0.1 for tests: it answers each request as a function says, and counts.
public final class LoopbackServer: Sendable {
    public typealias Handler = @Sendable (LoopbackRequest) -> LoopbackReply

    public struct StartFailed: Error {
        public let step: String
        public let code: Int32
    }

    private struct State {
        var requests: [LoopbackRequest] = []
        var connections: Set<Int32> = []
        var connectionCount = 0
        var isStopped = false
    }

    public let port: Int
    private let listener: Int32
    private let handler: Handler
    private let greeting: Data?
    private let state = LoopbackLock(State())
    private let openConnections = DispatchGroup()

    /// Starts on a free port. It stops when `stop()` is called. With a greeting it says that to whoever connects, and
    /// closes without reading.
    /// - Parameter unixSocket: The path of a socket to listen at instead of a port.
    public init(greeting: Data? = nil, unixSocket: String? = nil, _ handler: @escaping Handler) throws {
        self.greeting = greeting
        self.handler = handler
        (listener, port) = try unixSocket.map { (try LoopbackSocket.listen(path: $0), 0) } ?? LoopbackSocket.listen()
        Thread.detachNewThread { self.acceptLoop() }
    }

    public var host: String { "http://127.0.0.1:\(port)" }

    /// In the order in which they came in.
    public var requests: [LoopbackRequest] { state.withLock { $0.requests } }

    public var connectionCount: Int { state.withLock { $0.connectionCount } }

    /// How many connections are open now.
    public var openConnectionCount: Int { state.withLock { $0.connections.count } }

    /// Returns when no connection is open.
    public func waitForLastConnection() async {
        await withCheckedContinuation { continuation in
            openConnections.notify(queue: .global()) { continuation.resume() }
        }
    }

    /// Ends the listening and every connection. Under the lock, so that no number is used after it was closed.
    public func stop() {
        state.withLock { state in
            guard !state.isStopped else { return }
            state.isStopped = true
            shutdown(listener, Int32(SHUT_RDWR))
            for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
        }
    }

    private func acceptLoop() {
        while true {
            let connection = LoopbackSocket.accept(listener)
            if connection < 0, [EINTR, ECONNABORTED].contains(errno) { continue }
            guard connection >= 0 else { break }
            let isStopped = state.withLock { state in
                state.connectionCount += 1
                state.connections.insert(connection)
                return state.isStopped
            }
            openConnections.enter()
            if isStopped { shutdown(connection, Int32(SHUT_RDWR)) }
            Thread.detachNewThread { self.serve(connection) }
        }
        state.withLock { state in
            state.isStopped = true
            _ = close(listener)
        }
    }

    private func serve(_ connection: Int32) {
        var reader = LoopbackReader(connection: connection)
        if let greeting { _ = LoopbackSocket.write(greeting, to: connection) }
        while greeting == nil, let request = reader.next() {
            let number = state.withLock { state in
                state.requests.append(request)
                return state.requests.count
            }
            var numbered = request
            numbered.number = number
            guard send(handler(numbered), to: request, over: connection) else { break }
        }
        state.withLock { state in
            state.connections.remove(connection)
            shutdown(connection, Int32(SHUT_RDWR))
            _ = close(connection)
        }
        openConnections.leave()
    }

    /// False when the connection is to be closed.
    private func send(_ reply: LoopbackReply, to request: LoopbackRequest, over connection: Int32) -> Bool {
        switch reply {
        case .response(let status, let headers, let body):
            return LoopbackSocket.write(
                Self.head(status, headers, length: body.count) + (request.method == "HEAD" ? Data() : body),
                to: connection)
        case .broken(let length, let sent):
            let head = Self.head(200, [], length: length)
            _ = LoopbackSocket.write(head + Data(repeating: 120, count: sent), to: connection)
            return false
        case .stalled(let length, let sent):
            let head = Self.head(200, [], length: length)
            _ = LoopbackSocket.write(head + Data(repeating: 120, count: sent), to: connection)
            LoopbackSocket.waitForEnd(of: connection)
            return false
        case .repeated(let piece, let times):
            let head = Self.head(200, [], length: piece.count * times)
            return LoopbackSocket.write(head, to: connection)
                && (0..<times).allSatisfy { _ in LoopbackSocket.write(piece, to: connection) }
        case .raw(let bytes):
            _ = LoopbackSocket.write(bytes, to: connection)
            return false
        case .held(let bytes):
            _ = LoopbackSocket.write(bytes, to: connection)
            LoopbackSocket.waitForEnd(of: connection)
            return false
        case .drop: return false
        case .silence:
            LoopbackSocket.waitForEnd(of: connection)
            return false
        }
    }

    private static func head(_ status: Int, _ headers: [(String, String)], length: Int) -> Data {
        var lines = ["HTTP/1.1 \(status) Scripted"]
        lines += headers.map { "\($0.0): \($0.1)" }
        if ![204, 304].contains(status) { lines.append("Content-Length: \(length)") }
        return Data((lines + ["", ""]).joined(separator: "\r\n").utf8)
    }
}
