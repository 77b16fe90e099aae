import OmbiCore
import OmbiTerminal

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The stream for progress and errors.
enum StandardError {
    static func print(_ text: String) {
        var line = text + "\n"
        // A failure cannot be reported anywhere.
        _ = line.withUTF8 { Descriptor.write(UnsafeRawBufferPointer($0), to: 2) }
    }

    static var isTerminal: Bool { isatty(2) == 1 }
}

/// Results on a descriptor. A failure is reported once, at the end.
final class ResultOutput: Sendable {
    static let standard = ResultOutput(1)

    private let descriptor: Int32
    private let error = Lock<Int32?>(nil)

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Does nothing after a failure.
    func write(_ bytes: UnsafeRawBufferPointer) {
        guard !isClosed, let code = Descriptor.write(bytes, to: descriptor) else { return }
        error.withLock { $0 = code }
    }

    /// True after a failure, and when the reader is gone, as with `| head`.
    var isClosed: Bool { error.withLock { $0 != nil } }

    /// The cause of a failure other than a reader that is gone.
    var failure: String? {
        error.withLock { $0.flatMap { $0 == EPIPE ? nil : String(cString: strerror($0)) } }
    }
}

/// The stream for results. A failure ends the program with `ExitStatus.inputOutput` (see `Ombi.run`).
enum StandardOutput {
    static func print(_ text: String) {
        var line = text + "\n"
        line.withUTF8 { ResultOutput.standard.write(UnsafeRawBufferPointer($0)) }
    }

    static func write(_ bytes: [UInt8]) { bytes.withUnsafeBytes { ResultOutput.standard.write($0) } }

    static var isTerminal: Bool { isatty(1) == 1 }
    /// True on a terminal, unless `NO_COLOR` is set.
    static var isColored: Bool { isTerminal && getenv("NO_COLOR").map { $0[0] == 0 } ?? true }
}

/// The stream for input.
enum StandardInput {
    static var isTerminal: Bool { isatty(0) == 1 }
}
