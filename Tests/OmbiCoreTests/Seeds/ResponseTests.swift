import Foundation
import OmbiCore
import TestSupport
import Testing

/// What comes back: responses, and errors with their stage, their cause and their words.
@Suite struct ResponseTests {
    @Test func `a response tells where it is from and what it said`() async throws {
        try await RealServer.scripted({ _ in .status(201, headers: [("X-A", "1"), ("Set-Cookie", "a=1")], "made") }) {
            (server) async throws in
            let response = try await RequestManager(host: server.host).response(for: TextRequest(path: "/made"))
            #expect(response.url == URL(string: server.host + "/made"))
            #expect(response.statusCode == 201 && response.body == "made")
            #expect(response["x-a"] == "1" && response[.setCookie] == "a=1" && response["X-B"] == nil)
        }
    }

    @Test func `a response is a value`() {
        var response = RequestResponse<String>.empty
        #expect(response == RequestResponse(url: nil, headers: nil, statusCode: nil, body: nil))
        response.statusCode = 200
        response.headers = ["X": "1"]
        response.body = "x"
        #expect(response == RequestResponse(headers: ["x": "1"], statusCode: 200, body: "x"))
        #expect(response != .empty && response["X"] == "1")
        #expect(Set([response, response, .empty]).count == 2)
    }

    @Test func `a response without a status passes`() async throws {
        let stub = StubTransport.stub(with: TransportResponse(body: Data("x".utf8)))
        let response = try await RequestManager(host: "http://h", transport: stub).response(for: TextRequest())
        #expect(response == RequestResponse(body: "x"))
    }

    @Test func `redirects are followed and the last URL is reported`() async throws {
        try await RealServer.demo { (host) async throws in
            let response = try await RequestManager(host: host).response(for: TextRequest(path: "/redirect/3"))
            #expect(response.statusCode == 200)
            #expect(response.url?.path != "/redirect/3" && response.url?.absoluteString.hasPrefix(host) == true)
        }
    }

    @Test func `head does not wait for a body and decodes none`() async throws {
        try await RealServer.scripted({ _ in .ok("[1]") }) { (server) async throws in
            let head = ComposableRequest<NoBody, [Int], HTTPError>().method(.head)
            let response = try await RequestManager(host: server.host).response(for: head)
            #expect(response.statusCode == 200 && response.body == nil && response[.contentLength] == "3")
        }
    }

    @Test func `a status without content has no body`() async throws {
        try await RealServer.demo { (host) async throws in
            let request = ComposableRequest<NoBody, [Int], HTTPError>().path("/status/204")
            #expect(try await RequestManager(host: host).response(for: request).body == nil)
        }
    }

    @Test func `requests run at the same time`() async throws {
        let gate = Transcript()
        try await RealServer.scripted({ request in
            gate.add(request.target)
            return .ok(request.target)
        }) { (server) async throws in
            let manager = RequestManager(host: server.host)
            let bodies = try await withThrowingTaskGroup(of: String?.self) { group in
                for number in 1...20 {
                    group.addTask { try await manager.response(for: TextRequest(path: "/\(number)")).body }
                }
                return try await group.reduce(into: Set<String>()) { $0.insert($1 ?? "") }
            }
            #expect(bodies == Set((1...20).map { "/\($0)" }))
            #expect(server.connectionCount > 1)
        }
    }

    /// Also when nothing is known of the server yet, because its first response has not come.
    @Test func `a silent request does not hold up others`() async throws {
        let arrived = Transcript()
        try await RealServer.scripted({ request in
            guard request.target == "/silence" else { return .ok("x") }
            arrived.end("arrived")
            return .silence
        }) { (server) async throws in
            let manager = RequestManager(host: server.host)
            let silent = manager.send(TextRequest(path: "/silence")) { _ in }
            _ = await arrived.lines
            #expect(try await manager.response(for: TextRequest(path: "/other")).body == "x")
            silent.cancel()
        }
    }

