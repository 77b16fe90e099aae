import OmbiPlatform
import OmbiProcess

/// The tunnels of a session: one for each environment and host, started when first used, and again when it has ended.
final class SSHTunnels: Sendable {
    struct Key: Hashable, Sendable {
        var file: String
        var environment: String?
        var host: SSHHost
    }

    private struct State {
        /// The folder of the sockets; nil before the first.
        var folder: String?
        /// The number of a tunnel names its socket, the same one for the life of the session: connections and tokens are kept by
        /// it.
        var numbers: [Key: Int] = [:]
        var open: [Key: SSHTunnel] = [:]
        var opening: [Key: Task<Result<SSHTunnel, SSHTunnel.Failure>, Never>] = [:]
    }

    private let state = Lock(State())

    /// Returns a tunnel that takes connections. Runs that need the same one wait for it together.
    func tunnel(_ key: Key, within limit: Duration) async -> Result<SSHTunnel, SSHTunnel.Failure> {
        let task = state.withLock { state -> Task<Result<SSHTunnel, SSHTunnel.Failure>, Never> in
            if let tunnel = state.open[key] {
                _ = tunnel.mark
                if tunnel.isRunning { return Task { .success(tunnel) } }
                state.open[key] = nil
            }
            if let task = state.opening[key] { return task }
            let task = Task { [self] in
                let result = await start(key, within: limit)
                self.state.withLock { state in
                    state.opening[key] = nil
                    if case .success(let tunnel) = result { state.open[key] = tunnel }
                }
                return result
            }
            state.opening[key] = task
            return task
        }
        return await task.value
    }

    private func start(_ key: Key, within limit: Duration) async -> Result<SSHTunnel, SSHTunnel.Failure> {
        do throws(SSHTunnel.Failure) {
            let tunnel = try SSHTunnel(key.host, path: try path(key), limit: limit)
            try await tunnel.opened(within: limit + .seconds(15))
            return .success(tunnel)
        } catch {
            return .failure(error)
        }
    }

    /// Returns the path of a socket, in an existing folder that only the user may access.
    private func path(_ key: Key) throws(SSHTunnel.Failure) -> String {
        let (folder, number) = state.withLock { state in
            let number = state.numbers[key] ?? state.numbers.count + 1
            state.numbers[key] = number
            if state.folder == nil { state.folder = Self.makeFolder() }
            return (state.folder, number)
        }
        guard let folder, Self.isOwn(folder) else {
            throw SSHTunnel.Failure(reason: "no folder for its socket: \(String(cString: strerror(errno)))")
        }
        return "\(folder)/\(number)"
    }

    /// A path of a socket has about 100 bytes at most, and ssh reads percent signs in it.
    private static func makeFolder() -> String? {
        let places = ["XDG_RUNTIME_DIR", "TMPDIR"].compactMap { (name: String) in
            getenv(name).map { String(cString: $0) }
        }
        for place in places + ["/tmp"] where place.hasPrefix("/") && place.utf8.count < 70 && !place.contains("%") {
            var template = (place + "/ombi-ssh-XXXXXX").utf8CString
            let isMade = template.withUnsafeMutableBufferPointer { buffer in
                buffer.baseAddress.map { mkdtemp($0) != nil } ?? false
            }
            if isMade { return template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } } }
        }
        return nil
    }

    /// Makes the folder again where the last tunnel has removed it.
    private static func isOwn(_ folder: String) -> Bool {
        if mkdir(folder, 0o700) == 0 { return true }
        var status = stat()
        return lstat(folder, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
            && status.st_mode & 0o077 == 0
    }
}

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

    /// Starts ssh, which knows its hosts, keys and agent, without any prompt.
    /// - Parameter path: The path of the socket, in an existing folder of its own.
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
        (self.path, self.leash, self.errors) = (path, leash.write, errors.read)
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
        return Self.quote(Array(lines.suffix(2)))
    }

    /// Returns the words of ssh in a sentence: `ssh: Could not resolve hostname …`. It names itself in some of its lines.
    static func quote(_ lines: [String]) -> String {
        "ssh: " + lines.map { $0.trimmingPrefix("ssh: ") }.joined(separator: " · ")
    }

    /// The position in the output of ssh, for `complaints(since:)`.
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

    /// Reads the output of ssh so far. Only runs call this: when they begin, and when they have failed.
    private func drain() {
        state.withLock { state in
            guard state.status == nil else { return }
            // Before the last look at what it wrote.
            let status = process.status
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = OmbiPlatform.read(errors, &buffer, buffer.count)
                guard count > 0 else { break }
                state.take(buffer[..<count])
            }
            state.status = status
        }
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
