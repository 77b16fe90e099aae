#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// `read` and `write` of the system, under names that no method hides.
package func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}

package func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}

/// Output to the terminal, to files and to pipes.
package enum Descriptor {
    /// Writes all bytes, in one call where the system lets it, and waits where a descriptor does not block.
    /// - Returns: the `errno` of a failure; nil on success.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32? {
        var start = 0
        while start < bytes.count {
            let count = systemWrite(descriptor, bytes.baseAddress.map { $0 + start }, bytes.count - start)
            if count > 0 {
                start += count
            } else if count == 0 {
                return ENOSPC
            } else if errno == EAGAIN {
                // Shared with a program that made it non-blocking: wait until it takes more.
                var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                if poll(&ready, 1, -1) < 0, errno != EINTR { return errno }
            } else if errno != EINTR {
                return errno
            }
        }
        return nil
    }
}

/// The terminal as a descriptor.
package enum TerminalOutput {
    /// Writes all bytes. Returns false when the terminal is gone, which the end of the input will report.
    @discardableResult
    package static func write(_ bytes: [UInt8], to descriptor: Int32 = 1) -> Bool {
        bytes.withUnsafeBytes { Descriptor.write($0, to: descriptor) } == nil
    }

    /// The size that the terminal reports, or else 80×24.
    package static func size(of descriptor: Int32 = 1) -> Size {
        var window = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
            return Size(columns: 80, rows: 24)
        }
        return Size(columns: min(Int(window.ws_col), 4096), rows: min(Int(window.ws_row), 4096))
    }
}

/// The reason why the terminal cannot be drawn on.
package enum TerminalError: Error, Equatable {
    case inputIsNotATerminal
    case outputIsNotATerminal
    case noName
    case unknown(name: String)
    case cannotMoveCursor(name: String)
    case system(step: String, code: Int32)
}
