extension WebSocketCore {
    enum Phase {
        /// A connection or its handshake is in progress.
        case connecting
        case open
        /// A close frame was received or is being sent; the end of the connection is pending.
        case closing
        /// Waiting for the next attempt to connect.
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
        /// nil until connected.
        var metrics: TransportMetrics?
        var connectedAt: Duration = .zero
        /// nil until the handshake is accepted.
        var openedAt: Duration?
        var lastReceivedAt: Duration = .zero
        /// The time of a ping that the peer has not reacted to; nil for none.
        var pingedAt: Duration?
        var isReceiving = false
        var isSending = false
        /// The deadline of the opening or closing handshake.
        var deadline: Duration?
        var peerClose: (code: WebSocketCloseCode, reason: String)?
        /// The reason for this side to close the connection.
        var failure: WebSocketError?
        /// The failure of the last send: nothing more is sent, and only what has arrived is still read.
        var brokenBy: TransportError?
        /// The ID of the last ping of `pingInterval`.
        var keepAliveID: Int?
        /// The accepted handshake and its later events, while the middlewares around it are still running.
        var accepted: (subprotocol: String?, events: [WebSocketMachine.Event])?

        /// Restarts the measurement of silence: before, the peer may have been blocked.
        mutating func startReceiving(at now: Duration) {
            isReceiving = true
            lastReceivedAt = now
            if pingedAt != nil { pingedAt = now }
        }
    }

    /// A message that is being sent.
    struct Outgoing {
        let kind: WebSocketMessage.Kind
        let bytes: Int
    }

    struct State {
        var phase = Phase.connecting
        /// Builds the request of each connection; released at the end.
        var make: MakeRequest?
        var link: Link?
        /// The middlewares and the authenticator around the current handshake; nil for none.
        var surrounded: SurroundedHandshake?
        /// For the tasks around later handshakes; nil if there are none.
        var context: TaskContext?
        var refreshes = RefreshAllowance()
        var linkCount = 0
        /// The number of successive connections that failed, or lasted for a short time only.
        var failures = 0
        var ownClose: (code: WebSocketCloseCode, reason: String)?
        /// True after the release of the last handle.
        var isAbandoned = false

        var head: ResponseHead?
        /// True from an accepted handshake until a caller learns of it.
        var isHeadNew = false
        var subprotocol: String?
        /// The close of the last connection that ended.
        var lastClose: (code: WebSocketCloseCode, reason: String)?

        var inbox = Fifo<WebSocketMessage>()
        var inboxBytes = 0
        var outgoing: [Int: Outgoing] = [:]
        /// The times of pings without a pong so far.
        var pingTimes: [Int: Duration] = [:]
        var history = WebSocketHistory()

        var readers = Waiters<WebSocketMessage?>()
        var openers = Waiters<ResponseHead>()
        /// True for a message that was sent, false without a connection.
        var senders = Waiters<Bool>()
        /// The round-trip time; nil without a connection.
        var pingers = Waiters<Duration?>()
        var closers = Waiters<Void>()
        var watchers = Waiters<Void>()

        var timer: (any RunTimer)?
        var timerDeadline: Duration?
        /// The pending effects, to be run outside the lock.
        var effects: [@Sendable () -> Void] = []
        private var isDoing = false
        private var lastID = 0

        init(make: @escaping MakeRequest) { self.make = make }

        mutating func makeID() -> Int {
            lastID += 1
            return lastID
        }

        /// Returns the effects that the caller has to run; empty while another thread runs effects, which then include
        /// these.
        mutating func takeEffects() -> [@Sendable () -> Void] {
            guard !isDoing, !effects.isEmpty else { return [] }
            isDoing = true
            return takeNextEffects()
        }

        /// Returns the effects added meanwhile; empty when the caller is done.
        mutating func takeNextEffects() -> [@Sendable () -> Void] {
            isDoing = !effects.isEmpty
            return exchange(&effects, with: [])
        }

        /// The head of a connection that the peer closed, or that broke, before a caller learned of it.
        var unreportedHead: ResponseHead? {
            guard isHeadNew, ownClose == nil else { return nil }
            switch phase {
            case .closing, .ended(nil), .ended(.closed), .ended(.connectionError), .ended(.protocolError): return head
            case .ended, .connecting, .open, .waiting: return nil
            }
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

        /// True once nothing can be sent on the connection any more.
        var isBroken: Bool { link?.brokenBy != nil }

        var canSend: Bool { isOpen && !isBroken }

        /// Withdraws the message or ping of a cancelled task. A message that is partly sent is completed.
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
