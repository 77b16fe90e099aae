/// A queue of events between a connection and its reader: the connection waits while the reader is behind.
final class EventQueue: Sendable {
    /// The size of events, in bytes, above which the connection waits until a quarter of it is left.
    static let highWaterMark = 256 * 1024

    private typealias Waiter = CheckedContinuation<Void, Never>

    private struct State {
        var events = Fifo<ServerSentEvent>()
        var byteCount = 0
        var hasEnded = false
        var readers: [Waiter] = []
        var writers: [Waiter] = []

        mutating func take() -> (ServerSentEvent?, hasEnded: Bool, writers: [Waiter]) {
            guard let event = events.popFirst() else { return (nil, hasEnded, []) }
            byteCount -= event.byteCount
            guard byteCount <= EventQueue.highWaterMark / 4, !writers.isEmpty else { return (event, hasEnded, []) }
            defer { writers = [] }
            return (event, hasEnded, writers)
        }
    }

    private let state = Lock(State())

    /// Adds events, and waits until there is room for more, or the queue has ended.
    func put(_ events: [ServerSentEvent]) async {
        guard add(events) else { return }
        await withCheckedContinuation { (writer: Waiter) in
            let hasRoom = state.withLock { state in
                let hasRoom = state.hasEnded || state.byteCount <= Self.highWaterMark
                if !hasRoom { state.writers.append(writer) }
                return hasRoom
            }
            if hasRoom { writer.resume() }
        }
    }

    /// Adds events at once. Returns true if there is no room for more.
    @discardableResult func add(_ events: [ServerSentEvent]) -> Bool {
        let (isFull, readers) = state.withLock { state -> (Bool, [Waiter]) in
            guard !state.hasEnded else { return (false, []) }
            for event in events {
                state.events.append(event)
                state.byteCount += event.byteCount
            }
            defer { state.readers = [] }
            return (state.byteCount > Self.highWaterMark, state.readers)
        }
        for reader in readers { reader.resume() }
        return isFull
    }

    /// Returns the next event; nil after the last one.
    func next() async -> ServerSentEvent? {
        while true {
            let (event, hasEnded, writers) = state.withLock { $0.take() }
            for writer in writers { writer.resume() }
            if event != nil || hasEnded { return event }
            await withCheckedContinuation { (reader: Waiter) in
                let isReady = state.withLock { state in
                    let isReady = !state.events.isEmpty || state.hasEnded
                    if !isReady { state.readers.append(reader) }
                    return isReady
                }
                if isReady { reader.resume() }
            }
        }
    }

    /// Ends the queue. Queued events remain available unless dropped.
    func finish(dropping: Bool = false) {
        let before = state.withLock { state in
            let before = state
            state = State(events: dropping ? Fifo() : before.events, hasEnded: true)
            return before
        }
        for waiter in before.readers + before.writers { waiter.resume() }
    }
}

extension ServerSentEvent {
    fileprivate var byteCount: Int { data.utf8.count + type.utf8.count + id.utf8.count + 64 }
}
