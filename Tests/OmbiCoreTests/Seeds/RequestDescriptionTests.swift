import Foundation
import OmbiCore
import TestSupport
import Testing

/// What a `Requestable` says, and what of it arrives at a server.
@Suite struct RequestDescriptionTests {
    /// Nothing but what every request has to say.
    struct Minimal: Requestable {
        typealias ResponseBody = Data
        typealias ResponseError = HTTPError
        var path = "/"
        var method = RequestMethod.get
    }

    @Test func `path and method are enough`() async throws {
        let request = Minimal(path: "/plain", method: .delete)
        let arrived = try await RealServer.arrival(of: request) { $0.shouldInjectDefaultHeaders = false }
        #expect(arrived.method == "DELETE" && arrived.target == "/plain")
        #expect(arrived.body.isEmpty)
        #expect(arrived.headers.keys.sorted() == ["host"])
        #expect(request.headers.isEmpty && request.query.isEmpty && request.body == nil)
        #expect(request.authentication == nil && request.fallbackResponse == nil && request.timeoutInterval == 120)
    }

    @Test func `a request names its types`() async throws {
        let response: Minimal.Response = RequestResponse<Data>.empty
        let failure: Minimal.Failure = RequestError<HTTPError>.timedOut()
        #expect(response.body == nil && failure.stage == .execution)
        #expect(Minimal.RequestBody.self == NoBody.self)
    }

    @Test(arguments: [
        ("", "/b", "/b"), ("/a", "/b", "/a/b"), ("/a/", "/b", "/a/b"), ("/a", "b", "/a/b"), ("/a/", "b", "/a/b"),
        ("/a", "", "/a"), ("/a", "/", "/a/"), ("", "/x y", "/x%20y"), ("", "/grün/🦊", "/gr%C3%BCn/%F0%9F%A6%8A"),
        ("", "/100%/%2F", "/100%25/%2F"), ("", "/a//b", "/a//b"), ("", "/a:b@c;d=e", "/a:b@c;d=e"),
        ("", "/p?x=1", "/p?x=1"),
    ])
    func `the path arrives behind the host's own`(hostPath: String, path: String, target: String) async throws {
        #expect(try await RealServer.arrival(of: Minimal(path: path), hostPath: hostPath).target == target)
    }

    @Test func `the query arrives in order and escaped`() async throws {
        let items = [
            URLQueryItem(name: "z", value: "1+1"), URLQueryItem(name: "a", value: "ä & b=c#d"),
            URLQueryItem(name: "z", value: "again"), URLQueryItem(name: "flag", value: nil),
            URLQueryItem(name: "path", value: "/a?b"),
        ]
        let target = "/p?z=1%2B1&a=%C3%A4%20%26%20b%3Dc%23d&z=again&flag&path=/a?b"
        #expect(try await RealServer.arrival(of: PlainRequest(path: "/p?old=1", query: items)).target == target)
        #expect(try await RealServer.arrival(of: PlainRequest(path: "/p?old=1")).target == "/p?old=1")
        #expect(try await RealServer.arrival(of: PlainRequest(path: "/p")).target == "/p")
    }

    @Test func `a server reads the query as it was meant`() async throws {
        let value = "a+b c&d=e/f?g#h%41ä🦊\"'<>[]{}|\\^`;,:@!$()*"
        try await RealServer.demo { (host) async throws in
            let request = PlainRequest(path: "/echo", query: [URLQueryItem(name: value, value: value)])
            let body = try #require(try await RequestManager(host: host).response(for: request).body)
            let echo = try JSONDecoder().decode(AnyJSON.self, from: body)
            #expect(echo["query"] == [["name": .string(value), "value": .string(value)]])
        }
    }

    @Test(arguments: RequestMethod.allCases.filter { $0 != .connect })
    func `every method arrives in upper case`(method: RequestMethod) async throws {
        let arrived = try await RealServer.arrival(of: PlainRequest(method: method, body: Data("body".utf8)))
        #expect(arrived.method == method.rawValue)
        #expect(method.rawValue == method.rawValue.uppercased())
        #expect(arrived.text == (method == .head ? "" : "body"))
    }

    struct Required: Request {
        typealias RequestBody = [String: Int]
        typealias ResponseBody = NoBody
        let path = "/"
        let method = RequestMethod.post
        let body: [String: Int]
    }

    struct Optional: Request {
        typealias RequestBody = String
        typealias ResponseBody = NoBody
        let path = "/"
        let method = RequestMethod.post
        var body: String?
        let encodings = Counter()

        var requestEncoder: BodyEncoder<String> {
            BodyEncoder { body in
                _ = encodings.next()
                return body.map { Data($0.utf8) }
            }
        }
    }

    @Test func `both forms of a body are sent`() async throws {
        let required = try await RealServer.arrival(of: Required(body: ["a": 1]))
        #expect(required.text == #"{"a":1}"#)
        #expect(required.headers["content-type"] == "application/json")
        #expect(required.headers["content-length"] == "7")
        #expect(try await RealServer.arrival(of: Optional(body: "hi")).text == "hi")
    }

    @Test func `without a body the encoder is not asked`() async throws {
        let request = Optional()
        let arrived = try await RealServer.arrival(of: request)
        #expect(arrived.body.isEmpty && arrived.headers["content-type"] == nil)
        #expect(request.encodings.value == 0)
        #expect(try RequestManager(host: "http://h").buildRequest(for: Optional(body: "x")).body?.count == 1)
    }

