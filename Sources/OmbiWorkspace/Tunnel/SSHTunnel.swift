import OmbiCore
import OmbiProcess

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A process of the system's ssh that forwards connections: a SOCKS proxy on a Unix domain socket, which its owner alone can
/// open. It ends with this value, and with the program, however that ends.
final class SSHTunnel: Sendable {
    struct Failure: Error, Equatable {
        /// A sentence.
        var reason: String
    }

    fileprivate struct State {
        /// The newest lines of its standard error, and the number of those that are no longer kept.
        var lines: [String] = []
        var dropped = 0
        var rest: [UInt8] = []
        /// Nil while it runs.
        var status: Int32?
    }

    private let state = Lock(State())
    private let process: Subprocess
    let path: String
    private let host: SSHHost
    /// The end of a pipe: ssh is ended when it is closed, which the system does with the program.
    private let leash: Int32
    private let errors: Int32

    /// Ends ssh with the leash, and removes the socket. Its arguments are the socket and the command.
    private static let guardian = """
        exec 3<&0
        socket=$1; shift
        "$@" 3<&- </dev/null >/dev/null & child=$!
        { read -r line <&3; kill -9 $child; } >/dev/null 2>&1 & reader=$!
        exec 3<&- 2>/dev/null
        wait $child; status=$?
        kill -9 $reader 2>/dev/null
        rm -f -- "$socket"
        rmdir -- "${socket%/*}" 2>/dev/null
        exit $status
        """

    /// Starts ssh, which knows its hosts, keys and agent itself, and asks nothing.
    /// - Parameter path: that of the socket, in a folder of its own that is there.
    init(_ host: SSHHost, path: String, limit: Duration) throws(Failure) {
        // A guardian that was killed has left it, and it would be taken for the new one.
        unlink(path)
        guard let leash = Subprocess.pipe(), let errors = Subprocess.pipe() else {
            throw Failure(reason: String(cString: strerror(errno)))
        }
        let output = open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer { for descriptor in [leash.read, errors.write, output] { close(descriptor) } }
        do throws(Subprocess.Failure) {
            process = try Subprocess(
                ["/bin/sh", "-c", Self.guardian, "ombi-tunnel", path] + Self.command(host, path, limit),
                files: [0: leash.read, 1: output, 2: errors.write], ownSession: true)
        } catch {
            for descriptor in [leash.write, errors.read] { close(descriptor) }
            throw Failure(reason: error.description)
        }
        _ = fcntl(errors.read, F_SETFL, O_NONBLOCK)
        (self.path, self.host, self.leash, self.errors) = (path, host, leash.write, errors.read)
    }

    private static func command(_ host: SSHHost, _ path: String, _ limit: Duration) -> [String] {
        let options = [
            "BatchMode=yes", "ExitOnForwardFailure=no", "ServerAliveInterval=15", "ServerAliveCountMax=3",
            "LogLevel=INFO", "StreamLocalBindMask=0177", "ConnectTimeout=\(max(1, limit.components.seconds))",
        ]
        return ["ssh", "-N", "-T", "-a", "-x", "-S", "none"] + options.flatMap { ["-o", $0] } + ["-D", path]
            + host.arguments
    }

    deinit {
        close(leash)
        close(errors)
        // Its guardian ends ssh first, and then itself.
        if isRunning { _ = process.wait() }
    }

    /// The proxy that leads through it.
    var proxy: Connection.Proxy { .socket(path) }

    var isRunning: Bool { state.withLock { $0.status == nil } }

    /// Returns when connections can be made.
    func opened(within limit: Duration) async throws(Failure) {
        let deadline = ContinuousClock.now + limit
        while access(path, F_OK) != 0 {
            drain()
            guard isRunning else { throw Failure(reason: ending) }
            guard .now < deadline else { throw Failure(reason: "ssh took more than \(limit.text)") }
            // Nothing tells of a socket that a program begins to listen on.
            do { try await Task.sleep(for: .milliseconds(5)) } catch { throw Failure(reason: "cancelled") }
        }
    }

    private var ending: String {
        let (lines, status) = state.withLock { ($0.lines, $0.status ?? 0) }
        if lines.isEmpty { return "ssh ended with status \(status)" }
        return "ssh: " + lines.suffix(2).joined(separator: " · ")
    }

    /// The place in what it writes, for `complaints(since:)`.
    var mark: Int {
        drain()
        return state.withLock { $0.dropped + $0.lines.count }
    }

    /// Returns the last lines that it wrote since a mark.
    func complaints(since mark: Int) -> [String] {
        drain()
        return state.withLock { state in
            Array(state.lines.dropFirst(max(0, mark - state.dropped)).suffix(2))
        }
    }

    /// Takes what ssh has written so far. Nobody else reads it: a run does when it begins and when it has failed.
    private func drain() {
        state.withLock { state in
            guard state.status == nil else { return }
            // Before the last look at what it wrote.
            let status = process.status
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = Self.read(errors, &buffer)
                guard count > 0 else { break }
                state.take(buffer[..<count])
            }
            state.status = status
        }
    }

    private static func read(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
        #if canImport(Glibc)
        Glibc.read(descriptor, &buffer, buffer.count)
        #else
        Darwin.read(descriptor, &buffer, buffer.count)
        #endif
    }
}

extension SSHTunnel.State {
    private static let maximumLines = 50

    fileprivate mutating func take(_ bytes: ArraySlice<UInt8>) {
        rest += bytes
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            add(rest[..<end])
            rest.removeFirst(end + 1)
        }
        if rest.count > 4096 { rest.removeAll() }
    }

    /// Control characters are escaped: a server writes some of these lines.
    private mutating func add(_ line: ArraySlice<UInt8>) {
        let text = String(decoding: line.prefix(300).filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self).visible
        guard !text.allSatisfy(\.isWhitespace), !text.hasPrefix("Warning: Permanently added") else { return }
        lines.append(text)
        guard lines.count > Self.maximumLines else { return }
        lines.removeFirst()
        dropped += 1
    }
}
