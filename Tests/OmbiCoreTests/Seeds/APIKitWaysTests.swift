import Foundation
import OmbiCore
import TestSupport
import Testing

/// What APIKit does, in Ombi's terms, where no sample shows it.
@Suite struct APIKitWaysTests {
    /// Where parameters go is said, and not guessed from the method: the query, the body, or both.
    @Test func `parameters go where they are given`() async throws {
        let request = ComposableRequest<AnyJSON, NoBody, HTTPError>().method(.get)
            .query(URLQueryItem(name: "q", value: "1")).body(["b": 2])
        let arrived = try await RealServer.arrival(of: request)
        #expect(arrived.target == "/?q=1" && arrived.text == #"{"b":2}"#)
    }

    @Test func `the request's fields win over those of the coders`() async throws {
        let request = ComposableRequest<AnyJSON, AnyJSON, HTTPError>().method(.post).body([1])
            .headers([.acceptType: "a/b", .contentType: "c/d"])
        let headers = try await RealServer.arrival(of: request).headers
        #expect(headers["accept"] == "a/b" && headers["content-type"] == "c/d")
    }

    @Test(arguments: [("/v1", "", "/v1"), ("/v1", "/a", "/v1/a"), ("/v1/", "a//b/", "/v1/a//b/")])
    func `a path is appended to that of the host`(hostPath: String, path: String, target: String) async throws {
        #expect(try await RealServer.arrival(of: PlainRequest(path: path), hostPath: hostPath).target == target)
    }

