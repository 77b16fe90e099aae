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

    private func set(_ modes: termios) {
        var modes = modes
        while tcsetattr(input, TCSADRAIN, &modes) != 0, errno == EINTR {}
    }
}
