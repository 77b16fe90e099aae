import OmbiCore

/// Runs the commands of a request's secrets once more after a 401, and sends it again with what they write then.
final class SecretRenewal: Authenticator {
    /// Returns the headers that are other than before; nil where the secrets are the same.
    typealias Renew = @Sendable () async -> RequestHeaders?

    private let renew: Renew
    private let renewed = Lock(RequestHeaders())

    init(_ renew: @escaping Renew) { self.renew = renew }

    func authenticate(_ request: TransportRequest) async throws -> TransportRequest {
        let headers = renewed.withLock { $0 }
        var request = request
        for field in headers.fields where request.headers[field.key] != nil {
            request.headers[field.key] = field.value
        }
        return request
    }

    func refresh(after response: TransportResponse, to request: TransportRequest) async throws -> Bool {
        guard response.cameFromOrigin(of: request), let headers = await renew(), !headers.fields.isEmpty else {
            return false
        }
        renewed.withLock { $0 = headers }
        return true
    }
}

extension Session {
    /// Returns nil for a request that has no secret of a command in its headers.
    func renewal(of chain: RunChain, _ resolved: ResolvedRequest, _ mask: RunMask) -> SecretRenewal? {
        let order = chain.order
        let secrets = resolved.variables.compactMap { used -> (secret: Secret, value: String)? in
            guard let secret = order.chosenEnvironment?.secrets.last(where: { $0.name == used.name }),
                case .command = secret.source
            else { return nil }
            return (secret, used.value)
        }
        guard !secrets.isEmpty else { return nil }
        return SecretRenewal { [self] in
            var isNew = false
            for (secret, value) in secrets where await renew(secret, refused: value, for: order) { isNew = true }
            guard isNew, let again = try? await prepare(chain) else { return nil }
            mask.add(again.variables.filter { used in secrets.contains { $0.secret.name == used.name } }.map(\.value))
            return again.headers.changes(since: resolved.headers)
                .merged(with: again.additionalHeaders.changes(since: resolved.additionalHeaders))
        }
    }
}

extension RequestHeaders {
    /// The fields whose value is another than that in older headers.
    fileprivate func changes(since old: RequestHeaders) -> RequestHeaders {
        var changes = RequestHeaders()
        for field in fields where old[field.key] != field.value { changes[field.key] = field.value }
        return changes
    }

    fileprivate func merged(with others: RequestHeaders) -> RequestHeaders {
        var all = self
        for field in others.fields where all[field.key] == nil { all[field.key] = field.value }
        return all
    }
}
