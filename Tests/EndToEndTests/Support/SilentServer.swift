import Foundation
import TestSupport

/// A server on a free port of 127.0.0.1 that takes one connection, never answers, and knows when it ends.
final class SilentServer: Sendable {
    let port: Int
    private let listener: Int32
    private let connected = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    init() throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let listens = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0 && getsockname(descriptor, pointer, &length) == 0
                    && listen(descriptor, 8) == 0
            }
        }
        guard listens else { throw StoryFailure("cannot listen: error \(errno)") }
        port = Int(UInt16(bigEndian: address.sin_port))
        // The thread holds the server, so that the socket is closed when neither needs it any more.
        Thread.detachNewThread { self.serve() }
    }

    deinit { close(listener) }

    private func serve() {
        let connection = LoopbackSocket.accept(listener)
        guard connection >= 0 else { return }
        var bytes = [UInt8](repeating: 0, count: 4096)
        while recv(connection, &bytes, bytes.count, 0) > 0 { connected.signal() }
        close(connection)
        ended.signal()
    }

    /// Whether a client came and asked.
    func waitForRequest() -> Bool { connected.wait(timeout: .now() + Session.patience) == .success }

    /// Whether the client closed its connection.
    func waitForEndOfConnection() -> Bool {
        defer { ended.signal() }
        return ended.wait(timeout: .now() + Session.patience) == .success
    }

    /// Lets the thread go that may still wait for a client.
    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }
}
