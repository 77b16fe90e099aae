import Foundation
import TestSupport
import Testing

@testable import OmbiAuthentication

/// The listener on real sockets.
@Suite struct RedirectListenerTests {
    private let client = TokenServer(.json(#"{"access_token":"a"}"#)).client(secret: nil)

    private func request(_ listener: OAuth2RedirectListener) throws -> OAuth2AuthorizationRequest {
        try client.authorizationRequest(redirectURI: listener.redirectURI)
    }

    @Test func `the browser comes back, and sees a page`() async throws {
        let listener = try OAuth2RedirectListener()
        let request = try request(listener)
        #expect(listener.redirectURI.hasPrefix("http://127.0.0.1:") && listener.redirectURI.hasSuffix("/callback"))
        async let redirect = listener.redirect(for: request)
        let page = try await NoCredentials.send("\(listener.redirectURI)?code=c&state=\(request.state)")
        #expect(page.statusCode == 200)
        #expect(page.body.map { String(decoding: $0, as: UTF8.self) }?.contains("You can close this page") == true)
        #expect(page["Cache-Control"] == "no-store")
        let address = try await redirect
        #expect(address == "\(listener.redirectURI)?code=c&state=\(request.state)")
        #expect(try request.code(from: address) == "c")
    }

    @Test func `what does not belong to the sign-in is refused, and the browser is still waited for`() async throws {
        let listener = try OAuth2RedirectListener()
        let request = try request(listener)
        async let redirect = listener.redirect(for: request)
        let origin = listener.redirectURI.replacing("/callback", with: "")
        #expect(try await NoCredentials.send("\(listener.redirectURI)?code=stolen&state=other").statusCode == 400)
        #expect(try await NoCredentials.send("\(listener.redirectURI)?code=stolen").statusCode == 400)
        #expect(try await NoCredentials.send("\(origin)/favicon.ico").statusCode == 404)
        #expect(try await NoCredentials.send("\(origin)/callback/x?state=\(request.state)").statusCode == 404)
        #expect(
            try await NoCredentials.send("\(listener.redirectURI)?code=c&state=\(request.state)", method: .post)
                .statusCode == 400)
        #expect(
            try await NoCredentials.send("\(listener.redirectURI)?error=access_denied&state=\(request.state)")
                .statusCode == 200)
        let address = try await redirect
        #expect(throws: OAuth2Error(.accessDenied)) { try request.code(from: address) }
    }

    @Test func `an address that is pasted counts as the browser does, before the wait begins, too`() async throws {
        let listener = try OAuth2RedirectListener()
        let request = try request(listener)
        let address = "\(listener.redirectURI)?code=c&state=\(request.state)"
        try listener.submit("\(listener.redirectURI)?code=stolen&state=other")
        try listener.submit(address)
        #expect(try await listener.redirect(for: request) == address)

        let second = try OAuth2RedirectListener()
        let other = try self.request(second)
        async let redirect = second.redirect(for: other)
        // The answer tells that the wait has begun.
        _ = try await NoCredentials.send(second.redirectURI)
        #expect(throws: OAuth2Error(.stateMismatch)) { try second.submit(address) }
        try second.submit("\(second.redirectURI)?code=d&state=\(other.state)")
        #expect(try await redirect.hasSuffix("?code=d&state=\(other.state)"))
    }

    @Test func `a registered address is listened to where it is one of this machine`() async throws {
        let port = try port(of: OAuth2RedirectListener())
        let listener = OAuth2RedirectListener(redirectURI: "http://localhost:\(port)/app/cb")
        #expect(listener.isListening && listener.redirectURI == "http://localhost:\(port)/app/cb")
        let request = try request(listener)
        async let redirect = listener.redirect(for: request)
        let page = try await NoCredentials.send("http://127.0.0.1:\(port)/app/cb?code=c&state=\(request.state)")
        #expect(page.statusCode == 200)
        #expect(try await redirect == "http://localhost:\(port)/app/cb?code=c&state=\(request.state)")
    }

    @Test(arguments: [
        "https://app.example.com/cb", "http://127.0.0.1/cb", "http://127.0.0.1:x/cb", "http://127.0.0.1:80@evil.test/",
        "com.example.app:/cb", "",
    ]) func `any other address is not listened to, and has to be pasted`(address: String) async throws {
        let listener = OAuth2RedirectListener(redirectURI: address)
        #expect(!listener.isListening && listener.redirectURI == address)
        let request = try request(listener)
        try listener.submit("\(address)?code=c&state=\(request.state)")
        #expect(try request.code(from: try await listener.redirect(for: request)) == "c")
    }