    @Test func `reserved characters of a query are escaped where they would split it`() async throws {
        let value = "#[]&+;=/?"
        let query = [URLQueryItem(name: value, value: value), URLQueryItem(name: "bare", value: nil)]
        #expect(
            try await RealServer.arrival(of: PlainRequest(query: query)).target
                == "/?%23%5B%5D%26%2B%3B%3D/?=%23%5B%5D%26%2B%3B%3D/?&bare")
    }

    @Test func `an interceptor is the last step and may refuse`() async throws {
        struct Unsigned: Error, Equatable {}
        let refusing = ComposableRequest<NoBody, NoBody, HTTPError>()
            .intercept(with: RequestInterceptor { _ in throw Unsigned() })
        await #expect(throws: RequestError<HTTPError>.malformedRequest(Unsigned())) {
            try await RequestManager(host: "http://127.0.0.1:1").response(for: refusing)
        }
        let last = ComposableRequest<NoBody, NoBody, HTTPError>().authenticate(withToken: "t", type: .bearer)
            .intercept(
                with: RequestInterceptor { request in
                    var request = request
                    request.headers["X-Seen"] = request.headers[.authorization]
                    return request
                })
        #expect(try await RealServer.arrival(of: last).headers["x-seen"] == "Bearer t")
    }

    struct Complaint: Error, Equatable {
        let message: String
    }

    struct Strict: Requestable {
        typealias ResponseBody = AnyJSON
        typealias ResponseError = Complaint
        let path: String
        let method = RequestMethod.get

        var responseValidator: ResponseValidator<AnyJSON, Complaint> {
            ResponseValidator { response in
                guard (200..<300).contains(response.statusCode ?? 0) else {
                    return .failure(Complaint(message: response.body?["phrase"]?.stringValue ?? "?"))
                }
                return .success(response)
            }
        }
    }

    @Test func `a validator reads the error from the parsed body`() async throws {
        try await RealServer.demo { (host) async throws in
            let manager = RequestManager(host: host)
            #expect(try await manager.response(for: Strict(path: "/status/200")).statusCode == 200)
            let complaint = RequestError<Complaint>.validationError(Complaint(message: "Not Found"))
            await #expect(throws: complaint) { try await manager.response(for: Strict(path: "/status/404")) }
        }
    }

    struct Ticket: Decodable, Equatable {
        let number: Int
    }

    struct TicketRequest: Requestable {
        typealias ResponseBody = Ticket
        typealias ResponseError = Complaint
        let path: String
        let method = RequestMethod.get

        var responseValidator: ResponseValidator<Ticket, Complaint> {
            ResponseValidator(beforeDecoding: { response in
                guard response.statusCode.flatMap(HTTPError.init) != nil else { return nil }
                let page = try? BodyDecoder<AnyJSON>.default.decode(response)
                return Complaint(message: page?["phrase"]?.stringValue ?? "?")
            })
        }
    }

    /// The page of an error has another shape than the model: it is read before the model is made.
    @Test func `a status is refused before the model is made`() async throws {
        try await RealServer.demo { (host) async throws in
            let complaint = RequestError<Complaint>.validationError(Complaint(message: "Not Found"))
            await #expect(throws: complaint) {
                try await RequestManager(host: host).response(for: TicketRequest(path: "/status/404"))
            }
        }
    }

    @Test func `decoders name what they accept`() async throws {
        func accept<Body: Sendable>(_ type: Body.Type) async throws -> String? {
            let request = ComposableRequest<NoBody, Body, any Error>().validateResponse { .success($0) }
                .decodeBody(with: ComposableRequest<NoBody, Body, any Error>().responseDecoder)
            return try await RealServer.arrival(of: request).headers["accept"]
        }
        #expect(try await accept(AnyJSON.self) == "application/json")
        #expect(try await accept([String: Int].self) == "application/json")
        #expect(try await accept(RequestParameters.self) == "application/x-www-form-urlencoded")
        #expect(try await accept(String.self) == nil)
        #expect(try await accept(Data.self) == nil)
    }

    @Test func `the bytes of another format keep their type`() async throws {
        let protobuf: RequestHeaders.Value = "application/protobuf"
        let request = ComposableRequest<Data, Data, HTTPError>().method(.post).body(Data([8, 1]))
            .encodeBody(with: BodyEncoder(contentType: protobuf) { $0 })
            .decodeBody(with: BodyDecoder(acceptType: protobuf) { $0 })
        let arrived = try await RealServer.arrival(of: request)
        #expect(arrived.headers["content-type"] == "application/protobuf" && arrived.body == Data([8, 1]))
        #expect(arrived.headers["accept"] == "application/protobuf")
    }

    @Test func `a file is a part of a form`() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).txt")
        try Data("content".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let form = MultipartForm(parts: [try .init(fileURL: file, name: "f", mimeType: "text/plain")], boundary: "B")
        let arrived = try await RealServer.arrival(of: BodyCodingTests.Upload(body: form))
        let lines = [
            "--B", "Content-Disposition: form-data; name=\"f\"; filename=\"\(file.lastPathComponent)\"",
            "Content-Type: text/plain", "", "content", "--B--", "",
        ]
        #expect(arrived.text == lines.joined(separator: "\r\n"))
        #expect(throws: (any Error).self) {
            try MultipartForm.Part(fileURL: file.appendingPathExtension("missing"), name: "f")
        }
    }

    @Test func `a handler is called also when the request cannot be built`() async {
        let transcript = Transcript()
        RequestManager(host: "nowhere").send(TextRequest()) { result in
            guard case .failure(let error) = result else { return transcript.end("success") }
            transcript.end(error.stage.rawValue)
        }
        #expect(await transcript.lines == ["creation"])
    }

    @Test func `an error tells where a request failed`() async throws {
        try await RealServer.scripted({ request in
            switch request.target {
            case "/drop": .drop
            case "/text": .ok("text")
            default: .status(404, "1")
            }
        }) { (server) async throws in
            let manager = RequestManager(host: server.host)
            let stages: [(String, RequestStage)] = [
                ("/./", .creation), ("/drop", .execution), ("/text", .parsing), ("/404", .validation),
            ]
            for (path, stage) in stages {
                do {
                    _ = try await manager.response(for: ComposableRequest<NoBody, Int, HTTPError>().path(path))
                    Issue.record("\(path) gave a response")
                } catch let error as RequestError<HTTPError> {
                    #expect(error.stage == stage)
                    #expect(error.underlyingError != nil)
                }
            }
        }
    }

    struct Search: HTTPRequest {
        typealias ResponseBody = String
        let words: String
        var path: String { "/silence/\(words)" }
        let method = RequestMethod.get
    }

    @Test func `requests of a type that pass a test are cancelled`() async throws {
        try await RealServer.scripted({ $0.target == "/ok" ? .ok("x") : .silence }) { (server) async throws in
            let manager = RequestManager(host: server.host)
            let (first, _) = manager.record(Search(words: "a"))
            let (second, secondTask) = manager.record(Search(words: "b"))
            let (other, otherTask) = manager.record(TextRequest(path: "/silence"))
            manager.cancelRequests(with: Search.self) { $0.words == "a" }
            guard case .failure(.cancelled) = await first.outcome else {
                Issue.record("the first search goes on")
                return
            }
            #expect(try await manager.response(for: TextRequest(path: "/ok")).body == "x")
            #expect(!second.hasEnded && !other.hasEnded)
            secondTask.cancel()
            otherTask.cancel()
            _ = await (second.outcome, other.outcome)
        }
    }

    @Test func `a handler runs on the scheduler of the call`() async throws {
        let queue = DispatchQueue(label: "test.delivery")
        try await RealServer.scripted({ _ in .ok("x") }) { (server) async throws in
            let transcript = Transcript()
            let manager = RequestManager(host: server.host)
            manager.send(TextRequest(), on: queue) { _ in
                dispatchPrecondition(condition: .onQueue(queue))
                transcript.end("on the queue")
            }
            #expect(await transcript.lines == ["on the queue"])
            let main = Transcript()
            manager.send(TextRequest(), on: DispatchQueue.main) { _ in
                dispatchPrecondition(condition: .onQueue(.main))
                main.end("on main")
            }
            #expect(await main.lines == ["on main"])
            let immediate = Transcript()
            manager.send(TextRequest(), on: ImmediateScheduler.shared) { _ in immediate.end("anywhere") }
            #expect(await immediate.lines == ["anywhere"])
        }
    }

    /// Another way to the network: it answers each request with its own address.
    struct Mirror: Transport {
        func start(
            _ request: TransportRequest, onEvent: @escaping @Sendable (TransportEvent) -> Void
        ) -> any TransportTask {
            StubTransport { .success(TransportResponse(statusCode: 200, body: Data($0.url.absoluteString.utf8))) }
                .start(request, onEvent: onEvent)
        }
    }

    @Test func `the transport is replaceable`() async throws {
        let manager = RequestManager(host: "http://h", transport: Mirror())
        #expect(try await manager.response(for: TextRequest(path: "/p")).body == "http://h/p")
        #expect(try manager.buildRequest(for: TextRequest()).headers[.acceptEncoding] == nil)
    }

    @Test func `cancelling a task ends its request`() async throws {
        let arrived = Transcript()
        try await RealServer.scripted({ _ in
            arrived.end("arrived")
            return .silence
        }) { (server) async throws in
            let manager = RequestManager(host: server.host)
            let task = Task { try await manager.response(for: TextRequest(), retries: 3) }
            _ = await arrived.lines
            task.cancel()
            await #expect(throws: RequestError<HTTPError>.cancelled) { try await task.value }
            #expect(server.requests.count == 1)
        }
    }

    final class Session: RequestManager, @unchecked Sendable {
        override var additionalHeaders: RequestHeaders {
            get { ["X-Session": "own"] }
            set { super.additionalHeaders = newValue }
        }
    }

    @Test func `a manager can be subclassed`() async throws {
        try await RealServer.scripted({ _ in .ok("x") }) { (server) async throws in
            _ = try await Session(host: server.host).response(for: TextRequest())
            #expect(server.requests.first?.headers["x-session"] == "own")
        }
    }
}
