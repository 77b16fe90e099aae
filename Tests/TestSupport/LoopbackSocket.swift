import Foundation

/// The few socket calls that the loopback servers need.
public enum LoopbackSocket {
    #if canImport(Darwin)
    private static let stream = SOCK_STREAM
    private static let noSignal: Int32 = 0
    #else
    /// Programs that are started meanwhile would keep a port.
    private static let stream = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    private static let noSignal = Int32(MSG_NOSIGNAL)
    #endif

    /// A free port for a program that listens by itself: none of those that the system gives to whoever asks for any, so
    /// that nobody takes it meanwhile.
    static func freePort() throws -> Int {
        while true {
            let port = Int.random(in: 20_000..<32_000)
            let isNew = givenPorts.withLock { $0.insert(port).inserted }
            guard isNew, let (socket, _) = try? listen(port: port) else { continue }
            close(socket)
            return port
        }
    }

    private static let givenPorts = LoopbackLock<Set<Int>>([])

    /// A listening socket on 127.0.0.1.
    /// - Parameter port: 0 for any that is free.
    static func listen(port: Int = 0) throws -> (socket: Int32, port: Int) {
        let listener = socket(AF_INET, stream, 0)
        guard listener >= 0 else { throw LoopbackServer.StartFailed(step: "socket", code: errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(listener, pointer, length) == 0 && getsockname(listener, pointer, &length) == 0
            }
        }
        guard bound else {
            defer { close(listener) }
            throw LoopbackServer.StartFailed(step: "bind", code: errno)
        }
        #if canImport(Darwin)
        let listening = Darwin.listen(listener, 512)
        #else
        let listening = Glibc.listen(listener, 512)
        #endif
        guard listening == 0 else { throw LoopbackServer.StartFailed(step: "listen", code: errno) }
        return (listener, Int(UInt16(bigEndian: address.sin_port)))
    }

    /// The next connection, negative with an `errno` when there is none. Programs started later inherit no part of it: a
    /// connection that one of them holds is neither closed nor reset when its server does that.
    public static func accept(_ listener: Int32) -> Int32 {
        #if canImport(Darwin)
        let connection = Darwin.accept(listener, nil, nil)
        #else
        let connection = Glibc.accept(listener, nil, nil)
        #endif
        if connection >= 0 { _ = fcntl(connection, F_SETFD, FD_CLOEXEC) }
        return connection
    }

    static func canConnect(port: Int) -> Bool {
        guard let client = connected(port: port) else { return false }
        close(client)
        return true
    }

    static func connected(port: Int) -> Int32? {
        let client = socket(AF_INET, stream, 0)
        guard client >= 0 else { return nil }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(client, $0, length) == 0 }
        }
        if isConnected { return client }
        close(client)
        return nil
    }

    /// All that comes, and then the end.
    static func pass(from source: Int32, to target: Int32) {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(source, &chunk, chunk.count, 0)
            guard count > 0, write(Data(chunk[..<count]), to: target) else { break }
        }
        shutdown(target, Int32(SHUT_WR))
    }

    /// A listening socket of the Unix domain. What is there by that name goes.
    static func listen(path: String) throws -> Int32 {
        let listener = socket(AF_UNIX, stream, 0)
        guard listener >= 0 else { throw LoopbackServer.StartFailed(step: "socket", code: errno) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw LoopbackServer.StartFailed(step: "path", code: ENAMETOOLONG)
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        unlink(path)
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isListening = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, length) == 0 }
        }
        #if canImport(Darwin)
        let code = Darwin.listen(listener, 512)
        #else
        let code = Glibc.listen(listener, 512)
        #endif
        guard isListening, code == 0 else { throw LoopbackServer.StartFailed(step: "bind", code: errno) }
        return listener
    }

    @discardableResult static func write(_ data: Data, to connection: Int32) -> Bool {
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
