import OmbiPlatform

/// Output to the terminal, to files and to pipes.
package enum Descriptor {
    /// Writes all bytes, in one call where the system lets it, and waits where a descriptor does not block.
    /// - Returns: the `errno` of a failure; nil on success.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32? {
        var start = 0
        while start < bytes.count {
            let count = OmbiPlatform.write(descriptor, bytes.baseAddress.map { $0 + start }, bytes.count - start)
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

/// The line discipline: the original one, and the raw mode in which every key arrives as bytes.
struct TerminalModes {
    let found: termios
    let input: Int32

    /// Reads the modes of the terminal on a descriptor; nil when it is not a terminal.
    init?(input: Int32) {
        var current = termios()
        guard tcgetattr(input, &current) == 0 else { return nil }
        found = current
        self.input = input
    }

    /// No echo, no lines, no signals from keys, no flow control (Ctrl+S), output as it is.
    func enterRaw() {
        var raw = found
        cfmakeraw(&raw)
        raw.c_iflag &= ~tcflag_t(IXON | IXOFF)
        withUnsafeMutableBytes(of: &raw.c_cc) { characters in
            characters[Int(VMIN)] = 1
            characters[Int(VTIME)] = 0
        }
        set(raw)
    }

    func restore() { set(found) }

    /// Reads input and drops it until a byte has come so many times, or nothing comes for half a second.
    func discardInput(until last: UInt8, times: Int) {
        var left = times
        var byte: UInt8 = 0
        while left > 0 {
            var wait = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, 500) > 0, read(input, &byte, 1) == 1 else { return }
            if byte == last { left -= 1 }
        }
    }

    private func set(_ modes: termios) {
        var modes = modes
        while tcsetattr(input, TCSADRAIN, &modes) != 0, errno == EINTR {}
    }
}
