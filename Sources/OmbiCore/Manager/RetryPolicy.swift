/// Which failed attempts are repeated, how often, and how long to wait in between.
public struct RetryPolicy: Sendable, Equatable {
    /// A kind of failure that may be worth another attempt.
    public enum Failure: String, Sendable, Hashable, CaseIterable, Codable {
        /// No connection, or it broke before the response was complete.
        case connection
        /// The attempt took longer than its timeout.
        case timeout
        /// A response whose status is in `statusCodes`.
        case status
        /// The decoder refused the body.
        case decoding
        /// The validator refused the response.
        case validation
    }

    /// Attempts after the first one; a negative number counts as 0.
    public var retries: Int
    /// What is repeated. Without `status`, `statusCodes` has no effect.
    public var failures: Set<Failure>
    /// Statuses that count as failed, whatever the validator says. The last response is delivered when no attempts are
    /// left.
    public var statusCodes: Set<Int>
    /// Judges responses by more than their status; nil, the default, is by `statusCodes` alone. What it says is repeated
    /// counts as `Failure.status`.
    public var condition: ResponseCondition?
    /// The wait before each further attempt; none by default.
    public var backoff: Backoff
    /// Waits as long as a `Retry-After` header says (RFC 9110 §10.2.3), never past the SLA.
    public var honorsRetryAfter: Bool
    /// Also repeats POST and PATCH after something was sent. Off by default: the server may have acted on it.
    /// A request with an `Idempotency-Key` header is repeated in any case.
    public var retriesUnsafeMethods: Bool
    /// Gives a POST or PATCH that has none an `Idempotency-Key` header, a new UUID that is the same for all attempts
    /// of a run, so that it can be repeated. Only for servers that know the header
    /// (draft-ietf-httpapi-idempotency-key-header).
    public var addsIdempotencyKey: Bool

    /// Statuses that may be gone in a moment: 408, 425, 429, 500, 502, 503 and 504 (RFC 9110 §15, RFC 8470, RFC 6585).
    public static let transientStatusCodes: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

    /// By default one attempt; with `retries`, failures of the network and transient statuses are repeated at once.
    public init(
        retries: Int = 0, failures: Set<Failure> = [.connection, .timeout, .status],
        statusCodes: Set<Int> = RetryPolicy.transientStatusCodes, condition: ResponseCondition? = nil,
        backoff: Backoff = .none,
        honorsRetryAfter: Bool = true, retriesUnsafeMethods: Bool = false,
        addsIdempotencyKey: Bool = false
    ) {
        self.retries = retries
        self.failures = failures
        self.statusCodes = statusCodes
        self.condition = condition
        self.backoff = backoff
        self.honorsRetryAfter = honorsRetryAfter
        self.retriesUnsafeMethods = retriesUnsafeMethods
        self.addsIdempotencyKey = addsIdempotencyKey
    }

    /// Whether a response counts as failed for its head.
    func repeats(_ response: TransportResponse) -> Bool {
        guard failures.contains(.status), let status = response.statusCode else { return false }
        return statusCodes.contains(status) || condition?.isMet(response) == true
    }

    /// One attempt.
    public static let never = RetryPolicy(retries: 0)

    /// The plain count, which the doors make of `retries`: every failure of an attempt is repeated at once, whatever the
    /// method. A status counts when the validator refuses it.
    public static func plain(retries: Int) -> RetryPolicy {
        RetryPolicy(
            retries: retries, failures: plainFailures, statusCodes: [], backoff: .none, honorsRetryAfter: false,
            retriesUnsafeMethods: true)
    }

    private static let plainFailures: Set<Failure> = [.connection, .timeout, .decoding, .validation]
}

/// Says of a response whether it is worth another attempt, for `RetryPolicy.condition`:
///
///     policy.condition = ResponseCondition { response in
///         response.statusCode == 403 && response.headers?["X-RateLimit-Remaining"] == "0"
///     }
///
/// It runs on a thread of the transport, and gets status, headers and bytes. Two are equal if one is a copy of the other.
public struct ResponseCondition: Sendable, Equatable {
    private final class Identity: Sendable {}

    private let identity = Identity()
    let isMet: @Sendable (TransportResponse) -> Bool

    /// A condition that is met where `isMet` returns true.
    public init(_ isMet: @escaping @Sendable (TransportResponse) -> Bool) { self.isMet = isMet }

    public static func == (left: ResponseCondition, right: ResponseCondition) -> Bool {
        left.identity === right.identity
    }
}

/// The wait before the next attempt: `first`, then `first × factor`, then `first × factor²`, …, each at most
/// `ceiling`, spread at random by ±`jitter` (0.2 is ±20 %).
public struct Backoff: Sendable, Equatable {
    /// The wait after the first attempt. Zero and less is no wait.
    public var first: Duration
    /// What each wait is longer than the one before; 1 keeps them equal.
    public var factor: Double
    /// From 0, exactly as long, to 1, anything up to twice as long. What lies outside is brought into range.
    public var jitter: Double
    /// No wait is longer, jitter included; nil is no limit.
    public var ceiling: Duration?

    /// Without jitter and without a ceiling, each wait is twice as long as the one before.
    public init(first: Duration, factor: Double = 2, jitter: Double = 0, ceiling: Duration? = nil) {
        self.first = first
        self.factor = factor
        self.jitter = jitter
        self.ceiling = ceiling
    }

    /// No wait.
    public static let none = Backoff(first: .zero, factor: 1)

    /// Always the same wait.
    public static func constant(_ wait: Duration) -> Backoff { Backoff(first: wait, factor: 1) }

    /// Each wait is `factor` times as long as the one before.
    public static func exponential(
        first: Duration, factor: Double = 2, jitter: Double = 0, ceiling: Duration? = nil
    ) -> Backoff {
        Backoff(first: first, factor: factor, jitter: jitter, ceiling: ceiling)
    }
}
