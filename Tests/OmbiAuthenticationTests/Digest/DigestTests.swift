import Foundation
import TestSupport
import Testing

@testable import OmbiAuthentication

@Suite struct DigestTests {
    private static let url = URL(string: "http://www.example.org/dir/index.html")!

    private func authenticator(
        _ username: String = "Mufasa", _ password: String = "Circle of Life",
        clientNonce: String = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
    ) -> DigestAuthenticator {
        DigestAuthenticator(username: username, password: password, clientNonce: { clientNonce })
    }

    private static func refusal(_ fields: String...) -> TransportResponse {
        TransportResponse(
            url: url, headers: RequestHeaders(fields.map { .init(.wwwAuthenticate, .string($0)) }), statusCode: 401)
    }

    /// The credentials after these challenges, as parameters.
    private func answer(
        _ authenticator: DigestAuthenticator, to refusal: TransportResponse,
        _ request: TransportRequest = TransportRequest(url: url)
    ) async throws -> [String: String]? {
        guard try await authenticator.refresh(after: refusal, to: request) else { return nil }
        return try await credentials(authenticator, request)
    }

    private func credentials(
        _ authenticator: DigestAuthenticator, _ request: TransportRequest = TransportRequest(url: url)
    ) async throws -> [String: String]? {
        let text = try await authenticator.authenticate(request).headers[.authorization]?.text
        return text.flatMap { AuthenticationChallenge.parse($0).first?.parameters }
    }

    private static let rest = """
        realm="http-auth@example.org", qop="auth, auth-int", nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", \
        opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
        """

