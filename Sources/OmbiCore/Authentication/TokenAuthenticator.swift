internal import OmbiBase

/// An authenticator for tokens that expire.
///
///     manager.authenticator = TokenAuthenticator { _ in
///         let login = try await accounts.value(for: Login(name: name, password: password))
///         return TokenAuthenticator.Token(login.token, expiresIn: .seconds(login.lifetime))
///     }
///
/// The token is refreshed shortly before it expires, and after a 401. Concurrent requests wait for one refresh, and
/// share its error if it fails. A 401 for an older token than the current one starts no refresh; the request is sent
/// again with the current token.
///
/// Requests that `refresh` itself sends carry no token, even through the manager that owns this authenticator. Capture
/// that manager weakly, since it retains the closure.
public final class TokenAuthenticator: Authenticator {
    /// A token and its expiry. The description omits the token.
    public struct Token: Sendable, Hashable, Codable {
        /// The token as sent.
        public var value: String
        /// The expiry of the token; nil if unknown.
        public var expiresAt: Date?

        /// Creates a token that expires at a point in time; nil if unknown.
        public init(_ value: String, expiresAt: Date? = nil) {
            self.value = value
            self.expiresAt = expiresAt
        }

        /// Creates a token that expires after a duration from now.
        public init(_ value: String, expiresIn lifetime: Duration) {
            self.init(value, expiresAt: Date().addingTimeInterval(lifetime.inSeconds))
        }
    }

    private let holder: TokenHolder<Token>
    private let type: RequestAuthentication.TokenType
    private let leeway: TimeInterval
    private let now: @Sendable () -> Date

    /// - Parameters:
    ///   - token: The initial token, such as a saved one; nil obtains one for the first request.
    ///   - type: The scheme sent before the token.
    ///   - leeway: The time before its expiry at which a token is refreshed. A token with a shorter lifetime is refreshed
    ///     for every request.
    ///   - now: The current time; for tests.
    ///   - refresh: Obtains a token to replace the given one, if any. Never called concurrently, and not cancelled along
    ///     with a waiting request. All waiting requests fail with the error it throws.
    public init(
        _ token: Token? = nil, type: RequestAuthentication.TokenType = .bearer, leeway: Duration = .seconds(30),
        now: @escaping @Sendable () -> Date = { Date() },
        refresh: @escaping @Sendable (Token?) async throws -> Token
    ) {
        holder = TokenHolder(token, refresh: refresh)
        self.type = type
        self.leeway = leeway.inSeconds
        self.now = now
    }

    /// The current token. Setting it cancels a refresh in progress: waiting requests continue with the new token, and
    /// fail with a `CancellationError` if it is nil.
    public var token: Token? {
        get { holder.token }
        set { holder.token = newValue }
    }

    public func authenticate(_ request: TransportRequest) async throws -> TransportRequest {
        guard !holder.isRefreshingHere else { return request }
        let limit = now().addingTimeInterval(leeway)
        let token = try await holder.token { $0.expiresAt ?? .distantFuture > limit }
        var request = request
        request.headers[.authorization] = header(token)
        return request
    }

    public func refresh(after response: TransportResponse, to request: TransportRequest) async throws -> Bool {
        guard !holder.isRefreshingHere, let refused = request.headers[.authorization],
            response.cameFromOrigin(of: request)
        else { return false }
        return header(try await holder.token { header($0) != refused }) != refused
    }

    private func header(_ token: Token) -> RequestHeaders.Value { .authorization(type: type, token: token.value) }
}

extension TokenAuthenticator.Token: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The expiry, without the token.
    public var description: String { expiresAt.map { "token, expires \($0)" } ?? "token" }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// The expiry, without the token.
    public var customMirror: Mirror { Mirror(self, children: ["expiresAt": expiresAt as Any]) }
}

