#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The state of other processes.
enum ProcessState {
    /// Returns true for the ID of a process that has not ended. One that was killed and that nobody has waited for yet has
    /// ended, too.
    static func isRunning(_ process: Int32) -> Bool {
        guard kill(process, 0) == 0 || errno != ESRCH else { return false }
        return !isZombie(process)
    }

    /// Reads the state where the system shows it as a file (proc(5)): the letter behind the name of the program, which is
    /// in parentheses and may hold any character.
    private static func isZombie(_ process: Int32) -> Bool {
        guard let bytes = try? PosixFileSystem().read("/proc/\(process)/stat"),
            let end = bytes.lastIndex(of: UInt8(ascii: ")"))
        else { return false }
        return bytes[end...].dropFirst(2).first.map { [UInt8(ascii: "Z"), UInt8(ascii: "X")].contains($0) } ?? false
    }
}
