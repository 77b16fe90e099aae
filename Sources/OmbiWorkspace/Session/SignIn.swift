import OmbiAuthentication

/// A page to open in a browser, for which a run waits.
package struct SignIn: Equatable, Sendable {
    /// The way in which the sign-in comes back to Ombi.
    package enum Completion: Equatable, Sendable {
        /// The user enters a code on the page, in any browser; the authorization server is polled.
        case code(String)
        /// The browser is redirected to an address. A browser on another machine cannot reach it: the user pastes the address
        /// at which it has ended.
        case redirect(to: String, isListening: Bool)
    }

    package typealias ID = Int

    /// Unique in a session, for a redirect that is pasted.
    package var id: ID = 0
    package var url: String
    package var completion: Completion
}

extension SignIn {
    package init(url: String, code: String) { self.init(url: url, completion: .code(code)) }

    /// The address to which the browser is redirected; nil for a code to enter.
    package var redirectURI: String? {
        if case .redirect(let address, _) = completion { address } else { nil }
    }
}

/// Tokens for which a person signs in.
extension Session {
    /// Completes a sign-in with the address at which the user's browser has ended. Returns the reason why it is not taken; nil
    /// when it is.
    package func submitRedirect(_ address: String, for id: SignIn.ID) -> String? {
        authenticators.pending.submit(address, for: id)
    }

    /// Forgets the OAuth 2 tokens of an environment, so that its next request signs in.
    package func signOut(file: String, environment: String?) async {
        await authenticators.forget(file: file, environment: environment)
    }

    func signInHandler(
        _ order: RunOrder, on queue: DispatchQueue, _ onEvent: @escaping @Sendable (SessionEvent) -> Void
    ) -> @Sendable (SignIn?) -> Void {
        { [steps] signIn in
            if let signIn { steps.signIn(order, signIn) }
            queue.async { onEvent(.signIn(signIn)) }
        }
    }

    /// Waits until the user has signed in, before the SLA begins: a person takes longer. Returns the result of a run
    /// that ends there.
    func signIn(
        _ entry: SessionAuthenticators.Entry, for resolved: ResolvedRequest, _ mask: RunMask,
        _ onSignIn: @escaping @Sendable (SignIn?) -> Void
    ) async -> SessionResult? {
        for destination in resolved.destinationsOfTokens { await entry.allow(destination) }
        let start = clock()
        guard let problem = await entry.listening(onSignIn, during: entry.signIn) else { return nil }
        if Task.isCancelled {
            var result = SessionResult(.cancelled)
            result.elapsed = clock() - start
            return result
        }
        return SessionResult(.failure(mask.redactor.redact(message: "\(resolved.name): \(problem)")))
    }
}

/// The sign-ins that wait for the redirect of a browser.
final class PendingSignIns: Sendable {
    private struct State {
        var last = 0
        var listeners: [SignIn.ID: OAuth2RedirectListener] = [:]
    }

    private let state = Lock(State())
    private let steps: SessionSteps

    init(_ steps: SessionSteps) { self.steps = steps }

    func add(_ listener: OAuth2RedirectListener) -> SignIn.ID {
        state.withLock { state in
            state.last += 1
            state.listeners[state.last] = listener
            return state.last
        }
    }

    func remove(_ id: SignIn.ID) { state.withLock { $0.listeners[id] = nil } }

    /// Takes the address at which the user's browser has ended. Returns the reason why it is not taken; nil when it is.
    func submit(_ address: String, for id: SignIn.ID) -> String? {
        guard let listener = state.withLock({ $0.listeners[id] }) else { return "this sign-in is over" }
        let address = address.filter { !$0.isWhitespace }
        do throws(OAuth2Error) { try listener.submit(address) } catch {
            return "this is not the address of this sign-in: it begins with \(listener.redirectURI) and holds its state"
        }
        return nil
    }

    /// Throws if no user can sign in.
    func check() throws(OAuth2Error) {
        if let reason = steps.whyNobodySignsIn() { throw OAuth2Error(.signInRequired, details: reason) }
    }

    /// Asks for the address until one is taken or the sign-in is over.
    func ask(_ signIn: SignIn) async {
        let isWaiting = { @Sendable [self] in state.withLock { $0.listeners[signIn.id] != nil } }
        var problem: String?
        while let address = await steps.askForRedirect(signIn, problem, isWaiting), isWaiting() {
            problem = submit(address, for: signIn.id)
            if problem == nil { return }
        }
    }
}

extension PreparedCredentials.OAuth2 {
    /// The time that a user has to sign in.
    private static let limit: Duration = .seconds(600)

    /// Signs in with a browser: on this machine it comes back by itself, elsewhere the user pastes the address.
    func browserFlow(_ pending: PendingSignIns, _ onSignIn: @escaping @Sendable (SignIn?) -> Void) -> OAuth2Flow {
        let (scopes, redirectURI, parameters) = (scopes, redirectURI, parameters)
        return OAuth2Flow { client in
            try pending.check()
            let listener =
                redirectURI.isEmpty ? try OAuth2RedirectListener() : OAuth2RedirectListener(redirectURI: redirectURI)
            let request = try client.authorizationRequest(
                redirectURI: listener.redirectURI, scopes: scopes, parameters: parameters)
            let signIn = SignIn(
                id: pending.add(listener), url: request.url.absoluteString,
                completion: .redirect(to: listener.redirectURI, isListening: listener.isListening))
            onSignIn(signIn)
            defer {
                pending.remove(signIn.id)
                onSignIn(nil)
            }
            Task { await pending.ask(signIn) }
            let redirect = try await listener.redirect(for: request, timeout: Self.limit, clock: client.clock)
            return try await client.token(for: request, redirectedTo: redirect)
        }
    }
}
