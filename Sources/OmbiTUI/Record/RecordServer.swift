import OmbiBase
import OmbiCore

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A reverse proxy on loopback. All connections of clients are one loop on the thread of the caller; the transport has
/// those of the target.
final class RecordServer: Sendable {
    /// The reason why there is no server.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The reasons for which the loop wakes up.
    private struct Signals {
        var isWritten = false
        var isStopped = false
    }

    let host: String
    let port: Int
    private let listener: Int32
    /// A pipe; a byte in it wakes the loop up.
    private let pipe: (reading: Int32, writing: Int32)
    private let signals = Lock(Signals())

    /// Other clients wait until one has finished.
    static let maximumConnections = 64

    /// - Parameters:
    ///   - host: a loopback address of IPv4.
    ///   - port: 0 for any that is free.
    init(host: String, port: Int) throws(Failure) {
        guard let listening = TapeSocket.listening(host: host, port: port) else {
            throw Failure(
                description: "cannot listen on port \(port) of \(host): \(String(cString: strerror(errno)))")
        }
        guard let pipe = TapeSocket.pipeEnds() else {
            let reason = String(cString: strerror(errno))
            close(listening.socket)
            throw Failure(description: "cannot listen on \(host): \(reason)")
        }
        (listener, self.port) = listening
        (self.host, self.pipe) = (host, pipe)
    }

    deinit { for descriptor in [listener, pipe.reading, pipe.writing] { close(descriptor) } }

    var url: String { "http://\(host):\(port)" }

    /// Ends `run`, from any thread.
    func stop() { signal { $0.isStopped = true } }

    private func wake() { signal { _ in } }

    private func signal(_ change: (inout Signals) -> Void) {
        let isNew = signals.withLock { signals -> Bool in
            change(&signals)
            defer { signals.isWritten = true }
            return !signals.isWritten
        }
        guard isNew else { return }
        var byte: UInt8 = 0
        _ = write(pipe.writing, &byte, 1)
    }

    /// Returns true after `stop`.
    private func takeSignals() -> Bool {
        var byte: UInt8 = 0
        _ = read(pipe.reading, &byte, 1)
        return signals.withLock { signals -> Bool in
            signals.isWritten = false
            return signals.isStopped
        }
    }

    /// Passes requests on until `stop`.
    /// - Parameter onEvent: called on the same thread.
    func run(_ target: ProxyTarget, onEvent: @escaping (ProxyConnection.Event) -> Void) {
        var open: [(socket: Int32, connection: ProxyConnection)] = []
        defer {
            for (socket, connection) in open {
                connection.end()
                close(socket)
            }
        }
        while true {
            var polled = [pollfd(fd: pipe.reading, events: Int16(POLLIN), revents: 0)]
            // A descriptor of -1 is skipped.
            let hasRoom = open.count < Self.maximumConnections
            polled.append(pollfd(fd: hasRoom ? listener : -1, events: Int16(POLLIN), revents: 0))
            polled += open.map { pollfd(fd: $0.socket, events: Self.events(of: $0.connection), revents: 0) }
            let timeout = Self.timeout(open.compactMap { $0.connection.deadline })
            if poll(&polled, nfds_t(polled.count), timeout) < 0 {
                guard errno == EINTR else { return }
                continue
            }
            if polled[0].revents != 0, takeSignals() { return }
            for (index, events) in polled.dropFirst(2).map(\.revents).enumerated() {
                Self.advance(open[index].connection, open[index].socket, events)
            }
            for ended in open where ended.connection.isEnded { close(ended.socket) }
            open.removeAll { $0.connection.isEnded }
            if polled[1].revents != 0, let socket = TapeSocket.connection(from: listener) {
                let connection = ProxyConnection(
                    target, at: ContinuousClock.now, wake: { [weak self] in self?.wake() }, onEvent: onEvent)
                open.append((socket, connection))
            }
        }
    }

    private static func events(of connection: ProxyConnection) -> Int16 {
        Int16(connection.isReading ? POLLIN : 0) | Int16(connection.unsent.isEmpty ? 0 : POLLOUT)
    }

    /// In milliseconds, rounded up; -1 for no limit.
    private static func timeout(_ deadlines: [ContinuousClock.Instant]) -> CInt {
        guard let next = deadlines.min() else { return -1 }
        let rest = next - ContinuousClock.now
        return CInt(clamping: Int(max(0, rest.milliseconds)) + 1)
    }

    private static func advance(_ connection: ProxyConnection, _ socket: Int32, _ events: Int16) {
        if events & Int16(POLLERR | POLLNVAL) != 0 { return connection.end() }
        if events & Int16(POLLIN | POLLHUP) != 0 {
            if connection.isReading {
                guard let bytes = TapeSocket.received(from: socket) else { return connection.receiveEnd() }
                connection.receive(bytes, at: ContinuousClock.now)
            } else if events & Int16(POLLHUP) != 0 {
                return connection.end()
            }
        }
        repeat {
            connection.advance(at: ContinuousClock.now)
            let unsent = connection.unsent
            guard !unsent.isEmpty else { break }
            guard let count = TapeSocket.sent(unsent, to: socket) else { return connection.end() }
            connection.didSend(count, at: ContinuousClock.now)
            if count < unsent.count { break }
        } while !connection.isEnded
        if connection.isFinishing {
            shutdown(socket, Int32(SHUT_WR))
            connection.didFinish(at: ContinuousClock.now)
        }
        if let deadline = connection.deadline, deadline <= ContinuousClock.now { connection.end() }
    }
}
