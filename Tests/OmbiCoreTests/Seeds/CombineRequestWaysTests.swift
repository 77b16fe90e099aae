import Foundation
import OmbiCore
import TestSupport
import Testing

/// What CombineRequest does, in Ombi's terms, where no sample shows it.
@Suite struct CombineRequestWaysTests {
    static func lines<P: Publisher>(_ publisher: P, _ words: @escaping (P.Output) -> String) async -> [String] {
        let transcript = Transcript()
        let cancellable = publisher.sink(
            receiveCompletion: { transcript.end("\($0)") }, receiveValue: { transcript.add(words($0)) })
        let lines = await transcript.lines
        cancellable.cancel()
        return lines
    }

    /// An API with a base path, a header and a check for all of its requests: a leaf only adds its own.
    @Test func `a leaf overrides what its API says`() async throws {
        struct Leaf: JSONPlaceholderAPI {
            typealias ResponseBody = AnyJSON
            let path = "/users"
            let method = RequestMethod.put
        }
        let arrived = try await RealServer.arrival(of: Leaf(), hostPath: "/v1")
        #expect(arrived.method == "PUT" && arrived.target == "/v1/users")
        #expect(arrived.headers["x-client"] == "samples")
    }

    /// An absolute path does not drop the path of the host.
    @Test func `a path is below that of the host`() async throws {
        let absolute = try await RealServer.arrival(of: PlainRequest(path: "/users"), hostPath: "/v1/")
        let relative = try await RealServer.arrival(of: PlainRequest(path: "users"), hostPath: "/v1")
        #expect(absolute.target == "/v1/users" && relative.target == "/v1/users")
        #expect(throws: MalformedRequest.self) { try RequestManager(host: "").buildRequest(for: PlainRequest()) }
    }

    @Test func `spaces and pluses are escaped and a nil value is a bare name`() async throws {
        let query = [URLQueryItem(name: "a b", value: "c d+e"), URLQueryItem(name: "n", value: nil)]
        #expect(try await RealServer.arrival(of: PlainRequest(query: query)).target == "/?a%20b=c%20d%2Be&n")
    }

    @Test func `a body has its type and its length and without one there is neither`() async throws {
        let text = ComposableRequest<String, NoBody, HTTPError>().method(.put).body("äb")
        let headers = try await RealServer.arrival(of: text).headers
        #expect(headers["content-type"] == "text/plain; charset=utf-8" && headers["content-length"] == "3")
        let none = try await RealServer.arrival(of: ComposableRequest<String, NoBody, HTTPError>()).headers
        #expect(none["content-type"] == nil && none["content-length"] == nil)
    }

    @Test func `the request that will be sent can be looked at`() async throws {
        let request = ComposableRequest<String, NoBody, HTTPError>().path("/p").method(.put).body("x")
        let manager = RequestManager(host: "http://127.0.0.1:1")
        let built = try manager.buildRequest(for: request)
        #expect(built.url.absoluteString == "http://127.0.0.1:1/p" && built.method == .put)
        #expect(built.body == Data("x".utf8) && built.headers[.userAgent] != nil)
        let arrived = try await RealServer.arrival(of: request)
        for field in built.headers.fields {
            #expect(arrived.headers[field.key.name.lowercased()] == field.value.text)
        }
    }

    @Test func `an interceptor changes the request`() async throws {
        let own = RequestInterceptor { request in
            var request = request
            request.headers["X-Length"] = .int(request.body?.count ?? 0)
            request.url = URL(string: request.url.absoluteString + "/signed") ?? request.url
            return request
        }
        let request = ComposableRequest<String, NoBody, HTTPError>().path("/p").method(.put).body("abc")
            .intercept(with: own)
        let arrived = try await RealServer.arrival(of: request) { manager in
            manager.requestInterceptors = [
                RequestInterceptor { request in
                    var request = request
                    request.body = request.body.map { $0 + $0 }
                    return request
                }
            ]
        }
        #expect(arrived.target == "/p/signed" && arrived.text == "abcabc" && arrived.headers["x-length"] == "6")
    }

    @Test func `an encoder of one's own writes the body`() async throws {
        let request = ComposableRequest<Int, NoBody, HTTPError>().method(.post).body(255)
            .encodeBody(
                with: BodyEncoder(contentType: "text/x-hex") { $0.map { Data(String($0, radix: 16).utf8) } })
        let arrived = try await RealServer.arrival(of: request)
        #expect(arrived.text == "ff" && arrived.headers["content-type"] == "text/x-hex")
    }

    @Test func `a request that cannot be built fails when subscribed to`() async {
        let built = Counter()
        let publisher = RequestManager(host: "http://127.0.0.1").makeRequest(
            ComposableRequest<NoBody, String, HTTPError>().path {
                _ = built.next()
                return "/../"
            })
        #expect(built.value == 0)
        let lines = await Self.lines(publisher) { _ in "value" }
        #expect(lines.count == 1 && lines.first?.hasPrefix("failure(the request could not be made: ") == true)
        #expect(built.value == 1)
    }

