#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The line discipline: how it was found, and the raw mode in which every key comes through as bytes.
struct TerminalModes {
    let found: termios

    init?() {
        var current = termios()
        guard tcgetattr(0, &current) == 0 else { return nil }
        found = current
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
        Self.set(raw)
    }

    func restore() { Self.set(found) }

    private static func set(_ modes: termios) {
        var modes = modes
        while tcsetattr(0, TCSADRAIN, &modes) != 0, errno == EINTR {}
    }
}
