import OmbiCore

extension RetryPolicy {
    /// Three more attempts at what may be gone in a moment; `Retry-After` goes before the backoff.
    static let hub = RetryPolicy(
        retries: 3, backoff: .exponential(first: .milliseconds(500), jitter: 0.2, ceiling: .seconds(8)))
}
