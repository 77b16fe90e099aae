/// A request body that is read while it is sent, so that it need not fit into memory.
///
/// A known length is sent as `Content-Length`. Without one, the body is sent in chunks over HTTP/1.1 (RFC 9112 §7.1),
/// and unmodified over HTTP/2. The stream is opened again for each attempt, for each redirect that keeps the body (307
/// and 308), and when a connection turns out to be closed. Two streams are equal when they are the same object.
public final class BodyStream: Sendable {
    /// The length in bytes; nil if unknown.
    public let length: Int?
    private let makeReader: @Sendable () throws -> any BodyReader

    /// Creates a stream. `open` returns a reader at the first byte. It must deliver exactly `length` bytes, or any
    /// number if `length` is nil. A `WaitingBodyReader` may have nothing to deliver for a while.
    public init(length: Int?, open: @escaping @Sendable () throws -> any BodyReader) {
        self.length = length.map { max($0, 0) }
        makeReader = open
    }

    /// Creates a stream of bytes in memory.
    public convenience init(data: Data) {
        self.init(length: data.count) { DataReader(data) }
    }

    /// Creates a stream of a file, which is checked now and read when it is sent. Throws `UnreadableFile` if it cannot
    /// be read or is not a regular file.
    public convenience init(fileURL: URL) throws {
        let path = fileURL.path
        self.init(length: try FileReader(path: path).length) { try FileReader(path: path) }
    }

    /// Concatenates streams, each of which must have its stated length. The length is known if all of theirs are.
    convenience init(_ streams: [BodyStream]) {
        let length = streams.reduce(Int?(0)) { sum, stream in
            guard let sum, let length = stream.length else { return nil }
            let (total, overflow) = sum.addingReportingOverflow(length)
            return overflow ? .max : total
        }
        self.init(length: length) { ChainReader(streams) }
    }

    /// Returns a reader at the first byte. It throws `BodyStreamError` if the stream is shorter or longer than its
    /// length, or cannot be read. It is a `WaitingBodyReader` if the stream's own reader is.
    public func open() throws -> any BodyReader {
        let reader = try CheckedReader.naming(makeReader)
        let checked = try CheckedReader(reader, length: length)
        return reader is any WaitingBodyReader ? WaitingCheckedReader(checked) : checked
    }

    /// The whole body, in memory.
    var data: Data {
        get throws {
            let reader = try open()
            var data = Data()
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
            defer { buffer.deallocate() }
            while true {
                let count = try reader.read(into: buffer)
                guard count > 0 else { return data }
                data.append(contentsOf: buffer.prefix(count))
            }
        }
    }
}

extension BodyStream: Hashable {
    public static func == (left: BodyStream, right: BodyStream) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A failure to send a stream as a body.
public enum BodyStreamError: Error, Sendable, Hashable {
    /// The reader ended after fewer bytes than the length of the stream.
    case endedEarly(after: Int, length: Int)
    /// The reader has more bytes than the length of the stream.
    case deliversMore(length: Int)
    /// The stream was opened a second time, but can be read only once: `BodyStream.init(_:length:)`.
    case readBefore
    /// The stream could not be opened or read; the value describes the error.
    case unreadable(String)
}

extension BodyStreamError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .endedEarly(let count, let length): "the body ended after \(count) of \(length) bytes"
        case .deliversMore(let length): "the body is longer than the \(length) bytes that were announced"
        case .readBefore: "the body was to be sent again, and comes from a sequence that can be read only once"
        case .unreadable(let reason): "the body could not be read: \(reason)"
        }
    }
}

extension BodyStream {
    /// Creates a stream of the elements of an async sequence; each is requested when the previous one has been sent.
    ///
    ///     let body = BodyStream(lines.map { Data("\($0)\n".utf8) })
    ///
    /// The sequence is read once. An attempt after one that began to send, and a redirect that keeps the body, would
    /// need it a second time and fail with `BodyStreamError.readBefore`; `init(length:sequence:)` has no such limit.
    /// Reading stops, and its task is cancelled, when the attempt ends.
    /// - Parameter length: The bytes of all elements together; nil if unknown.
    public convenience init<S: AsyncSequence & Sendable>(_ sequence: S, length: Int? = nil) where S.Element == Data {
        let isOpened = Lock(false)
        self.init(length: length) {
            guard !isOpened.withLock({ exchange(&$0, with: true) }) else { throw BodyStreamError.readBefore }
            return SequenceReader(sequence)
        }
    }

    /// Creates a stream that obtains a new sequence each time the body is sent.
    public convenience init<S: AsyncSequence & Sendable>(
        length: Int? = nil, sequence: @escaping @Sendable () throws -> S
    ) where S.Element == Data {
        self.init(length: length) { SequenceReader(try sequence()) }
    }
}

/// A reader of an async sequence. Its task iterates one element ahead of the transfer.
final class SequenceReader: WaitingBodyReader {
    private let portions = Portions()
    private var portion = Data()
    private let task: Task<Void, Never>

    init<S: AsyncSequence & Sendable>(_ sequence: S) where S.Element == Data {
        let portions = portions
        task = Task {
            do {
                for try await portion in sequence where !portion.isEmpty { try await portions.put(portion) }
                portions.end(nil)
            } catch {
                portions.end(error)
            }
        }
    }

    deinit {
        task.cancel()
        portions.close()
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, wake: @escaping @Sendable () -> Void) throws -> Int? {
        if portion.isEmpty {
            guard let next = try portions.take(orElse: wake) else { return nil }
            portion = next
        }
        let count = portion.copyBytes(to: buffer, count: min(buffer.count, portion.count))
        portion = portion.dropFirst(count)
        return count
    }
}

/// A one-element buffer between the task and the reader; the task waits until the element is taken.
private final class Portions: Sendable {
    private struct State {
        var portion: Data?
        var end: Result<Void, any Error>?
        var writer: CheckedContinuation<Void, any Error>?
        var reader: (@Sendable () -> Void)?
    }

    private let state = Lock(State())

    /// Stores an element, and waits until it is taken. Throws once the reader is closed.
    func put(_ portion: Data) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let (reader, isClosed) = state.withLock { state -> ((@Sendable () -> Void)?, Bool) in
                guard state.end == nil else { return (nil, true) }
                state.portion = portion
                state.writer = continuation
                return (state.reader.take(), false)
            }
            if isClosed { continuation.resume(throwing: CancellationError()) }
            reader?()
        }
    }

    func end(_ error: (any Error)?) {
        let reader = state.withLock { state in
            if state.end == nil { state.end = error.map { .failure($0) } ?? .success(()) }
            return state.reader.take()
        }
        reader?()
    }

    /// Closes the reading end: `put(_:)` throws from now on.
    func close() {
        let writer = state.withLock { state in
            state.end = .success(())
            state.reader = nil
            return state.writer.take()
        }
        writer?.resume(throwing: CancellationError())
    }

    /// Returns the next element, empty at the end; nil if there is none yet.
    func take(orElse wake: @escaping @Sendable () -> Void) throws -> Data? {
        let (portion, end, writer) = state.withLock {
            state -> (Data?, Result<Void, any Error>?, CheckedContinuation<Void, any Error>?) in
            if state.portion == nil, state.end == nil { state.reader = wake }
            return (state.portion.take(), state.end, state.writer.take())
        }
        writer?.resume()
        if let portion { return portion }
        try end?.get()
        return end == nil ? nil : Data()
    }
}
