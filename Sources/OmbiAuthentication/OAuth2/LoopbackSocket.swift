#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

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
        #if canImport(Darwin)
        let result = isListening ? Darwin.listen(listener, 16) : -1
        #elseif canImport(Musl)
        let result = isListening ? Musl.listen(listener, 16) : -1
        #else
        let result = isListening ? Glibc.listen(listener, 16) : -1
        #endif
        guard result == 0 else {
            let reason = errno
            close(listener)
            errno = reason
            return nil
        }
        return (listener, Int(UInt16(bigEndian: address.sin_port)))
    }

    static func pipe() -> Pipe? {
        var ends: [Int32] = [0, 0]
        #if canImport(Darwin)
        let result = Darwin.pipe(&ends)
        #elseif canImport(Musl)
        let result = Musl.pipe(&ends)
        #else
        let result = Glibc.pipe(&ends)
        #endif
        guard result == 0, ends.allSatisfy(isClosedOnExec) else { return nil }
        return (ends[0], ends[1])
    }

    static func accept(from listener: Int32) -> Int32? {
        #if canImport(Darwin)
        let connection = Darwin.accept(listener, nil, nil)
        var yes: Int32 = 1
        setsockopt(connection, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
        #elseif canImport(Musl)
        let connection = Musl.accept(listener, nil, nil)
        #else
        let connection = Glibc.accept(listener, nil, nil)
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
