import OmbiAuthentication

/// The authenticators of a session, one for each environment and each set of credentials: tokens, nonces and the like are
/// shared by the runs there. They are in memory only, and end with the session.
final class SessionAuthenticators: Sendable {
    private struct Key: Hashable {
        var file: String
        var environment: String?
        var credentials: PreparedCredentials
        var connection: Connection
        var sources: Set<Source>
    }

    /// An authenticator, and the runs that show how to sign in.
    final class Entry: Sendable {
        let authenticator: any Authenticator
        /// True for tokens for which a person signs in.
        private let needsPerson: Bool
        fileprivate let listeners: Listeners
        private let keeper: TokenKeeper?

        fileprivate init(
            _ authenticator: any Authenticator, needsPerson: Bool, _ listeners: Listeners, _ keeper: TokenKeeper?
        ) {
            self.authenticator = authenticator
            self.keeper = keeper
            self.needsPerson = needsPerson
            self.listeners = listeners
        }

        /// Obtains the first token where a person has to sign in for it. Returns the reason why there is none.
        func signIn() async -> String? {
            guard needsPerson, let authenticator = authenticator as? OAuth2Authenticator, authenticator.token == nil
            else { return nil }
            do { try await authenticator.signIn() } catch { return "\(error)" }
            return nil
        }

        /// Lets the token go to a further destination, after the next start, too.
        func allow(_ destination: Destination) async {
            guard let keeper, keeper.add(destination: destination.text),
                let token = (authenticator as? OAuth2Authenticator)?.token
            else { return }
            await keeper.save(token)
        }

        /// The expiry of the token; nil for none.
        var expiresAt: Date? { (authenticator as? OAuth2Authenticator)?.token?.expiresAt }

        /// Calls a handler with each prompt to sign in while an operation runs, and with nil when one is over.
        func listening<Result: Sendable>(
            _ onSignIn: @escaping @Sendable (SignIn?) -> Void, during operation: () async -> Result
        ) async -> Result {
            let id = listeners.add(onSignIn)
            defer { listeners.remove(id) }
            return await operation()
        }
    }

    fileprivate final class Listeners: Sendable {
        private struct State {
            var handlers: [Int: @Sendable (SignIn?) -> Void] = [:]
            var last = 0
            /// The prompt that still holds; runs that come later get it, too.
            var current: SignIn?
        }

        private let state = Lock(State())

        func add(_ handler: @escaping @Sendable (SignIn?) -> Void) -> Int {
            let (id, current) = state.withLock { state in
                state.last += 1
                state.handlers[state.last] = handler
                return (state.last, state.current)
            }
            if let current { handler(current) }
            return id
        }

        func remove(_ id: Int) { state.withLock { $0.handlers[id] = nil } }

        func notify(_ signIn: SignIn?) {
            let handlers = state.withLock { state in
                state.current = signIn
                return state.handlers.values.map { $0 }
            }
            for handler in handlers { handler(signIn) }
        }
    }

    private let transport: any Transport
    let pending: PendingSignIns
    private let known = Lock<[(key: Key, entry: Entry)]>([])
    private static let maximumCount = 100

    /// Tokens that outlive the program; nil keeps none.
    private let store: @Sendable () -> TokenStore?

    init(_ transport: any Transport, _ steps: SessionSteps) {
        self.transport = transport
        store = steps.tokens
        pending = PendingSignIns(steps)
    }

    /// Returns the authenticator of a request; nil for credentials that are sent as they are.
    func entry(for request: ResolvedRequest, of order: RunOrder, _ gate: Gate) -> Entry? {
        guard let credentials = request.credentials else { return nil }
        let key = Key(
            file: order.file, environment: order.environment, credentials: credentials,
            connection: request.connection, sources: request.sources.credentials)
        return known.withLock { entries in
            if let found = entries.first(where: { $0.key == key }) { return found.entry }
            let listeners = Listeners()
            let keeper = credentials.keeper(store, order)
            let guarding = request.tokenRequestGuard(by: gate, file: order.file)
            let made = credentials.authenticator(transport, request, pending, keeper, guarding) { listeners.notify($0) }
            guard let made else { return nil }
            entries.append((key, Entry(made, needsPerson: credentials.needsPerson, listeners, keeper)))
            if entries.count > Self.maximumCount { entries.removeFirst() }
            return entries.last?.entry
        }
    }
}

