#if canImport(CCurl)
/// The identity of a transfer during its life: its loop, its slot there, and a number that distinguishes it from
/// earlier transfers in that slot.
struct CurlTransferID: Hashable, Sendable {
    let loop: UInt8
    let slot: Int32
    let number: UInt32
}

/// A request to send.
struct CurlJob: Sendable {
    let id: CurlTransferID
    let request: TransportRequest
    let startedAt: ContinuousClock.Instant
    let onEvent: @Sendable (TransportEvent) -> Void
    /// The flag that pauses delivery to a reader of pieces; nil if the response is not delivered in pieces.
    let pause: CurlPause?
    /// The loops that a response returns to which waits for its reader; nil for a channel.
    var loops: CurlLoops?
    /// Resumes a body whose reader had no bytes; nil without a stream.
    let wake: (@Sendable () -> Void)?
    let turn: ConnectionQueue.Turn
    /// True if its origin was known to share connections at the start; nil if unknown.
    let isMultiplexed: Bool?
}

/// The last event of a transfer, and its receiver.
struct CurlEnd: Sendable {
    let event: TransportEvent
    let onEvent: @Sendable (TransportEvent) -> Void

    func notify() { onEvent(event) }
}

/// The pause flag of a response in pieces. The reader's threads set it, the loop checks it before each piece.
final class CurlPause: Sendable {
    private let flag = Lock(false)

    var isOn: Bool { flag.withLock { $0 } }
    func set(_ isOn: Bool) { flag.withLock { $0 = isOn } }
}
#endif
