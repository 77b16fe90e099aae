import Dispatch
import OmbiCore
import OmbiDocument

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The input of `ombi view`: a mapped file, or a pipe that delivers while it is shown.
final class ViewInput: Sendable {
    /// Held while a portion is read, which takes as long as a pipe waits.
    private let source: Lock<Source>
    private let isStream: Bool
    private let published = Lock(Bytes.empty)
    /// Nothing more is shown: all has come, or nobody wants more.
    private let hasEnded = Lock(false)
    private let queue = DispatchQueue(label: "ombi.input")

    /// A lock holds copies or references, and there is one descriptor.
    private final class Source {
        var input: FilterInput

        init(_ input: consuming FilterInput) { self.input = input }
    }

    private static let portion = 1 << 20

    /// - Parameters:
    ///   - path: `-` is standard input, which is kept: descriptor 0 may become the terminal.
    ///   - room: how many bytes of a stream there is room for: the first of these that the system has.
    init(_ path: String, room: [Int] = FilterInput.reservations) throws(FilterInputError) {
        // No program that is started gets it.
        let opened = try FilterInput(
            path, standardInput: path == "-" ? fcntl(0, F_DUPFD_CLOEXEC, 3) : 0, room: room,
            excess: { "more than \($0) bytes cannot be shown" })
        isStream = opened.isStream
        source = Lock(Source(opened))
    }

    /// The bytes so far.
    var bytes: Bytes { published.withLock { $0 } }

    /// Reads to the end.
    /// - Parameter onMore: called when there is more in `bytes`, with whether that is all.
    func read(onMore: @escaping @Sendable (Bool) -> Void, onFailure: @escaping @Sendable (String) -> Void) {
        queue.async {
            do throws(FilterInputError) {
                while let bytes = try self.next() {
                    guard !self.hasEnded.withLock({ $0 }) else { return }
                    self.published.withLock { $0 = bytes }
                    // A file is there whole at once, and is told of once: nothing half shows first.
                    if self.isStream { onMore(false) }
                }
            } catch {
                onFailure(error.description)
            }
            if self.end() { onMore(true) }
        }
    }

    /// Takes what has come for all of it; a pipe that still delivers is left alone.
    /// - Returns: whether there may have been more.
    func end() -> Bool {
        hasEnded.withLock { hasEnded in
            defer { hasEnded = true }
            return !hasEnded
        }
    }

    /// Reads to the end, and gives all of it.
    func all() throws(FilterInputError) -> Bytes {
        var all = Bytes.empty
        while let bytes = try next() { all = bytes }
        return all
    }

    /// Copies all of it to standard output.
    func copy() throws(FilterInputError) {
        var written = 0
        while !ResultOutput.standard.isClosed, let bytes = try next() {
            while written < bytes.count, !ResultOutput.standard.isClosed {
                let end = min(bytes.count, written + Self.portion)
                StandardOutput.write(bytes.array(written..<end))
                written = end
            }
        }
    }

    /// Waits for more, and gives all that has come; nil at the end. A file comes at once.
    private func next() throws(FilterInputError) -> Bytes? {
        try source.withLock { source throws(FilterInputError) in
            try source.input.read(atMost: isStream ? Self.portion : .max).map { _ in source.input.bytes }
        }
    }
}
