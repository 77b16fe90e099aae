internal import OmbiBase

/// The rules for repeating failed attempts: which, how often, and after which wait.
public struct RetryPolicy: Sendable, Equatable {
    /// A kind of failure that may be worth another attempt.
    public enum Failure: String, Sendable, Hashable, CaseIterable, Codable {
        /// The connection failed, or broke before the response was complete.
        case connection
        /// The attempt took longer than its timeout.
        case timeout
        /// A response whose status is in `statusCodes`.
        case status
        /// The decoder rejected the body.
        case decoding
        /// The validator rejected the response.
        case validation
    }

    /// The number of attempts after the first; a negative number counts as 0.
    public var retries: Int
    /// The failures to repeat. Without `status`, `statusCodes` has no effect.
    public var failures: Set<Failure>
    /// Statuses that count as failures, regardless of the validator. When no attempts are left, the last response is
    /// delivered.
    public var statusCodes: Set<Int>
    /// A test of responses by more than their status; nil, the default, uses `statusCodes` alone. A response to repeat
    /// counts as `Failure.status`.
    public var condition: ResponseCondition?
    /// The wait before each further attempt; none by default.
    public var backoff: Backoff
    /// Waits for the time in a `Retry-After` header (RFC 9110 §10.2.3), but never past the SLA, and at most
    /// `maximumRetryAfter`.
    public var honorsRetryAfter: Bool
    /// The maximum time that a server may request between attempts, an hour by default. A longer `Retry-After` ends the
    /// attempts with the failure at hand (`AttemptReport.missedRetry`); a longer `retry:` field of a stream of events is
    /// shortened.
    public var maximumRetryAfter: Duration
    /// Also repeats POST and PATCH after bytes were sent. Off by default: the server may have acted on them. A request
    /// with an `Idempotency-Key` header is repeated in any case.
    public var retriesUnsafeMethods: Bool
    /// Adds an `Idempotency-Key` header to a POST or PATCH without one: a new UUID for all attempts of a run, so that
    /// it can be repeated. Only for servers that support the header (draft-ietf-httpapi-idempotency-key-header).
    public var addsIdempotencyKey: Bool
    /// The share of retries that the origin of the request is sent by all runs together; nil, the default, for no
    /// limit. A retry that is not sent is the `AttemptReport.missedRetry` of its attempt.
    public var retryBudget: RetryBudget?
    /// The rule that holds attempts while the origin of the request fails; nil, the default, for none.
    public var breaker: CircuitBreaker?

    /// Statuses that may be temporary: 408, 425, 429, 500, 502, 503 and 504 (RFC 9110 §15, RFC 8470, RFC 6585).
    public static let transientStatusCodes: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

    /// Creates a policy; by default, one attempt. With `retries`, network failures and transient statuses are repeated
    /// at once.
    public init(
        retries: Int = 0, failures: Set<Failure> = [.connection, .timeout, .status],
        statusCodes: Set<Int> = RetryPolicy.transientStatusCodes, condition: ResponseCondition? = nil,
        backoff: Backoff = .none,
        honorsRetryAfter: Bool = true, maximumRetryAfter: Duration = .seconds(3600),
        retriesUnsafeMethods: Bool = false, addsIdempotencyKey: Bool = false, retryBudget: RetryBudget? = nil,
        breaker: CircuitBreaker? = nil
    ) {
        self.retries = retries
        self.failures = failures
        self.statusCodes = statusCodes
        self.condition = condition
        self.backoff = backoff
        self.honorsRetryAfter = honorsRetryAfter
        self.maximumRetryAfter = maximumRetryAfter
        self.retriesUnsafeMethods = retriesUnsafeMethods
        self.addsIdempotencyKey = addsIdempotencyKey
        self.retryBudget = retryBudget
        self.breaker = breaker
    }

    /// True if attempts depend on what other runs to the origin have met.
    var guardsOrigin: Bool { breaker != nil || retryBudget != nil }

    /// Returns true if a response counts as a failure by its status or the condition.
    func repeats(_ response: TransportResponse) -> Bool {
        guard failures.contains(.status), let status = response.statusCode else { return false }
        return statusCodes.contains(status) || condition?.isMet(response) == true
    }

    /// A policy of one attempt.
    public static let never = RetryPolicy(retries: 0)

    /// Returns the policy for a plain `retries` parameter: every failed attempt is repeated at once, whatever the
    /// method. A status is a failure if the validator rejects it.
    public static func plain(retries: Int) -> RetryPolicy {
        RetryPolicy(
            retries: retries, failures: plainFailures, statusCodes: [], backoff: .none, honorsRetryAfter: false,
            retriesUnsafeMethods: true)
    }

    private static let plainFailures: Set<Failure> = [.connection, .timeout, .decoding, .validation]
}

/// A test of whether a response is worth another attempt, for `RetryPolicy.condition`:
///
///     policy.condition = ResponseCondition { response in
///         response.statusCode == 403 && response.headers?["X-RateLimit-Remaining"] == "0"
///     }
///
/// It runs on a thread of the transport, and gets status, headers and bytes. Two are equal if one is a copy of the
/// other.
public struct ResponseCondition: Sendable, Equatable {
    private final class Identity: Sendable {}

