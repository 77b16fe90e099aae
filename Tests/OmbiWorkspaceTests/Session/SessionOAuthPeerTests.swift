import Foundation
import OmbiCore
import TestSupport
import Testing

@testable import OmbiWorkspace

/// An authorization server that is not Ombi's, made of Authlib and Flask.
@Suite(.enabled(if: Authlib.isInstalled, "\(Authlib.hint)"))
struct SessionOAuthPeerTests {
    private func withServer(_ use: (ServerProcess) async throws -> Void) async throws {
        let server = try Authlib.server()
        defer { server.stop() }
        try await use(server)
    }

    private static func order(_ client: OAuth2Authentication, _ server: ServerProcess) -> RunOrder {
        var environment = Environment(name: "e", host: server.host, authentication: .oauth2(client))
        environment.secrets = [Secret("secret", .environment("S"))]
        let request = SavedRequest(name: "me", path: "/me")
        let collection = Collection(name: "c", environments: [environment], items: [.request(request)])
        return RunOrder(id: 1, request: request, collection: collection, environment: "e", file: "c.json")
    }

    private static func client(_ redirectURI: String = "") -> OAuth2Authentication {
        OAuth2Authentication(
            grant: .authorizationCode, tokenURL: "/token", authorizationURL: "/authorize", redirectURI: redirectURI,
            clientID: "public", scope: "read")
    }

    private static func session(_ steps: SessionSteps = SessionSteps()) -> Session {
        Session(
            secrets: { _ in SecretReader(environment: { _ in "s3cret" }, file: { _ in [] }) }, steps: steps)
    }

    /// Opens a page, as a browser that follows so many redirects. Returns the last status, and the address that it is sent to.
    private static func browse(_ page: String, redirects: Int) async throws -> (status: Int, location: String) {
        let start = page.firstIndex(of: "?") ?? page.endIndex
        let origin = page.prefix { $0 != "?" }.split(separator: "/").prefix(2).joined(separator: "//")
        let path = page[..<start].dropFirst(origin.count) + page[start...]
        let environment = Environment(name: "e", host: origin)
        let request = SavedRequest(
            name: "browser", path: String(path), connection: SavedConnection { $0.maximumRedirects = redirects })
        let collection = Collection(name: "b", environments: [environment], items: [.request(request)])
        let order = RunOrder(id: 1, request: request, collection: collection, environment: "e", file: "b.json")
        guard case .ended(let result)? = await Session().events(of: order).last, let response = result.response else {
            return (0, "")
        }
        return (response.statusCode ?? 0, response["Location"]?.text ?? "")
    }

    @Test(arguments: [false, true]) func `a client gets its token, in the header and in the body`(
        isInBody: Bool
    ) async throws {
        try await withServer { server in
            let client = OAuth2Authentication(
                tokenURL: "/token", clientID: "confidential", clientSecret: "{{secret}}", sendsSecretInBody: isInBody,
                scope: "read")
            let events = await Self.session().events(of: Self.order(client, server))
            guard case .ended(let result)? = events.last else { return }
            #expect(result.failures == [], "\(server.log)")
            #expect(result.prepared?.authentication?.source == .environment("e"))
        }
    }

    @Test func `a browser on this machine comes back, and the request goes on`() async throws {
        try await withServer { server in
            let visits = Lock<[Int]>([])
            var steps = SessionSteps(signIn: { _, signIn in
                Task {
                    let visit = try await Self.browse(signIn.url, redirects: 5)
                    visits.withLock { $0.append(visit.status) }
                }
            })
            steps.askForRedirect = { _, _, _ in nil }
            let session = Self.session(steps)
            let events = await session.events(of: Self.order(Self.client(), server))
            guard case .ended(let result)? = events.last else { return }
            #expect(result.response?.body.map { String(decoding: $0, as: UTF8.self) }?.contains("Ada") == true)
            #expect(result.failures == [], "\(server.log)")
            let shown = events.compactMap { if case .signIn(let signIn) = $0 { signIn } else { nil } }
            #expect(shown.count == 1 && events.contains(.signIn(nil)), "\(events)")
            guard case .redirect(let address, true)? = shown.first?.completion else {
                Issue.record("\(events)")
                return
            }
            #expect(address.hasPrefix("http://127.0.0.1:") && address.hasSuffix("/callback"))
            let prepared = events.firstIndex { if case .prepared = $0 { true } else { false } }
            let over = events.firstIndex(of: .signIn(nil))
            #expect((over ?? 9) < (prepared ?? 0), "a person takes longer than an SLA, which begins then")
            // The token is there: nobody signs in again.
            let again = await session.events(of: Self.order(Self.client(), server))
            #expect(!again.contains { if case .signIn = $0 { true } else { false } })
        }
    }

    @Test func `the address of a browser elsewhere is pasted, and a wrong one is asked for again`() async throws {
        try await withServer { server in
            let problems = Lock<[String?]>([])
            var steps = SessionSteps()
            steps.askForRedirect = { signIn, problem, isWaiting in
                problems.withLock { $0.append(problem) }
                #expect(isWaiting())
                guard problem != nil else { return "https://127.0.0.1/callback?code=x&state=other" }
                return try? await Self.browse(signIn.url, redirects: 0).location + "\n"
            }
            let events = await Self.session(steps).events(of: Self.order(Self.client(), server))
            guard case .ended(let result)? = events.last else { return }
            #expect(result.failures == [], "\(server.log)")
            let asked = problems.withLock { $0 }
            #expect(asked.count == 2 && asked.first == .some(nil))
            #expect(asked.last??.hasPrefix("this is not the address of this sign-in") == true)
        }
    }

    @Test func `a pasted address comes by the session, too, once`() async throws {
        try await withServer { server in
            let found = Lock<Session?>(nil)
            let outcomes = Lock<[String?]>([])
            let steps = SessionSteps(signIn: { _, signIn in
                Task {
                    let location = try await Self.browse(signIn.url, redirects: 0).location
                    let session = found.withLock { $0 }
                    let outcome = session.map { $0.submitRedirect(location, for: signIn.id) } ?? "no session"
                    outcomes.withLock { $0.append(outcome) }
                }
            })
            let session = Self.session(steps)
            found.withLock { $0 = session }
            let events = await session.events(of: Self.order(Self.client(), server))
            guard case .ended(let result)? = events.last else { return }
            #expect(result.failures == [], "\(server.log)")
            #expect(outcomes.withLock { $0 } == [nil])
            #expect(session.submitRedirect("http://127.0.0.1:1/callback?code=x", for: 1) == "this sign-in is over")
        }
    }

    @Test func `where nobody can sign in, the run fails at once and says why`() async throws {
        try await withServer { server in
            var steps = SessionSteps()
            steps.whyNobodySignsIn = { "there is no terminal" }
            let events = await Self.session(steps).events(of: Self.order(Self.client(), server))
            guard case .ended(let result)? = events.last, case .failure(let message) = result.ending else {
                Issue.record("\(events)")
                return
            }
            #expect(message.contains("sign in (there is no terminal)"), "\(message)")
        }
    }
}
