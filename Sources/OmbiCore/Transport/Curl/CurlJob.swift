#if canImport(CCurl)
/// Names a transfer for as long as it lives: its loop, its slot there, and a number against mistaking it for the one that
/// had the slot before.
struct CurlTransferID: Hashable, Sendable {
    let loop: UInt8
    let slot: Int32
    let number: UInt32
}

/// A request that is to be sent.
struct CurlJob: Sendable {
    let id: CurlTransferID
    let request: TransportRequest
    let startedAt: ContinuousClock.Instant
    let onEvent: @Sendable (TransportEvent) -> Void
    /// Whether a reader of pieces wants no more for now; nil when the response is not delivered in pieces.
    let pause: CurlPause?
    /// Goes on with a body whose reader had nothing; nil without a stream.
    let wake: (@Sendable () -> Void)?
    let turn: ConnectionQueue.Turn
    /// What was known of its origin when it was started.
    let isMultiplexed: Bool?
}

/// The last event of a transfer, and who is to get it.
struct CurlEnd: Sendable {
    let event: TransportEvent
    let onEvent: @Sendable (TransportEvent) -> Void

    func tell() { onEvent(event) }
}

/// Whether the reader of a response in pieces has paused it. The reader's threads set it, the loop looks at it before
/// each piece.
final class CurlPause: Sendable {
    private let flag = Lock(false)

    var isOn: Bool { flag.withLock { $0 } }
    func set(_ isOn: Bool) { flag.withLock { $0 = isOn } }
}
#endif
