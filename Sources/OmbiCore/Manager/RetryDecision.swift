/// Whether a failed attempt is repeated, and after which wait. A pure function of the policy and of what happened.
enum RetryDecision: Equatable {
    case stop
    case retry(after: Duration, reason: WaitReason)

    /// What the decision is made from.
    struct Situation {
        var failure: RetryPolicy.Failure
        /// The number of the attempt that failed, from 1.
        var attempt: Int
        /// How many attempts the run may make in all.
        var attempts: Int
        /// Nothing can have reached the server.
        var nothingSent: Bool
        var request: TransportRequest
        /// nil when there was none, or when it is not honoured.
        var retryAfter: Duration?
        var slaLeft: Duration
        /// From -1 to 1.
        var random: Double
    }

    static func decide(_ policy: RetryPolicy, _ situation: Situation) -> RetryDecision {
        guard situation.attempt < situation.attempts, policy.failures.contains(situation.failure),
            policy.mayRepeat(situation)
        else { return .stop }
        let wait = situation.retryAfter ?? policy.backoff.wait(attempt: situation.attempt, random: situation.random)
        guard wait < situation.slaLeft else { return .stop }
        return .retry(after: wait, reason: situation.retryAfter == nil ? .backoff : .retryAfter)
    }
}

extension RetryPolicy {
    /// A request that may have acted on the server is repeated only when acting twice does no harm.
    fileprivate func mayRepeat(_ situation: RetryDecision.Situation) -> Bool {
        retriesUnsafeMethods || situation.nothingSent || situation.request.method.isIdempotent
            || situation.request.headers[.idempotencyKey] != nil
    }
}

extension Backoff {
    /// The wait after attempt number `attempt`; `random` from -1 to 1 places it within the jitter.
    func wait(attempt: Int, random: Double) -> Duration {
        let limit = (ceiling ?? .longest).inSeconds
        var seconds = first.inSeconds
        for _ in 1..<max(attempt, 1) where seconds < limit && seconds > 0 { seconds *= factor }
        let spread = 1 + min(max(jitter, 0), 1) * min(max(random, -1), 1)
        return Duration(clampingSeconds: min(min(seconds, limit) * spread, limit))
    }
}