    /// The status is looked at first, so that a page of HTML or of JSON is the error that it stands for.
    @Test(arguments: ["<h1>Oops</h1>", #"{"error": "oops"}"#])
    func `an error page is the error of its status`(page: String) async throws {
        let request = ComposableRequest<NoBody, [Int], HTTPError>()
        try await RealServer.scripted({ _ in .status(500, page) }) { (server) async throws in
            do {
                _ = try await RequestManager(host: server.host).response(for: request)
                Issue.record("a page was decoded as a list")
            } catch let error as RequestError<HTTPError> {
                #expect(error == .validationError(.serverError))
                #expect(error.response?.body == Data(page.utf8))
            }
        }
    }

    @Test func `an undecodable page is a decoding error`() async throws {
        let request = ComposableRequest<NoBody, [Int], HTTPError>()
        try await RealServer.scripted({ _ in .ok("<h1>Oops</h1>") }) { (server) async throws in
            do {
                _ = try await RequestManager(host: server.host).response(for: request)
                Issue.record("a page was decoded as a list")
            } catch let error as RequestError<HTTPError> {
                #expect(error.stage == .parsing)
                #expect(error.underlyingError is DecodingError)
                #expect(
                    error.description
                        == "the response could not be decoded: the body is no JSON: it begins with \"<h1>Oops</h1>\"")
            }
        }
    }

    @Test(
        arguments: [
            ("", "the body is empty, expected JSON"), ("{\"lines\": [", "the body is not valid JSON, or not complete"),
            ("nope", "the body is no JSON: it begins with \"nope\""),
            (#"{"lines": [{"id": 1.5}]}"#, "a number in the body does not fit the type that is expected"),
            (#"{"lines": [{"id": 1}, {}]}"#, #"$.lines[1] has no "id""#),
            (#"{"lines": [{"id": "x"}]}"#, "$.lines[0].id is a string, expected an integer"),
            (#"{"lines": [{"id": null}]}"#, "$.lines[0].id is null, expected an integer"),
            (#"{"lines": {}}"#, "$.lines is an object, expected an array"),
            (#"[]"#, "$ is an array, expected an object"),
            (#"{"lines": [true]}"#, "$.lines[0] is true or false, expected an object"),
        ])
    func `a decoding error says where and what was expected`(json: String, words: String) async throws {
        struct Order: Decodable {
            struct Line: Decodable { let id: Int }
            let lines: [Line]
        }
        let request = ComposableRequest<NoBody, Order, HTTPError>()
        try await RealServer.scripted({ _ in .ok(json) }) { (server) async throws in
            do {
                _ = try await RequestManager(host: server.host).response(for: request)
                Issue.record("decoded")
            } catch let error as RequestError<HTTPError> {
                #expect(error.description == "the response could not be decoded: \(words)")
                #expect(error.underlyingError is DecodingError)
            }
        }
    }

    /// Through Foundation, which a program may import: an error without words would say "could not be completed".
    @Test(
        arguments: [
            MalformedRequest(.path, "the path is odd"), CodingFailure("no number"),
            TransportError(code: .connectionLost, message: "the connection to h broke"), HTTPError.notFound,
            ResponseMismatch.statusCode(nil), BodyStreamError.endedEarly(after: 1, length: 2),
            RequestError<HTTPError>.timedOut(),
            RequestError<HTTPError>.validationError(.error4xx(418)),
        ] as [any Error])
    func `every error reads well`(error: any Error) {
        #expect(error.localizedDescription == String(describing: error))
        #expect(!error.localizedDescription.contains("could not be completed"))
        #expect(error.localizedDescription.first?.isLowercase == true)
    }

    @Test func `errors are compared by their causes`() {
        struct Plain: Error { let number: Int }
        typealias Failure = RequestError<HTTPError>
        let different: [Failure] = [
            .malformedRequest(MalformedRequest(.path, "a")), .malformedRequest(MalformedRequest(.host, "a")),
            .malformedRequest(CodingFailure("a")), .decodingError(CodingFailure("a")),
            .decodingError(CodingFailure("b")), .decodingError(Plain(number: 1)), .decodingError(Plain(number: 2)),
            .connectionError(TransportError(code: .unknown)), .connectionError(TransportError(code: .timedOut)),
            .timedOut(), .slaExceeded(), .cancelled, .unknownError, .validationError(.notFound),
            .validationError(.forbidden),
        ]
        for (left, error) in different.enumerated() {
            for (right, other) in different.enumerated() {
                #expect((error == other) == (left == right), "\(error) and \(other)")
            }
        }
    }

    @Test func `every error has a stage and a cause`() {
        typealias Failure = RequestError<HTTPError>
        let errors: [(Failure, RequestStage, Bool)] = [
            (.malformedRequest(CodingFailure("x")), .creation, true),
            (.connectionError(TransportError(code: .connectionLost)), .execution, true),
            (.timedOut(), .execution, false), (.slaExceeded(), .execution, false), (.cancelled, .execution, false),
            (.unknownError, .execution, false), (.decodingError(CodingFailure("x")), .parsing, true),
            (.validationError(.notFound), .validation, true),
        ]
        for (error, stage, hasCause) in errors {
            #expect(error.stage == stage)
            #expect((error.underlyingError != nil) == hasCause, "\(error)")
        }
    }

    struct Fussy: Requestable {
        struct Refused: Error, Equatable { let words: String }
        typealias ResponseBody = String
        typealias ResponseError = any Error
        let path = "/status/200"
        let method = RequestMethod.get
        var responseValidator: ResponseValidator<String, any Error> {
            ResponseValidator { _ in .failure(Refused(words: "no")) }
        }
    }

    @Test func `an error of one's own arrives as it is`() async throws {
        try await RealServer.demo { (host) async throws in
            await #expect(
                performing: { try await RequestManager(host: host).response(for: Fussy()) },
                throws: { error in
                    guard case RequestError<any Error>.validationError(let cause, _) = error else { return false }
                    return cause as? Fussy.Refused == Fussy.Refused(words: "no")
                })
        }
    }

    @Test func `a decoder may say how the request fails`() async throws {
        let request = ComposableRequest<NoBody, String, HTTPError>()
            .decodeBody { _ in throw RequestError<HTTPError>.validationError(.forbidden) }
        try await RealServer.scripted({ _ in .ok("") }) { (server) async throws in
            await #expect(throws: RequestError<HTTPError>.validationError(.forbidden)) {
                try await RequestManager(host: server.host).response(for: request)
            }
        }
    }
}