    private let identity = Identity()
    let isMet: @Sendable (TransportResponse) -> Bool

    /// Creates a condition that is met if `isMet` returns true.
    public init(_ isMet: @escaping @Sendable (TransportResponse) -> Bool) { self.isMet = isMet }

    public static func == (left: ResponseCondition, right: ResponseCondition) -> Bool {
        left.identity === right.identity
    }
}

/// The wait before the next attempt: `first`, then `first × factor`, then `first × factor²`, …, each at most `ceiling`,
/// with a random deviation of ±`jitter` (0.2 is ±20 %).
public struct Backoff: Sendable, Equatable {
    /// The wait after the first attempt; none at zero or less.
    public var first: Duration
    /// The ratio of each wait to the previous one; 1 keeps them equal.
    public var factor: Double
    /// The maximum relative deviation, clamped to the range from 0, none, to 1, up to twice as long.
    public var jitter: Double
    /// The maximum wait, jitter included; nil for no limit.
    public var ceiling: Duration?

    /// Creates a backoff; by default, waits double, without jitter and without a ceiling.
    public init(first: Duration, factor: Double = 2, jitter: Double = 0, ceiling: Duration? = nil) {
        self.first = first
        self.factor = factor
        self.jitter = jitter
        self.ceiling = ceiling
    }

    /// No wait.
    public static let none = Backoff(first: .zero, factor: 1)

    /// Returns a backoff with equal waits.
    public static func constant(_ wait: Duration) -> Backoff { Backoff(first: wait, factor: 1) }

    /// Returns a backoff whose waits grow by `factor`.
    public static func exponential(
        first: Duration, factor: Double = 2, jitter: Double = 0, ceiling: Duration? = nil
    ) -> Backoff {
        Backoff(first: first, factor: factor, jitter: jitter, ceiling: ceiling)
    }
}

/// The decision about a failed attempt: no retry, or one after a wait. A pure function of policy and situation.
enum RetryDecision: Equatable {
    case stop
    /// The wait for a retry would end after the SLA, or be longer than the policy lets a server request.
    case miss(MissedRetry)
    case retry(after: Duration, reason: WaitReason)

    /// The inputs of the decision.
    struct Situation {
        var failure: RetryPolicy.Failure
        /// The number of the attempt that failed, from 1.
        var attempt: Int
        /// The maximum number of attempts of the run.
        var attempts: Int
        /// True if nothing can have reached the server.
        var nothingSent: Bool
        var request: TransportRequest
        /// The requested wait; nil if absent or not honored.
        var retryAfter: Duration?
        var slaLeft: Duration
        /// A random number from -1 to 1.
        var random: Double
    }

    static func decide(_ policy: RetryPolicy, _ situation: Situation) -> RetryDecision {
        guard situation.attempt < situation.attempts, policy.failures.contains(situation.failure),
            policy.mayRepeat(situation)
        else { return .stop }
        let wait = situation.retryAfter ?? policy.backoff.wait(attempt: situation.attempt, random: situation.random)
        let reason: WaitReason = situation.retryAfter == nil ? .backoff : .retryAfter
        let maximum = situation.retryAfter.flatMap { $0 > policy.maximumRetryAfter ? policy.maximumRetryAfter : nil }
        guard wait < situation.slaLeft, maximum == nil else {
            return .miss(
                MissedRetry(
                    wait: wait, reason: reason, slaLeft: max(.zero, situation.slaLeft),
                    maximum: wait < situation.slaLeft ? maximum : nil))
        }
        return .retry(after: wait, reason: reason)
    }
}

extension RetryPolicy {
    /// Returns true if a repetition does no harm: the request is idempotent, or cannot have reached the server.
    fileprivate func mayRepeat(_ situation: RetryDecision.Situation) -> Bool {
        retriesUnsafeMethods || situation.nothingSent || situation.request.method.isIdempotent
            || situation.request.headers[.idempotencyKey] != nil
    }
}

extension Backoff {
    /// Returns the wait after attempt number `attempt`; `random`, from -1 to 1, selects a point within the jitter.
    func wait(attempt: Int, random: Double) -> Duration {
        let limit = (ceiling ?? .longest).inSeconds
        let seconds = first > .zero ? first.inSeconds * factor.power(max(attempt, 1) - 1) : 0
        let spread = 1 + min(max(jitter, 0), 1) * min(max(random, -1), 1)
        return Duration(clampingSeconds: min(min(seconds, limit) * spread, limit))
    }
}

extension Double {
    /// Returns the number multiplied by itself `exponent` times, in steps that double; 1 for an exponent of 0.
    fileprivate func power(_ exponent: Int) -> Double {
        var (result, square, rest) = (1.0, self, exponent)
        while rest > 0 {
            if rest & 1 == 1 { result *= square }
            square *= square
            rest >>= 1
        }
        return result
    }
}
