#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The frames that are to go out: control frames go ahead of the messages, between fragments too, and the close frame
/// comes last (RFC 6455 §5.4, §5.5).
struct WebSocketOutbox {
    /// Frames to write in one go, and the messages that are out when they are.
    struct Batch: Equatable {
        var bytes: Data
        var messages: [Int] = []
    }

    private var pings = Fifo<Data>()
    /// Only the newest ping has to be answered (RFC 6455 §5.5.3), so a flood of them takes no memory.
    private var pong: Data?
    private var frames = Fifo<(bytes: Data, message: Int?)>()
    private var close: Data?

    /// A batch takes more frames up to here; a longer frame goes by itself.
    private static let batchBytes = 64 << 10

    var isEmpty: Bool { pings.isEmpty && pong == nil && frames.isEmpty && close == nil }

    mutating func ping(_ frame: Data) { pings.append(frame) }

    mutating func pong(_ frame: Data) { pong = frame }

    mutating func close(_ frame: Data) { close = frame }

    /// - Parameter message: The number that the batch with the last of the frames shall carry.
    mutating func append(_ frames: [Data], message: Int) {
        for (index, frame) in frames.enumerated() {
            self.frames.append((frame, index == frames.count - 1 ? message : nil))
        }
    }

    /// Forgets all but what ends the connection.
    mutating func dropFrames() {
        pings = Fifo()
        pong = nil
        frames = Fifo()
    }

    /// Forgets the frames of a message. False when a part of it is out already; then the rest goes out too.
    mutating func dropMessage(_ message: Int) -> Bool {
        // Its frames are those behind the last one of the message before.
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

    /// A message whose first frame is out goes on with a continuation frame.
    private static func isBegun(_ frame: Data) -> Bool {
        frame.first.map { $0 & 0x0F == Opcode.continuation.rawValue } ?? false
    }

    /// nil when there is nothing to write.
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
