#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
            let isFirst = isOpened.withLock { isOpened in
                defer { isOpened = true }
                return !isOpened
            }
            guard isFirst else { throw BodyStreamError.readBefore }
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
                defer { state.reader = nil }
                return (state.reader, false)
            }
            if isClosed { continuation.resume(throwing: CancellationError()) }
            reader?()
        }
    }

    func end(_ error: (any Error)?) {
        let reader = state.withLock { state in
            if state.end == nil { state.end = error.map { .failure($0) } ?? .success(()) }
            defer { state.reader = nil }
            return state.reader
        }
        reader?()
    }

    /// Closes the reading end: `put(_:)` throws from now on.
    func close() {
        let writer = state.withLock { state in
            state.end = .success(())
            state.reader = nil
            defer { state.writer = nil }
            return state.writer
        }
        writer?.resume(throwing: CancellationError())
    }

    /// Returns the next element, empty at the end; nil if there is none yet.
    func take(orElse wake: @escaping @Sendable () -> Void) throws -> Data? {
        let (portion, end, writer) = state.withLock {
            state -> (Data?, Result<Void, any Error>?, CheckedContinuation<Void, any Error>?) in
            defer {
                state.portion = nil
                state.writer = nil
            }
            if state.portion == nil, state.end == nil { state.reader = wake }
            return (state.portion, state.end, state.writer)
        }
        writer?.resume()
        if let portion { return portion }
        try end?.get()
        return end == nil ? nil : Data()
    }
}
