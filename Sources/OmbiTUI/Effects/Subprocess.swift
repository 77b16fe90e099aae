#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A program started by this one.
struct Subprocess {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let pid: pid_t

    /// Starts a program by its path, with the default signals. Descriptors that are not named are inherited.
    /// - Parameters:
    ///   - files: the child's descriptors, each with the one of ours that it duplicates.
    ///   - ownSession: true makes it a session leader: its children can be killed with it, and none of them has a
    ///     terminal to write to.
    init(
        _ arguments: [String], files: [Int32: Int32] = [:], closing: [Int32] = [], ownSession: Bool = false
    ) throws(Failure) {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGDEF) | (ownSession ? Self.newSession : 0))
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (child, ours) in files { posix_spawn_file_actions_adddup2(&actions, ours, child) }
        for descriptor in closing { posix_spawn_file_actions_addclose(&actions, descriptor) }
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var pid = pid_t()
        let code = posix_spawn(&pid, arguments[0], &actions, &attributes, &words, environ)
        guard code == 0 else {
            throw Failure(description: "cannot run \(arguments[0]): \(String(cString: strerror(code)))")
        }
        self.pid = pid
    }

    /// `POSIX_SPAWN_SETSID`, which not every Swift imports.
    #if canImport(Darwin)
    private static let newSession: Int16 = 0x400
    #else
    private static let newSession: Int16 = 0x80
    #endif

    /// Waits for its exit and returns its status: 128 plus the number of the signal when one ended it.
    func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return Self.exitStatus(status)
    }

    /// The exit status without waiting; nil while it runs. It is returned once.
    var status: Int32? {
        var status: Int32 = 0
        return waitpid(pid, &status, WNOHANG) == pid ? Self.exitStatus(status) : nil
    }

    private static func exitStatus(_ status: Int32) -> Int32 {
        status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }
}
