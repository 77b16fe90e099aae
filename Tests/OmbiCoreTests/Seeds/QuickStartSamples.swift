import OmbiCore
import Testing

/// The samples of the quick start, as a program with one import has them.
@Suite struct QuickStartSamples {
    // Define `Requestable`
    struct MyRequest: Requestable {
        typealias RequestBody = AnyJSON
        typealias ResponseBody = String
        typealias ResponseError = HTTPError

        var path: String {
            "/posts/update"
        }

        var method: RequestMethod {
            .post
        }

        var headers: RequestHeaders {
            [
                .contentType: .contentType(.json),
                .acceptType: .contentType(.json),
            ]
        }

        var body: AnyJSON {
            [
                "title": "My New Post",
                "body": "lorem ipsum dolor sit amit",
            ]
        }
    }

    final class MyRequestManager: RequestManager, @unchecked Sendable {}

    @Test func `a type of one's own is sent and its response comes`() async throws {
        try await SampleServer.run { host, arrivals in
            let transcript = Transcript()

            // Initialize `Requestable`
            let request = MyRequest()

            // Initialize `RequestManager`
            let requestManager = MyRequestManager(host: host)

            // Invoke `makeRequest(_:retries:sla:on:fallbackResponse:)` and observe
            let cancellable = requestManager.makeRequest(request)
                .sink(
                    receiveCompletion: { completion in
                        switch completion {
                        case .finished:
                            transcript.end("finished")
                        case .failure(let error):
                            transcript.end("failed: \(error)")
                        }
                    },
                    receiveValue: { response in
                        transcript.add(response.body ?? "no body")
                    })

            #expect(await transcript.lines == ["updated", "finished"])
            #expect(arrivals().map(\.line) == ["POST /posts/update"])
            #expect(arrivals().first?.json == ["title": "My New Post", "body": "lorem ipsum dolor sit amit"])
            #expect(arrivals().first?.headers["content-type"] == "application/json")
            #expect(arrivals().first?.headers["accept"] == "application/json")
            cancellable.cancel()
        }
    }

    struct LoginRequest: HTTPRequest {
        init(username: String, password: String) {
            body = RequestBody(username: username, password: password)
        }

        struct RequestBody: Codable {
            let username: String
            let password: String
        }

        struct ResponseBody: Codable {
            let token: String
        }

        let path: String = "/login"

        let method: RequestMethod = .get

        var headers: RequestHeaders {
            [
                .acceptType: .contentType(.json),
                .contentType: .contentType(.json),
                "My-Custom-Header": "My-Value",
            ]
        }

        let body: RequestBody
    }

    final class Session {
        var token: String?
        var cancellable: AnyCancellable?

        func login(host: String, _ transcript: Transcript) {
            let request = LoginRequest(username: "MyUserName", password: "MyPassword")
            let manager = RequestManager(host: host)

            cancellable = manager.makeRequest(request)
                .replaceError(with: .empty)
                .map(\.body?.token)
                .sink { token in
                    self.token = token
                    transcript.end("done")
                }
        }
    }

    @Test func `a reusable type logs in`() async throws {
        try await SampleServer.run { host, arrivals in
            let transcript = Transcript()
            let session = Session()
            session.login(host: host, transcript)
            #expect(await transcript.lines == ["done"])
            #expect(session.token == "MyToken")
            #expect(arrivals().map(\.line) == ["GET /login"])
            #expect(arrivals().first?.json == ["username": "MyUserName", "password": "MyPassword"])
            #expect(arrivals().first?.headers["my-custom-header"] == "My-Value")
        }
    }

    @Test func `a failed login gives no token`() async throws {
        try await SampleServer.run { host, _ in
            let transcript = Transcript()
            let session = Session()
            session.token = "old"
            session.login(host: host + "/missing", transcript)
            #expect(await transcript.lines == ["done"])
            #expect(session.token == nil)
        }
    }

    @Test func `a manager adds headers logs and takes limits`() async throws {
        try await SampleServer.run { host, arrivals in
            let transcript = Transcript()
            let logged = Transcript()

            /// Custom Log
            let myLog = RequestLog(subsystem: "com.developer.subsystem", category: "api.myapp.com") { entry in
                logged.add(entry.message)
            }

            let manager = RequestManager(host: host, log: myLog)

            // Inject custom headers
            manager.additionalHeaders = [
                .authorization: .authorization(type: .bearer, token: "MyToken")
            ]  // these headers will be added to every request

            let request = MyRequest()  // conforms to `Requestable`
            let cancellable = manager.makeRequest(
                request,
                retries: 1,
                sla: .seconds(60),
                on: DispatchQueue.main
            )  // specify sla, retry count, and dispatch queue
            .sink(
                receiveCompletion: { @Sendable completion in
                    switch completion {
                    case .finished:
                        transcript.end("finished")
                    case .failure(let error):
                        transcript.end("failed: \(error)")
                    }
                },
                receiveValue: { @Sendable response in
                    dispatchPrecondition(condition: .onQueue(.main))
                    transcript.add(response.body ?? "no body")
                })

            #expect(await transcript.lines == ["updated", "finished"])
            #expect(arrivals().first?.headers["authorization"] == "Bearer MyToken")
            #expect(logged.soFar.count == 2)
            #expect(logged.soFar.joined().contains("MyToken") == false)
            cancellable.cancel()
        }
    }

    @Test func `a fallback is validated too`() async throws {
        let manager = RequestManager(host: "http://127.0.0.1:1")
        let found = try await manager.response(
            for: MyRequest(), fallbackResponse: RequestResponse(statusCode: 200, body: "from disk"))
        #expect(found.body == "from disk")
        await #expect(throws: RequestError<HTTPError>.validationError(.notFound)) {
            try await manager.response(for: MyRequest(), fallbackResponse: RequestResponse(statusCode: 404))
        }
    }

    struct Unvalidated: Requestable {
        typealias ResponseBody = String
        typealias ResponseError = Error
        let path = "/missing"
        let method = RequestMethod.get
    }

    @Test func `every response passes without validation`() async throws {
        try await SampleServer.run { host, _ in
            let response = try await RequestManager(host: host).response(for: Unvalidated())
            #expect(response.statusCode == 404)
        }
    }

    @Test func `a composed request does the same`() async throws {
        try await SampleServer.run { host, arrivals in
            let transcript = Transcript()
            let work = Transcript()

            let publisher = ComposableRequest<AnyJSON, String, HTTPError>()
                .path("/posts/update")
                .method(.post)
                .headers {
                    // ... capture some things or do some work ...
                    work.add("headers")
                    return [
                        .contentType: .contentType(.json),
                        .acceptType: .contentType(.json),
                    ]
                }
                .body {
                    // ... capture some things or do some work ...
                    work.add("body")
                    return [
                        "title": "My New Post",
                        "body": "lorem ipsum dolor sit amit",
                    ]
                }
                .send(on: host)
            #expect(work.soFar == [])

            let cancellable = publisher.sink(
                receiveCompletion: { completion in
                    switch completion {
                    case .finished:
                        transcript.end("finished")
                    case .failure(let error):
                        transcript.end("failed: \(error)")
                    }
                },
                receiveValue: { response in
                    transcript.add(response.body ?? "no body")
                })

            #expect(await transcript.lines == ["updated", "finished"])
            #expect(work.soFar.sorted() == ["body", "headers"])
            #expect(arrivals().map(\.line) == ["POST /posts/update"])
            #expect(arrivals().first?.json == ["title": "My New Post", "body": "lorem ipsum dolor sit amit"])
            cancellable.cancel()
        }
    }
}