extension SessionAuthenticators {
    /// Forgets the tokens of an environment, so that the next request signs in.
    func forget(file: String, environment: String?) async {
        known.withLock { entries in
            entries.removeAll { entry in
                entry.key.file == file && entry.key.environment == environment
                    && entry.entry.authenticator is OAuth2Authenticator
            }
        }
        await store()?.forget(file: file, environment: environment)
    }
}

extension PreparedCredentials {
    /// The keeper of a token for which a person signs in; nil for others, which are had without one.
    fileprivate func keeper(_ store: () -> TokenStore?, _ order: RunOrder) -> TokenKeeper? {
        guard needsPerson, case .oauth2(let client) = self, let store = store() else { return nil }
        let words = [
            client.server, client.tokenPath, client.clientID, client.grant.rawValue, client.authorizationURL ?? "",
        ]
        let parameters = client.parameters.allParameters.flatMap { [$0.name, $0.value.text] }
        return TokenKeeper(
            store,
            TokenStore.Owner(
                file: order.file, environment: order.environment, client: words + client.scopes.sorted() + parameters))
    }

    /// - Parameter onSignIn: gets the prompt of a sign-in, and nil when that has ended.
    fileprivate func authenticator(
        _ transport: any Transport, _ request: ResolvedRequest, _ pending: PendingSignIns, _ keeper: TokenKeeper?,
        _ guarding: RequestInterceptor, onSignIn: @escaping @Sendable (SignIn?) -> Void
    ) -> (any Authenticator)? {
        switch self {
        case .plain, .connection, .netrc: return nil
        case .digest(let username, let password): return DigestAuthenticator(username: username, password: password)
        case .aws(let aws):
            let key = AWSCredentials(
                accessKeyID: aws.accessKeyID, secretAccessKey: aws.secretAccessKey, sessionToken: aws.sessionToken)
            return AWSSignatureV4(credentials: key, region: aws.region, service: aws.service)
        case .oauth2(let oauth2):
            let server = RequestManager(host: oauth2.server, transport: transport)
            server.connection = request.connection(to: oauth2.server)
            server.requestInterceptors = [guarding]
            let client = OAuth2Client(
                id: oauth2.clientID, secret: oauth2.clientSecret,
                secretPlacement: oauth2.sendsSecretInBody ? .body : .header, server: server,
                tokenPath: oauth2.tokenPath, devicePath: oauth2.devicePath,
                authorizationURL: oauth2.authorizationURL.flatMap { URL(string: $0) },
                additionalParameters: oauth2.parameters)
            let flow = oauth2.flow(pending, onSignIn)
            guard let keeper else { return OAuth2Authenticator(client, flow: flow) }
            return OAuth2Authenticator(client, flow: keeper.flow(before: flow), save: keeper.save)
        }
    }
}

extension PreparedCredentials.OAuth2 {
    fileprivate func flow(
        _ pending: PendingSignIns, _ onSignIn: @escaping @Sendable (SignIn?) -> Void
    ) -> OAuth2Flow {
        switch grant {
        case .clientCredentials: return .clientCredentials(scopes: scopes)
        case .password:
            var parameters: [RequestParameters.Parameter] = [
                .init("username", .string(username)), .init("password", .string(password)),
            ]
            if !scopes.isEmpty { parameters.append(.init("scope", .string(scopes.joined(separator: " ")))) }
            let grant = OAuth2Grant.other(type: "password", parameters: RequestParameters(parameters))
            return OAuth2Flow { try await $0.token(for: grant) }
        case .deviceCode:
            let scopes = scopes
            return OAuth2Flow { client in
                try pending.check()
                let device = try await client.authorizeDevice(scopes: scopes)
                onSignIn(SignIn(url: device.verificationURI.absoluteString, code: device.userCode))
                defer { onSignIn(nil) }
                return try await client.token(for: device)
            }
        case .authorizationCode: return browserFlow(pending, onSignIn)
        }
    }
}

extension ResolvedRequest {
    /// The connection to an authorization server: the one of the request, without its client identity and its trust
    /// settings for another origin.
    func connection(to server: String) -> Connection {
        guard Origin(server) != Origin(host) else { return connection }
        var other = connection
        (other.tls.caFile, other.tls.clientCertificate, other.tls.pinnedPublicKeys) = (nil, nil, [])
        other.unixSocket = nil
        return other
    }
}

/// The token of one authenticator in the store: it is read before anybody has to sign in, and written with each new one.
final class TokenKeeper: Sendable {
    private struct State {
        var destinations: Set<String> = []
        /// The tokens that this program has had, to recognise newer ones in the store.
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

    /// Stores a token; nil forgets a revoked one, unless another program has stored a newer one.
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
