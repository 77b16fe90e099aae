import Foundation

/// A port of 127.0.0.1 where connections are neither made nor refused: its queue is full.
final class FullListener: Sendable {
    struct Failed: Error {}

    let port: Int
    private let sockets: [Int32]

    init() throws {
        #if canImport(Darwin)
        let kind = SOCK_STREAM
        #else
        let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        let listener = socket(AF_INET, kind, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = Self.with(&address) { pointer in
            bind(listener, pointer, length) == 0 && getsockname(listener, pointer, &length) == 0
        }
        guard isBound, listen(listener, 0) == 0 else { throw Failed() }
        port = Int(UInt16(bigEndian: address.sin_port))
        var sockets = [listener]
        for _ in 0..<8 {
            let client = socket(AF_INET, kind, 0)
            _ = fcntl(client, F_SETFL, O_NONBLOCK)
            _ = Self.with(&address) { connect(client, $0, length) }
            sockets.append(client)
        }
        self.sockets = sockets
    }

    func stop() { for socket in sockets { close(socket) } }

    private static func with<Result>(
        _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &address) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body) }
    }
}
