import OmbiCore

/// Masks what an authenticator adds to a request, beside the secrets of the request itself.
final class RunMask: Sendable {
    private let state: Lock<(redactor: Redactor, known: Set<String>)>

    init(_ redactor: Redactor) { state = Lock((redactor, [])) }

    var redactor: Redactor { state.withLock { $0.redactor } }

    /// Shows the headers of responses again, once it is known which values in them are secret.
    func showHeaders() { state.withLock { $0.redactor.hidesHeaders = false } }

    /// Masks the credentials in the header of a request.
    func add(_ request: TransportRequest) {
        guard let text = request.headers[.authorization]?.text else { return }
        let credentials = text.split(separator: " ", maxSplits: 1).last.map(String.init) ?? text
        add([credentials])
    }

    /// Returns the redirect of an event, and masks the secrets in its target from now on; nil for any other event.
    func redirect(_ event: RequestEvent) -> FollowedRedirect? {
        guard case .redirected(let attempt, let report, _) = event else { return nil }
        add(LiteralSecrets(inTargetOf: report).values.sorted())
        return FollowedRedirect(report, of: attempt, redactor)
    }

    /// Masks further secrets from now on.
    func add(_ secrets: [String]) {
        state.withLock { state in
            let new = secrets.filter { !state.known.contains($0) }
            state.known.formUnion(new)
            state.redactor.add(new)
        }
    }
}

/// An authenticator whose credentials are masked in everything that is told of the run.
struct MaskedAuthenticator: Authenticator {
    let inner: any Authenticator
    let mask: RunMask
    /// Nil for a request that may go anywhere.
    let parts: GuardedParts?

    func authenticate(_ request: TransportRequest) async throws -> TransportRequest {
        let authenticated = try await inner.authenticate(request)
        mask.add(authenticated)
        return parts?.apply(authenticated, since: request) ?? authenticated
    }

    func refresh(after response: TransportResponse, to request: TransportRequest) async throws -> Bool {
        try await inner.refresh(after: response, to: request)
    }

    func accepted(_ response: TransportResponse, to request: TransportRequest) {
        inner.accepted(response, to: request)
    }
}
