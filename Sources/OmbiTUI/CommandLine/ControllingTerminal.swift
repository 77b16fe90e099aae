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
        if isShown {
            // Keys that were typed before the question are no answer to it.
            tcflush(terminal, TCIFLUSH)
            write(prompt, to: terminal)
            return read(terminal)
        }
        // Ctrl+C must not leave a terminal behind that shows nothing, so it is read as a key.
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        _ = tcsetattr(terminal, TCSAFLUSH, &silent)
        defer { _ = tcsetattr(terminal, TCSAFLUSH, &before) }
        write(prompt, to: terminal)
        let line = readKeys(terminal)
        write("\n", to: terminal)
        return line
    }

    /// True where there is one.
    static var isThere: Bool {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else { return false }
        close(terminal)
        return true
    }

    /// Asks for a line as long as a condition holds, which it looks at every 200 ms. Returns nil without a terminal, too.
    static func line(prompt: String, while isWaiting: () -> Bool) -> String? {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        write(prompt, to: terminal)
        while isWaiting() {
            var event = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
            let count = poll(&event, 1, 200)
            if count < 0, errno != EINTR { return nil }
            // The terminal hands over whole lines.
            if count > 0 { return event.revents & Int16(POLLIN) != 0 ? read(terminal) : nil }
        }
        write("\n", to: terminal)
        return nil
    }

    /// Reads keys up to Enter. Returns nil for Ctrl+C, and for Ctrl+D before anything else.
    private static func readKeys(_ terminal: Int32) -> String? {
        var text = ""
        var bytes: [UInt8] = []
        while let byte = readByte(terminal) {
            switch byte {
            case 3: return nil
            case 4 where text.isEmpty && bytes.isEmpty: return nil
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return text + String(decoding: bytes, as: UTF8.self)
            case 8, 0x7F:
                text = String((text + String(decoding: bytes, as: UTF8.self)).dropLast())
                bytes = []
            case 21: (text, bytes) = ("", [])
            default: bytes.append(byte)
            }
        }
        return nil
    }

    private static func readByte(_ terminal: Int32) -> UInt8? {
        var byte: UInt8 = 0
        while true {
            #if canImport(Glibc)
            let count = Glibc.read(terminal, &byte, 1)
            #else
            let count = Darwin.read(terminal, &byte, 1)
            #endif
            if count < 0, errno == EINTR { continue }
            return count == 1 ? byte : nil
        }
    }

    private static func write(_ text: String, to terminal: Int32) {
        // A failure shows when the answer is read.
        _ = Array(SafeText.terminal(text).utf8).withUnsafeBytes { bytes in
            #if canImport(Glibc)
            Glibc.write(terminal, bytes.baseAddress, bytes.count)
            #else
            Darwin.write(terminal, bytes.baseAddress, bytes.count)
            #endif
        }
    }

    private static func read(_ terminal: Int32) -> String? {
        var bytes: [UInt8] = []
        while let byte = readByte(terminal), byte != UInt8(ascii: "\n") { bytes.append(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
