import Foundation
import TestSupport
import Testing

@testable import OmbiAuthentication

@Suite struct AuthorizationCodeTests {
    private func request(_ client: OAuth2Client? = nil) throws -> OAuth2AuthorizationRequest {
        try (client ?? TokenServer(.json("")).client()).authorizationRequest(
            redirectURI: "http://127.0.0.1:9/callback", scopes: ["read", "a b"], parameters: ["prompt": "login"],
            state: "st&te",
            verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
    }

    @Test func `the address of the page carries the challenge of RFC 7636 appendix B`() throws {
        let request = try request()
        #expect(
            request.url.absoluteString
                == "https://id.test/authorize?response_type=code&client_id=app"
                + "&redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2Fcallback&state=st%26te"
                + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256"
                + "&scope=read%20a%20b&prompt=login")
    }

    @Test func `a page that has parameters keeps them`() throws {
        var client = TokenServer(.json("")).client()
        client.authorizationURL = URL(string: "https://id.test/authorize?tenant=1#top")
        #expect(
            try request(client).url.absoluteString.hasPrefix("https://id.test/authorize?tenant=1&response_type=code&"))
        client.authorizationURL = nil
        #expect(throws: OAuth2Error(.notConfigured, details: "set authorizationURL to the authorization endpoint")) {
            try request(client)
        }
    }

    @Test func `state and verifier are long, plain and new each time`() throws {
        let client = TokenServer(.json("")).client()
        let requests = try (0..<100).map { _ in try client.authorizationRequest(redirectURI: "http://127.0.0.1:9/") }
        let texts = requests.flatMap { [$0.state, $0.verifier] }
        #expect(Set(texts).count == 200)
        let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        #expect(texts.allSatisfy { $0.count == 43 && allowed.isSuperset(of: $0) })
    }

    @Test(arguments: [
        ("http://127.0.0.1:9/callback?code=c%20d&state=st%26te", "c d"), ("/callback?state=st%26te&code=c", "c"),
        ("http://127.0.0.1:9/callback?code=c&state=st%26te#fragment", "c"),
        ("http://127.0.0.1:9/callback?code=c&state=st%26te&iss=x\n", "c"), ("?code=c&state=st%26te", "c"),
    ])
    func `a code is taken from the address`(address: String, code: String) throws {
        #expect(try request().code(from: address) == code)
    }

    @Test(arguments: [
        ("http://127.0.0.1:9/callback?code=c&state=other", OAuth2Error(.stateMismatch)),
        ("http://127.0.0.1:9/callback?code=c", OAuth2Error(.stateMismatch)),
        ("http://127.0.0.1:9/callback?code=c&state=st%26te&state=st%26te", OAuth2Error(.stateMismatch)),
        ("http://127.0.0.1:9/callback?error=access_denied", OAuth2Error(.stateMismatch)),
        ("", OAuth2Error(.stateMismatch)),
        ("code", OAuth2Error(.stateMismatch)),
        (
            "http://127.0.0.1:9/callback?state=st%26te&error=access_denied&error_description=the%20user%20said+no",
            OAuth2Error(.accessDenied, details: "the user said no")
        ),
        (
            "http://127.0.0.1:9/callback?state=st%26te",
            OAuth2Error(.malformedResponse, details: "the redirect carries no code")
        ),
        (
            "http://127.0.0.1:9/callback?state=st%26te&code=",
            OAuth2Error(.malformedResponse, details: "the redirect carries no code")
        ),
        (
            "http://127.0.0.1:9/callback?state=st%26te&code=a&code=b",
            OAuth2Error(.malformedResponse, details: "the redirect carries no code")
        ),
    ])
    func `an address that brings no code of this sign-in is refused`(address: String, error: OAuth2Error) throws {
        let request = try request()
        #expect(throws: error) { try request.code(from: address) }
    }

    @Test func `the code is exchanged together with the verifier`() async throws {
        let server = TokenServer(.json(#"{"access_token":"a"}"#))
        let client = server.client(secret: nil)
        _ = try await client.token(
            for: try request(client), redirectedTo: "http://127.0.0.1:9/callback?code=c&state=st%26te")
        #expect(
            server.forms == [
                [
                    "grant_type": "authorization_code", "code": "c", "redirect_uri": "http://127.0.0.1:9/callback",
                    "code_verifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", "client_id": "app",
                ]
            ])
    }

    @Test func `a pasted address ends the flow`() async throws {
        let server = TokenServer(.json(#"{"access_token":"a"}"#))
        let flow = OAuth2Flow.pastedRedirect(redirectURI: "https://app.test/done") { page in
            let state = RequestParameters(encoded: page.query(percentEncoded: true) ?? "")["state"]?.text ?? ""
            return "https://app.test/done?code=pasted&state=\(state)"
        }
        let authenticator = OAuth2Authenticator(server.client(secret: nil), flow: flow)
        try await authenticator.signIn()
        #expect(server.forms.map { $0["code"] } == ["pasted"])
        #expect(authenticator.token?.accessToken == "a")
    }
}
