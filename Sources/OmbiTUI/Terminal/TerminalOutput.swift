#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Writes bytes to a descriptor, all of them, in one call where the system lets it.
enum TerminalOutput {
    /// Whether all bytes were taken; when not, the terminal is gone, and the end of the input will tell.
    @discardableResult
    static func write(_ bytes: [UInt8], to descriptor: Int32 = 1) -> Bool {
        var start = 0
        while start < bytes.count {
            let written = bytes.withUnsafeBytes { buffer in
                #if canImport(Glibc)
                Glibc.write(descriptor, buffer.baseAddress?.advanced(by: start), bytes.count - start)
                #else
                Darwin.write(descriptor, buffer.baseAddress?.advanced(by: start), bytes.count - start)
                #endif
            }
            if written > 0 {
                start += written
            } else if errno == EAGAIN {
                // The terminal is shared with a program that made it non-blocking: wait until it takes more.
                var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                if poll(&ready, 1, -1) < 0, errno != EINTR { return false }
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    /// The size the terminal says it has; 80×24 when it does not know.
    static func size(of descriptor: Int32 = 1) -> Size {
        var window = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
            return Size(columns: 80, rows: 24)
        }
        return Size(columns: min(Int(window.ws_col), 4096), rows: min(Int(window.ws_row), 4096))
    }
}
