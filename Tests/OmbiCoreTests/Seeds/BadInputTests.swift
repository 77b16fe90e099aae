import Foundation
import OmbiCore
import TestSupport
import Testing

/// Input from which no request can be made ends in a typed error with a sentence, through every door, and nothing is
/// sent.
@Suite struct BadInputTests {
    typealias Failure = RequestError<HTTPError>
    typealias Composed = ComposableRequest<AnyJSON, String, HTTPError>

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var host: @Sendable (String) -> String = { $0 }
        var request = Composed()
        var interceptor: RequestInterceptor?
        /// nil when the cause is not one of Ombi's own.
        let part: MalformedRequest.Part?
        let words: String

        var testDescription: String { name }

        func manager(_ host: String) -> RequestManager {
            let manager = RequestManager(host: self.host(host))
            if let interceptor { manager.requestInterceptors = [interceptor] }
            return manager
        }
    }

    static func changing(_ change: @escaping @Sendable (inout TransportRequest) -> Void) -> RequestInterceptor {
        RequestInterceptor { request in
            var request = request
            change(&request)
            return request
        }
    }

    static let cases: [Case] = [
        Case(
            name: "no scheme", host: { _ in "localhost:80" }, part: .host,
            words: "the host \"localhost:80\" does not begin with http:// or https://; write it as "
                + "https://api.example.com"),
        Case(
            name: "another scheme", host: { _ in "ftp://h" }, part: .host,
            words: "the host \"ftp://h\" does not begin with http:// or https://; write it as https://api.example.com"),
        Case(
            name: "no host", host: { _ in " " }, part: .host,
            words: "the host is empty; write it as https://api.example.com"),
        Case(
            name: "a fragment in the host", host: { _ in "http://h/#a" }, part: .host,
            words: "the host \"http://h/#a\" contains a \"#\", which ends a URL; remove it"),
        Case(
            name: "a line break in the host", host: { $0 + "\r\nx" }, part: .host,
            words: "contains a character that no host name has"),
        Case(
            name: "a password in a bad host", host: { _ in "http://me:secret@h:0" }, part: .host,
            words: "the port \"0\" of the host \"http://••••••@h:0\" is not a number from 1 to 65535"),
        Case(
            name: "a line break in the path", request: Composed().path("/a\r\nHost: x"), part: .path,
            words: "the path \"/a\\r\\nHost: x\" contains a control character; remove it, or write %0D for it"),
        Case(
            name: "a zero byte in the path", request: Composed().path("/a\0"), part: .path,
            words: "the path \"/a\\0\" contains a control character; remove it, or write %00 for it"),
        Case(
            name: "dots in the path", request: Composed().path("/a/../b"), part: .path,
            words: "the path \"/a/../b\" contains the segment \"..\"; write the path that it leads to"),
        Case(
            name: "a URL as the path", request: Composed().path("https://me:secret@other.example/users?x=1"),
            part: .path,
            words: "the path \"https://••••••@other.example/users?x=1\" is a URL of its own; make a RequestManager for "
                + "that host, or begin the path with one slash"),
        Case(
            name: "a URL behind a space as the path", request: Composed().path(" HTTP://other.example"), part: .path,
            words: "make a RequestManager for that host, or begin the path with one slash"),
        Case(
            name: "a scheme in the path", request: Composed().path("users:batch"), part: .path,
            words: "the path \"users:batch\" is a URL of its own; make a RequestManager for that host, "
                + "or begin the path with one slash"),
        Case(
            name: "a method with a space", request: Composed().method("GET /"), part: .method,
            words: "\"GET /\" is not a method; one has letters, digits and !#$%&'*+-.^_`|~ only"),
        Case(
            name: "an API key with a line break",
            request: Composed().authenticate(with: .apiKey(name: "X", value: "a\nb", location: .header)), part: .header,
            words: "the value of the header X contains a line break or a zero byte; remove it"),
        Case(
            name: "a header with a line break", request: Composed().header(key: "X", value: "a\r\nY: b"),
            part: .header, words: "the value of the header X contains a line break or a zero byte; remove it"),
        Case(
            name: "a header with an escape", request: Composed().header(key: "X", value: "\u{1B}[2J"),
            part: .header, words: "the value of the header X contains a control character; remove it"),
        Case(
            name: "a header without a name", request: Composed().header(key: "", value: "a"), part: .header,
            words: "a header has an empty name"),
        Case(
            name: "a header with a space in its name", request: Composed().header(key: "X Y", value: "a"),
            part: .header, words: "\"X Y\" is not a header name"),
        Case(
            name: "a token with a line break", request: Composed().authenticate(withToken: "a\nb", type: .bearer),
            part: .header,
            words: "the value of the header Authorization contains a line break or a zero byte; remove it"),
        Case(
            name: "a user name with a colon", request: Composed().authenticate(withUsername: "a:b", password: "c"),
            part: .authentication,
            words: "the user name for Basic authentication contains a colon, which ends it; remove the colon"),
        Case(
            name: "no time", request: Composed().timeoutInterval(0), part: .timeout,
            words: "the timeout of 0.0 s leaves no time to answer; give more than 0 s, or .infinity"),
        Case(
            name: "negative time", request: Composed().timeoutInterval(-1), part: .timeout,
            words: "the timeout of -1.0 s leaves no time to answer; give more than 0 s, or .infinity"),
        Case(
            name: "a time that is no number", request: Composed().timeoutInterval(.nan), part: .timeout,
            words: "the timeout of nan s leaves no time to answer; give more than 0 s, or .infinity"),
        Case(
            name: "CONNECT", request: Composed().method(.connect), part: .method,
            words: "CONNECT asks a proxy for a tunnel (RFC 9110 section 9.3.6) and is no request to a server"),
        Case(
            name: "an encoder that throws", request: Composed().body(1).encodeBody { _ in throw CodingFailure("no") },
            part: nil, words: "no"),
        Case(
            name: "not a number in JSON", request: Composed().body(["a": [1, .number(.nan)]]), part: nil,
            words: "$.a[1] is nan, which JSON cannot express"),
        Case(
            name: "infinity in JSON", request: Composed().body(.number(-.infinity)), part: nil,
            words: "$ is -inf, which JSON cannot express"),
        Case(
            name: "an interceptor that throws",
            interceptor: RequestInterceptor { _ in throw CodingFailure("unsigned") },
            part: nil, words: "unsigned"),
        Case(
            name: "an interceptor that turns to a file",
            interceptor: changing { $0.url = URL(fileURLWithPath: "/etc/passwd") }, part: .url,
            words: "the URL \"file:///etc/passwd\" does not begin with http:// or https://"),
        Case(
            name: "an interceptor that takes the host away",
            interceptor: changing { $0.url = URL(string: "http:/path") ?? $0.url }, part: .url,
            words: "the URL \"http:/path\" names no host"),
        Case(
            name: "an interceptor with a bad header", interceptor: changing { $0.headers["X\r"] = "1" },
            part: .header, words: "\"X\\r\" is not a header name"),
        Case(
            name: "an interceptor that takes the time away", interceptor: changing { $0.idleTimeout = .zero },
            part: .timeout, words: "the timeout of 0.0 s leaves no time to answer; give more than 0 s, or .infinity"),
    ]

    @Test(arguments: cases) func `every door gives the same typed error`(input: Case) async throws {
        try await RealServer.scripted({ _ in .ok("sent") }) { (server) async throws in
            let manager = input.manager(server.host)
            var failures: [Failure] = [await Self.published(manager, input.request)]
            failures.append(await Self.handled(manager, input.request))
            failures.append(await Self.awaited(manager, input.request))
            failures.append(Self.built(manager, input.request))
            for failure in failures {
                #expect(failure.stage == .creation)
                #expect((failure.underlyingError as? MalformedRequest)?.part == input.part)
                #expect(failure.description.hasPrefix("the request could not be made: "))
                #expect(failure.description.hasSuffix(input.words), "\(failure)")
                #expect(!failure.description.contains("secret"))
            }
            #expect(server.requests.isEmpty)
        }
    }

    private static func published(_ manager: RequestManager, _ request: Composed) async -> Failure {
        await withCheckedContinuation { continuation in
            let keeper = Keeper()
            keeper.cancellable = manager.makeRequest(request, retries: 3).sink(
                receiveCompletion: { completion in
                    keeper.cancellable = nil
                    guard case .failure(let error) = completion else {
                        return continuation.resume(returning: .unknownError)
                    }
                    continuation.resume(returning: error)
                }, receiveValue: { _ in })
        }
    }

    /// Unchecked because it is set before the run can end: its delivery waits for the queue that sets it.
    private final class Keeper: @unchecked Sendable {
        private let lock = NSLock()
        private var kept: AnyCancellable?

        var cancellable: AnyCancellable? {
            get { lock.withLock { kept } }
            set { lock.withLock { kept = newValue } }
        }
    }

    private static func handled(_ manager: RequestManager, _ request: Composed) async -> Failure {
        await withCheckedContinuation { continuation in
            manager.send(request, retries: 3) { result in
                guard case .failure(let error) = result else { return continuation.resume(returning: .unknownError) }
                continuation.resume(returning: error)
            }
        }
    }

    private static func awaited(_ manager: RequestManager, _ request: Composed) async -> Failure {
        do {
            _ = try await manager.response(for: request, retries: 3)
            return .unknownError
        } catch {
            return error
        }
    }

    private static func built(_ manager: RequestManager, _ request: Composed) -> Failure {
        do {
            _ = try manager.buildRequest(for: request)
            return .unknownError
        } catch {
            return .malformedRequest(error)
        }
    }

    /// Odd, but nothing is wrong with it.
    @Test(arguments: [
        Composed().path("/with space and 🦊/%0A"), Composed().path("/.../..a/.hidden"), Composed().method(.trace),
        Composed().timeoutInterval(.infinity), Composed().timeoutInterval(.greatestFiniteMagnitude),
        Composed().query(URLQueryItem(name: "", value: "\r\n\0")), Composed().header(key: "X", value: "a\tb 🦊"),
    ])
    func `odd input is sent`(request: Composed) async throws {
        try await RealServer.scripted({ _ in .ok("sent") }) { (server) async throws in
            let response = try await RequestManager(host: server.host).response(for: request, retries: -5)
            #expect(response.body == "sent")
            #expect(server.requests.count == 1)
        }
    }

    @Test func `a response that is too large is refused and not repeated`() async throws {
        let transport = CurlTransport(configuration: .init(maximumResponseBytes: 1_000))
        try await RealServer.scripted({ _ in .ok(String(repeating: "x", count: 1_001)) }) { (server) async throws in
            do {
                _ = try await RequestManager(host: server.host, transport: transport)
                    .response(for: TextRequest(), retries: 3)
                Issue.record("too much was taken")
            } catch Failure.connectionError(let error) {
                #expect(error.code == .responseTooLarge)
                #expect(error.description.contains("1000"))
            }
            #expect(server.requests.count == 1)
        }
    }

    /// A body has no limit but memory; what is too much for a server is for the server to say.
    @Test func `a server may refuse a large body`() async throws {
        let request = ComposableRequest<Data, String, HTTPError>().method(.post).body(Data(count: 5_000_000))
        try await RealServer.scripted({ .status($0.body.count > 1_000_000 ? 413 : 200) }) { (server) async throws in
            await #expect(throws: Failure.validationError(.error4xx(413))) {
                try await RequestManager(host: server.host).response(for: request)
            }
        }
    }

    @Test func `a decoder that throws is a decoding error`() async throws {
        let request = Composed().decodeBody { _ in throw CodingFailure("not mine") }
        try await RealServer.scripted({ _ in .ok("x") }) { (server) async throws in
            let failure = await Self.awaited(RequestManager(host: server.host), request)
            #expect(failure == .decodingError(CodingFailure("not mine")))
            #expect(failure.description == "the response could not be decoded: not mine")
        }
    }
}
