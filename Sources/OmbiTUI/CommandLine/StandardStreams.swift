import OmbiCore
import OmbiTerminal

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The stream for progress and mistakes.
enum StandardError {
    static func print(_ text: String) {
        var line = text + "\n"
        // There is nowhere left to tell of a failure.
        _ = line.withUTF8 { Descriptor.write(UnsafeRawBufferPointer($0), to: 2) }
    }

    static var isTerminal: Bool { isatty(2) == 1 }
}

/// Results on a descriptor. What cannot be written is told once, at the end.
final class ResultOutput: Sendable {
    static let standard = ResultOutput(1)

    private let descriptor: Int32
    private let error = Lock<Int32?>(nil)

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// After a failure nothing more is written.
    func write(_ bytes: UnsafeRawBufferPointer) {
        guard !isClosed, let code = Descriptor.write(bytes, to: descriptor) else { return }
        error.withLock { $0 = code }
    }

    /// Nothing more can be written: nobody reads any more, as behind `| head`, or there is a failure.
    var isClosed: Bool { error.withLock { $0 != nil } }

    /// The reason why something was not written. That nobody reads any more is none.
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
}

/// The stream for input.
enum StandardInput {
    static var isTerminal: Bool { isatty(0) == 1 }
}
