import Dispatch
import OmbiCore

/// Tokens for which a person signs in.
extension Session {
    /// Completes a sign-in with the address at which the user's browser has ended. Returns the reason why it is not taken; nil
    /// when it is.
    public func submitRedirect(_ address: String, for id: SignIn.ID) -> String? {
        authenticators.pending.submit(address, for: id)
    }

    /// Forgets the OAuth 2 tokens of an environment, so that its next request signs in.
    public func signOut(file: String, environment: String?) async {
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

    /// Waits until somebody has signed in, before the SLA begins: a person takes longer. Returns the end of a run that goes no
    /// further.
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
