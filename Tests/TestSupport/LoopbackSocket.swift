import Foundation

/// The few socket calls that the loopback server needs.
enum LoopbackSocket {
    #if canImport(Darwin)
    private static let stream = SOCK_STREAM
    private static let noSignal: Int32 = 0
    #else
    private static let stream = Int32(SOCK_STREAM.rawValue)
    private static let noSignal = Int32(MSG_NOSIGNAL)
    #endif

    /// A listening socket on a free port of 127.0.0.1.
    static func listen() throws -> (socket: Int32, port: Int) {
        let listener = socket(AF_INET, stream, 0)
        guard listener >= 0 else { throw LoopbackServer.StartFailed(step: "socket", code: errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(listener, pointer, length) == 0 && getsockname(listener, pointer, &length) == 0
            }
        }
        guard bound else { throw LoopbackServer.StartFailed(step: "bind", code: errno) }
        #if canImport(Darwin)
        let listening = Darwin.listen(listener, 512)
        #else
        let listening = Glibc.listen(listener, 512)
        #endif
        guard listening == 0 else { throw LoopbackServer.StartFailed(step: "listen", code: errno) }
        return (listener, Int(UInt16(bigEndian: address.sin_port)))
    }

    /// A connection to a port of 127.0.0.1; -1 when nobody listens there.
    static func connect(port: Int) -> Int32 {
        let connection = socket(AF_INET, stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Foundation.connect(connection, $0, size) == 0 }
        }
        guard !isConnected else { return connection }
        close(connection)
        return -1
    }

    static func write(_ data: Data, to connection: Int32) -> Bool {
        data.withUnsafeBytes { bytes in
            var offset = 0
            while offset < bytes.count {
                let count = send(connection, bytes.baseAddress! + offset, bytes.count - offset, noSignal)
                if count <= 0 { return false }
                offset += count
            }
            return true
        }
    }

    /// Returns when the other side closes.
    static func waitForEnd(of connection: Int32) {
        var byte: UInt8 = 0
        while recv(connection, &byte, 1, 0) > 0 {}
    }
}