    @Test func `cancelling a subscription closes the connection`() async throws {
        let arrived = Transcript()
        try await RealServer.scripted({ request in
            guard request.target == "/silence" else { return .ok("after") }
            arrived.end("arrived")
            return .silence
        }) { (server) async throws in
            let told = Counter()
            let manager = RequestManager(host: server.host)
            let cancellable = manager.makeRequest(TextRequest(path: "/silence"), retries: 3).sink(
                receiveCompletion: { _ in _ = told.next() }, receiveValue: { _ in _ = told.next() })
            _ = await arrived.lines
            cancellable.cancel()
            // The same manager goes on, and nothing of the cancelled request comes in the meantime.
            #expect(try await manager.response(for: TextRequest(path: "/ok")).body == "after")
            #expect(told.value == 0)
            #expect(server.requests.count == 2)
        }
    }

    @Test func `statuses are validated against any sequence`() async throws {
        try await RealServer.demo { (host) async throws in
            let publisher = RequestManager(host: host).makeRequest(PlainRequest(path: "/status/201"))
            let words = { @Sendable (response: RequestResponse<Data>) in "\(response.statusCode ?? 0)" }
            #expect(await Self.lines(publisher.validateStatusCode(in: 200..<300), words) == ["201", "finished"])
            #expect(await Self.lines(publisher.validateStatusCode(in: [200, 201]), words) == ["201", "finished"])
            #expect(await Self.lines(publisher.validateStatusCode(in: Set([201])), words) == ["201", "finished"])
            #expect(
                await Self.lines(publisher.validateStatusCode(in: stride(from: 200, to: 210, by: 2)), words)
                    == ["failure(the response has the status 201 Created, which is not accepted)"])
        }
    }

    @Test(
        arguments: [
            ("application/json", "{}", true), ("Application/JSON; charset=utf-8", "{}", true),
            ("application/json;v=1", "{}", true), ("application/jsonp", "{}", false), ("text/html", "{}", false),
            ("text/html", "", true),
        ])
    func `the media type is validated`(found: String, body: String, passes: Bool) async throws {
        try await RealServer.scripted({ _ in .ok(body, headers: [("Content-Type", found)]) }) {
            (server) async throws in
            let publisher = RequestManager(host: server.host).makeRequest(PlainRequest())
                .hasContentType("application/json")
            let refused = "failure(the response is \(found), expected application/json)"
            #expect(await Self.lines(publisher) { _ in "passed" } == (passes ? ["passed", "finished"] : [refused]))
        }
    }

    @Test func `a response without a status is refused`() async {
        let stub = StubTransport.stub(with: TransportResponse(body: Data("x".utf8)))
        let publisher = RequestManager(host: "http://h", transport: stub).makeRequest(PlainRequest())
            .validateStatusCode(in: 0..<1_000)
        #expect(await Self.lines(publisher) { _ in "passed" } == ["failure(the response has no status)"])
    }

    @Test func `stubs say what a server would`() async throws {
        let data = Data("[1]".utf8)
        func response(_ stub: StubTransport) async throws -> RequestResponse<Data> {
            try await RequestManager(host: "http://h/base", transport: stub).response(for: PlainRequest(path: "/p"))
        }
        let plain = try await response(.stubResponse(statusCode: 404, data: data, headers: ["X": "1"]))
        #expect(plain.url?.absoluteString == "http://h/base/p" && plain.statusCode == 404 && plain.body == data)
        #expect(plain.headers == ["X": "1", "Content-Length": "3"])
        let json = try await response(.stubJSONResponse(statusCode: 200, data: data))
        #expect(json.headers == ["Content-Type": "application/json", "Content-Length": "3"])
        #expect(try await response(.stubResponse(statusCode: 200, data: Data())).headers == [:])
        let whole = TransportResponse(url: URL(string: "http://x"), statusCode: 299, body: data)
        #expect(try await response(.stub(with: whole)) == whole)
        let error = TransportError(code: .secureConnectionFailed, message: "no")
        await #expect(throws: RequestError<NoError>.connectionError(error)) { try await response(.stub(error: error)) }
    }

    @Test(arguments: [200, 404, 500]) func `a status is no error of the network`(status: Int) async throws {
        try await RealServer.demo { (host) async throws in
            let request = PlainRequest(path: "/status/\(status)")
            #expect(try await RequestManager(host: host).response(for: request).statusCode == status)
        }
    }

    /// Bytes sent and received so far, and how many there will be.
    @Test func `progress is reported in both directions`() async throws {
        let request = PlainRequest(method: .post, body: Data(count: 3_000_000))
        try await RealServer.scripted({ _ in .ok(String(repeating: "x", count: 2_000_000)) }) {
            (server) async throws in
            let (recorder, _) = RequestManager(host: server.host).record(request)
            _ = await recorder.outcome
            let sent = recorder.events.compactMap { event -> (Int, Int?)? in
                if case .bodySent(_, let bytes, let expected, _) = event { (bytes, expected) } else { nil }
            }
            let received = recorder.events.compactMap { event -> (Int, Int?)? in
                if case .bodyReceived(_, let bytes, let expected, _) = event { (bytes, expected) } else { nil }
            }
            #expect(sent.last?.0 == 3_000_000 && sent.allSatisfy { $0.1 == 3_000_000 })
            #expect(!received.isEmpty && received.allSatisfy { $0.0 <= 2_000_000 && $0.1 == 2_000_000 })
            #expect(await recorder.report?.attempts.last?.metrics.bytesReceived == 2_000_000)
            #expect(sent.map(\.0) == sent.map(\.0).sorted() && received.map(\.0) == received.map(\.0).sorted())
        }
    }
}
