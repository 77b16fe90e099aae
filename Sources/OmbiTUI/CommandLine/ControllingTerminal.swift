#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The terminal of the person at the keyboard, wherever the standard streams go.
enum ControllingTerminal {
    /// Asks for a line that is not shown while it is typed. Returns nil without a terminal.
    static func secret(prompt: String) -> String? { line(prompt: prompt, isShown: false) }

    /// Asks for a line. Returns nil without a terminal.
    static func line(prompt: String, isShown: Bool = true) -> String? {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        var before = termios()
        guard tcgetattr(terminal, &before) == 0 else { return nil }
        if !isShown {
            var silent = before
            silent.c_lflag &= ~tcflag_t(ECHO)
            _ = tcsetattr(terminal, TCSAFLUSH, &silent)
        }
        defer { if !isShown { _ = tcsetattr(terminal, TCSAFLUSH, &before) } }
        write(prompt, to: terminal)
        let line = read(terminal)
        if !isShown { write("\n", to: terminal) }
        return line
    }

    private static func write(_ text: String, to terminal: Int32) {
        // A failure shows when the answer is read.
        _ = Array(text.utf8).withUnsafeBytes { bytes in
            #if canImport(Glibc)
            Glibc.write(terminal, bytes.baseAddress, bytes.count)
            #else
            Darwin.write(terminal, bytes.baseAddress, bytes.count)
            #endif
        }
    }

    private static func read(_ terminal: Int32) -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            #if canImport(Glibc)
            let count = Glibc.read(terminal, &byte, 1)
            #else
            let count = Darwin.read(terminal, &byte, 1)
            #endif
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self) }
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
    }
}
