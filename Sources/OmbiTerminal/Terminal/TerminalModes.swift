#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

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
