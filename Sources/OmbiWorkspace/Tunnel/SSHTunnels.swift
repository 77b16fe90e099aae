import OmbiCore

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

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

    /// Returns the path of a socket, whose folder is there and is nobody else's.
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
