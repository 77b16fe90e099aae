/// How a run is to go: everything but the request itself.
struct RunPlan: Sendable {
    var policy: RetryPolicy
    /// The limit over all attempts and waits.
    var sla: Duration
    var transport: any Transport
    var clock: any RunClock
    var log: RequestLog?
    /// From -1 to 1, for the jitter.
    var random: @Sendable () -> Double
}

/// What the caller of a door may choose.
struct RunOptions: Sendable {
    var authentication: RequestAuthentication?
    var policy: RetryPolicy
    var sla: Duration
}
