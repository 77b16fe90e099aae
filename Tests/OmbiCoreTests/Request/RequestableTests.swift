import Foundation
import OmbiCore
import Testing

/// The forms of a request that the documentation shows.
@Suite struct RequestableTests {
    struct UpdateRequest: Requestable {
        typealias RequestBody = AnyJSON
        typealias ResponseBody = String
        typealias ResponseError = HTTPError

        var path: String { "/posts/update" }
        var method: RequestMethod { .post }
        var headers: RequestHeaders { [.contentType: .contentType(.json), .acceptType: .contentType(.json)] }
        var body: AnyJSON { ["title": "My New Post", "tags": ["a", "b"], "draft": nil] }
    }

    struct LoginRequest: HTTPRequest {
        init(username: String, password: String) { body = RequestBody(username: username, password: password) }

        struct RequestBody: Codable {
            let username: String
            let password: String
        }

        struct ResponseBody: Codable {
            let token: String
        }

        let path: String = "/login"
        let method: RequestMethod = .get
        var headers: RequestHeaders { [.acceptType: .contentType(.json), "My-Custom-Header": "My-Value"] }
        let body: RequestBody
    }

    struct OptionalBody: Request {
        typealias RequestBody = String
        typealias ResponseBody = NoBody
        var path = "/"
        var method = RequestMethod.post
        var body: String?
    }

    struct Unvalidated: Requestable {
        typealias ResponseBody = Data
        typealias ResponseError = any Error
        let path = "/"
        let method = RequestMethod.get
    }

    struct Point: AutomaticBodyCoding {
        var x: Int

        init(x: Int) { self.x = x }
        init?(fromData data: Data?) throws {
            guard let x = data.flatMap({ Int(String(decoding: $0, as: UTF8.self)) }) else {
                throw CodingFailure("no number")
            }
            self.x = x
        }
        func asData() throws -> Data? { Data(String(x).utf8) }
    }

    let manager = RequestManager(host: "http://h", transport: StubTransport.stub(error: TransportError(code: .unknown)))

    @Test func `a body that is not optional is sent`() throws {
        let built = try manager.buildRequest(for: UpdateRequest())
        let body = try JSONDecoder().decode(AnyJSON.self, from: try #require(built.body))
        #expect(body == ["title": "My New Post", "tags": ["a", "b"], "draft": nil])
        #expect(built.url.absoluteString == "http://h/posts/update")
        #expect(built.headers[.contentType] == "application/json")
        let login = try manager.buildRequest(for: LoginRequest(username: "u", password: "p"))
        #expect(login.method == .get)
        #expect(
            try JSONDecoder().decode(AnyJSON.self, from: try #require(login.body))
                == ["username": "u", "password": "p"])
        #expect(login.headers["my-custom-header"] == "My-Value")
    }

    @Test func `an optional body may be left out`() throws {
        #expect(try manager.buildRequest(for: OptionalBody()).body == nil)
        let built = try manager.buildRequest(for: OptionalBody(body: "hi"))
        #expect(built.body == Data("hi".utf8))
        #expect(built.headers[.contentType] == "text/plain; charset=utf-8")
    }

    @Test func `any error validates nothing`() async throws {
        let transport = StubTransport.stubResponse(statusCode: 500, data: Data("x".utf8))
        let response = try await RequestManager(host: "http://h", transport: transport).response(for: Unvalidated())
        #expect(response.statusCode == 500)
        #expect(response[.contentLength] == "1")
    }

    @Test func `an erased request makes the same`() throws {
        let request = LoginRequest(username: "u", password: "p")
        let erased = AnyRequestable(request)
        #expect(try manager.buildRequest(for: erased).headers == manager.buildRequest(for: request).headers)
        #expect(try manager.buildRequest(for: erased).body?.count == manager.buildRequest(for: request).body?.count)
        #expect(try erased.body?.username == "u")
    }

    @Test func `a composed request makes the same`() throws {
        let runs = Lock(0)
        let request = ComposableRequest<AnyJSON, String, HTTPError>()
            .path("/posts/update")
            .method(.post)
            .headers { [.contentType: .contentType(.json), .acceptType: .contentType(.json)] }
            .body {
                runs.withLock { $0 += 1 }
                return ["title": "My New Post", "tags": ["a", "b"], "draft": nil]
            }
        #expect(runs.withLock { $0 } == 0)
        let built = try manager.buildRequest(for: request)
        #expect(runs.withLock { $0 } == 1)
        let expected = try manager.buildRequest(for: UpdateRequest())
        #expect(built.url == expected.url)
        #expect(built.headers == expected.headers)
        #expect(built.method == expected.method)
        #expect(built.body?.count == expected.body?.count)
    }

    @Test func `steps add or replace`() {
        let request = ComposableRequest<NoBody, Data, any Error>()
        #expect(request.path == "/" && request.method == .get && request.timeoutInterval == 120)
        let items = ["1", "2", "3"].map { URLQueryItem(name: $0, value: $0) }
        let queried = request.query(items[0]).query(items[1], items[2])
        #expect(queried.query == items)
        #expect(queried.queries([items[2]]).query == [items[2]])
        let headed = request.headers(["A": "1"]).header(key: "B", value: "2").headers((key: "C", value: "3"))
        #expect(headed.headers == ["A": "1", "B": "2", "C": "3"])
        #expect(headed.header(key: "a", value: nil).headers == ["B": "2", "C": "3"])
        #expect(headed.headers(["D": "4"]).headers == ["D": "4"])
        #expect(request.authenticate(withToken: "t", type: .bearer).authentication == .token(type: .bearer, value: "t"))
    }

    @Test func `a composed request chooses its coders by type`() async throws {
        let manager = RequestManager(
            host: "http://h",
            transport: StubTransport { request in
                .success(TransportResponse(url: request.url, headers: [:], statusCode: 200, body: request.body))
            })
        let point = ComposableRequest<Point, Point, HTTPError>().body(Point(x: 3))
        #expect(try await manager.response(for: point).body?.x == 3)
        let list = ComposableRequest<[Int], [Int], HTTPError>().body([1, 2])
        #expect(try await manager.response(for: list).body == [1, 2])
        let unknown = ComposableRequest<Thread, Data, HTTPError>().body { Thread.current }
        await #expect(
            performing: { try await manager.response(for: unknown) },
            throws: { error in
                (error as? RequestError<HTTPError>)?.stage == .creation
            })
    }
}
