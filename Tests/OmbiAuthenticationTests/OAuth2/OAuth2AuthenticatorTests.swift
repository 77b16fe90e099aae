import Foundation
import TestSupport
import Testing

@testable import OmbiAuthentication

@Suite struct OAuth2AuthenticatorTests {
    private let request = TransportRequest(url: URL(string: "https://api.test/me")!)

    /// An API that takes these tokens.
    private func api(_ tokens: String...) -> StubTransport {
        StubTransport { request in
            let isKnown = tokens.contains { "Bearer \($0)" == request.headers[.authorization]?.text }
            return .success(TransportResponse(url: request.url, statusCode: isKnown ? 200 : 401, body: Data()))
        }
    }

    private func sent(_ authenticator: OAuth2Authenticator) async throws -> String? {
        try await authenticator.authenticate(request).headers[.authorization]?.text
    }

    private func expiring(_ refreshToken: String? = "r1", in seconds: Double = 10) -> OAuth2Token {
        OAuth2Token(
            accessToken: "old", refreshToken: refreshToken,
            expiresAt: TokenServer.start.addingTimeInterval(seconds), scopes: ["read"])
    }

    @Test func `the flow gives the first token, which is saved before it is used`() async throws {
        let server = TokenServer(.json(#"{"access_token":"a","expires_in":60}"#))
        let saved = LoopbackLock<[OAuth2Token?]>([])
        let authenticator = OAuth2Authenticator(server.client(), flow: .clientCredentials(scopes: ["read"])) { token in
            saved.withLock { $0.append(token) }
        }
        #expect(try await sent(authenticator) == "Bearer a")
        #expect(saved.withLock { $0 } == [authenticator.token] && authenticator.token?.accessToken == "a")
        #expect(try await sent(authenticator) == "Bearer a")
        #expect(server.forms.count == 1)
    }

    @Test func `a refresh keeps what the server leaves out`() async throws {
        let server = TokenServer(.json(#"{"access_token":"new","expires_in":60}"#))
        let authenticator = OAuth2Authenticator(server.client(), token: expiring())
        #expect(try await sent(authenticator) == "Bearer new")
        #expect(server.forms.map { $0["refresh_token"] } == ["r1"])
        let expected = OAuth2Token(
            accessToken: "new", refreshToken: "r1", expiresAt: TokenServer.start.addingTimeInterval(60),
            scopes: ["read"])
        #expect(authenticator.token == expected)
    }

    @Test func `a new refresh token takes the place of the old one`() async throws {
        let server = TokenServer(
            .json(#"{"access_token":"a2","refresh_token":"r2","expires_in":1}"#),
            .json(#"{"access_token":"a3","refresh_token":"r3"}"#))
        let authenticator = OAuth2Authenticator(server.client(), token: expiring())
        #expect(try await sent(authenticator) == "Bearer a2")
        #expect(try await sent(authenticator) == "Bearer a3")
        #expect(server.forms.map { $0["refresh_token"] } == ["r1", "r2"])
    }

    @Test func `a 401 refreshes once for all, and later requests go on with the new token`() async throws {
        let gate = Gate()
        let server = TokenServer(.held(gate, #"{"access_token":"new"}"#))
        let authenticator = OAuth2Authenticator(server.client(), token: expiring(in: 1000))
        let run = AuthenticatedRun(authenticator: authenticator, transport: api("new"))
        let outcomes = try await withThrowingTaskGroup(of: AuthenticatedRun.Outcome.self) { group in
            for _ in 0..<50 { group.addTask { try await run.send(request) } }
            await gate.waitForVisitor()
            await gate.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.allSatisfy { $0.response.statusCode == 200 && $0.sent.count <= 2 })
        #expect(server.forms.count == 1)
        #expect(try await run.send(request).sent.count == 1)
    }

    @Test func `a refresh token that is refused hands over to the flow`() async throws {
        let server = TokenServer(
            .json(400, #"{"error":"invalid_grant"}"#), .json(#"{"access_token":"new","expires_in":60}"#))
        let saved = LoopbackLock<[OAuth2Token?]>([])
        let authenticator = OAuth2Authenticator(server.client(), flow: .clientCredentials(), token: expiring()) {
            token in
            saved.withLock { $0.append(token) }
        }
        #expect(try await sent(authenticator) == "Bearer new")
        #expect(server.forms.map { $0["grant_type"] } == ["refresh_token", "client_credentials"])
        #expect(saved.withLock { $0 } == [nil, authenticator.token])
        #expect(authenticator.token?.refreshToken == nil)
    }

    @Test func `without a flow the owner is asked to sign in, and the server only once`() async throws {
        let server = TokenServer(.json(400, #"{"error":"invalid_grant"}"#))
        let authenticator = OAuth2Authenticator(server.client(), token: expiring())
        for _ in 0..<3 { await #expect(throws: OAuth2Error(.signInRequired)) { try await sent(authenticator) } }
        #expect(server.forms.count == 1)
        authenticator.token = OAuth2Token(accessToken: "fresh")
        #expect(try await sent(authenticator) == "Bearer fresh")
        authenticator.token = nil
        await #expect(throws: OAuth2Error(.signInRequired)) { try await sent(authenticator) }
    }

    @Test(arguments: [
        TokenServer.Answer.failure(.connectionLost), .json(503, ""), .json(401, #"{"error":"invalid_client"}"#),
    ])
    func `a refresh that fails for another reason fails the request, and the refresh token stays`(
        answer: TokenServer.Answer
    ) async throws {
        let server = TokenServer(answer, .json(#"{"access_token":"new"}"#))
        let authenticator = OAuth2Authenticator(server.client(), flow: .clientCredentials(), token: expiring())
        await #expect(throws: OAuth2Error.self) { try await sent(authenticator) }
        #expect(authenticator.token?.refreshToken == "r1")
        #expect(try await sent(authenticator) == "Bearer new")
        #expect(server.forms.map { $0["grant_type"] } == ["refresh_token", "refresh_token"])
    }

    @Test func `signing in at once makes the first request quick`() async throws {
        let server = TokenServer(.json(#"{"access_token":"a"}"#))
        let authenticator = OAuth2Authenticator(server.client(), flow: .clientCredentials())
        try await authenticator.signIn()
        try await authenticator.signIn()
        #expect(authenticator.token?.accessToken == "a" && server.forms.count == 1)
    }

    @Test func `signing out during a flow keeps its token away, and saves nothing`() async throws {
        let gate = Gate()
        let server = TokenServer(.held(gate, #"{"access_token":"late"}"#))
        let saved = LoopbackLock(0)
        let authenticator = OAuth2Authenticator(server.client(), flow: .clientCredentials()) { _ in
            saved.withLock { $0 += 1 }
        }
        let waiting = Task { try await sent(authenticator) }
        await gate.waitForVisitor()
        authenticator.token = nil
        await #expect(throws: CancellationError.self) { try await waiting.value }
        await gate.open()
        await gate.waitUntilLeft()
        #expect(authenticator.token == nil && saved.withLock { $0 } == 0)
    }

    @Test func `a 401 of another origin costs no refresh`() async throws {
        let server = TokenServer(.json(#"{"access_token":"new"}"#))
        let authenticator = OAuth2Authenticator(
            server.client(), token: OAuth2Token(accessToken: "a", refreshToken: "r"))
        let request = try await authenticator.authenticate(request)
        let elsewhere = TransportResponse(url: URL(string: "https://other.test/"), statusCode: 401)
        #expect(try await authenticator.refresh(after: elsewhere, to: request) == false)
        #expect(server.forms.isEmpty)
    }

    @Test func `one manager may serve the API and its token endpoint`() async throws {
        let holder = LoopbackLock<OAuth2Authenticator?>(nil)
        let seen = LoopbackLock<[String?]>([])
        let transport = StubTransport { request in
            seen.withLock { $0.append(request.headers[.authorization]?.text) }
            return .success(
                TransportResponse(url: request.url, statusCode: 200, body: Data(#"{"access_token":"a"}"#.utf8)))
        }
        // As the engine does: every request of the manager passes the authenticator first.
        let manager = RequestManager(host: "https://api.test", transport: AuthenticatedTransport(transport, holder))
        let authenticator = OAuth2Authenticator(
            OAuth2Client(id: "app", server: manager, tokenPath: "/token"), flow: .clientCredentials())
        holder.withLock { $0 = authenticator }
        #expect(try await sent(authenticator) == "Bearer a")
        #expect(seen.withLock { $0 } == [nil])
        holder.withLock { $0 = nil }
    }
}

/// Asks an authenticator before each attempt, in a task of its own.
private struct AuthenticatedTransport: Transport {
    private let transport: any Transport
    private let authenticator: LoopbackLock<OAuth2Authenticator?>

    private struct NoTask: TransportTask {
        func cancel() {}
    }

    init(_ transport: any Transport, _ authenticator: LoopbackLock<OAuth2Authenticator?>) {
        self.transport = transport
        self.authenticator = authenticator
    }

    func start(
        _ request: TransportRequest, onEvent: @escaping @Sendable (TransportEvent) -> Void
    ) -> any TransportTask {
        let authenticator = authenticator.withLock { $0 }
        Task {
            let request = try await authenticator?.authenticate(request) ?? request
            _ = transport.start(request, onEvent: onEvent)
        }
        return NoTask()
    }
}
