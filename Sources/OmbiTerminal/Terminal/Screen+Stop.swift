#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Ctrl+Z: back to the shell, and on again with `fg`.
extension Screen {
    /// True when a shell can wake the program again. Without one it would stop for ever: in the session leader's own
    /// process group, or when its parent is of another session.
    static var canStop: Bool {
        getpgrp() != getsid(0) && getsid(getppid()) == getsid(0)
    }

    /// Restores the terminal, stops the process (its whole pipeline), and takes the terminal again when continued.
    /// Sends SIGSTOP, because a SIGTSTP would only come back to the program's own handler.
    /// - Returns: false when there is no shell to return to; nothing was done then.
    package func stop() -> Bool {
        guard Self.canStop else { return false }
        suspend()
        kill(0, SIGSTOP)
        resume()
        return true
    }
}
