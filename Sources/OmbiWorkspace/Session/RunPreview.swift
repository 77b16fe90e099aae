import OmbiCore

/// A run before anything of it is sent: the request as it would leave, with secrets masked, and what would become of a
/// failure.
public struct RunPreview: Sendable, Equatable {
    public var request: PreparedRequest
    /// The requests that would be sent first, in order. Their values are stand-ins in the request.
    public var sentFirst: [Dependency]
    /// The limit of one attempt; nil for none.
    public var attemptTimeout: Duration?
    public var retry: RetryPolicy
    /// The time at which the SLA would end if the request were sent now.
    public var slaEnd: LocalTime?
}

extension Session {
    /// Prepares a request without sending anything. Reads the secrets that it uses.
    public func preview(_ order: RunOrder) throws(ResolveError) -> RunPreview {
        let sentFirst = try plan(order)
        let scope = sampleScope(of: order)
        let resolved = try resolve(order, scope)
        var request = PreparedRequest(resolved)
        request.url = scope.namingSamples(in: request.url)
        return RunPreview(
            request: request, sentFirst: sentFirst, attemptTimeout: resolved.attemptTimeout,
            retry: resolved.retry, slaEnd: LocalTime(after: resolved.sla.value))
    }
}
