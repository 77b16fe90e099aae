/// Keeps what a slow line holds of frames short, so that the screen stands still soon after a key is released: ssh and the
/// network would take many frames that nobody sees any more.
///
/// The first frame, and every few hundred bytes of frames in quick succession, are followed by a status request (DSR, `ESC [ 5 n`, ECMA-48 §8.3.35). Its reply says that the terminal
/// has taken what was sent before. While more bytes than the window have no reply, no frame is drawn. A window that is used
/// grows as long as no frame waits for the ones before it, so that a line with a long way is kept busy, and shrinks to what did
/// not queue up. A terminal that has not replied yet is never waited for.
struct FramePacer {
    /// The least window in bytes: ten cursor moves, or the scrolled row of a pane.
    static let minimumWindow = 1 << 10
    static let maximumWindow = 1 << 16
    /// The bytes since the last request that are worth another one: a reply wakes the program, and a cursor move has 60.
    static let minimumRequest = 1 << 8
    /// The time that a frame may wait for the ones before it.
    static let maximumQueue = Duration.milliseconds(30)
    /// The time that a frame may take on the line for another one to follow before its reply.
    static let maximumTransmission = Duration.milliseconds(120)
    /// Frames that follow each other within this time are in quick succession.
    static let succession = Duration.seconds(1)
    /// The time after which a reply is taken for lost.
    static let patience = Duration.milliseconds(1500)

    private struct Frame {
        /// Those since the request before it.
        var bytes: Int
        /// All bytes that were on their way when it was sent, its own included.
        var total: Int
        var sent: ContinuousClock.Instant
    }

    /// The frames that were followed by a request, oldest first.
    private var pending: [Frame] = []
    private var lastFrame: ContinuousClock.Instant?
    /// The bytes in quick succession that no request has followed yet.
    private var unasked = 0
    private var replies = false
    private var window = Self.minimumWindow
    /// True once frames waited for others.
    private var hasQueued = false
    private var shortestLag: Duration?
    /// The time between the last request and its reply.
    private(set) var lag = Duration.zero

    /// Takes note of a frame. Returns true when it is to be followed by a request.
    mutating func sent(_ bytes: Int, at now: ContinuousClock.Instant) -> Bool {
        guard bytes > 0 else { return false }
        defer { lastFrame = now }
        giveUp(at: now)
        let isFollowing = lastFrame.map { now - $0 < Self.succession } ?? true
        // The terminal has long taken what came before a pause, and takes a single frame at once.
        unasked = isFollowing ? unasked + bytes : 0
        guard isFollowing, replies || pending.isEmpty, lastFrame == nil || unasked >= Self.minimumRequest else {
            return false
        }
        pending.append(Frame(bytes: unasked, total: unconfirmed + unasked, sent: now))
        unasked = 0
        return true
    }

    mutating func replied(at now: ContinuousClock.Instant) {
        replies = true
        guard !pending.isEmpty else { return }
        let frame = pending.removeFirst()
        lag = now - frame.sent
        guard let shortest = shortestLag else {
            shortestLag = lag
            return
        }
        shortestLag = min(shortest, lag)
        let queue = lag - shortest - min(lag * frame.bytes / frame.total, Self.maximumTransmission)
        if queue > Self.maximumQueue {
            hasQueued = true
            // The bytes that the way itself holds, and half of the frame.
            let fitting = Double(frame.total) * (shortest / lag) + Double(frame.bytes) / 2
            window = min(window, max(Int(fitting), Self.minimumWindow))
        } else if queue <= .zero, frame.total >= window / 2 {
            // Doubled with each round of replies at first; by a frame once the line was seen to be full.
            let growth = hasQueued ? frame.bytes * frame.bytes / max(window, frame.bytes) : frame.bytes
            window = min(window + growth, Self.maximumWindow)
        }
    }

    private var unconfirmed: Int { pending.reduce(0) { $0 + $1.bytes } }

    /// The time until which no frame may be drawn, unless a reply arrives earlier; nil if one may be drawn.
    func blocked(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        guard replies, unconfirmed > window, let first = pending.first else { return nil }
        let end = first.sent + Self.patience
        return end > now ? end : nil
    }

    /// The number of outstanding replies; 0 for a terminal that has not replied yet, because a wait for replies drops
    /// typed keys.
    func awaited(at now: ContinuousClock.Instant) -> Int {
        guard replies, let first = pending.first, now - first.sent < Self.patience else { return 0 }
        return pending.count
    }

    /// Forgets the requests. Their replies have come, or went to another program.
    mutating func reset() {
        pending = []
        lastFrame = nil
        unasked = 0
    }

    private mutating func giveUp(at now: ContinuousClock.Instant) {
        guard let first = pending.first, now - first.sent >= Self.patience else { return }
        pending = []
        replies = false
    }
}
