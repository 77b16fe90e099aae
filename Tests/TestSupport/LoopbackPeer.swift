import Foundation

/// A server on 127.0.0.1 that speaks in bytes: a function plays it for each connection, on a thread of its own.
public final class LoopbackPeer: Sendable {
    /// One connection. Every call waits until it is done, or the connection has ended.
    public final class Connection: Sendable {
        private let descriptor: Int32
        private let buffer = LoopbackLock(Data())

        init(_ descriptor: Int32) { self.descriptor = descriptor }

        /// The next bytes that come; nil at the end.
        public func read() -> Data? {
            let kept = buffer.withLock { buffer in
                defer { buffer = Data() }
                return buffer
            }
            if !kept.isEmpty { return kept }
            var chunk = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor, &chunk, chunk.count, 0)
            return count > 0 ? Data(chunk[..<count]) : nil
        }

        /// Puts bytes back that were read too far.
        public func unread(_ bytes: Data) { buffer.withLock { $0 = bytes + $0 } }

        /// False when the other side has gone.
        @discardableResult public func write(_ bytes: Data) -> Bool { LoopbackSocket.write(bytes, to: descriptor) }

        /// Returns when the other side has closed.
        public func waitForEnd() { while read() != nil {} }

        /// Sends nothing more, and still reads.
        public func endWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

        /// Makes the connection end with a reset instead of an end.
        public func reset() {
            var option = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        }
    }

    public typealias Player = @Sendable (Connection) -> Void

    private struct State {
        var connections: [Int32: Connection] = [:]
        var connectionCount = 0
        var isStopped = false
    }

    public let port: Int
    private let listener: Int32
    private let play: Player
    private let state = LoopbackLock(State())

    /// Listens on a free port, until `stop()`. A connection ends when the function returns.
    public init(_ play: @escaping Player) throws {
        self.play = play
        (listener, port) = try LoopbackSocket.listen()
        Thread.detachNewThread { self.acceptLoop() }
    }

    public var host: String { "http://127.0.0.1:\(port)" }

    /// Connections so far.
    public var connectionCount: Int { state.withLock { $0.connectionCount } }

    /// Connections that have not ended.
    public var openCount: Int { state.withLock { $0.connections.count } }

    /// Ends the listening and every connection.
    public func stop() {
        state.withLock { state in
            guard !state.isStopped else { return }
            state.isStopped = true
            shutdown(listener, Int32(SHUT_RDWR))
            for descriptor in state.connections.keys { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    private func acceptLoop() {
        while true {
            let descriptor = accept(listener, nil, nil)
            if descriptor < 0, [EINTR, ECONNABORTED].contains(errno) { continue }
            guard descriptor >= 0 else { break }
            let connection = Connection(descriptor)
            let isStopped = state.withLock { state in
                state.connectionCount += 1
                state.connections[descriptor] = connection
                return state.isStopped
            }
            if isStopped { shutdown(descriptor, Int32(SHUT_RDWR)) }
            Thread.detachNewThread {
                self.play(connection)
                self.state.withLock { state in
                    state.connections[descriptor] = nil
                    _ = close(descriptor)
                }
            }
        }
        state.withLock { _ in _ = close(listener) }
    }
}

extension LoopbackPeer {
    /// A connection of this process to a port of 127.0.0.1: its descriptor, or -1.
    public static func connect(port: Int) -> Int32 { LoopbackSocket.connect(port: port) }
}
