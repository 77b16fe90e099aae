import OmbiCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Runs the commands of a request's secrets once more after a 401, and sends it again with what they write then.
final class SecretRenewal: Authenticator {
    /// The parts of a request that are other than before.
    struct Changes: Sendable {
        var headers = RequestHeaders()
        /// The URL before and now.
        var url: (old: URL, new: URL)?
        var body: EncodedBody?

        var isEmpty: Bool { headers.fields.isEmpty && url == nil && body == nil }
    }

    /// Returns nil where the secrets are the same.
    typealias Renew = @Sendable () async -> Changes?

    private let renew: Renew
    private let renewed = Lock(Changes())

    init(_ renew: @escaping Renew) { self.renew = renew }

    func authenticate(_ request: TransportRequest) async throws -> TransportRequest {
        let changes = renewed.withLock { $0 }
        var request = request
        for field in changes.headers.fields where request.headers[field.key] != nil {
            request.headers[field.key] = field.value
        }
        if let url = changes.url, request.url == url.old { request.url = url.new }
        if let body = changes.body { (request.body, request.bodyStream) = (body.data, body.stream) }
        return request
    }

    func refresh(after response: TransportResponse, to request: TransportRequest) async throws -> Bool {
        guard response.cameFromOrigin(of: request), let changes = await renew(), !changes.isEmpty else { return false }
        renewed.withLock { $0 = changes }
        return true
    }
}

extension Session {
    /// Returns nil for a request that has no secret of a command.
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
            guard isNew, let again = try? await prepare(chain)?.value else { return nil }
            mask.add(again.variables.filter { used in secrets.contains { $0.secret.name == used.name } }.map(\.value))
            return SecretRenewal.Changes(from: resolved, to: again)
        }
    }
}

extension SecretRenewal.Changes {
    fileprivate init(from old: ResolvedRequest, to new: ResolvedRequest) {
        headers = new.headers.changes(since: old.headers)
            .merged(with: new.additionalHeaders.changes(since: old.additionalHeaders))
        if let before = old.url, let now = new.url, before != now { url = (before, now) }
        if old.body?.encoded != new.body?.encoded { body = new.body?.encoded }
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
