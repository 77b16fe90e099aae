import CNcurses

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Keeps standard error off the screen: while the screen is open it goes to a nameless file, and its content is printed
/// on the terminal afterwards. Standard error that is not a terminal is left alone.
struct ErrorLog {
    let file: Int32
    /// The original standard error.
    let found: Int32

    init?() {
        guard isatty(2) == 1 else { return nil }
        file = ombi_nameless_file()
        guard file >= 0 else { return nil }
        found = fcntl(2, F_DUPFD_CLOEXEC, 10)
        if found < 0 {
            close(file)
            return nil
        }
    }

    func begin() { dup2(file, 2) }

    /// Restores standard error and prints what was collected.
    func end() {
        dup2(found, 2)
        CrashGuard.copy(from: file, to: found)
        lseek(file, 0, SEEK_SET)
        ftruncate(file, 0)
    }

    func dispose() {
        close(file)
        close(found)
    }
}
