import Foundation
import TestSupport
import Testing

@testable import OmbiAuthentication

/// Digest over redirects, and nonces that are stale at once, by the engine and a server that checks.
@Suite struct DigestRedirectTests {
    /// A server that checks digests (RFC 7616, SHA-256) and redirects.
    private final class Guardian: Sendable {
        private let issued = LoopbackLock(0)
        let server: LoopbackServer

        /// - Parameter staleCount: The number of digests that are refused because their nonce is stale.
        init(
            qop: String = "auth", staleCount: Int = 0,
            _ answer: @escaping @Sendable (LoopbackRequest, _ isAllowed: Bool) -> TestSupport.LoopbackReply?
        ) throws {
            let (issued, stale) = (issued, LoopbackLock(staleCount))
            server = try LoopbackServer { request in
                let parameters = Self.parameters(request)
                let isRight = parameters.map { Self.isRight($0, request) } ?? false
                let isStale =
                    isRight
                    && stale.withLock { count in
                        defer { count -= 1 }
                        return count > 0
                    }
                if let reply = answer(request, isRight && !isStale) { return reply }
                let number = issued.withLock { number in
                    number += 1
                    return number
                }
                let challenge =
                    #"Digest realm="r", qop="\#(qop)", algorithm=SHA-256, nonce="n\#(number)""#
                    + (isStale ? ", stale=true" : "")
                return .status(
                    parameters != nil && !isRight ? 400 : 401, headers: [("WWW-Authenticate", challenge)])
            }
        }

        static func parameters(_ request: LoopbackRequest) -> [String: String]? {
            request.headers["authorization"].flatMap { AuthenticationChallenge.parse($0).first?.parameters }
        }

        private static func isRight(_ sent: [String: String], _ request: LoopbackRequest) -> Bool {
            let function = HashFunction.sha256
            let secret = function.hex("u:r:p")
            let body = sent["qop"] == "auth-int" ? ":" + function.hex(request.body) : ""
            let covered = function.hex("\(request.method):\(request.target)\(body)")
            let middle = ["nonce", "nc", "cnonce", "qop"].map { sent[$0] ?? "" }.joined(separator: ":")
            return sent["uri"] == request.target && sent["response"] == function.hex("\(secret):\(middle):\(covered)")
        }
    }

    private func manager(_ server: LoopbackServer) -> RequestManager {
        let manager = RequestManager(host: server.host)
        manager.authenticator = DigestAuthenticator(username: "u", password: "p")
        return manager
    }

    private func request(_ path: String, _ method: RequestMethod = .get) -> ComposableRequest<Data, String, NoError> {
        ComposableRequest().path(path).method(method)
    }

    @Test(arguments: ["auth", "auth-int"], [false, true])
    func `a redirect within the origin gets a digest of its own`(qop: String, isOpen: Bool) async throws {
        let guardian = try Guardian(qop: qop) { request, isAllowed in
            switch (request.target, isAllowed) {
            // Some servers redirect before they ask.
            case ("/team", _) where isOpen, ("/team", true): .redirect(301, to: "/team/?a=1")
            case ("/team/?a=1", true): .ok("in")
            default: nil
            }
        }
        defer { guardian.server.stop() }
        let manager = manager(guardian.server)
        for _ in 1...2 {
            let response = try await manager.response(for: request("/team"))
            #expect(response.statusCode == 200 && response.body == "in")
        }
        let digests = guardian.server.requests.compactMap(Guardian.parameters)
        #expect(digests.map { $0["uri"] } == ["/team", "/team/?a=1", "/team", "/team/?a=1"])
        #expect(digests.map { $0["nc"] } == ["00000001", "00000002", "00000003", "00000004"])
    }

    @Test(arguments: [(303, "GET", ""), (307, "PUT", "body"), (308, "PUT", "body")], ["auth", "auth-int"])
    func `a digest covers the method and the body of the redirect`(
        redirect: (status: Int, method: String, body: String), qop: String
    ) async throws {
        let guardian = try Guardian(qop: qop) { request, isAllowed in
            guard isAllowed else { return nil }
            return request.target == "/a" ? .redirect(redirect.status, to: "/b") : .ok(request.method + request.text)
        }
        defer { guardian.server.stop() }
        let manager = manager(guardian.server)
        let small = request("/a", .put).body(Data("body".utf8))
        #expect(try await manager.value(for: small) == redirect.method + redirect.body)
        // A body that the transport turns into a stream.
        let large = request("/a", .put).body(Data(repeating: 0x61, count: 200_000))
        let length = redirect.body.isEmpty ? 0 : 200_000
        #expect(try await manager.value(for: large).utf8.count == redirect.method.utf8.count + length)
    }

    @Test func `another origin gets no digest, and none after it leads back`() async throws {
        let other = LoopbackLock("")
        let guardian = try Guardian { request, isAllowed in
            switch request.target {
            case "/a": isAllowed ? .redirect(307, to: other.withLock { $0 } + "/b") : nil
            default: .ok(request.headers["authorization"] ?? "none")
            }
        }
        defer { guardian.server.stop() }
        let elsewhere = try LoopbackServer { request in
            .redirect(307, to: guardian.server.host + "/c?\(request.headers["authorization"] ?? "none")")
        }
        defer { elsewhere.stop() }
        other.withLock { $0 = elsewhere.host }
        let response = try await manager(guardian.server).response(for: request("/a"))
        #expect(response.body == "none" && response.url?.query() == "none")
    }

    @Test(arguments: [(1, 200), (2, 401)])
    func `a nonce that is stale at its first use is replaced once more`(
        staleCount: Int, status: Int
    ) async throws {
        let guardian = try Guardian(staleCount: staleCount) { $1 ? .ok("in") : nil }
        defer { guardian.server.stop() }
        let response = try await manager(guardian.server).response(for: request("/a"))
        #expect(response.statusCode == status)
        #expect(guardian.server.requests.count == 3)
        let nonces = guardian.server.requests.map { Guardian.parameters($0)?["nonce"] }
        #expect(nonces == [nil, "n1", "n2"])
    }

    @Test func `wrong credentials are sent once`() async throws {
        let server = try LoopbackServer { _ in
            .status(401, headers: [("WWW-Authenticate", #"Digest realm="r", qop="auth", nonce="n""#)])
        }
        defer { server.stop() }
        let response = try await manager(server).response(for: request("/a"))
        #expect(response.statusCode == 401 && server.requests.count == 2)
    }
}
