import OmbiAuthentication
import OmbiCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The token of one authenticator in the store: it is read before anybody has to sign in, and written with each new one.
final class TokenKeeper: Sendable {
    private struct State {
        /// The texts of the token's destinations.
        var destinations: Set<String> = []
        /// The tokens that this program has had: one of them in the store is no news.
        var known: Set<String> = []
    }

    private let store: TokenStore
    private let owner: TokenStore.Owner
    private let state = Lock(State())

    init(_ store: TokenStore, _ owner: TokenStore.Owner) {
        self.store = store
        self.owner = owner
    }

    /// Adds a destination of the token. Returns true for a new one.
    func add(destination: String) -> Bool { state.withLock { $0.destinations.insert(destination).inserted } }

    /// Takes the kept token, or one of its refresh token, before a flow.
    func flow(before flow: OAuth2Flow) -> OAuth2Flow {
        OAuth2Flow { [self] client in
            if let kept = await usable() {
                if (kept.expiresAt ?? .distantFuture) > client.now() { return kept }
                do throws(OAuth2Error) {
                    if let token = try await client.refreshed(kept) { return token }
                } catch {
                    guard error.code == .invalidGrant else { throw error }
                    await store.keep(nil, by: owner)
                }
            }
            return try await flow.token(of: client)
        }
    }

    /// The kept token, if it was meant for all that this one goes to.
    private func usable() async -> OAuth2Token? {
        guard let kept = await store.kept(by: owner) else { return nil }
        let isUsable = state.withLock { state in
            state.destinations.isSubset(of: kept.destinations) && state.known.insert(kept.token.accessToken).inserted
        }
        return isUsable ? kept.token : nil
    }

    /// Keeps a token; nil forgets the one that the server has revoked, unless another program has kept a newer one.
    func save(_ token: OAuth2Token?) async {
        let kept = await store.kept(by: owner)
        guard let token else {
            guard let kept, state.withLock({ $0.known.contains(kept.token.accessToken) }) else { return }
            return await store.keep(nil, by: owner)
        }
        let destinations = state.withLock { state in
            state.known.insert(token.accessToken)
            return state.destinations
        }
        let all = kept.map { $0.token == token ? $0.destinations.union(destinations) : destinations } ?? destinations
        let new = TokenStore.Kept(token: token, destinations: all)
        if new != kept { await store.keep(new, by: owner) }
    }
}
