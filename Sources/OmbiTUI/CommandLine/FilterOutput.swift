import OmbiDocument

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Lines for a program behind a pipe, or for a person: many in one write. On a terminal, what it would obey is made visible.
final class FilterOutput {
    private static let size = 1 << 18

    private let descriptor: Int32
    private let isTerminal: Bool
    private var buffer: [UInt8] = []
    /// Whether nothing more can be written: nobody reads any more, as behind `| head`, or there is a failure.
    private(set) var isClosed = false
    /// What went wrong. That nobody reads any more is no failure.
    private(set) var failure: String?

    init(descriptor: Int32) {
        self.descriptor = descriptor
        isTerminal = isatty(descriptor) == 1
        buffer.reserveCapacity(2 * Self.size)
        // So that a write tells of it instead of a signal that ends the program.
        signal(SIGPIPE, SIG_IGN)
    }

    /// Adds what `write` appends, as one line.
    func line(_ write: (inout [UInt8]) -> Void) {
        if isTerminal {
            var line: [UInt8] = []
            write(&line)
            buffer += SafeText.line(String(decoding: line, as: UTF8.self)).utf8
        } else {
            write(&buffer)
        }
        buffer.append(0x0A)
        if buffer.count >= Self.size { flush() }
    }

    /// Writes all of a text.
    func write(_ text: Bytes) {
        text.withUnsafeBytes(0..<text.count) { buffer.append(contentsOf: $0) }
        flush()
    }

    private func close(_ error: Int32) {
        isClosed = true
        if error != EPIPE { failure = String(cString: strerror(error)) }
    }

    func flush() {
        var start = 0
        buffer.withUnsafeBytes { bytes in
            while start < bytes.count, !isClosed {
                let count = systemWrite(descriptor, bytes.baseAddress.map { $0 + start }, bytes.count - start)
                if count > 0 { start += count } else if errno != EINTR { close(errno) }
            }
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