    @Test(arguments: [
        ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
        ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
    ])
    func `the example of RFC 7616 section 3.9.1`(algorithm: String, response: String) async throws {
        let answer = try await answer(authenticator(), to: Self.refusal("Digest \(Self.rest), algorithm=\(algorithm)"))
        #expect(
            answer == [
                "username": "Mufasa", "realm": "http-auth@example.org", "uri": "/dir/index.html",
                "algorithm": algorithm,
                "nonce": "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", "nc": "00000001",
                "cnonce": "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", "qop": "auth", "response": response,
                "opaque": "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS",
            ])
    }

    @Test func `the example of RFC 2617`() async throws {
        let answer = try await answer(
            authenticator("Mufasa", "Circle Of Life", clientNonce: "0a4f113b"),
            to: Self.refusal(
                """
                Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", \
                opaque="5ccc069c403ebaf9f0171e9517f40e41"
                """))
        #expect(answer?["response"] == "6629fae49393a05397450978507c4ef1")
        #expect(answer?["algorithm"] == nil)
    }

    @Test func `the strongest challenge is taken, whatever the order`() async throws {
        let md5 = "Digest realm=\"a\", nonce=\"md5\", qop=\"auth\", algorithm=MD5"
        let sha = "Digest realm=\"a\", nonce=\"sha\", qop=\"auth\", algorithm=SHA-256"
        let new = "Digest realm=\"a\", nonce=\"new\", qop=\"auth\", algorithm=SHA-512-256"
        for fields in [[md5, sha], [sha, md5], [new, md5, sha], ["Basic realm=\"a\", \(md5), \(sha)"]] {
            let headers = RequestHeaders(fields.map { .init(.wwwAuthenticate, .string($0)) })
            let refusal = TransportResponse(headers: headers, statusCode: 401)
            #expect(try await answer(authenticator(), to: refusal)?["nonce"] == "sha", "\(fields)")
        }
    }

    @Test(arguments: [
        (
            ["Digest realm=\"a\", nonce=\"n\", qop=\"auth\", algorithm=SHA-512-256"],
            "the server requires Digest with SHA-512-256; only SHA-256 and MD5 are supported"
        ),
        (
            [
                "Digest realm=\"a\", nonce=\"n\", algorithm=SHA-512-256",
                "Digest realm=\"a\", nonce=\"n\", algorithm=SHA3",
            ],
            "the server requires Digest with SHA-512-256 or SHA3; only SHA-256 and MD5 are supported"
        ),
        (
            ["Digest realm=\"a\", nonce=\"n\", qop=\"auth-conf\""],
            "the server requires Digest with qop \"auth-conf\"; only auth and auth-int are supported"
        ),
        (["Digest nonce=\"n\""], "the server's Digest challenge has no realm or no nonce"),
        (["Digest realm=\"a\""], "the server's Digest challenge has no realm or no nonce"),
    ])
    func `what cannot be answered is said plainly`(fields: [String], words: String) async throws {
        let headers = RequestHeaders(fields.map { .init(.wwwAuthenticate, .string($0)) })
        await #expect(
            performing: {
                _ = try await authenticator().refresh(
                    after: TransportResponse(headers: headers, statusCode: 401), to: TransportRequest(url: Self.url))
            }, throws: { "\($0)" == words })
    }

    @Test func `a server that does not ask for Digest, and another origin, get no second attempt`() async throws {
        #expect(try await answer(authenticator(), to: Self.refusal("Basic realm=\"a\"")) == nil)
        #expect(try await answer(authenticator(), to: TransportResponse(statusCode: 401)) == nil)
        var elsewhere = Self.refusal("Digest realm=\"a\", nonce=\"n\", qop=auth")
        elsewhere.url = URL(string: "http://other.example.org/")
        let authenticator = authenticator()
        #expect(try await answer(authenticator, to: elsewhere) == nil)
        #expect(try await credentials(authenticator) == nil)
    }

    @Test func `each request counts, and another origin knows nothing of it`() async throws {
        let authenticator = authenticator()
        _ = try await answer(authenticator, to: Self.refusal("Digest realm=\"a\", nonce=\"n\", qop=auth"))
        for count in 2...17 {
            let expected = "000000" + (count < 16 ? "0" : "") + String(count, radix: 16)
            #expect(try await credentials(authenticator)?["nc"] == expected)
        }
        for other in ["https://www.example.org/", "http://www.example.org:8080/", "http://example.org/"] {
            #expect(try await credentials(authenticator, TransportRequest(url: URL(string: other)!)) == nil)
        }
    }

    @Test func `a nonce that is stale is replaced, and wrong credentials are not sent again`() async throws {
        let authenticator = authenticator()
        let first = Self.refusal("Digest realm=\"a\", nonce=\"one\", qop=auth")
        _ = try await answer(authenticator, to: first)
        var request = try await authenticator.authenticate(TransportRequest(url: Self.url))
        let again = Self.refusal("Digest realm=\"a\", nonce=\"two\", qop=auth")
        #expect(try await authenticator.refresh(after: again, to: request) == false)
        let stale = Self.refusal("Digest realm=\"a\", nonce=\"three\", qop=auth, stale=TRUE")
        #expect(try await authenticator.refresh(after: stale, to: request))
        request = try await authenticator.authenticate(TransportRequest(url: Self.url))
        // A server that forgets nonces and does not say so: the credentials were right before.
        authenticator.accepted(TransportResponse(url: Self.url, statusCode: 200), to: request)
        #expect(try await authenticator.refresh(after: again, to: request))
        #expect(try await credentials(authenticator)?["nonce"] == "two")
    }

    @Test func `a refusal of an older nonce goes on with the newer one`() async throws {
        let authenticator = authenticator()
        _ = try await answer(authenticator, to: Self.refusal("Digest realm=\"a\", nonce=\"one\", qop=auth"))
        let slow = try await authenticator.authenticate(TransportRequest(url: Self.url))
        let stale = Self.refusal("Digest realm=\"a\", nonce=\"two\", qop=auth, stale=true")
        #expect(try await authenticator.refresh(after: stale, to: slow))
        let later = Self.refusal("Digest realm=\"a\", nonce=\"three\", qop=auth, stale=true")
        #expect(try await authenticator.refresh(after: later, to: slow))
        #expect(try await credentials(authenticator)?["nonce"] == "two")
    }

    @Test func `another realm is answered once`() async throws {
        let authenticator = authenticator()
        _ = try await answer(authenticator, to: Self.refusal("Digest realm=\"a\", nonce=\"n\", qop=auth"))
        let request = try await authenticator.authenticate(TransportRequest(url: Self.url))
        let other = Self.refusal("Digest realm=\"b\", nonce=\"m\", qop=auth")
        #expect(try await answer(authenticator, to: other, request)?["realm"] == "b")
    }

    @Test func `the next nonce of an accepted response is used`() async throws {
        let authenticator = authenticator()
        _ = try await answer(authenticator, to: Self.refusal("Digest realm=\"a\", nonce=\"one\", qop=auth"))
        let request = try await authenticator.authenticate(TransportRequest(url: Self.url))
        let info = "qop=auth, rspauth=\"\", cnonce=\"c\", nc=00000001, nextnonce=\"two\""
        authenticator.accepted(
            TransportResponse(url: Self.url, headers: ["authentication-info": .string(info)], statusCode: 200),
            to: request)
        let next = try await credentials(authenticator)
        #expect(next?["nonce"] == "two" && next?["nc"] == "00000001")
        // What came for the nonce before it changes nothing any more.
        authenticator.accepted(
            TransportResponse(headers: ["Authentication-Info": "nextnonce=\"three\""], statusCode: 200), to: request)
        #expect(try await credentials(authenticator)?["nonce"] == "two")
    }

    @Test(arguments: [
        ("J\u{E4}s\u{F8}n Doe", "username*", "UTF-8''J%C3%A4s%C3%B8n%20Doe"), ("a\"b\\c", "username", "a\"b\\c"),
        ("tab\tname", "username*", "UTF-8''tab%09name"), ("plain", "username", "plain"),
    ])
    func `a user name is written so that it arrives`(name: String, parameter: String, value: String) async throws {
        let refusal = Self.refusal("Digest realm=\"r \\\"q\\\" \\\\\", nonce=\"n\", qop=auth, charset=UTF-8")
        let answer = try await answer(authenticator(name), to: refusal)
        #expect(answer?[parameter] == value)
        #expect(answer?["realm"] == "r \"q\" \\")
    }

    @Test func `a user name is hashed where the server wants it`() async throws {
        let refusal = Self.refusal(
            "Digest realm=\"api@example.org\", nonce=\"n\", qop=auth, algorithm=SHA-256, charset=UTF-8, userhash=true")
        let answer = try await answer(authenticator("J\u{E4}s\u{F8}n Doe"), to: refusal)
        #expect(answer?["username"] == HashFunction.sha256.hex("J\u{E4}s\u{F8}n Doe:api@example.org"))
        #expect(answer?["userhash"] == "true" && answer?["username*"] == nil)
    }

    @Test func `auth-int covers the body, also one that is a stream`() async throws {
        let refusal = Self.refusal("Digest realm=\"a\", nonce=\"n\", qop=\"auth-int\", algorithm=SHA-256")
        let bytes = Data(repeating: 0x61, count: 100_000)
        var responses: [String?] = []
        for (body, stream) in [(bytes, nil), (nil, BodyStream(data: bytes)), (bytes.dropLast(), nil), (nil, nil)] {
            let request = TransportRequest(url: Self.url, method: .post, body: body, bodyStream: stream)
            let answer = try await answer(authenticator(), to: refusal, request)
            #expect(answer?["qop"] == "auth-int")
            responses.append(answer?["response"])
        }
        #expect(responses[0] == responses[1])
        #expect(Set(responses).count == 3)
    }

    @Test func `many requests at a time have different counts`() async throws {
        let authenticator = authenticator()
        _ = try await answer(authenticator, to: Self.refusal("Digest realm=\"a\", nonce=\"n\", qop=auth"))
        let counts = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<200 { group.addTask { try await credentials(authenticator)?["nc"] } }
            return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
        }
        #expect(counts.count == 200)
    }

    @Test func `a quote in a realm is escaped again, also with an accent behind it`() async throws {
        let refusal = Self.refusal("Digest realm=\"a\\\"\u{301}b\", qop=\"auth\", nonce=\"n\"")
        let answer = try #require(await answer(authenticator(), to: refusal))
        #expect(answer["realm"].map { Array($0.utf8) } == Array("a\"\u{301}b".utf8))
        #expect(answer["nonce"] == "n")
    }
}
