internal import OmbiBase

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
