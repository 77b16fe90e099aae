import Foundation
import OmbiCore
import TestSupport
import Testing

/// Credentials stay out of the log, wherever they travel.
@Suite struct LogMaskingTests {
    /// The two entries that a request and its response leave.
    static func entries<T: Requestable>(
        _ request: T, userInfo: String = "", reply: LoopbackReply = .ok("")
    ) async throws -> (request: String, response: String) where T.ResponseBody: Sendable {
        let transcript = Transcript()
        let log = RequestLog(subsystem: "s", category: "c") { transcript.add($0.message) }
        return try await RealServer.scripted({ _ in reply }) { (server) async throws in
            let host = server.host.replacingOccurrences(of: "http://", with: "http://" + userInfo)
            let manager = RequestManager(host: host, log: log)
            manager.shouldInjectDefaultHeaders = false
            _ = try await manager.response(for: request)
            let messages = transcript.soFar.map { $0.replacingOccurrences(of: ":\(server.port)", with: "") }
            return (messages.first ?? "", messages.last ?? "")
        }
    }

    @Test func `the address is masked`() async throws {
        let query = [
            URLQueryItem(name: "api_key", value: "hidden1"), URLQueryItem(name: "page", value: "2"),
            URLQueryItem(name: "Access-Token", value: "hidden2"), URLQueryItem(name: "sig", value: "hidden3"),
            URLQueryItem(name: "flag", value: nil), URLQueryItem(name: "X-Amz-Signature", value: "hidden4"),
        ]
        let logged = try await Self.entries(PlainRequest(path: "/p", query: query), userInfo: "me:hidden0@")
        #expect(
            logged.request.hasPrefix(
                "GET http://••••••@127.0.0.1/p?api_key=••••••&page=2&Access-Token=••••••&sig=••••••&flag"
                    + "&X-Amz-Signature=••••••\n"))
        #expect(!(logged.request + logged.response).contains("hidden"))
    }

    @Test func `header fields are masked`() async throws {
        let request = PlainRequest(headers: [
            "Authorization": "Bearer hidden", "Cookie": "a=hidden", "X-Api-Key": "hidden", "X-Plain": "shown",
            "Referer": "http://a/?token=hidden&b=c",
        ])
        let reply = LoopbackReply.status(
            200, headers: [("Set-Cookie", "a=hidden"), ("Location", "http://u:hidden@b/?code=1&access_token=hidden")])
        let logged = try await Self.entries(request, reply: reply)
        #expect(!(logged.request + logged.response).contains("hidden"))
        #expect(logged.request.contains("\nX-Plain: shown\n"))
        #expect(logged.request.contains("\nReferer: http://a/?token=••••••&b=c\n"))
        #expect(logged.response.contains("\nLocation: http://••••••@b/?code=1&access_token=••••••\n"))
    }

    static let json = #"""
        {"user": "ada", "password": "hid\"den", "n": [1, {"accessToken": {"a": ["hidden", "}"]}, "b": 2}],
         "client_secret":12345hidden, "refresh_token": null, "note": "the token: shown", "p\u0061ssword": "hidden",
         "api-key": ["hidden"], "keys": 3}
        """#

    static let masked = #"""
        {"user": "ada", "password": "••••••", "n": [1, {"accessToken": "••••••", "b": 2}],
         "client_secret":"••••••", "refresh_token": null, "note": "the token: shown", "p\u0061ssword": "••••••",
         "api-key": "••••••", "keys": 3}
        """#

    @Test func `members of JSON are masked`() async throws {
        let request = ComposableRequest<String, String, HTTPError>().method(.post).body(Self.json)
            .headers([.contentType: .contentType(.json)])
        let logged = try await Self.entries(
            request, reply: .ok(Self.json, headers: [("Content-Type", "application/problem+json")]))
        #expect(logged.request.hasSuffix("\n" + Self.masked))
        #expect(logged.response.hasSuffix("\n" + Self.masked))
        let unnamed = try await Self.entries(request.header(key: .contentType, value: "text/plain"))
        #expect(unnamed.request.hasSuffix("\n" + Self.masked))
    }

    /// Text that ends early or is no JSON is logged too, without what was left of the secret.
    @Test(arguments: [
        (#"{"token": "hidden"#, #"{"token": "••••••""#), (#"{"token": {"a": "hidden"#, #"{"token": "••••••""#),
        (#"{"token": hidden"#, #"{"token": "••••••""#), (#"{"token":"#, #"{"token":"#), (#"{"token"#, #"{"token"#),
        (#"["\"#, #"["\"#), (#"{"a": "token", "b": 1}"#, #"{"a": "token", "b": 1}"#), ("[}]", "[}]"),
    ])
    func `broken JSON is masked to its end`(text: String, expected: String) async throws {
        let request = ComposableRequest<String, NoBody, HTTPError>().method(.post).body(text)
        #expect(try await Self.entries(request).request.hasSuffix("\n" + expected))
    }

    @Test func `a long body is masked where it is cut`() async throws {
        let padding = String(repeating: "x", count: 4_060)
        let text = #"{"padding": "\#(padding)", "token": "hidden-and-long-enough-to-be-cut"}"#
        let request = ComposableRequest<String, NoBody, HTTPError>().method(.post).body(text)
        let logged = try await Self.entries(request).request
        #expect(logged.hasSuffix(#""token": "••••••"… (\#(text.utf8.count) bytes)"#))
        #expect(!logged.contains("hidden"))
    }

    @Test func `fields of a form are masked`() async throws {
        let form: RequestParameters = ["grant_type": "password", "password": "hidden", "client_secret": "hidden"]
        let request = ComposableRequest<RequestParameters, NoBody, HTTPError>().method(.post).body(form)
        let logged = try await Self.entries(request).request
        #expect(logged.hasSuffix("\ngrant_type=password&password=••••••&client_secret=••••••"))
    }

    /// Counts, times and Boolean values are no credentials, and another number may be one.
    @Test(arguments: [
        (#"{"max_tokens": 100, "secretExpiresAt":-1.5e3}"#, #"{"max_tokens": 100, "secretExpiresAt":-1.5e3}"#),
        (
            #"{"has_password": true, "token": false, "pin": truer}"#,
            #"{"has_password": true, "token": false, "pin": "••••••"}"#
        ),
        (#"{"password1": 1234, "pin": 12}"#, #"{"password1": "••••••", "pin": "••••••"}"#),
        (#"{"max_tokens": "100", "tokens": [1]}"#, #"{"max_tokens": "••••••", "tokens": "••••••"}"#),
        (#"{"max_tokens": 100hidden}"#, #"{"max_tokens": "••••••"}"#), (#"{"tokens": 12"#, #"{"tokens": "••••••""#),
    ])
    func `numbers that are no credentials are shown`(text: String, expected: String) {
        #expect(LogMask.json(text) == expected)
    }

    @Test func `bytes that are no UTF-8 stay`() {
        let text = { (secret: String) in
            Array("{\"a\":\"".utf8) + [0xE9] + Array("\",\"token\":\"\(secret)\"}".utf8)
        }
        #expect(LogMask.json(text("hidden")) == text(LogMask.mask))
    }

    @Test func `what is no text is counted`() async throws {
        let bytes = PlainRequest(method: .post, body: Data([0xFF, 0xFE, 0]))
        #expect(try await Self.entries(bytes).request.hasSuffix("\n(3 bytes)"))
        let form = MultipartForm(parts: [.init(value: "hidden", name: "password")], boundary: "B")
        let upload = BodyCodingTests.Upload(body: form)
        #expect(try await Self.entries(upload).request.hasSuffix("\n(\(try form.encoded.count) bytes)"))
        let stream = ComposableRequest<NoBody, NoBody, HTTPError>().method(.put)
            .bodyStream(BodyStream(data: Data("hidden".utf8)))
        #expect(try await Self.entries(stream).request.hasSuffix("\n(6 bytes)"))
        #expect(try await Self.entries(PlainRequest()).request.hasSuffix("\n(no body)"))
    }

    @Test func `control characters are written out`() async throws {
        let logged = try await Self.entries(PlainRequest(), reply: .ok("a\u{1B}[2Jb\nc"))
        #expect(logged.response.hasSuffix("\na\\u{1B}[2Jb\nc") || logged.response.hasSuffix("\na\\u{001B}[2Jb\nc"))
    }
}
