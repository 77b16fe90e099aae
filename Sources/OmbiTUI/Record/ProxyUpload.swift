import OmbiCore

/// The body of a request between the loop that reads it and the transport that sends it. It holds little: the client
/// waits while the target does not read.
final class ProxyUpload: WaitingBodyReader, Sendable {
    /// The reason why the body ends early.
    struct BrokenOff: Error, CustomStringConvertible {
        let description = "the client broke the request off"
    }

    private struct State {
        var bytes: [UInt8] = []
        /// The bytes of them that were read.
        var start = 0
        var isEnded = false
        var isBroken = false
        var wasRead = false
        var wake: (@Sendable () -> Void)?

        var count: Int { bytes.count - start }
    }

    private let state = Lock(State())
    /// Called when there is room again, on a thread of the transport.
    private let onRoom: @Sendable () -> Void

    /// The bytes above which no more are read from the client.
    private static let maximumPending = 256 << 10

    init(onRoom: @escaping @Sendable () -> Void) { self.onRoom = onRoom }

    /// The body to send.
    /// - Parameter length: in bytes; nil if unknown.
    func stream(length: Int?) -> BodyStream {
        BodyStream(length: length) { [self] in
            // Bytes that were read are gone.
            guard !state.withLock({ $0.wasRead }) else { throw BodyStreamError.readBefore }
            return self
        }
    }

    var hasRoom: Bool { state.withLock { $0.count < Self.maximumPending } }

    func append(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        wake { state in
            if state.start > Self.maximumPending / 2 {
                state.bytes.removeFirst(state.start)
                state.start = 0
            }
            state.bytes += bytes
        }
    }

    /// Ends the body: all of it has come.
    func end() { wake { $0.isEnded = true } }

    /// Ends the body in the middle.
    func breakOff() { wake { $0.isBroken = true } }

    private func wake(_ change: (inout State) -> Void) {
        let waiting = state.withLock { state -> (@Sendable () -> Void)? in
            change(&state)
            defer { state.wake = nil }
            return state.wake
        }
        waiting?()
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, wake: @escaping @Sendable () -> Void) throws -> Int? {
        let (count, hasRoom) = try state.withLock { state in try Self.read(into: buffer, &state, wake) }
        if hasRoom { onRoom() }
        return count
    }

    private static func read(
        into buffer: UnsafeMutableRawBufferPointer, _ state: inout State, _ wake: @escaping @Sendable () -> Void
    ) throws -> (count: Int?, hasRoom: Bool) {
        guard !state.isBroken else { throw BrokenOff() }
        guard state.count > 0 else {
            if state.isEnded { return (0, false) }
            state.wake = wake
            return (nil, false)
        }
        let wasFull = state.count >= maximumPending
        let count = min(buffer.count, state.count)
        buffer.copyBytes(from: state.bytes[state.start..<state.start + count])
        state.start += count
        state.wasRead = true
        if state.count == 0 { (state.bytes, state.start) = ([], 0) }
        return (count, wasFull && state.count < maximumPending)
    }
}
