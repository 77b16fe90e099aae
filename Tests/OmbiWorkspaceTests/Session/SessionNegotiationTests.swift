import Foundation
import OmbiCore
import TestSupport
import Testing

@testable import OmbiWorkspace

private let hasNTLM = CurlTransport.refusal(of: .ntlm(username: "", password: "")) == nil

/// Credentials of a connection and of files of this machine, sent to a server.
@Suite struct SessionNegotiationTests {
    private static let challenge = "NTLM TlRMTVNTUAACAAAAAAAAADAAAAABggAAAQIDBAUGBwgAAAAAAAAAAAAAAAAwAAAA"

    @Test(.enabled(if: hasNTLM)) func `all messages of NTLM are one attempt, without the password`() async throws {
        let server = try LoopbackServer { request in
            let isLast = request.headers["authorization"]?.hasPrefix("NTLM TlRMTVNTUAAD") ?? false
            return isLast ? .ok("in") : .status(401, headers: [("WWW-Authenticate", Self.challenge)])
        }
        defer { server.stop() }
        let ntlm = NTLMAuthentication(username: "ada", password: "pa55word", domain: "CORP")
        let request = SavedRequest(name: "r", path: "/p", authentication: .ntlm(ntlm))
        let collection = Collection(
            name: "c", environments: [Environment(name: "e", host: server.host)], items: [.request(request)])
        let order = RunOrder(id: 1, request: request, collection: collection, environment: "e", file: "c.json")
        let events = await Session().events(of: order)
        guard case .ended(let result)? = events.last else {
            Issue.record("\(events)")
            return
        }
        #expect(result.response?.statusCode == 200 && result.report?.attempts.count == 1, "\(result.failures)")
        #expect(result.prepared?.authentication?.value == "NTLM")
        #expect(server.requests.count == 2 && !"\(server.requests)".contains("pa55word"))
        #expect(!"\(events)".contains("pa55word"))
    }

    @Test(.enabled(if: hasNTLM)) func `a server that repeats the last message of NTLM tells it to nobody`() async throws
    {
        let server = try LoopbackServer { request in
            let message = request.headers["authorization"] ?? ""
            guard message.hasPrefix("NTLM TlRMTVNTUAAD") else {
                return .status(401, headers: [("WWW-Authenticate", Self.challenge)])
            }
            return .ok("{\"seen\":\"\(message)\"}", headers: [("X-Seen", message)])
        }
        defer { server.stop() }
        let ntlm = NTLMAuthentication(username: "ada", password: "pa55word", domain: "CORP")
        let request = SavedRequest(name: "r", path: "/p", authentication: .ntlm(ntlm))
        let collection = Collection(
            name: "c", environments: [Environment(name: "e", host: server.host)], items: [.request(request)])
        let order = RunOrder(id: 1, request: request, collection: collection, environment: "e", file: "c.json")
        let events = await Session().events(of: order)
        guard case .ended(let result)? = events.last else {
            Issue.record("\(events)")
            return
        }
        // A body is the server's own until it is kept.
        let kept = String(decoding: result.redactor.redact(result.response?.body ?? Data()), as: UTF8.self)
        #expect(kept == "{\"seen\":\"NTLM \(LogMask.mask)\"}")
        #expect(result.response?.headers?["X-Seen"]?.text == "NTLM \(LogMask.mask)")
    }

    @Test func `the user of a file goes to its host after a grant, and crosses no redirect`() async throws {
        let evil = Lock("")
        let stranger = try Stranger { request in
            request.target == "/" ? .redirect(302, to: evil.withLock { $0 }) : .ok("{}")
        }
        defer { stranger.remove() }
        evil.withLock { $0 = stranger.evil.host + "/landing" }
        try stranger.write("default login u password \(Stranger.secret)", to: ".netrc")
        try stranger.write(Stranger.file(environment: "", request: #""authentication":{"netrc":{}}"#))
        let refused = try await stranger.send()
        #expect(!refused.passed && stranger.good.requests.isEmpty)
        #expect(refused.failures.joined().contains("/.netrc"), "\(refused.failures)")
        try stranger.trust()
        let result = try await stranger.send()
        #expect(result.passed, "\(result.failures)")
        let credentials = "Basic " + Data("u:\(Stranger.secret)".utf8).base64EncodedString()
        #expect(stranger.good.requests.first?.headers["authorization"] == credentials)
        #expect(stranger.evil.requests.count == 1 && stranger.evil.requests.first?.headers["authorization"] == nil)
        #expect(!"\(String(describing: result.prepared))".contains(Stranger.secret))
    }

    @Test func `the keys of a profile sign after a grant`() async throws {
        let stranger = try Stranger()
        defer { stranger.remove() }
        let keys = "[dev]\naws_access_key_id = AKIDEXAMPLE\naws_secret_access_key = \(Stranger.secret)\n"
        try stranger.write(keys, to: ".aws/credentials")
        try stranger.write("[profile dev]\nregion = eu-central-1\n", to: ".aws/config")
        try stranger.write(
            Stranger.file(environment: "", request: #""authentication":{"aws":{"profile":"dev","service":"s3"}}"#))
        let refused = try await stranger.send()
        #expect(!refused.passed && stranger.good.requests.isEmpty)
        #expect(refused.failures.joined().contains("/.aws/config"), "\(refused.failures)")
        try stranger.trust()
        _ = try await stranger.send()
        let header = stranger.good.requests.first?.headers["authorization"] ?? ""
        #expect(header.hasPrefix("AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/") && header.contains("/eu-central-1/s3/"))
        #expect(Stranger.leaks(stranger.good) == [])
    }

    @Test func `a ticket is asked for before anything is sent`() async throws {
        let stranger = try Stranger()
        defer { stranger.remove() }
        try stranger.write(Stranger.file(environment: "", request: #""authentication":{"negotiate":{}}"#))
        let result = try await stranger.send()
        #expect(!result.passed && stranger.good.requests.isEmpty)
        #expect(result.failures.joined().contains("the Kerberos ticket to \(stranger.good.host)"), "\(result.failures)")
    }
}
