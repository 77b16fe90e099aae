#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A program whose terminal is gone.
enum Detachment {
    /// Points the standard streams at nothing: a terminal that is gone fails every write, and its number may be given to
    /// another.
    static func leaveTerminal() {
        // A write to a terminal of which another program is in the foreground stops no work in the background.
        _ = signal(SIGTTOU, SIG_IGN)
        let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
        guard nothing >= 0 else { return }
        for stream in 0...2 as ClosedRange<Int32> where nothing != stream { _ = dup2(nothing, stream) }
        if nothing > 2 { _ = close(nothing) }
    }
}
