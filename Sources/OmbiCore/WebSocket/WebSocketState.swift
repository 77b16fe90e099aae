#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension WebSocketCore {
    enum Phase {
        /// A connection is being made, or its handshake is under way.
        case connecting
        case open
        /// A close frame has come or goes out; the end of the connection is waited for.
        case closing
        /// For the next attempt to connect.
        case waiting(until: Duration)
        /// The error is nil after a regular close.
        case ended(WebSocketError?)
    }

    /// One connection.
    struct Link {
        let number: Int
        var machine: WebSocketMachine
        let handshake: OpeningHandshake
        let firstMessages: [WebSocketMessage]
        /// nil until the transport has returned it.
        var channel: (any ByteChannel)?
        /// nil until it is connected.
        var metrics: TransportMetrics?
        var connectedAt: Duration = .zero
        /// nil until the handshake is accepted.
        var openedAt: Duration?
        var lastReceivedAt: Duration = .zero
        /// When the ping went out that the peer has shown no sign of life since.
        var pingedAt: Duration?
        var isReceiving = false
        var isSending = false
        /// Of the opening or of the closing handshake.
        var deadline: Duration?
        /// The peer's close frame.
        var peerClose: (code: WebSocketCloseCode, reason: String)?
        /// Why this side closes it.
        var failure: WebSocketError?
        /// Of the ping of `pingInterval` that went out last.
        var keepAliveID: Int?
        /// The handshake is accepted, and the middlewares around it have not returned yet; what came behind it.
        var accepted: (subprotocol: String?, events: [WebSocketMachine.Event])?

        /// Silence counts from here on: before, the peer may have been held up.
        mutating func startReceiving(at now: Duration) {
            isReceiving = true
            lastReceivedAt = now
            if pingedAt != nil { pingedAt = now }
        }
    }

    /// A message that is on its way out.
    struct Outgoing {
        let kind: WebSocketMessage.Kind
        let bytes: Int
    }

    struct State {
        var phase = Phase.connecting
        /// Makes the request of each connection; let go at the end.
        var make: MakeRequest?
        var link: Link?
        /// What stands around the handshake under way; nil where nothing does.
        var surrounded: SurroundedHandshake?
        var hasRefreshed = false
        var linkCount = 0
        /// Connections in a row that failed, or stood for a short time only.
        var failures = 0
        /// What the user closes with.
        var ownClose: (code: WebSocketCloseCode, reason: String)?
        /// Nobody has the handle any more.
        var isAbandoned = false

        var head: ResponseHead?
        var subprotocol: String?
        /// Of the connection that ended last.
        var lastClose: (code: WebSocketCloseCode, reason: String)?

        var inbox = Fifo<WebSocketMessage>()
        var inboxBytes = 0
        var outgoing: [Int: Outgoing] = [:]
        /// When the pings went out that are not answered yet.
        var pingTimes: [Int: Duration] = [:]
        var history = WebSocketHistory()

        var readers = Waiters<WebSocketMessage?>()
        var openers = Waiters<ResponseHead>()
        /// True when the message is out, false when there was no connection.
        var senders = Waiters<Bool>()
        /// The round trip; nil when there was no connection.
        var pingers = Waiters<Duration?>()
        var closers = Waiters<Void>()
        var watchers = Waiters<Void>()

        var timer: (any RunTimer)?
        var timerDeadline: Duration?
        /// What is left to be done outside the lock.
        var effects: [@Sendable () -> Void] = []
        private var isDoing = false
        private var lastID = 0

        init(make: @escaping MakeRequest) { self.make = make }

        mutating func makeID() -> Int {
            lastID += 1
            return lastID
        }

        /// What the caller has to do now; empty while another thread does it, which will do this too.
        mutating func takeEffects() -> [@Sendable () -> Void] {
            guard !isDoing, !effects.isEmpty else { return [] }
            isDoing = true
            return takeNextEffects()
        }

        /// What came up meanwhile; empty when the caller is done.
        mutating func takeNextEffects() -> [@Sendable () -> Void] {
            isDoing = !effects.isEmpty
            defer { effects = [] }
            return effects
        }

        var hasEnded: Bool {
            if case .ended = phase { true } else { false }
        }

        var isOpen: Bool {
            if case .open = phase { true } else { false }
        }

        var isClosing: Bool {
            if case .closing = phase { true } else { false }
        }

        /// Forgets a message or a ping of a task that was cancelled. A message that has begun to go out still does.
        mutating func takeBack(_ id: Int) {
            if outgoing[id] != nil, link?.machine.takeBack(id) == true { outgoing[id] = nil }
            pingTimes[id] = nil
        }

        mutating func resume<Value>(_ continuations: [Waiters<Value>.Continuation], _ outcome: Waiters<Value>.Outcome) {
            guard !continuations.isEmpty else { return }
            effects.append { for continuation in continuations { continuation.resume(returning: outcome) } }
        }
    }
}
