import Foundation
import TestSupport

/// A connection to a server that says nothing: it ends when the server does.
final class Line {
    private let socket: Int32

    init(port: Int) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var patience = timeval(tv_sec: Int(Session.patience), tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(clamping: port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let descriptor = socket
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else { throw StoryFailure("cannot connect to 127.0.0.1:\(port): error \(errno)") }
    }

    deinit { close(socket) }

    /// Whether the other side closed, or broke, the connection in time.
    func waitForEnd() -> Bool {
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, 0) == 0 || errno == ECONNRESET
    }
}

extension VirtualTerminal {
    /// The port of a URL of 127.0.0.1 that shows, by its path.
    func port(before path: String) -> Int? {
        guard let start = text.range(of: "http://127.0.0.1:") else { return nil }
        for part in text[start.lowerBound...].components(separatedBy: "http://127.0.0.1:").dropFirst() {
            let digits = part.prefix { $0.isNumber }
            if part.dropFirst(digits.count).hasPrefix(path), let port = Int(digits) { return port }
        }
        return nil
    }
}
