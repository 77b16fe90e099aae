/// An authorization request for a browser (RFC 6749 §4.1), protected by a random state and a PKCE verifier (RFC 7636).
public struct OAuth2AuthorizationRequest: Sendable, Hashable {
    /// The page to open in a browser.
    public let url: URL
    /// The address that the server redirects the browser to.
    public let redirectURI: String
    let state: String
    let verifier: String

    /// Returns the authorization code of a redirect.
    /// - Parameter redirect: The address that the browser was redirected to, for example as pasted by the user.
    public func code(from redirect: String) throws(OAuth2Error) -> String {
        let parameters = Self.parameters(redirect)
        func value(_ name: String) -> String? { parameters[name]?.count == 1 ? parameters[name]?.first : nil }
        guard value("state") == state else { throw OAuth2Error(.stateMismatch) }
        if let name = value("error") {
            throw OAuth2Error(named: name, details: value("error_description"), uri: value("error_uri"))
        }
        guard let code = value("code"), !code.isEmpty else {
            throw OAuth2Error(.malformedResponse, details: "the redirect carries no code")
        }
        return code
    }

    /// Returns true if an address carries the state of this request.
    func matches(_ redirect: String) -> Bool { Self.parameters(redirect)["state"] == [state] }

    /// Groups the parameters by name; repeated ones are invalid (RFC 6749 §3.1).
    private static func parameters(_ address: String) -> [String: [String]] {
        let text = address.drop { $0 != "?" }.dropFirst().prefix { $0 != "#" && !$0.isWhitespace }
        let parameters = RequestParameters(encoded: String(text)).allParameters
        return Dictionary(grouping: parameters, by: \.name).mapValues { $0.map(\.value.text) }
    }
}

extension OAuth2AuthorizationRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The page to open in a browser.
    public var description: String { url.absoluteString }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// The URLs; the verifier is omitted.
    public var customMirror: Mirror { Mirror(self, children: ["url": url, "redirectURI": redirectURI]) }
}

extension OAuth2Client {
    /// Creates an authorization request with a new state and verifier.
    /// - Parameters:
    ///   - redirectURI: The address to redirect the browser to, as registered with the authorization server.
    ///   - scopes: The requested scopes; empty requests the server's default.
    ///   - parameters: Additional parameters, such as `prompt` or `login_hint`.
    public func authorizationRequest(
        redirectURI: String, scopes: [String] = [], parameters: RequestParameters = [:]
    ) throws(OAuth2Error) -> OAuth2AuthorizationRequest {
        try authorizationRequest(
            redirectURI: redirectURI, scopes: scopes, parameters: parameters, state: RandomText.token(),
            verifier: RandomText.token())
    }

    func authorizationRequest(
        redirectURI: String, scopes: [String], parameters: RequestParameters, state: String, verifier: String
    ) throws(OAuth2Error) -> OAuth2AuthorizationRequest {
        guard let authorizationURL else {
            throw OAuth2Error(.notConfigured, details: "set authorizationURL to the authorization endpoint")
        }
        var all: [RequestParameters.Parameter] = [
            .init("response_type", "code"), .init("client_id", .string(id)),
            .init("redirect_uri", .string(redirectURI)), .init("state", .string(state)),
            .init("code_challenge", .string(HashFunction.sha256(verifier).base64URL)),
            .init("code_challenge_method", "S256"),
        ]
        if let scope = OAuth2Grant.text(scopes) { all.append(.init("scope", .string(scope))) }
        all += parameters.allParameters
        var text = authorizationURL.absoluteString.prefix { $0 != "#" }
        text += (text.contains("?") ? "&" : "?") + RequestParameters(all).encoded
        guard let url = URL(string: String(text)) else {
            throw OAuth2Error(.notConfigured, details: "\(authorizationURL.absoluteString) cannot carry parameters")
        }
        return OAuth2AuthorizationRequest(url: url, redirectURI: redirectURI, state: state, verifier: verifier)
    }

    /// Exchanges the code of a redirect for a token.
    /// - Parameter redirect: The address that the browser was redirected to.
    public func token(
        for request: OAuth2AuthorizationRequest, redirectedTo redirect: String
    ) async throws(OAuth2Error) -> OAuth2Token {
        try await token(
            for: .authorizationCode(
                try request.code(from: redirect), redirectURI: request.redirectURI, verifier: request.verifier))
    }
}

/// A listener on 127.0.0.1 for the redirect of an authorization request (RFC 8252 §7.3).
///
/// It accepts one redirect, from a browser or by `submit(_:)`. Requests with another path or state are refused without
/// ending the wait.
public final class OAuth2RedirectListener: Sendable {
    private typealias Waiter = CheckedContinuation<Result<String, OAuth2Error>, Never>

