import Foundation
import TestSupport
import Testing

@testable import OmbiAuthentication

@Suite struct OAuth2ClientTests {
    private func token(_ body: String, status: Int = 200) async throws -> OAuth2Token {
        try await TokenServer(.json(status, body)).client().token(for: .clientCredentials())
    }

    @Test func `a client proves itself in the header, in the body, or not at all`() async throws {
        let server = TokenServer(.json(#"{"access_token": "a"}"#))
        _ = try await server.client().token(for: .clientCredentials(scopes: ["read", "write"]))
        _ = try await server.client(placement: .body).token(for: .clientCredentials())
        _ = try await server.client(secret: nil).token(for: .clientCredentials())
        #expect(
            server.forms == [
                ["grant_type": "client_credentials", "scope": "read write"],
                ["grant_type": "client_credentials", "client_id": "app", "client_secret": "s3cret"],
                ["grant_type": "client_credentials", "client_id": "app"],
            ])
        let request = try #require(server.requests.first)
        #expect(request.method == .post && request.url.absoluteString == "https://id.test/token")
        #expect(request.headers[.contentType]?.text.hasPrefix("application/x-www-form-urlencoded") == true)
        #expect(request.headers[.acceptType] == "application/json")
        #expect(server.requests.map { $0.headers[.authorization]?.text } == ["Basic YXBwOnMzY3JldA==", nil, nil])
    }

    @Test func `name and secret are escaped before they go into the header`() async throws {
        let server = TokenServer(.json(#"{"access_token": "a"}"#))
        var client = server.client()
        (client.id, client.secret) = ("a:b", "c d+\u{E4}")
        _ = try await client.token(for: .clientCredentials())
        let expected = "Basic " + Data("a%3Ab:c+d%2B%C3%A4".utf8).base64EncodedString()
        #expect(server.requests.first?.headers[.authorization]?.text == expected)
    }

    @Test(arguments: [
        (OAuth2Grant.refreshToken("r"), ["grant_type": "refresh_token", "refresh_token": "r"]),
        (
            .refreshToken("r", scopes: ["read"]),
            ["grant_type": "refresh_token", "refresh_token": "r", "scope": "read"]
        ),
        (
            .authorizationCode("c", redirectURI: "http://127.0.0.1:1/x", verifier: "v"),
            [
                "grant_type": "authorization_code", "code": "c", "redirect_uri": "http://127.0.0.1:1/x",
                "code_verifier": "v",
            ]
        ),
        (
            .deviceCode("d"),
            ["grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": "d"]
        ),
        (.other(type: "urn:x", parameters: ["assertion": "j"]), ["grant_type": "urn:x", "assertion": "j"]),
    ])
    func `each grant has its form`(grant: OAuth2Grant, form: [String: String]) async throws {
        let server = TokenServer(.json(#"{"access_token": "a"}"#))
        var client = server.client()
        client.additionalParameters = ["audience": "api"]
        _ = try await client.token(for: grant)
        #expect(server.forms == [form.merging(["audience": "api"]) { $1 }])
    }

    @Test(
        arguments: [
            (
                #"{"access_token":"a","token_type":"bearer","expires_in":60,"refresh_token":"r","scope":"x y"}"#, "r",
                60.0, ["x", "y"]
            ),
            (#"{"access_token":"a"}"#, nil, nil, nil), (#"{"access_token":"a","expires_in":"60"}"#, nil, 60, nil),
            (#"{"access_token":"a","expires_in":60.5,"scope":""}"#, nil, 60.5, nil),
            (#"{"access_token":"a","expires_in":-1}"#, nil, 0, nil),
            (#"{"access_token":"a","expires_in":null}"#, nil, nil, nil),
            (#"{"access_token":"a","expires_in":1e300}"#, nil, 3_155_760_000, nil),
            (#"{"access_token":"a","expires_in":"soon","refresh_token":""}"#, nil, nil, nil),
            (#"{"access_token":"a","expires_in":[],"scope":7,"refresh_token":{}}"#, nil, nil, nil),
            (#"{"access_token":"a","token_type":"BEARER","unknown":{"a":[1]}}"#, nil, nil, nil),
        ] as [(String, String?, Double?, [String]?)])
    func `a token is read as servers write it`(
        body: String, refreshToken: String?, lifetime: Double?, scopes: [String]?
    ) async throws {
        let expected = OAuth2Token(
            accessToken: "a", refreshToken: refreshToken,
            expiresAt: lifetime.map { TokenServer.start.addingTimeInterval($0) }, scopes: scopes)
        #expect(try await token(body) == expected)
    }

    @Test(arguments: [
        (400, #"{"error":"invalid_grant"}"#, OAuth2Error(.invalidGrant)),
        (401, #"{"error":"invalid_client","error_description":"no"}"#, OAuth2Error(.invalidClient, details: "no")),
        (
            400, #"{"error":"invalid_scope","error_uri":"https://id.test/e"}"#,
            OAuth2Error(.invalidScope, uri: "https://id.test/e")
        ),
        (200, #"{"error":"bad_verification_code"}"#, OAuth2Error(.other("bad_verification_code"))),
        (
            400, "{\"error\":\"a\\u001b[31mb\",\"error_description\":\"x\\ny\"}",
            OAuth2Error(.other("a\\u{1B}[31mb"), details: "x\\ny")
        ),
        (503, "<html>", OAuth2Error(.requestFailed)), (404, "{}", OAuth2Error(.requestFailed)),
        (400, #"{"error":{"code":7}}"#, OAuth2Error(.requestFailed)),
        (200, "<html>", OAuth2Error(.malformedResponse, details: "the response is neither a JSON object nor a form")),
        (200, "", OAuth2Error(.malformedResponse, details: "the response is neither a JSON object nor a form")),
        (200, "[]", OAuth2Error(.malformedResponse, details: "the response is neither a JSON object nor a form")),
        (200, "{}", OAuth2Error(.malformedResponse, details: "there is no access_token")),
        (200, #"{"access_token":""}"#, OAuth2Error(.malformedResponse, details: "there is no access_token")),
        (200, #"{"access_token":7}"#, OAuth2Error(.malformedResponse, details: "there is no access_token")),
        (
            200, #"{"access_token":"a","token_type":"mac"}"#,
            OAuth2Error(.malformedResponse, details: "the token type \"mac\" is not supported")
        ),
    ])
    func `a refusal has the server's words, and what is no answer is said`(
        status: Int, body: String, expected: OAuth2Error
    ) async {
        await #expect(throws: expected) { try await token(body, status: status) }
    }

    @Test(arguments: [
        (
            OAuth2Error(.invalidGrant, details: "revoked"),
            "the code or refresh token is invalid, expired, used or revoked (revoked)"
        ),
        (
            OAuth2Error(.requestFailed, cause: HTTPError(503)),
            "the request to the authorization server failed: the server answered 503 Service Unavailable"
        ),
        (OAuth2Error(.other("x")), "the authorization server reported \"x\""),
        (OAuth2Error(.signInRequired), "there is no valid token; sign in"),
    ])
    func `an error is a sentence`(error: OAuth2Error, sentence: String) {
        #expect(error.description == sentence && error.errorDescription == sentence)
    }

    @Test func `an endpoint that does not answer as it should is named`() async {
        for (status, sentence) in [
            (404, "the request to https://id.test/token failed: the server answered 404 Not Found"),
            (
                200,
                "the response of https://id.test/token is malformed (the response is neither a JSON object nor a form)"
            ),
        ] {
            let error = await #expect(throws: OAuth2Error.self) { try await token("<html>", status: status) }
            #expect(error?.description == sentence)
        }
    }

    @Test func `a message of the server has a limit`() {
        let error = OAuth2Error(
            named: String(repeating: "n", count: 9999), details: String(repeating: "d", count: 9999), uri: nil)
        #expect(error.description.count < 1200)
    }

    @Test func `a failed connection is the cause`() async {
        let server = TokenServer(.failure(.cannotConnectToHost))
        await #expect(
            performing: { try await server.client().token(for: .clientCredentials()) },
            throws: { error in
                guard let error = error as? OAuth2Error,
                    case RequestError<NoError>.connectionError(let cause)? = error.cause
                else { return false }
                return error.code == .requestFailed && cause.code == .cannotConnectToHost && error.isTransient
            })
    }

    @Test func `the log shows what is sent, with secrets masked`() async throws {
        let server = TokenServer(.json(#"{"access_token":"ACCESS","refresh_token":"REFRESH","device_code":"DEVICE"}"#))
        let client = server.client(secret: "CLIENT", placement: .body)
        for grant in [
            OAuth2Grant.authorizationCode("CODE", redirectURI: "http://127.0.0.1:1/", verifier: "VERIFIER"),
            .refreshToken("REFRESH"), .deviceCode("DEVICE"), .other(type: "jwt", parameters: ["assertion": "JWT"]),
        ] {
            _ = try await client.token(for: grant)
        }
        _ = try await server.client(secret: "CLIENT").token(for: .clientCredentials())
        #expect(
            server.log.contains("POST https://id.test/token") && server.log.contains("grant_type=authorization_code"))
        for secret in ["ACCESS", "REFRESH", "DEVICE", "CLIENT", "CODE", "VERIFIER", "JWT", "YXBw"] {
            #expect(!server.log.contains(secret), "\(secret) in \(server.log)")
        }
    }

    @Test func `descriptions show no secrets`() throws {
        let token = OAuth2Token(
            accessToken: "ACCESS", refreshToken: "REFRESH", expiresAt: TokenServer.start, scopes: ["read"])
        let client = TokenServer(.json("")).client(secret: "CLIENT")
        let device = OAuth2DeviceAuthorization(
            deviceCode: "DEVICE", userCode: "AB-CD", verificationURI: URL(string: "https://id.test/d")!,
            expiresAt: .distantFuture)
        let request = try client.authorizationRequest(
            redirectURI: "http://127.0.0.1:1/", scopes: [], parameters: [:], state: "s", verifier: "VERIFIER")
        let grants: [OAuth2Grant] = [
            .refreshToken("REFRESH"), .deviceCode("DEVICE"),
            .authorizationCode("CODE", redirectURI: "u", verifier: "VERIFIER"),
        ]
        let values: [Any] = [token, client, device, request, grants, OAuth2Authenticator(client, token: token)]
        for value in values {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(reflecting: value), dumped] {
                for secret in ["ACCESS", "REFRESH", "CLIENT", "DEVICE", "CODE", "VERIFIER"] {
                    #expect(!text.contains(secret), "\(text)")
                }
            }
        }
        #expect(device.description == "enter AB-CD at https://id.test/d")
        #expect(try JSONDecoder().decode(OAuth2Token.self, from: JSONEncoder().encode(token)) == token)
    }

    static let responses: [(type: String?, body: String, isRead: Bool)] = [
        ("application/x-www-form-urlencoded", "access_token=T1&scope=repo&token_type=bearer&expires_in=60", true),
        ("Application/X-WWW-Form-Urlencoded; charset=utf-8", "access_token=T1&scope=repo&expires_in=60", true),
        ("text/plain", "access_token=T1&scope=repo&expires_in=60", true),
        ("text/plain", #"{"access_token":"T1","scope":"repo","expires_in":60}"#, true),
        (
            "application/x-www-form-urlencoded", #"{"access_token":"T1","scope":"repo","expires_in":60}"#, true
        ),
        ("text/javascript", #"{"access_token":"T1","scope":"repo","expires_in":"60"}"#, true),
        (nil, "access_token=T1&scope=repo&expires_in=60", true), (nil, "<a href=x>", false),
        ("application/json", "access_token=T1", false), ("text/html", "access_token=T1", false),
    ]

    @Test(arguments: responses)
    func `a form is read where the server calls it one`(type: String?, body: String, isRead: Bool) throws {
        let headers = RequestHeaders(type.map { [RequestHeaders.Field(.contentType, .string($0))] } ?? [])
        let response = TransportResponse(headers: headers, statusCode: 200, body: Data(body.utf8))
        let token = try? OAuth2Response(response).token(receivedAt: TokenServer.start)
        #expect(token?.accessToken == (isRead ? "T1" : nil) && token?.scopes == (isRead ? ["repo"] : nil))
        #expect(token?.expiresAt == (isRead ? TokenServer.start.addingTimeInterval(60) : nil))
    }

    @Test func `an error in a form has the server's words`() {
        let response = TransportResponse(
            headers: ["Content-Type": "application/x-www-form-urlencoded"], statusCode: 200,
            body: Data("error=invalid_grant&error_description=it+has%20expired".utf8))
        #expect(throws: OAuth2Error(.invalidGrant, details: "it has expired")) { try OAuth2Response(response) }
    }

    @Test(arguments: [301, 302, 303, 307, 308], [OAuth2Client.SecretPlacement.body, .header])
    func `a token request follows no redirect to another origin`(
        status: Int, placement: OAuth2Client.SecretPlacement
    ) async throws {
        let other = try LoopbackServer { _ in .ok(#"{"access_token":"evil"}"#) }
        defer { other.stop() }
        let server = try LoopbackServer { $0.target == "/t" ? .redirect(status, to: other.host + "/t") : .status(404) }
        defer { server.stop() }
        let manager = RequestManager(host: server.host)
        manager.connection.redirects.keepsCredentialsAcrossOrigins = true
        let client = OAuth2Client(
            id: "app", secret: "s3cret", secretPlacement: placement, server: manager, tokenPath: "/t",
            devicePath: "/t")
        let message = "127.0.0.1:\(server.port) redirects to another origin, 127.0.0.1:\(other.port)"
        let first = await #expect(throws: OAuth2Error.self) { try await client.token(for: .refreshToken("r")) }
        let second = await #expect(throws: OAuth2Error.self) { try await client.authorizeDevice() }
        for error in [first, second] {
            #expect(error?.description.contains(message) == true && error?.isTransient == false)
        }
        #expect(other.requests.isEmpty && server.requests.count == 2)
    }

    @Test func `a token request follows a redirect within its origin`() async throws {
        let server = try LoopbackServer {
            $0.target == "/t" ? .redirect(307, to: "/t/") : .ok(#"{"access_token":"\#($0.text)"}"#)
        }
        defer { server.stop() }
        let client = OAuth2Client(
            id: "app", secret: "s", secretPlacement: .body, server: RequestManager(host: server.host), tokenPath: "/t")
        #expect(try await client.token(for: .refreshToken("r")).accessToken.contains("client_secret=s"))
    }

    @Test func `no answer stops the reader`() {
        var random = SeededRandom(seed: 3)
        let pieces = [
            "{", "}", "[", "]", ",", ":", "\"access_token\"", "\"error\"", "\"expires_in\"", "\"a\"", "1", "-", "1e999",
            "null",
            "true", "\"verification_uri\"", "\"https://a\"", "\"\\ud800\"", "\u{0}", " ", "\"",
        ]
        for _ in 0..<5_000 {
            let text = random.pick(Int(random.next() % 20), of: pieces).joined()
            let response = TransportResponse(statusCode: 200, body: Data(text.utf8))
            guard let answer = try? OAuth2Response(response) else { continue }
            _ = try? answer.token(receivedAt: TokenServer.start)
            _ = try? answer.deviceAuthorization(receivedAt: TokenServer.start)
        }
        let deep = TransportResponse(statusCode: 200, body: Data(String(repeating: "[", count: 100_000).utf8))
        #expect(throws: OAuth2Error.self) { try OAuth2Response(deep) }
    }
}
