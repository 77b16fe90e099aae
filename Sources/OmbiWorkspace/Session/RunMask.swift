import OmbiCore

/// Masks what an authenticator adds to a request, beside the secrets of the request itself.
final class RunMask: Sendable {
    private let state: Lock<(redactor: Redactor, known: Set<String>)>

    init(_ redactor: Redactor) { state = Lock((redactor, [])) }

    var redactor: Redactor { state.withLock { $0.redactor } }

    /// Masks the credentials in the header of a request.
    func add(_ request: TransportRequest) {
        guard let text = request.headers[.authorization]?.text else { return }
        let credentials = text.split(separator: " ", maxSplits: 1).last.map(String.init) ?? text
        state.withLock { state in
            if state.known.insert(credentials).inserted { state.redactor = state.redactor.masking(credentials) }
        }
    }
}

/// An authenticator whose credentials are masked in everything that is told of the run.
struct MaskedAuthenticator: Authenticator {
    let inner: any Authenticator
    let mask: RunMask

    func authenticate(_ request: TransportRequest) async throws -> TransportRequest {
        let request = try await inner.authenticate(request)
        mask.add(request)
        return request
    }

    func refresh(after response: TransportResponse, to request: TransportRequest) async throws -> Bool {
        try await inner.refresh(after: response, to: request)
    }

    func accepted(_ response: TransportResponse, to request: TransportRequest) {
        inner.accepted(response, to: request)
    }
}
