import OmbiCore

extension RequestPolicy {
    /// The retry policy of the engine; nil values become the engine's defaults.
    var retryPolicy: RetryPolicy {
        var policy = RetryPolicy(retries: retries ?? 0, backoff: backoff ?? .none)
        guard let retryOn else { return policy }
        policy.failures = []
        policy.statusCodes = []
        for condition in retryOn {
            switch condition {
            case .connection: policy.failures.insert(.connection)
            case .timeout: policy.failures.insert(.timeout)
            case .status(let pattern):
                policy.failures.insert(.status)
                policy.statusCodes.formUnion(pattern.codes)
            }
        }
        return policy
    }
}
