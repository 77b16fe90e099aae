/// The steps of a run that a program may add to `Session`. By default they do nothing.
package struct SessionSteps: Sendable {
    /// Returns the authenticator of a request, for credentials that are obtained while it is sent; nil for none.
    package var authenticator: @Sendable (RunOrder) -> (any Authenticator)?
    /// Returns the cookie jar of the environment; nil for no cookies. Called until there is one for the environment.
    package var cookieJar: @Sendable (RunOrder) -> CookieJar?
    /// Receives the page and the code that a run waits for.
    package var signIn: @Sendable (RunOrder, SignIn) -> Void
    /// Decides what of this machine goes where. A program that opens the files of others sets its own.
    package var gate = Gate.open
    /// Asks what has no grant yet.
    package var askForGrants: @Sendable (RunOrder, GateQuestion) async -> GateAnswer = { _, _ in .refused }
    /// Asks for a secret; nil without an answer.
    package var askForSecret: @Sendable (RunOrder, SecretQuestion) async -> String? = { _, _ in nil }
    /// Returns the reason why nobody can sign in; nil where somebody can.
    package var whyNobodySignsIn: @Sendable () -> String? = { nil }
    /// Asks for the address at which the browser of a sign-in has ended, with the reason why the one before was not taken; nil
    /// ends the question. Asked once for each sign-in, which goes on without an answer while `isWaiting` is true.
    package var askForRedirect:
        @Sendable (SignIn, _ problem: String?, _ isWaiting: @escaping @Sendable () -> Bool) async -> String? = {
            _, _, _ in nil
        }
    /// Returns the tokens that outlive the program, when the first is needed; nil keeps none.
    package var tokens: @Sendable () -> TokenStore? = { nil }
    /// Returns the last good response to the same request; nil without one. Is nil where no history is kept.
    package var lastGood: (@Sendable (RunOrder, PreparedRequest) async -> Fallback?)?
    /// The clock of the system.
    package var now: @Sendable () -> Date = { Date() }
    /// Receives every result before it is delivered. Is nil where none is kept.
    package var record: (@Sendable (RunOrder, SessionResult) async -> Void)?

    package init(
        authenticator: @escaping @Sendable (RunOrder) -> (any Authenticator)? = { _ in nil },
        cookieJar: @escaping @Sendable (RunOrder) -> CookieJar? = { _ in nil },
        signIn: @escaping @Sendable (RunOrder, SignIn) -> Void = { _, _ in },
        record: (@Sendable (RunOrder, SessionResult) async -> Void)? = nil
    ) {
        self.authenticator = authenticator
        self.cookieJar = cookieJar
        self.signIn = signIn
        self.record = record
    }
}
