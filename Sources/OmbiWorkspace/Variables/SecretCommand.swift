#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Runs the program that writes a secret: no shell, no terminal, no input, and a time limit.
struct SecretCommand {
    struct Failure: Error, Equatable {
        /// A sentence without the value.
        var reason: String
    }

    var words: [String]
    /// The folder at which a relative path of the program starts.
    var folder: String
    var limit: Duration = Self.limit

    static let limit: Duration = .seconds(60)
    private static let maximumOutput = 1 << 20

    /// Returns the first line of its standard output. Blocks.
    func value() throws(Failure) -> String {
        guard let pipes = Self.pipes() else { throw Failure(reason: String(cString: strerror(errno))) }
        defer { for descriptor in [pipes.output.read, pipes.errors.read] { close(descriptor) } }
        let started = start(pipes)
        for descriptor in [pipes.output.write, pipes.errors.write] { close(descriptor) }
        let (output, errors, status) = Self.collect(pipes, try started.get(), until: .now + limit)
        let line = output.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        let text = String(validating: line, as: UTF8.self)
        guard let status else {
            let end = output.count > Self.maximumOutput ? "wrote more than 1 MB" : "took more than \(limit.words)"
            throw Failure(reason: "\(name) \(end)")
        }
        guard status == 0 else { throw Failure(reason: explain(status, errors, hiding: text)) }
        guard let text else { throw Failure(reason: "\(name) did not write UTF-8 text") }
        guard !text.isEmpty else { throw Failure(reason: "\(name) wrote nothing on the first line") }
        return text
    }

    private var name: String { words.first ?? "" }

    /// The end of its standard error, without control characters and without the value.
    private func explain(_ status: Int32, _ errors: [UInt8], hiding value: String?) -> String {
        let lines = String(decoding: errors.suffix(2000), as: UTF8.self).split(whereSeparator: \.isNewline).suffix(2)
        let text = lines.joined(separator: " · ").unicodeScalars.reduce(into: "") { text, scalar in
            let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            text += isControl ? scalar.escaped(asASCII: true) : String(scalar)
        }
        let end = status > 128 ? "was ended by signal \(status - 128)" : "failed with status \(status)"
        guard !text.isEmpty else { return "\(name) \(end)" }
        let hidden = value.map { $0.count < 4 ? text : text.replacing($0, with: "••••••") } ?? text
        return "\(name) \(end): \(hidden)"
    }

    // MARK: The process

    private typealias Pipe = (read: Int32, write: Int32)

    private static func pipes() -> (output: Pipe, errors: Pipe)? {
        guard let output = pipe(), let errors = pipe() else { return nil }
        return (output, errors)
    }

    private static func pipe() -> Pipe? {
        var ends: [Int32] = [-1, -1]
        #if canImport(Glibc)
        guard Glibc.pipe(&ends) == 0 else { return nil }
        #else
        guard Darwin.pipe(&ends) == 0 else { return nil }
        #endif
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private func start(_ pipes: (output: Pipe, errors: Pipe)) -> Result<pid_t, Failure> {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Self.newSession)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, pipes.output.write, 1)
        posix_spawn_file_actions_adddup2(&actions, pipes.errors.write, 2)
        Self.closeOthersOnStart()
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var pid = pid_t()
        let program = name.contains("/") ? RelativePath.resolve(name, folder: folder) : name
        let code = posix_spawnp(&pid, program, &actions, &attributes, &arguments, environ)
        guard code == 0 else {
            return .failure(Failure(reason: "cannot run \(name): \(String(cString: strerror(code)))"))
        }
        return .success(pid)
    }

    /// `POSIX_SPAWN_SETSID`, which not every Swift imports.
    #if canImport(Darwin)
    private static let newSession: Int16 = 0x400
    #else
    private static let newSession: Int16 = 0x80
    #endif

    /// The program inherits no connection of a library, and nothing of the screen.
    private static func closeOthersOnStart() {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd")) ?? [] {
            guard let descriptor = Int32(name), descriptor > 2 else { continue }
            let flags = fcntl(descriptor, F_GETFD)
            if flags >= 0, flags & FD_CLOEXEC == 0 { _ = fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC) }
        }
    }

    /// Reads both pipes until the program has ended. The status is nil where it had to be killed.
    private static func collect(
        _ pipes: (output: Pipe, errors: Pipe), _ process: pid_t, until deadline: ContinuousClock.Instant
    ) -> (output: [UInt8], errors: [UInt8], status: Int32?) {
        var (output, errors): ([UInt8], [UInt8]) = ([], [])
        var waits = [pipes.output.read, pipes.errors.read].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var status: Int32?
        while output.count <= maximumOutput, .now < deadline {
            // A process that it left in the background may keep the pipes open.
            let hasEnded = status != nil
            let isOpen = waits.contains { $0.fd >= 0 }
            _ = poll(&waits, 2, hasEnded ? 0 : isOpen ? 50 : 5)
            var isQuiet = true
            for index in waits.indices where waits[index].fd >= 0 && waits[index].revents != 0 {
                isQuiet = false
                let bytes = more(waits[index].fd)
                if bytes.isEmpty { waits[index].fd = -1 }
                if index == 0 { output += bytes } else { errors = (errors + bytes).suffix(4096) }
            }
            if hasEnded, isQuiet { return (output, errors, status) }
            var ended: Int32 = 0
            if !hasEnded, waitpid(process, &ended, WNOHANG) == process {
                status = ended & 0x7F == 0 ? (ended >> 8) & 0xFF : 128 + (ended & 0x7F)
            }
        }
        kill(-process, SIGKILL)
        var ended: Int32 = 0
        if status == nil { while waitpid(process, &ended, 0) < 0, errno == EINTR {} }
        return (output, errors, nil)
    }

    /// Empty at the end.
    private static func more(_ descriptor: Int32) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(descriptor, &buffer, buffer.count)
        return Array(buffer.prefix(max(0, count)))
    }
}

extension Duration {
    fileprivate var words: String { "\(components.seconds) s" }
}