    private struct State {
        var request: OAuth2AuthorizationRequest?
        var waiter: Waiter?
        var hasEnded = false
        /// The addresses submitted before the wait began.
        var early: [String] = []
    }

    /// The redirect address: "http://127.0.0.1:49152/callback".
    public let redirectURI: String
    private let path: String
    private let server: LoopbackListener?
    private let state = Lock(State())

    /// Starts listening.
    /// - Parameters:
    ///   - port: The port; 0 picks a free one.
    ///   - path: The path, with a leading slash.
    public init(port: Int = 0, path: String = "/callback") throws(OAuth2Error) {
        self.path = path
        let server = try LoopbackListener(port: port)
        self.server = server
        redirectURI = "http://127.0.0.1:\(server.port)\(path)"
    }

    /// Creates a listener for an address as it is registered with the authorization server. It listens where the address is
    /// `http` with a port of 127.0.0.1 or localhost that is free; elsewhere the redirect has to be submitted.
    public init(redirectURI: String) {
        self.redirectURI = redirectURI
        let loopback = Self.loopback(redirectURI)
        path = loopback?.path ?? ""
        server = loopback.flatMap { address in
            do throws(OAuth2Error) { return try LoopbackListener(port: address.port) } catch { return nil }
        }
    }

    deinit { server?.stop() }

    /// True where a browser on this machine reaches the listener; false where the redirect has to be submitted.
    public var isListening: Bool { server != nil }

    private static func loopback(_ address: String) -> (port: Int, path: String)? {
        for host in ["http://127.0.0.1:", "http://localhost:"] where address.lowercased().hasPrefix(host) {
            let rest = address.dropFirst(host.count)
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            guard let port = Int(digits), (1...65535).contains(port) else { return nil }
            let path = rest.dropFirst(digits.count).prefix { $0 != "?" && $0 != "#" }
            return path.isEmpty || path.hasPrefix("/") ? (port, path.isEmpty ? "/" : String(path)) : nil
        }
        return nil
    }

    /// Takes a redirect that the listener does not see: the address at which the user's browser has ended.
    /// - Throws: `OAuth2Error.Code.stateMismatch` for an address of another sign-in; the wait goes on.
    public func submit(_ redirect: String) throws(OAuth2Error) {
        let isExpected: Bool? = state.withLock { state in
            guard let request = state.request else {
                state.early.append(redirect)
                return nil
            }
            return request.matches(redirect)
        }
        guard let isExpected else { return }
        guard isExpected else { throw OAuth2Error(.stateMismatch) }
        end(.success(redirect))
    }

    /// Waits for the redirect and returns its address. Can be called once.
    /// - Parameters:
    ///   - request: The authorization request, made with `redirectURI`.
    ///   - timeout: The time to wait.
    ///   - clock: The clock of the timeout.
    public func redirect(
        for request: OAuth2AuthorizationRequest, timeout: Duration = .seconds(300),
        clock: any Clock<Duration> = ContinuousClock()
    ) async throws(OAuth2Error) -> String {
        let timer = Task { [weak self] in
            do { try await clock.sleep(for: timeout) } catch { return }
            self?.end(.failure(OAuth2Error(.expired)))
        }
        defer { timer.cancel() }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in wait(waiter, request) }
        } onCancel: {
            end(.failure(OAuth2Error(.cancelled)))
        }
        return try result.get()
    }

    private func wait(_ waiter: Waiter, _ request: OAuth2AuthorizationRequest) {
        let isWaiting = state.withLock { state in
            guard !state.hasEnded, state.request == nil else { return false }
            state.request = request
            state.waiter = waiter
            return true
        }
        guard isWaiting else { return waiter.resume(returning: .failure(OAuth2Error(.cancelled))) }
        if let early = state.withLock({ state in state.early.first { request.matches($0) } }) {
            return end(.success(early))
        }
        server?.start { [weak self] in self?.answer($0) ?? .refused }
    }

    private func answer(_ target: String) -> LoopbackReply {
        guard target.prefix(while: { $0 != "?" }) == path else { return .notFound }
        guard state.withLock({ $0.request })?.matches(target) == true else { return .refused }
        end(.success(String(redirectURI.prefix { $0 != "?" }) + String(target.drop { $0 != "?" })))
        return .done
    }

    private func end(_ result: Result<String, OAuth2Error>) {
        let waiter = state.withLock { state in
            state.hasEnded = true
            return state.waiter.take()
        }
        server?.stop()
        waiter?.resume(returning: result)
    }
}
