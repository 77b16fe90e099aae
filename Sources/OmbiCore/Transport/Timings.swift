/// A step of one attempt, in order of occurrence.
public enum RequestPhase: String, Sendable, Hashable, CaseIterable, Codable {
    /// Waiting for other requests, because the limit for the host or in total is reached.
    case queue
    /// Looking up the host name.
    case resolve
    /// Making the connection.
    case connect
    /// Exchanging keys, and verifying the server.
    case tls = "TLS"
    /// Sending the request.
    case send
    /// Waiting for the first byte of the response.
    case wait
    /// Receiving the response.
    case receive
}

/// The duration of each phase of one attempt. A skipped phase (no TLS, a reused connection) is zero.
public struct Timings: Sendable, Equatable {
    /// Waiting for other requests.
    public var queue: Duration
    /// Looking up the host name.
    public var resolve: Duration
    /// Making the connection.
    public var connect: Duration
    /// Exchanging keys, and verifying the server.
    public var tls: Duration
    /// Sending the request.
    public var send: Duration
    /// From the sent request to the first byte of the response.
    public var wait: Duration
    /// From the first byte of the response to the last one.
    public var receive: Duration

    /// Creates timings; omitted phases are zero.
    public init(
        queue: Duration = .zero, resolve: Duration = .zero, connect: Duration = .zero, tls: Duration = .zero,
        send: Duration = .zero, wait: Duration = .zero, receive: Duration = .zero
    ) {
        self.queue = queue
        self.resolve = resolve
        self.connect = connect
        self.tls = tls
        self.send = send
        self.wait = wait
        self.receive = receive
    }

    /// The sum of all phases: the duration of the attempt.
    public var total: Duration { queue + resolve + connect + tls + send + wait + receive }

    /// The duration of one phase.
    public subscript(phase: RequestPhase) -> Duration {
        get {
            switch phase {
            case .queue: queue
            case .resolve: resolve
            case .connect: connect
            case .tls: tls
            case .send: send
            case .wait: wait
            case .receive: receive
            }
        }
        set {
            switch phase {
            case .queue: queue = newValue
            case .resolve: resolve = newValue
            case .connect: connect = newValue
            case .tls: tls = newValue
            case .send: send = newValue
            case .wait: wait = newValue
            case .receive: receive = newValue
            }
        }
    }
}

extension Timings {
    package static func + (left: Timings, right: Timings) -> Timings { left.combined(right, +) }
    package static func - (left: Timings, right: Timings) -> Timings { left.combined(right, -) }

    private func combined(_ other: Timings, _ combine: (Duration, Duration) -> Duration) -> Timings {
        var result = self
        for phase in RequestPhase.allCases { result[phase] = combine(self[phase], other[phase]) }
        return result
    }
}

package struct PhaseSet: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package init(_ phase: RequestPhase) {
        self =
            switch phase {
            case .queue: .queue
            case .resolve: .resolve
            case .connect: .connect
            case .tls: .tls
            case .send: .send
            case .wait: .wait
            case .receive: .receive
            }
    }

    package static let resolve = PhaseSet(rawValue: 1)
    package static let connect = PhaseSet(rawValue: 2)
    package static let tls = PhaseSet(rawValue: 4)
    package static let send = PhaseSet(rawValue: 8)
    package static let wait = PhaseSet(rawValue: 16)
    package static let receive = PhaseSet(rawValue: 32)
    package static let queue = PhaseSet(rawValue: 64)
}

/// The durations of an attempt's phases, from the times at which they start. A phase may recur (after a redirect); the
/// time before the first one counts toward it, so that the phases always sum to the whole.
package struct PhaseClock: Sendable {
    package private(set) var phase: RequestPhase?
    package private(set) var reached: PhaseSet = []
    private var timings = Timings()
    private var since: Duration

    package init(startedAt: Duration) { since = startedAt }

    /// Returns true if the phase changes.
    package mutating func enter(_ phase: RequestPhase, at now: Duration) -> Bool {
        guard phase != self.phase else { return false }
        if let last = self.phase {
            timings[last] += max(now - since, .zero)
            since = now
        }
        self.phase = phase
        reached.insert(PhaseSet(phase))
        return true
    }

    /// Returns the phases so far, including the current one.
    package func timings(until now: Duration) -> Timings {
        var result = timings
        result[phase ?? .resolve] += max(now - since, .zero)
        return result
    }
}

/// The transferred part of a body. The last value of a completely sent or received body has its full length.
public struct TransferProgress: Sendable, Hashable {
    /// The bytes transferred so far; of a response, after content decoding.
    public var bytes: Int
    /// The total in bytes; nil if unknown, as for a compressed or chunked response.
    public var expected: Int?

    /// - Parameters:
    ///   - bytes: The bytes so far.
    ///   - expected: The total in bytes; nil if unknown.
    public init(bytes: Int, expected: Int? = nil) {
        self.bytes = bytes
        self.expected = expected
    }
}

/// The TLS connection of an attempt.
public struct TLSReport: Sendable, Equatable {
    /// "TLSv1.3"; nil if the transport does not report it.
    public var version: String?
    /// "TLS_AES_256_GCM_SHA384"; nil if the transport does not report it.
    public var cipher: String?
    /// The chain as sent by the server, its own certificate first; empty if the transport does not report it.
    public var certificates: [Certificate]
    /// True if the certificate was verified; false if `Connection.TLS.verifiesServer` was off.
    public var isVerified: Bool

    /// Creates a report, for transports and tests.
    public init(
        version: String? = nil, cipher: String? = nil, certificates: [Certificate] = [], isVerified: Bool
    ) {
        self.version = version
        self.cipher = cipher
        self.certificates = certificates
        self.isVerified = isVerified
    }

    /// A certificate of a chain (RFC 5280).
    public struct Certificate: Sendable, Hashable {
        /// The name of the owner: "CN = api.example.com".
        public var subject: String
        /// The name of the signer.
        public var issuer: String
        /// The hosts in subjectAltName, without "DNS:".
        public var names: [String]
        /// The start of its validity.
        public var notBefore: Date?
        /// The end of its validity.
        public var notAfter: Date?

        /// Creates a certificate, for transports and tests.
        public init(
            subject: String, issuer: String, names: [String] = [], notBefore: Date? = nil, notAfter: Date? = nil
        ) {
            self.subject = subject
            self.issuer = issuer
            self.names = names
            self.notBefore = notBefore
            self.notAfter = notAfter
        }
    }
}
