import Dispatch
import OmbiPlatform

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A program started by this one.
package struct Subprocess {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Its group, too, with a session of its own.
    package let pid: pid_t

    /// Starts a program by its path, or by a name that is looked for in `PATH`, with the default signals, none of them blocked, and the descriptors 0 to 2 only: it inherits no connection of
    /// a library, and nothing of the screen.
    /// - Parameters:
    ///   - files: the child's descriptors, each with the one of ours that it duplicates.
    ///   - ownSession: true makes it a session leader: its children can be killed with it, and none of them has a
    ///     terminal to write to.
    ///   - environment: the variables that it has besides ours, or instead of ours of the same name.
    package init(
        _ arguments: [String], files: [Int32: Int32] = [:], ownSession: Bool = false,
        environment: [String: String] = [:]
    ) throws(Failure) {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        // Threads of pools block all signals, and a program would go on blocking them.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK) | (ownSession ? Self.newSession : 0))
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (child, ours) in files { posix_spawn_file_actions_adddup2(&actions, ours, child) }
        if Self.closeFrom.map({ $0(&actions, 3) }) != 0 { Self.closeOthersOnStart() }
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var pid = pid_t()
        var variables = environment.isEmpty ? [] : Self.variables(with: environment)
        defer { variables.forEach { free($0) } }
        let code =
            environment.isEmpty
            ? posix_spawnp(&pid, arguments[0], &actions, &attributes, &words, environ)
            : posix_spawnp(&pid, arguments[0], &actions, &attributes, &words, &variables)
        guard code == 0 else {
            throw Failure(description: "cannot run \(arguments[0]): \(String(cString: strerror(code)))")
        }
        self.pid = pid
    }

    /// Returns copies of our variables and of new ones, with nil at the end.
    private static func variables(with new: [String: String]) -> [UnsafeMutablePointer<CChar>?] {
        var all: [UnsafeMutablePointer<CChar>?] = []
        var index = 0
        while let entry = environ[index] {
            let name = String(String(cString: entry).prefix { $0 != "=" })
            if new[name] == nil { all.append(strdup(entry)) }
            index += 1
        }
        for (name, value) in new { all.append(strdup("\(name)=\(value)")) }
        return all + [nil]
    }

    /// `POSIX_SPAWN_SETSID`, which not every Swift imports.
    #if canImport(Darwin)
    private static let newSession: Int16 = 0x400
    #else
    private static let newSession: Int16 = 0x80
    #endif

    private typealias CloseFrom = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, CInt) -> CInt

    /// `posix_spawn_file_actions_addclosefrom_np`, which closes in the child; nil where the system has none. Swift does not
    /// import it.
    private static let closeFrom = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map {
        unsafeBitCast($0, to: CloseFrom.self)
    }

    /// Libraries open theirs without close-on-exec. One that is opened between this and the start is still inherited.
    private static func closeOthersOnStart() {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd")) ?? [] {
            guard let descriptor = Int32(name), descriptor > 2 else { continue }
            let flags = fcntl(descriptor, F_GETFD)
            if flags >= 0, flags & FD_CLOEXEC == 0 { _ = fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC) }
        }
    }

    /// Waits for it to exit. Returns its exit status, or 128 plus the number of the signal that ended it.
    package func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return Self.exitStatus(status)
    }

    /// Waits for it to exit, but not longer than a limit. Returns nil where it still runs.
    package func wait(atMost limit: Duration) -> Int32? {
        let hasEnded = DispatchSemaphore(value: 0)
        let pid = pid
        // Its number stays taken until `wait` collects the status.
        DispatchQueue.global(qos: .utility).async {
            var information = siginfo_t()
            while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
            hasEnded.signal()
        }
        let (seconds, attoseconds) = limit.components
        let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
        return hasEnded.wait(timeout: .now() + .nanoseconds(nanoseconds)) == .success ? wait() : nil
    }

    /// The exit status without waiting; nil while it runs. It is returned once.
    package var status: Int32? {
        var status: Int32 = 0
        return waitpid(pid, &status, WNOHANG) == pid ? Self.exitStatus(status) : nil
    }

    private static func exitStatus(_ status: Int32) -> Int32 {
        status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }
}

extension Subprocess {
    package typealias Pipe = (read: Int32, write: Int32)

    /// Creates a pipe that no program inherits; nil, with `errno`, where there are too many.
    package static func pipe() -> Pipe? {
        var ends: [Int32] = [-1, -1]
        guard OmbiPlatform.pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}
