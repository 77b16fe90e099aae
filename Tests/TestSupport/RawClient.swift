import Foundation

/// A connection to a port of 127.0.0.1 that says what a test wants.
public final class RawClient: Sendable {
    private let socket: Int32

    public init(port: Int) throws {
        guard let connected = LoopbackSocket.connected(port: port) else {
            throw LoopbackServer.StartFailed(step: "connect", code: errno)
        }
        socket = connected
    }

    deinit { close(socket) }

    public func write(_ text: String) { _ = LoopbackSocket.write(Data(text.utf8), to: socket) }

    /// What comes until the other side closes.
    public func readToEnd() -> String {
        var all: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(socket, &chunk, chunk.count, 0)
            guard count > 0 else { return String(decoding: all, as: UTF8.self) }
            all += chunk[..<count]
        }
    }
}
