import OmbiCore

/// A sign-in: it has the refresh token, which is another one after each use.
actor Session {
    private let accounts: RequestManager
    private let now: @Sendable () -> Date
    private(set) var refreshToken: String

    init(accounts: RequestManager, refreshToken: String, now: @escaping @Sendable () -> Date) {
        self.accounts = accounts
        self.refreshToken = refreshToken
        self.now = now
    }

    /// Obtains an access token. `TokenAuthenticator` calls it once for all requests that wait for one.
    func renew() async throws -> TokenAuthenticator.Token {
        let grant = try await accounts.value(for: RefreshToken(refreshToken: refreshToken))
        refreshToken = grant.refreshToken
        return .init(grant.accessToken, expiresAt: now().addingTimeInterval(Double(grant.expiresIn)))
    }
}