    struct WithFallback: HTTPRequest {
        typealias ResponseBody = String
        let path: String
        let method = RequestMethod.get
        let reads = Counter()

        var fallbackResponse: RequestResponse<String>? {
            _ = reads.next()
            return RequestResponse(statusCode: 200, body: "the request's own")
        }
    }

    @Test func `the fallback is read only after a failure and before that of the call`() async throws {
        try await RealServer.demo { (host) async throws in
            let manager = RequestManager(host: host)
            let passing = WithFallback(path: "/status/200")
            #expect(try await manager.response(for: passing).body?.contains("OK") == true)
            #expect(passing.reads.value == 0)
            let failing = WithFallback(path: "/status/503")
            let call = RequestResponse(statusCode: 200, body: "the call's")
            #expect(try await manager.response(for: failing, fallbackResponse: call).body == "the request's own")
            #expect(failing.reads.value == 1)
        }
    }

    /// Text is sent as it is, although it could be a JSON string.
    @Test func `text and bytes win over codable`() async throws {
        let text = ComposableRequest<String, String, HTTPError>().method(.post).body(#"a "b""#)
        let arrived = try await RealServer.arrival(of: text)
        #expect(arrived.text == #"a "b""# && arrived.headers["content-type"] == "text/plain; charset=utf-8")
        let bytes = PlainRequest(method: .post, body: Data([0, 255]))
        #expect(try await RealServer.arrival(of: bytes).body == Data([0, 255]))
        #expect(try BodyDecoder<Data>.default.decode(Data("[1]".utf8)) == Data("[1]".utf8))
    }

    @Test func `parameters are sent as a form`() async throws {
        let request = ComposableRequest<RequestParameters, Data, HTTPError>().method(.post)
            .body(["name": "a&b=c+d", "n": 3, "x": 1.5, "on": true])
        let arrived = try await RealServer.arrival(of: request)
        #expect(arrived.text == "name=a%26b%3Dc%2Bd&n=3&x=1.5&on=true")
        #expect(arrived.headers["content-type"] == "application/x-www-form-urlencoded; charset=utf-8")
    }

    struct OwnError: Error {}

    struct OwnErrorRequest: Requestable {
        typealias ResponseBody = NoBody
        typealias ResponseError = OwnError
        let path = "/status/500"
        let method = RequestMethod.get
    }

    struct AnyErrorRequest: Requestable {
        typealias ResponseBody = NoBody
        typealias ResponseError = any Error
        let path = "/status/500"
        let method = RequestMethod.get
    }

    struct NoErrorRequest: Request {
        typealias ResponseBody = NoBody
        let path = "/status/500"
        let method = RequestMethod.get
    }

    struct StatusRequest: HTTPRequest {
        typealias ResponseBody = NoBody
        let path = "/status/500"
        let method = RequestMethod.get
    }

    @Test func `only HTTPError validates by itself`() async throws {
        try await RealServer.demo { (host) async throws in
            let manager = RequestManager(host: host)
            #expect(try await manager.response(for: OwnErrorRequest()).statusCode == 500)
            #expect(try await manager.response(for: AnyErrorRequest()).statusCode == 500)
            #expect(try await manager.response(for: NoErrorRequest()).statusCode == 500)
            await #expect(throws: RequestError<HTTPError>.validationError(.serverError)) {
                try await manager.response(for: StatusRequest())
            }
        }
    }

    /// The demo server answers with a page of JSON, which is no `Shape`: the status is what counts.
    struct Shape: Decodable {
        let corners: Int
    }

    struct ShapeRequest: HTTPRequest {
        typealias ResponseBody = Shape
        let path: String
        let method = RequestMethod.get
    }

    @Test(arguments: [(401, HTTPError.unauthorized), (404, .notFound), (500, .serverError)])
    func `the status is looked at before the body is decoded`(status: Int, expected: HTTPError) async throws {
        try await RealServer.demo { (host) async throws in
            do {
                _ = try await RequestManager(host: host).response(for: ShapeRequest(path: "/status/\(status)"))
                Issue.record("a \(status) passed")
            } catch let error as RequestError<HTTPError> {
                #expect(error == .validationError(expected))
                #expect(error.response?.statusCode == status)
                #expect(error.response?.body?.isEmpty == false)
            }
        }
    }

    @Test func `the timeout is for each attempt`() async throws {
        try await RealServer.scripted({ _ in .silence }) { (server) async throws in
            let request = TextRequest(timeoutInterval: 0.05)
            let (recorder, _) = RequestManager(host: server.host).record(request, retry: .plain(retries: 2))
            let failures = await recorder.report?.attempts.map { report in
                if case .failed(let failure, _) = report.outcome { failure } else { RetryPolicy.Failure?.none }
            }
            #expect(failures == [.timeout, .timeout, .timeout])
            guard case .failure(.timedOut) = await recorder.outcome else {
                Issue.record("the run did not time out")
                return
            }
        }
    }

    @Test func `no body ignores whatever comes`() async throws {
        try await RealServer.demo { (host) async throws in
            let request = ComposableRequest<NoBody, NoBody, HTTPError>().path("/encoding/invalid-utf8").body(NoBody())
            let response = try await RequestManager(host: host).response(for: request)
            #expect(response.body == nil && response.statusCode == 200)
        }
        let sent = ComposableRequest<NoBody, NoBody, HTTPError>().method(.post).body(NoBody())
        #expect(try await RealServer.arrival(of: sent).body.isEmpty)
    }
}
