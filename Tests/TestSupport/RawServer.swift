import Foundation

/// A server on 127.0.0.1 that does with each connection what a script says, byte for byte.
public final class RawServer: Sendable {
    public typealias Script = @Sendable (RawConnection) -> Void

    private struct State {
        var open: [Int32: RawConnection] = [:]
        var count = 0
        var isStopped = false
    }

    public let port: Int
    private let listener: Int32
    private let script: Script
    private let state = LoopbackLock(State())

    /// The script runs on a thread of its own for each connection, which is closed when it returns.
    public init(_ script: @escaping Script) throws {
        self.script = script
        (listener, port) = try LoopbackSocket.listen()
        Thread.detachNewThread { self.acceptLoop() }
    }

    public var host: String { "http://127.0.0.1:\(port)" }

    public var connectionCount: Int { state.withLock { $0.count } }

    /// Connections that have not ended.
    public var openCount: Int { state.withLock { $0.open.count } }

    /// Ends the listening and every connection.
    public func stop() {
        state.withLock { state in
            guard !state.isStopped else { return }
            state.isStopped = true
            shutdown(listener, Int32(SHUT_RDWR))
            for descriptor in state.open.keys { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    private func acceptLoop() {
        while true {
            let descriptor = LoopbackSocket.accept(listener)
            if descriptor < 0, [EINTR, ECONNABORTED].contains(errno) { continue }
            guard descriptor >= 0 else { break }
            let connection = RawConnection(descriptor: descriptor)
            let isStopped = state.withLock { state in
                state.count += 1
                state.open[descriptor] = connection
                return state.isStopped
            }
            if isStopped { shutdown(descriptor, Int32(SHUT_RDWR)) }
            Thread.detachNewThread {
                self.script(connection)
                // Under the lock, so that `stop` uses no number that was closed.
                self.state.withLock { state in
                    state.open[descriptor] = nil
                    connection.close()
                }
            }
        }
        close(listener)
    }
}

/// One connection, as the server sees it. Belongs to the thread of its script.
public final class RawConnection: @unchecked Sendable {
    private let descriptor: Int32
    private var buffer = Data()

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// The head of the next request, with its blank line; nil at the end of the connection. The body is left where it is.
    public func readHead() -> String? {
        let end = Data("\r\n\r\n".utf8)
        while true {
            if let range = buffer.range(of: end) {
                let head = String(decoding: buffer[..<range.upperBound], as: UTF8.self)
                buffer = Data(buffer[range.upperBound...])
                return head
            }
            guard fill() else { return nil }
        }
    }

    /// nil when fewer come.
    public func read(_ count: Int) -> Data? {
        while buffer.count < count { guard fill() else { return nil } }
        defer { buffer = Data(buffer.dropFirst(count)) }
        return Data(buffer.prefix(count))
    }

    /// What has come, at least one byte; nil at the end.
    public func readSome() -> Data? {
        guard !buffer.isEmpty || fill() else { return nil }
        defer { buffer = Data() }
        return buffer
    }

    /// Puts bytes back that were read too far.
    public func unread(_ bytes: Data) { buffer = bytes + buffer }

    /// Up to a NUL.
    public func readText() -> String? {
        var bytes: [UInt8] = []
        while let byte = read(1)?.first {
            if byte == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        return nil
    }

    /// Passes everything on to and from a port of 127.0.0.1, until both sides have ended.
    public func join(port: Int) {
        guard let other = LoopbackSocket.connected(port: port) else { return }
        let back = DispatchSemaphore(value: 0)
        let descriptor = descriptor
        Thread.detachNewThread {
            LoopbackSocket.pass(from: other, to: descriptor)
            back.signal()
        }
        LoopbackSocket.write(buffer, to: other)
        LoopbackSocket.pass(from: descriptor, to: other)
        back.wait()
        Foundation.close(other)
    }

    /// False when the other side has closed.
    @discardableResult public func send(_ bytes: Data) -> Bool { LoopbackSocket.write(bytes, to: descriptor) }

    @discardableResult public func send(_ text: String) -> Bool { send(Data(text.utf8)) }

    /// Reads until the other side has closed.
    public func waitForEnd() {
        repeat { buffer = Data() } while fill()
    }

    /// Ends the connection so that the other side gets an error.
    public func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    }

    /// Ends what is sent, and goes on reading.
    public func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    fileprivate func close() { _ = Foundation.close(descriptor) }

    private func fill() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        guard count > 0 else { return false }
        buffer.append(contentsOf: chunk[..<count])
        return true
    }
}
