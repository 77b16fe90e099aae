#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The socket calls of a tape. Nothing blocks but `poll`, and child processes inherit no descriptor.
enum TapeSocket {
    #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue)
    private static let sending = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
    #else
    private static let stream = SOCK_STREAM
    private static let sending = MSG_DONTWAIT
    #endif

    /// Returns true for the text of an IPv4 address.
    static func isAddress(_ text: String) -> Bool { address(text) != nil }

    /// Returns true for an address that only programs of this machine reach.
    static func isLoopback(_ text: String) -> Bool {
        guard let number = address(text)?.s_addr else { return false }
        return UInt32(bigEndian: number) >> 24 == 127
    }

    private static func address(_ text: String) -> in_addr? {
        var parsed = in_addr()
        return inet_pton(AF_INET, text, &parsed) == 1 ? parsed : nil
    }

    /// Returns nil on failure, with the reason in `errno`.
    static func listening(host: String, port: Int) -> (socket: Int32, port: Int)? {
        guard let number = UInt16(exactly: port), let bound = address(host) else {
            errno = EINVAL
            return nil
        }
        let listener = socket(AF_INET, stream, 0)
        guard listener >= 0 else { return nil }
        var yes: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = number.bigEndian
        place.sin_addr = bound
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(listener, pointer, length) == 0 && getsockname(listener, pointer, &length) == 0
            }
        }
        guard isBound, isPrepared(listener), listen(listener, 128) == 0 else {
            let reason = errno
            close(listener)
            errno = reason
            return nil
        }
        return (listener, Int(UInt16(bigEndian: place.sin_port)))
    }

    /// Returns nil on failure, with the reason in `errno`.
    static func pipeEnds() -> (reading: Int32, writing: Int32)? {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Returns a connection; nil for one that is gone already.
    static func connection(from listener: Int32) -> Int32? {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { return nil }
        guard isPrepared(connection) else {
            close(connection)
            return nil
        }
        #if canImport(Darwin)
        var yes: Int32 = 1
        setsockopt(connection, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
        #endif
        return connection
    }

    private static func isPrepared(_ socket: Int32) -> Bool {
        fcntl(socket, F_SETFD, FD_CLOEXEC) == 0 && fcntl(socket, F_SETFL, O_NONBLOCK) == 0
    }

    /// Returns what has come, nothing if nothing has; nil at the end of the connection.
    static func received(from connection: Int32) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(connection, &buffer, buffer.count, 0)
        if count < 0 { return errno == EAGAIN || errno == EINTR ? [] : nil }
        return count == 0 ? nil : Array(buffer[..<count])
    }

    /// Returns the number of bytes that the system took; nil where the client is gone.
    static func sent(_ bytes: ArraySlice<UInt8>, to connection: Int32) -> Int? {
        if bytes.isEmpty { return 0 }
        let count = bytes.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, sending) }
        if count < 0 { return errno == EAGAIN || errno == EINTR ? 0 : nil }
        return count
    }

    /// Ends a connection: what was sent still arrives.
    static func finish(_ connection: Int32) {
        shutdown(connection, Int32(SHUT_WR))
        close(connection)
    }
}