/// A token shared by concurrent requests and refreshed by a single task.
///
/// A refresh keeps running when its last waiter is cancelled: the server may have rotated the refresh token already, and
/// the new one would be lost. Only setting `token` cancels it.
package final class TokenHolder<Token: Sendable>: Sendable {
    private struct Refresh {
        let id: Int
        var task: Task<Void, Never>?
        var waiters: [Int: CheckedContinuation<Token, any Error>] = [:]
    }

    private struct State {
        var token: Token?
        var nextID = 0
        var refresh: Refresh?

        mutating func takeID() -> Int {
            nextID += 1
            return nextID
        }
    }

    /// The next step for a caller that needs a token.
    private enum Turn {
        case wait
        case go(Result<Token, any Error>)
        case refresh(id: Int, old: Token?)
    }

    private let state: Lock<State>
    private let makeToken: @Sendable (Token?) async throws -> Token
    private let didRefresh: @Sendable (Token) async -> Void

    /// - Parameters:
    ///   - refresh: Obtains a token to replace the current one, if any.
    ///   - didRefresh: Called with each new token before the waiters resume.
    package init(
        _ token: Token?, refresh: @escaping @Sendable (Token?) async throws -> Token,
        didRefresh: @escaping @Sendable (Token) async -> Void = { _ in }
    ) {
        state = Lock(State(token: token))
        makeToken = refresh
        self.didRefresh = didRefresh
    }

    /// The current token. Setting it cancels a refresh in progress; waiters resume with the new token, or with a
    /// `CancellationError` for nil.
    package var token: Token? {
        get { state.withLock { $0.token } }
        set {
            let (_, refresh) = state.withLock { (exchange(&$0.token, with: newValue), $0.refresh.take()) }
            refresh?.task?.cancel()
            for waiter in refresh?.waiters.values.map({ $0 }) ?? [] {
                waiter.resume(with: newValue.map { .success($0) } ?? .failure(CancellationError()))
            }
        }
    }

    /// Returns the current token if it is usable, else a refreshed one.
    /// - Parameter isUsable: A test that runs under the lock.
    package func token(where isUsable: @Sendable (Token) -> Bool) async throws -> Token {
        if let token = state.withLock({ state in state.token.flatMap { isUsable($0) ? $0 : nil } }) { return token }
        let id = state.withLock { $0.takeID() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                switch enter(continuation, id, isUsable) {
                case .wait: return
                case .go(let result): continuation.resume(with: result)
                case .refresh(let id, let old): begin(id, old)
                }
            }
        } onCancel: {
            state.withLock { $0.refresh?.waiters.removeValue(forKey: id) }?.resume(throwing: CancellationError())
        }
    }

    private func enter(
        _ continuation: CheckedContinuation<Token, any Error>, _ id: Int, _ isUsable: (Token) -> Bool
    ) -> Turn {
        state.withLock { state in
            // Checked under the lock: a cancellation handler that ran earlier found nothing to resume.
            if Task.isCancelled { return .go(.failure(CancellationError())) }
            if state.refresh != nil {
                state.refresh?.waiters[id] = continuation
                return .wait
            }
            if let token = state.token, isUsable(token) { return .go(.success(token)) }
            state.refresh = Refresh(id: id, waiters: [id: continuation])
            return .refresh(id: id, old: state.token)
        }
    }

    private func begin(_ id: Int, _ old: Token?) {
        let task = Task { await refresh(id, old) }
        let isOver = state.withLock { state in
            guard state.refresh?.id == id else { return true }
            state.refresh?.task = task
            return false
        }
        if isOver { task.cancel() }
    }

    private func refresh(_ id: Int, _ old: Token?) async {
        let result: Result<Token, any Error>
        do {
            let holders = Refreshing.holders + [ObjectIdentifier(self)]
            let token = try await Refreshing.$holders.withValue(holders) { try await makeToken(old) }
            let isKept = state.withLock { state in
                guard state.refresh?.id == id else { return false }
                state.token = token
                return true
            }
            if isKept { await didRefresh(token) }
            result = .success(token)
        } catch {
            result = .failure(error)
        }
        let waiters = state.withLock { state in
            guard state.refresh?.id == id else { return [CheckedContinuation<Token, any Error>]() }
            return state.refresh.take()?.waiters.values.map { $0 } ?? []
        }
        for waiter in waiters { waiter.resume(with: result) }
    }

    /// Indicates that the caller runs as part of this holder's refresh, and would wait for itself.
    package var isRefreshingHere: Bool { Refreshing.holders.contains(ObjectIdentifier(self)) }
}

/// The holders whose refresh the current task is part of.
private enum Refreshing {
    @TaskLocal static var holders: [ObjectIdentifier] = []
}
