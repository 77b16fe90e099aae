import Foundation

/// A server on 127.0.0.1 that does to each connection, byte by byte, what a test says: for what `LoopbackServer` is too well
/// behaved for.
public final class ConversationServer: Sendable {
    /// One connection. Everything blocks.
    public struct Peer: Sendable {
        let socket: Int32

        /// As it came, up to and including the marker; nil at the end of the connection.
        public func read(through marker: String) -> String? {
            let end = Array(marker.utf8)
            var bytes: [UInt8] = []
            var byte: UInt8 = 0
            while bytes.suffix(end.count) != end[...] {
                guard recv(socket, &byte, 1, 0) == 1 else { return nil }
                bytes.append(byte)
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        /// The header of a request, with the blank line.
        public func readHead() -> String? { read(through: "\r\n\r\n") }

        /// At most so many bytes; empty at the end of the connection.
        public func read(_ count: Int) -> Data {
            var bytes = [UInt8](repeating: 0, count: count)
            let count = recv(socket, &bytes, count, 0)
            return Data(bytes.prefix(max(count, 0)))
        }

        /// False when nobody listens any more.
        @discardableResult public func write(_ text: String) -> Bool { write(Data(text.utf8)) }
        @discardableResult public func write(_ data: Data) -> Bool { LoopbackSocket.write(data, to: socket) }

        /// Returns when the other side closes.
        public func waitForEnd() { LoopbackSocket.waitForEnd(of: socket) }
    }

    private struct State {
        var connections: Set<Int32> = []
        var count = 0
        var isStopped = false
    }

    public let port: Int
    private let listener: Int32
    private let state = LoopbackLock(State())

    /// `talk` is called on a thread of its own for each connection, with its number from 1. The connection is closed when it
    /// returns.
    public init(_ talk: @escaping @Sendable (Peer, Int) -> Void) throws {
        (listener, port) = try LoopbackSocket.listen()
        Thread.detachNewThread { [self] in
            while let (connection, number) = next() {
                Thread.detachNewThread { [self] in
                    talk(Peer(socket: connection), number)
                    end(connection)
                }
            }
            close(listener)
        }
    }

    public var host: String { "http://127.0.0.1:\(port)" }
    public var connectionCount: Int { state.withLock { $0.count } }

    public func stop() {
        state.withLock { state in
            state.isStopped = true
            shutdown(listener, Int32(SHUT_RDWR))
            for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
        }
    }

    private func next() -> (Int32, Int)? {
        while true {
            let connection = LoopbackSocket.accept(listener)
            if connection < 0, errno == EINTR { continue }
            guard connection >= 0 else { return nil }
            return state.withLock { state in
                state.count += 1
                state.connections.insert(connection)
                if state.isStopped { shutdown(connection, Int32(SHUT_RDWR)) }
                return (connection, state.count)
            }
        }
    }

    private func end(_ connection: Int32) {
        state.withLock { state in
            state.connections.remove(connection)
            shutdown(connection, Int32(SHUT_RDWR))
            _ = close(connection)
        }
    }
}
