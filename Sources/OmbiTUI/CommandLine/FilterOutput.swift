import OmbiDocument

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Buffered lines of output. On a terminal, control characters are made visible.
final class FilterOutput {
    private static let size = 1 << 18

    private let output: ResultOutput
    private let isTerminal = StandardOutput.isTerminal
    private var buffer: [UInt8] = []

    init(_ output: ResultOutput = .standard) {
        self.output = output
        buffer.reserveCapacity(2 * Self.size)
        // A write then fails with EPIPE instead of ending the program.
        signal(SIGPIPE, SIG_IGN)
    }

    var isClosed: Bool { output.isClosed }

    /// Adds the text that `write` appends as one line.
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

    func flush() {
        buffer.withUnsafeBytes { output.write($0) }
        buffer.removeAll(keepingCapacity: true)
    }
}