    @Test func `connections that say nothing, or rubbish, hold nobody up`() async throws {
        let listener = try OAuth2RedirectListener()
        let request = try request(listener)
        async let redirect = listener.redirect(for: request)
        // The answer tells that the listener is at work, and takes what comes.
        _ = try await NoCredentials.send(listener.redirectURI)
        var idle = try (0..<40).map { _ in try RawClient(port: port(of: listener)) }
        for rubbish in [
            "\r\n\r\n", "GET\r\n\r\n", "GET /callback HTTP/2\r\n\r\n", "\u{0}\u{1}", "GET http://a/ HTTP/1.1\r\n\r\n",
        ] {
            let connection = try RawClient(port: port(of: listener))
            connection.write(rubbish)
            idle.append(connection)
        }
        let flood = try RawClient(port: port(of: listener))
        flood.write("GET /" + String(repeating: "x", count: 60_000))
        #expect(try await NoCredentials.send("\(listener.redirectURI)?code=c&state=\(request.state)").statusCode == 200)
        _ = try await redirect
        _ = idle
    }

    @Test func `a request may come in pieces`() async throws {
        let listener = try OAuth2RedirectListener()
        let request = try request(listener)
        async let redirect = listener.redirect(for: request)
        let connection = try RawClient(port: port(of: listener))
        for piece in ["GET /callback?code=c&st", "ate=\(request.state) HTTP/1.1\r\nHost: 127.0.0.1\r", "\n\r", "\n"] {
            connection.write(piece)
        }
        #expect(connection.readToEnd().hasPrefix("HTTP/1.1 200 OK\r\n"))
        _ = try await redirect
    }

    @Test func `waiting ends with the time, with the task, and with the listener`() async throws {
        let clock = TestClock()
        let listener = try OAuth2RedirectListener()
        let late = Task { try await listener.redirect(for: try request(listener), timeout: .seconds(60), clock: clock) }
        #expect(await clock.advanceToNextDeadline() == .seconds(60))
        await #expect(throws: OAuth2Error(.expired)) { try await late.value }

        let other = try OAuth2RedirectListener()
        let cancelled = Task { try await other.redirect(for: try request(other), clock: clock) }
        await clock.waitForSleepers()
        cancelled.cancel()
        await #expect(throws: OAuth2Error(.cancelled)) { try await cancelled.value }

        let third = try OAuth2RedirectListener()
        let before = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await third.redirect(for: try request(third), clock: clock)
        }
        await #expect(throws: OAuth2Error(.cancelled)) { try await before.value }
    }

    @Test func `a port is free again afterwards, and one in use is said`() async throws {
        let first = try OAuth2RedirectListener()
        let port = port(of: first)
        #expect(throws: OAuth2Error.self) { try OAuth2RedirectListener(port: port) }
        #expect(throws: OAuth2Error.self) { try OAuth2RedirectListener(port: 70_000) }
        let request = try request(first)
        async let redirect = first.redirect(for: request)
        _ = try await NoCredentials.send("\(first.redirectURI)?code=c&state=\(request.state)")
        _ = try await redirect
        // The thread closes its socket after it has handed over the address.
        var again: OAuth2RedirectListener?
        while again == nil {
            again = try? OAuth2RedirectListener(port: port)
            await Task.yield()
        }
        #expect(again?.redirectURI == first.redirectURI)
    }

    @Test func `the whole flow runs while the page is opened, and an opener that fails ends it`() async throws {
        struct NoBrowser: Error {}
        let server = TokenServer(.json(#"{"access_token":"a"}"#))
        // A browser that waits for the page it is sent back to.
        let flow = OAuth2Flow.browser { page in
            let query = RequestParameters(encoded: page.query(percentEncoded: true) ?? "")
            let address = "\(query["redirect_uri"]?.text ?? "")?code=c&state=\(query["state"]?.text ?? "")"
            let response = try await NoCredentials.send(address)
            #expect(response.statusCode == 200)
        }
        let authenticator = OAuth2Authenticator(server.client(secret: nil), flow: flow)
        try await authenticator.signIn()
        #expect(authenticator.token?.accessToken == "a")

        let failing = OAuth2Authenticator(server.client(secret: nil), flow: .browser { _ in throw NoBrowser() })
        await #expect(throws: NoBrowser.self) { try await failing.signIn() }
    }

    private func port(of listener: OAuth2RedirectListener) -> Int { URL(string: listener.redirectURI)?.port ?? 0 }
}
