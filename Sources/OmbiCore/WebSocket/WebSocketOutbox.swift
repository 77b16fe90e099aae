#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The frames to send: control frames precede messages, even between fragments, and the close frame is last (RFC 6455
/// §5.4, §5.5).
struct WebSocketOutbox {
    /// Frames to write together, and the messages that they complete.
    struct Batch: Equatable {
        var bytes: Data
        var messages: [Int] = []
    }

    private var pings = Fifo<Data>()
    /// The response to the newest ping only (RFC 6455 §5.5.3), so that a flood of pings takes no memory.
    private var pong: Data?
    private var frames = Fifo<(bytes: Data, message: Int?)>()
    private var close: Data?

    /// The size up to which a batch takes more frames; a longer frame is a batch of its own.
    private static let batchBytes = 64 << 10

    var isEmpty: Bool { pings.isEmpty && pong == nil && frames.isEmpty && close == nil }

    mutating func ping(_ frame: Data) { pings.append(frame) }

    mutating func pong(_ frame: Data) { pong = frame }

    mutating func close(_ frame: Data) { close = frame }

    /// - Parameter message: The number in the batch that has the last of the frames.
    mutating func append(_ frames: [Data], message: Int) {
        for (index, frame) in frames.enumerated() {
            self.frames.append((frame, index == frames.count - 1 ? message : nil))
        }
    }

    /// Drops all frames except the close frame.
    mutating func dropFrames() {
        pings = Fifo()
        pong = nil
        frames = Fifo()
    }

    /// Drops the frames of a message. Returns false if a part of it is written already; then the rest is sent too.
    mutating func dropMessage(_ message: Int) -> Bool {
        // Its frames start after the last one of the previous message.
        var kept = Fifo<(bytes: Data, message: Int?)>()
        var group: [(bytes: Data, message: Int?)] = []
        var isDropped = false
        while let frame = frames.popFirst() {
            group.append(frame)
            guard frame.message != nil else { continue }
            if frame.message == message, !Self.isBegun(group[0].bytes) {
                isDropped = true
            } else {
                for frame in group { kept.append(frame) }
            }
            group = []
        }
        frames = kept
        return isDropped
    }

    /// Returns true for a continuation frame: the first frame of its message is written already.
    private static func isBegun(_ frame: Data) -> Bool {
        frame.first.map { $0 & 0x0F == Opcode.continuation.rawValue } ?? false
    }

    /// Returns nil if there is nothing to write.
    mutating func take() -> Batch? {
        var batch = Batch(bytes: Data())
        while let ping = pings.popFirst() { batch.bytes.append(ping) }
        if let pong { batch.bytes.append(pong) }
        pong = nil
        while let next = frames.first, batch.bytes.isEmpty || batch.bytes.count + next.bytes.count <= Self.batchBytes {
            _ = frames.popFirst()
            if batch.bytes.isEmpty { batch.bytes = next.bytes } else { batch.bytes.append(next.bytes) }
            if let message = next.message { batch.messages.append(message) }
        }
        if frames.isEmpty, let close {
            batch.bytes.append(close)
            self.close = nil
        }
        return batch.bytes.isEmpty ? nil : batch
    }
}

/// A list of suspended Swift tasks in order of arrival. Each is resumed once, by the code that removes it.
struct Waiters<Value: Sendable> {
    typealias Outcome = Result<Value, WebSocketError>
    typealias Continuation = CheckedContinuation<Outcome, Never>

    private var waiting: [(id: Int, continuation: Continuation)] = []

    var count: Int { waiting.count }

    mutating func add(_ id: Int, _ continuation: Continuation) { waiting.append((id, continuation)) }

    /// Returns nil if the task is not waiting any more.
    mutating func remove(_ id: Int) -> Continuation? {
        waiting.firstIndex { $0.id == id }.map { waiting.remove(at: $0).continuation }
    }

    mutating func removeFirst() -> Continuation? { waiting.isEmpty ? nil : waiting.removeFirst().continuation }

    mutating func removeAll() -> [Continuation] {
        guard !waiting.isEmpty else { return [] }
        defer { waiting = [] }
        return waiting.map { $0.continuation }
    }
}
