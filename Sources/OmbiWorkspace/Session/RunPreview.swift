import OmbiCore

/// A run before anything of it is sent: the request as it would leave, with secrets masked, and what would become of a
/// failure.
public struct RunPreview: Sendable, Equatable {
    public var request: PreparedRequest
    /// The requests that would be sent first, in order. Their values are stand-ins in the request.
    public var sentFirst: [Dependency]
    /// The name of the request of the group for which this one would have been sent already; nil where there is none.
    public var sentFor: String?
    /// The limit of one attempt; nil for none.
    public var attemptTimeout: Duration?
    public var retry: RetryPolicy
    /// The part of `request.sources` that has no grant yet.
    public var ungranted: [PreparedRequest.SentSource] = []
    /// The time at which the SLA would end if the request were sent now.
    public var slaEnd: LocalTime?
    /// `RunOrder.queryProblems`, which are looked for once for all rows of data.
    public var queryProblems: [String] = []
    /// A sentence about credentials that this system cannot send, or does not keep private; nil for none.
    public var credentialsWarning: String?
}

extension Session {
    /// Returns the request with the names of secrets that have yet to be obtained.
    private func preview(_ order: RunOrder, _ scope: CapturedScope) throws(ResolveError) -> ResolvedRequest {
        do throws(ResolveError) { return try resolve(order, scope, standIn: nil) } catch {
            if let missing = error.missingSecret { return try resolve(order, scope, standIn: "{{\(missing.name)}}") }
            guard flowsOfPipes(in: order) != nil, let preview = try? resolve(order, scope, standIn: "{{pipe}}") else {
                throw error
            }
            return preview
        }
    }

    /// Prepares a request without sending anything. Reads the secrets that it uses.
    public func preview(_ order: RunOrder) throws(ResolveError) -> RunPreview {
        let sentFirst = try plan(order, isGated: false)
        let scope = sampleScope(of: order)
        let resolved = try preview(order, scope)
        var request = PreparedRequest(resolved)
        request.url = scope.namingSamples(in: request.url)
        let missing = steps.gate.missing(resolved.flows, of: order.file)
        let ungranted = request.sources.filter { sent in
            missing.contains { $0.source.text == sent.source && $0.destination.text == sent.destination }
        }
        let sentFor = order.group?.takePlanned(order.key(of: order.request))
        for first in sentFirst { order.group?.plan(order.key(of: first.request), for: order.request.name) }
        var preview = RunPreview(
            request: request, sentFirst: sentFirst, sentFor: sentFor, attemptTimeout: resolved.attemptTimeout,
            retry: resolved.retry, ungranted: ungranted, slaEnd: LocalTime(after: resolved.sla.value))
        if resolved.credentials != nil {
            let authentication = order.inheritance.authentication(of: order.request)?.value
            preview.credentialsWarning = authentication?.machineWarning(folder: order.folder)
        }
        return preview
    }
}
