import OmbiPlatform

/// The folder in which Ombi keeps what outlives it: `$XDG_STATE_HOME/ombi`, or `~/.local/state/ombi`.
enum StateFolder {
    /// Nil without a home folder.
    static var path: String? {
        func folder(_ variable: String) -> String? {
            getenv(variable).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        let state = folder("XDG_STATE_HOME") ?? folder("HOME").map { $0 + "/.local/state" }
        return state.map { $0 + "/ombi" }
    }
}

/// FNV-1a, 64 bits.
enum ContentHash {
    static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}

/// The state of the folder for data that outlives the program.
package struct StateFolderReport: Sendable, Equatable {
    /// Nil without a home folder.
    package var path: String?
    package var exists = false
    /// True if Ombi can write into it, or create it.
    package var isWritable = false
    /// True if other users may read it.
    package var isOpen = false

    package static var current: StateFolderReport { StateFolderReport(path: StateFolder.path) }

    init(path: String?) {
        self.path = path
        guard let path else { return }
        var status = stat()
        exists = stat(path, &status) == 0
        isOpen = exists && status.st_mode & 0o077 != 0
        var nearest = path
        while access(nearest, F_OK) != 0, let slash = nearest.lastIndex(of: "/") {
            nearest = slash > nearest.startIndex ? String(nearest[..<slash]) : "/"
        }
        isWritable = access(nearest, W_OK | X_OK) == 0
    }
}

/// The lock of a file that several programs read, change and write: each change includes the changes of the others.
enum StateLock {
    /// Runs a change while no other Ombi makes one of the same file. Where there are no locks, as on some network drives, it
    /// runs all the same.
    /// - Parameter path: the file. The lock is an empty file with the suffix `.lock` next to it, in a folder that is created.
    static func exclusively<Result, Failure: Error>(
        _ path: String, _ fileSystem: some FileSystem = PosixFileSystem(), _ change: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try? fileSystem.makeFolder(of: path)
        let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        defer { if lock >= 0 { close(lock) } }
        // A signal interrupts the wait.
        while lock >= 0, flock(lock, LOCK_EX) != 0, errno == EINTR {}
        return try change()
    }
}

/// The state of other processes.
enum ProcessState {
    /// Returns true for the ID of a process that has not ended. A zombie has ended, too.
    static func isRunning(_ process: Int32) -> Bool {
        guard kill(process, 0) == 0 || errno != ESRCH else { return false }
        return !isZombie(process)
    }

    /// Reads the state from proc(5), if the system has it: the letter after the name of the program, which is in
    /// parentheses and may contain any character.
    private static func isZombie(_ process: Int32) -> Bool {
        guard let bytes = try? PosixFileSystem().read("/proc/\(process)/stat"),
            let end = bytes.lastIndex(of: UInt8(ascii: ")"))
        else { return false }
        return bytes[end...].dropFirst(2).first.map { [UInt8(ascii: "Z"), UInt8(ascii: "X")].contains($0) } ?? false
    }
}
