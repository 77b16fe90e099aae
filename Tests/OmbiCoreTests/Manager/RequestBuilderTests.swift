import Foundation
import Testing

@testable import OmbiCore

@Suite struct RequestBuilderTests {
    let manager = RequestManager(host: "http://h", transport: StubTransport.stub(error: TransportError(code: .unknown)))

    @Test func `later headers replace earlier ones`() throws {
        var request = PlainRequest(headers: ["User-Agent": "mine", "X": "request", "Authorization": "request"])
        manager.requestAuthentication = .token(type: .bearer, value: "manager")
        #expect(try manager.buildRequest(for: request).headers["user-agent"] == "mine")
        #expect(try manager.buildRequest(for: request).headers[.authorization] == "Bearer manager")
        let call = RequestAuthentication.basic(username: "u", password: "p")
        #expect(try manager.buildRequest(for: request, authentication: call).headers[.authorization] == "Basic dTpw")
        manager.additionalHeaders = ["x": "manager", "Authorization": "manager"]
        request.headers["Y"] = "1"
        let headers = try manager.buildRequest(for: request, authentication: call).headers
        #expect(headers["X"] == "manager" && headers[.authorization] == "manager" && headers["Y"] == "1")
        #expect(headers.values(for: .authorization).count == 1)
    }

    @Test func `default headers can be left out`() throws {
        #expect(try manager.buildRequest(for: PlainRequest()).headers[.userAgent]?.text.hasSuffix("Ombi/0.1.0") == true)
        #expect(try manager.buildRequest(for: PlainRequest()).headers[.acceptEncoding] == nil)
        manager.shouldInjectDefaultHeaders = false
        #expect(try manager.buildRequest(for: PlainRequest()).headers.isEmpty)
    }

    @Test(
        arguments: [
            (
                .init(
                    program: "Shop", version: "7.1", identifier: "com.example.shop", build: "42", system: "macOS 15.1.0"
                ),
                "Shop/7.1 (com.example.shop; build:42; macOS 15.1.0) Ombi/0.1.0"
            ),
            (.init(program: "shop", system: "Linux"), "shop (Linux) Ombi/0.1.0"),
            (.init(program: "ombi", system: "Linux"), "Ombi/0.1.0 (Linux)"),
            (.init(program: "ü\n(x) y", version: " "), "xy Ombi/0.1.0"), (.init(system: "Linux"), "Ombi/0.1.0 (Linux)"),
            (.init(program: "→", identifier: "a)b\r\nc"), "Ombi/0.1.0 (abc)"), (.init(), "Ombi/0.1.0"),
        ] as [(UserAgent, String)])
    func aUserAgentSaysWhatIsKnown(agent: UserAgent, text: String) {
        #expect(agent.text == text)
    }

    @Test func `the real transport says what it decodes`() throws {
        let headers = try RequestManager(host: "http://h").buildRequest(for: PlainRequest()).headers
        #expect(headers[.acceptEncoding]?.text.contains("gzip") == true)
    }

    @Test func `interceptors run in order`() throws {
        let append = { (text: String) in
            RequestInterceptor { request in
                var request = request
                request.headers["X"] = .string((request.headers["X"]?.text ?? "") + text)
                return request
            }
        }
        manager.requestInterceptors = [append("1"), append("2")]
        let request = ComposableRequest<NoBody, Data, NoError>().intercept(with: append("3"))
        #expect(try manager.buildRequest(for: request).headers["X"] == "123")
    }

    @Test(arguments: [
        (
            "X-Bad", "a\r\nX-Other: b",
            "the value of the header X-Bad contains a line break or a zero byte; remove it"
        ),
        ("X Bad", "a", "\"X Bad\" is not a header name"),
        ("X\nBad", "a", "\"X\\nBad\" is not a header name"),
    ])
    func `a header that breaks the line is refused`(name: String, value: String, message: String) {
        let request = PlainRequest(headers: RequestHeaders([.init(.init(name), .init(value))]))
        #expect(throws: MalformedRequest(.header, message)) { try manager.buildRequest(for: request) }
    }

    @Test func `languages are weighed`() {
        let tags = DefaultHeaders.languageTags(["de_DE.UTF-8", "C", "en", "en", "POSIX", "sr_RS@latin"])
        #expect(tags == ["de-DE", "en", "sr-RS"])
        #expect(DefaultHeaders.acceptLanguage(tags) == "de-DE;q=1.0, en;q=0.9, sr-RS;q=0.8")
    }

    @Test func `credentials are masked in the log`() async throws {
        let recorder = LogRecorder()
        let log = RequestLog(subsystem: "s", category: "c") { recorder.add($0) }
        let manager = RequestManager(
            host: "http://me:secret@h",
            transport: StubTransport.stubResponse(statusCode: 500, data: Data("oops".utf8)),
            log: log)
        manager.additionalHeaders = ["Authorization": "Bearer secret", "X-Trace": "t"]
        let request = TextRequest(path: "/p")
        _ = try? await manager.response(for: request)
        let messages = recorder.entries.map(\.message)
        #expect(messages.count == 3)
        #expect(messages.first?.hasPrefix("GET http://••••••@h/p\n") == true)
        #expect(messages.first?.contains("Authorization: ••••••") == true)
        #expect(messages.first?.contains("X-Trace: t") == true)
        #expect(!messages.joined().contains("secret"))
        #expect(messages.dropFirst().first == "500 Internal Server Error http://••••••@h/p\nContent-Length: 4\noops")
        #expect(recorder.entries.last == .init(level: .error, message: "the server answered 500 Internal Server Error"))
    }
}
