/// The handle of a run of a session. Its methods are harmless once the run has ended.
package final class SessionRun: Sendable {
    private let state = Lock(State())
    /// False for a run of which only the result is wanted.
    let isWatched: Bool
    /// The same run for runs that need its captures; nil if none waits for this one.
    let awaited: DependencyRun?
    /// The run of the same request that was begun for another one of the group, and counts as this one.
    let sentFirst: DependencyRun?

    init(isWatched: Bool = true, awaited: DependencyRun? = nil, sentFirst: DependencyRun? = nil) {
        (self.isWatched, self.awaited, self.sentFirst) = (isWatched, awaited, sentFirst)
    }

    private struct State {
        var task: Task<Void, Never>?
        /// nil until the request has been prepared.
        var handle: (any RequestHandle)?
        var isCancelled = false
        var isFinished = false
        /// Nil unless the run is a WebSocket's.
        var conversation: Conversation?
        /// Attempts that were added before there was a handle.
        var attempts = 0
    }

    func start(_ task: Task<Void, Never>) {
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    func attach(_ handle: any RequestHandle) {
        let (isCancelled, attempts) = state.withLock { state in
            state.handle = handle
            return (state.isCancelled, state.attempts)
        }
        if isCancelled { handle.cancel() }
        if attempts > 0 { handle.addAttempts(attempts) }
    }

    package func cancel() {
        let (task, handle, socket) = state.withLock { state in
            state.isCancelled = true
            return (state.task, state.handle, state.conversation?.socket)
        }
        socket?.cancel()
        task?.cancel()
        handle?.cancel()
    }

    /// Ends an open-ended response: the part that has arrived is its whole. Cancels any other run. A second call does not
    /// wait for the close frame of a WebSocket's server.
    package func finish() {
        let (conversation, isClosing) = state.withLock { state in
            defer { state.isFinished = true }
            return (state.conversation, state.isFinished)
        }
        guard let conversation else { return cancel() }
        guard !isClosing else { return conversation.socket.cancel() }
        Task { try? await conversation.socket.close() }
    }

    func attach(_ conversation: Conversation) {
        let (isCancelled, isFinished) = state.withLock { state in
            state.conversation = conversation
            return (state.isCancelled, state.isFinished)
        }
        if isCancelled { conversation.socket.cancel() } else if isFinished { finish() }
    }

    /// Releases the sender of the request at the end of the run, because its events lead to receivers that may hold the
    /// run.
    func release() {
        let last = state.withLock { state in
            let last = state
            (state.task, state.handle, state.conversation) = (nil, nil, nil)
            return last
        }
        // They end outside of the lock.
        withExtendedLifetime(last) {}
    }

    /// Sends a message on the WebSocket of the run. A message that is not sent is noted among the others.
    package func send(_ message: OutgoingMessage) {
        guard let conversation = state.withLock({ $0.conversation }) else { return }
        Task {
            do { try await conversation.send(message) } catch { conversation.note("not sent", "\(error)") }
        }
    }

    /// True once `finish` was called.
    var isFinished: Bool { state.withLock { $0.isFinished } }

    /// True once it was cancelled or finished.
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    package func retryNow() { state.withLock { $0.handle }?.retryNow() }

    package func addAttempts(_ count: Int) {
        let handle = state.withLock { state in
            if state.handle == nil { state.attempts += count }
            return state.handle
        }
        handle?.addAttempts(count)
    }
}

/// A step of a run, with every secret masked.
package enum SessionEvent: Equatable, Sendable {
    /// The request, before it is sent.
    case prepared(PreparedRequest)
    /// A step of the engine other than a redirect.
    case step(RequestEvent)
    /// A redirect that the attempt under way follows; not of a page.
    case redirected(FollowedRedirect)
    /// A page to open, while the run waits for a token; nil once the sign-in is over.
    case signIn(SignIn?)
    /// A step of a request that is sent first, before this one is prepared.
    indirect case dependency(DependencyEvent)
    /// A later page is requested: its number, and the number of all pages.
    case page(PageSummary)
    /// The values that were captured from the response; secret ones are masked.
    case captured([CapturedValue])
    /// The last event of every run.
    case ended(SessionResult)
}

/// Masks the secrets that an authenticator adds to a request, in addition to its own.
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

/// An authenticator whose credentials are masked in all events of the run.
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

/// The steps of a run that a program may add to `Session`. By default they do nothing.
package struct SessionSteps: Sendable {
    /// Returns the authenticator of a request, for credentials that are obtained while it is sent; nil for none.
    package var authenticator: @Sendable (RunOrder) -> (any Authenticator)?
    /// Returns the cookie jar of the environment; nil for no cookies. Called until there is one for the environment.
    package var cookieJar: @Sendable (RunOrder) -> CookieJar?
    /// Receives the page and the code that a run waits for.
    package var signIn: @Sendable (RunOrder, SignIn) -> Void
    /// Decides which flows may leave this machine. A program that opens foreign files sets its own.
    package var gate = Gate.open
    package var askForGrants: Session.Asking = { _, _ in .refused }
    /// Asks for a secret; nil without an answer.
    package var askForSecret: @Sendable (RunOrder, SecretQuestion) async -> String? = { _, _ in nil }
    /// True where it also asks for variables of the environment that are not set.
    package var asksForVariables = false
    /// Returns the reason why a user cannot sign in; nil if one can.
    package var whyNobodySignsIn: @Sendable () -> String? = { nil }
    /// Asks for the address at which the browser of a sign-in has ended, with the reason why the previous one was
    /// rejected; nil ends the question. Asked once for each sign-in, which also continues without an answer while
    /// `isWaiting` is true.
    package var askForRedirect:
        @Sendable (SignIn, _ problem: String?, _ isWaiting: @escaping @Sendable () -> Bool) async -> String? = {
            _, _, _ in nil
        }
    /// Returns the tokens that outlive the program, when the first is needed; nil keeps none.
    package var tokens: @Sendable () -> TokenStore? = { nil }
    /// Returns the last good response to the same request; nil without one. The closure is nil without a history.
    package var lastGood: (@Sendable (RunOrder, PreparedRequest) async -> Fallback?)?
    package var now: @Sendable () -> Date = { Date() }
    /// Receives every result before it is delivered. The closure is nil if none is stored.
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
