import Foundation
import TestSupport
import Testing

@testable import OmbiAuthentication

/// A real authorization server, made of Authlib and Flask.
@Suite(.enabled(if: Authlib.isInstalled, "\(Authlib.hint)"))
struct AuthorizationServerTests {
    private func withServer(_ use: (ServerProcess) async throws -> Void) async throws {
        let server = try Authlib.server()
        defer { server.stop() }
        do {
            try await use(server)
        } catch {
            Issue.record("\(error)\n\(server.log)")
        }
    }

    private func client(
        _ server: ServerProcess, id: String = "public", secret: String? = nil,
        _ placement: OAuth2Client.SecretPlacement = .header,
        clock: any Clock<Duration> = TestClock()
    ) -> OAuth2Client {
        OAuth2Client(
            id: id, secret: secret, secretPlacement: placement, server: RequestManager(host: server.host),
            tokenPath: "/token", devicePath: "/device_authorization",
            authorizationURL: URL(string: server.host + "/authorize"),
            clock: clock)
    }

    /// Who the API says that the token is for.
    private func user(_ server: ServerProcess, _ authenticator: OAuth2Authenticator) async throws -> (
        String, attempts: Int
    ) {
        let run = AuthenticatedRun(authenticator: authenticator, transport: CurlTransport())
        let outcome = try await run.send(TransportRequest(url: URL(string: server.host + "/me")!))
        return (String(decoding: outcome.response.body ?? Data(), as: UTF8.self), outcome.sent.count)
    }

    private func post(_ server: ServerProcess, _ path: String) async throws {
        let response = try await NoCredentials.send(server.host + path, method: .post)
        #expect(response.statusCode == 200)
    }

    private static let browser: @Sendable (URL) async throws -> Void = { page in
        let response = try await NoCredentials.send(page.absoluteString)
        #expect(response.statusCode == 200)
    }

    @Test func `client credentials, in the header and in the body`() async throws {
        try await withServer { server in
            for placement in [OAuth2Client.SecretPlacement.header, .body] {
                let client = client(server, id: "confidential", secret: "s3cret", placement)
                let token = try await client.token(for: .clientCredentials(scopes: ["read", "admin"]))
                #expect(token.scopes == ["read"] && token.refreshToken == nil)
                #expect((token.expiresAt ?? .distantPast) > Date())
                let wrong = self.client(server, id: "confidential", secret: "wrong", placement)
                await #expect(throws: OAuth2Error(.invalidClient)) { try await wrong.token(for: .clientCredentials()) }
            }
        }
    }

    @Test func `a browser signs in over the loopback address, and a revoked token is refreshed`() async throws {
        try await withServer { server in
            let saved = LoopbackLock<[OAuth2Token?]>([])
            let authenticator = OAuth2Authenticator(
                client(server), flow: .browser(scopes: ["read", "write"], open: Self.browser),
                save: { token in saved.withLock { $0.append(token) } })
            #expect(try await user(server, authenticator) == (#"{"scope":"read write","user":"Ada"}"# + "\n", 1))
            let first = try #require(authenticator.token)
            try await post(server, "/revoke")
            #expect(try await user(server, authenticator).attempts == 2)
            let second = try #require(authenticator.token)
            #expect(second.refreshToken != nil && second.refreshToken != first.refreshToken)
            #expect(saved.withLock { $0 } == [first, second])
            // Now the refresh token is gone, too: the browser is asked once more.
            try await post(server, "/revoke?all=1")
            #expect(try await user(server, authenticator).attempts == 2)
            #expect(saved.withLock { $0 } == [first, second, nil, authenticator.token])
        }
    }

    @Test func `a user who says no, and a code with a wrong verifier`() async throws {
        try await withServer { server in
            var denied = client(server)
            denied.authorizationURL = URL(string: server.host + "/authorize?deny=1")
            let authenticator = OAuth2Authenticator(denied, flow: .browser(open: Self.browser))
            await #expect(
                performing: { try await authenticator.signIn() },
                throws: { ($0 as? OAuth2Error)?.code == .accessDenied })

            let client = client(server)
            let listener = try OAuth2RedirectListener()
            let request = try client.authorizationRequest(redirectURI: listener.redirectURI, scopes: ["read"])
            async let redirect = listener.redirect(for: request)
            try await Self.browser(request.url)
            let code = try request.code(from: try await redirect)
            await #expect(
                performing: {
                    try await client.token(
                        for: .authorizationCode(code, redirectURI: request.redirectURI, verifier: RandomText.token()))
                }, throws: { ($0 as? OAuth2Error)?.code == .invalidGrant })
        }
    }

    @Test(arguments: [true, false]) func `a device is approved, or denied`(isApproved: Bool) async throws {
        try await withServer { server in
            let clock = TestClock()
            let client = client(server, clock: clock)
            let device = try await client.authorizeDevice(scopes: ["read"])
            let token = Task { try await client.token(for: device) }
            #expect(await clock.advanceToNextDeadline() == .seconds(5))
            await clock.waitForSleepers()
            try await post(server, (isApproved ? "/approve/" : "/deny/") + device.userCode)
            _ = await clock.advanceToNextDeadline()
            switch await token.result {
            case .success(let token):
                #expect(isApproved)
                let authenticator = OAuth2Authenticator(client, token: token)
                #expect(try await user(server, authenticator).0.contains("Ada"))
            case .failure(let error): #expect(!isApproved && (error as? OAuth2Error)?.code == .accessDenied)
            }
        }
    }
}
