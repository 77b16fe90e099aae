import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// What an error knows of the response that it came after: status, headers and bytes, also of one that broke off.
@Suite struct ErrorResponseTests {
    typealias Failure = RequestError<HTTPError>

    struct User: Decodable, Equatable {
        let name: String
    }

    struct UserRequest: HTTPRequest {
        typealias ResponseBody = User
        let path = "/user"
        let method = RequestMethod.get
    }

    /// Without validation of its own: a status outside 200..<300 is decoded like any other.
    struct AnyUserRequest: Request {
        typealias ResponseBody = User
        let path = "/user"
        let method = RequestMethod.get
    }

    static let json: RequestHeaders = ["Content-Type": "application/json"]

    func manager(_ step: ScriptedTransport.Step) -> RequestManager {
        RequestManager(host: "http://stub.test", transport: ScriptedTransport(step), clock: ManualClock())
    }

    /// How a request fails; nil where it does not.
    func failure<T: Requestable>(_ request: T, _ step: ScriptedTransport.Step) async -> T.Failure?
    where T.ResponseBody: Sendable {
        do {
            _ = try await manager(step).response(for: request)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [(401, HTTPError.unauthorized), (404, .notFound), (500, .serverError)])
    func `a status is refused before its page is decoded`(status: Int, expected: HTTPError) async {
        for page in [#"{"error": "gone"}"#, "<h1>Oops</h1>", "", #"{"name": "Ada"}"#] {
            let error = await failure(UserRequest(), .status(status, Self.json, page))
            #expect(error == .validationError(expected), "\(page)")
            #expect(error?.response?.statusCode == status)
            #expect(error?.response?.body == Data(page.utf8))
            #expect(error?.response?["Content-Type"] == "application/json")
        }
    }

    @Test func `without validation an error page is a decoding error`() async {
        let error = await failure(AnyUserRequest(), .status(404, Self.json, #"{"error": "gone"}"#))
        #expect(error?.stage == .parsing)
        #expect(error?.response?.statusCode == 404)
        #expect(error?.response?.body == Data(#"{"error": "gone"}"#.utf8))
    }

    @Test func `a body that cannot be decoded is kept with its head`() async {
        let error = await failure(UserRequest(), .status(200, ["X-Request-ID": "7"], "{"))
        guard case .decodingError(let cause, let response?) = error else {
            Issue.record("expected a decoding error with its response, got \(error as Any)")
            return
        }
        #expect(cause is DecodingError)
        #expect(response.statusCode == 200 && response["X-Request-ID"] == "7" && response.body == Data("{".utf8))
    }

    @Test func `an error that a decoder chooses gets its response`() async {
        let request = ComposableRequest<NoBody, User, HTTPError>()
            .decodeBody { _ in throw Failure.validationError(.forbidden) }
        let error = await failure(request, .status(202, [:], "x"))
        #expect(error == .validationError(.forbidden))
        #expect(error?.response?.statusCode == 202 && error?.response?.body == Data("x".utf8))
    }

    @Test func `a refusal after decoding has the bytes too`() async {
        let request = ComposableRequest<NoBody, User, HTTPError>()
            .validateResponse { $0.body?.name == "Ada" ? .success($0) : .failure(.badRequest) }
        let error = await failure(request, .status(200, [:], #"{"name": "Bob"}"#))
        #expect(error == .validationError(.badRequest))
        #expect(error?.response?.body == Data(#"{"name": "Bob"}"#.utf8))
    }

    /// A check before decoding gets a fallback as well, without bytes.
    @Test func `a fallback is checked too`() async {
        let seen = Lock<[TransportResponse]>([])
        let request = ComposableRequest<NoBody, User, HTTPError>()
            .fallbackResponse(RequestResponse(statusCode: 404, body: User(name: "nobody")))
            .validateResponse(
                with: ResponseValidator(beforeDecoding: { response in
                    seen.withLock { $0.append(response) }
                    return response.statusCode == 404 ? .notFound : nil
                }))
        let error = await failure(request, .error(.connectionLost))
        #expect(error == .validationError(.notFound) && error?.response == nil)
        #expect(seen.withLock { $0 } == [TransportResponse(statusCode: 404)])
    }

    @Test func `both parts of a validator run in order`() async throws {
        let order = Transcript()
        let request = ComposableRequest<NoBody, User, HTTPError>()
            .decodeBody { _ in order.note("decode", User(name: "Ada")) }
            .validateResponse(
                with: ResponseValidator(
                    beforeDecoding: { _ in order.note("before", nil) },
                    afterDecoding: { order.note("after", .success($0)) }))
        _ = try await manager(.status(200, [:], "x")).response(for: request)
        #expect(order.soFar == ["before", "decode", "after"])
    }

    /// The error of an API, read from its own page before the value is.
    struct Complaint: Error, Decodable, Equatable {
        let message: String
    }

    struct ShopRequest: Requestable {
        typealias ResponseBody = [User]
        typealias ResponseError = Complaint
        let path = "/users"
        let method = RequestMethod.get

        var responseValidator: ResponseValidator<[User], Complaint> {
            ResponseValidator(beforeDecoding: { response in
                guard response.statusCode.flatMap(HTTPError.init) != nil else { return nil }
                return (try? JSONDecoder().decode(Complaint.self, from: response.body ?? Data()))
                    ?? Complaint(message: "status \(response.statusCode ?? 0)")
            })
        }
    }

    @Test(arguments: [(#"{"message": "no such shop"}"#, "no such shop"), ("<html>", "status 502")])
    func `the error of an API is read from its page`(page: String, message: String) async {
        let error = await failure(ShopRequest(), .status(502, [:], page))
        #expect(error == .validationError(Complaint(message: message)))
        #expect(error?.response?.statusCode == 502)
    }

    // MARK: Responses that broke off

    /// Tells head and store, and then as the test says.
    final class Halfway: Transport {
        private let tell = Lock<(@Sendable (TransportEvent) -> Void)?>(nil)
        let store = ResponseStore(capacity: 100, memoryLimit: 100, temporaryFolder: "/tmp")

        private struct NoTask: TransportTask {
            func cancel() {}
        }

        func start(
            _ request: TransportRequest, onEvent: @escaping @Sendable (TransportEvent) -> Void
        ) -> any TransportTask {
            tell.withLock { $0 = onEvent }
            return NoTask()
        }

        func send(_ events: TransportEvent...) {
            let tell = tell.withLock { $0 }
            for event in events { tell?(event) }
        }

        /// The head, and some bytes of the body.
        func begin(_ text: String) throws {
            let url = try #require(URL(string: "http://stub.test/"))
            send(.head(ResponseHead(url: url, statusCode: 206, headers: ["X-Part": "1"])), .body(store))
            try Data(text.utf8).withUnsafeBytes(store.append)
        }
    }

    /// The status, the header and the bytes of half a response.
    static func isHalf(_ response: TransportResponse?) -> Bool {
        response?.statusCode == 206 && response?["X-Part"] == "1" && response?.body == Data("half".utf8)
    }

    @Test(arguments: [TransportError.Code.connectionLost, .timedOut])
    func `a failure after the head has what had come`(code: TransportError.Code) async throws {
        let transport = Halfway()
        let manager = RequestManager(host: "http://stub.test", transport: transport, clock: ManualClock())
        let (recorder, _) = manager.record(PlainRequest())
        await recorder.waitForAttempt(1)
        try transport.begin("half")
        transport.send(.failed(TransportError(code: code), TransportMetrics()))
        guard case .failure(let error) = await recorder.outcome else {
            Issue.record("half a response passed")
            return
        }
        #expect(Self.isHalf(error.response), "\(error.response as Any)")
    }

    @Test func `what a transport says of its failure is left as it is`() async throws {
        let transport = Halfway()
        let manager = RequestManager(host: "http://stub.test", transport: transport, clock: ManualClock())
        let (recorder, _) = manager.record(PlainRequest())
        await recorder.waitForAttempt(1)
        try transport.begin("half")
        let own = TransportResponse(statusCode: 206, body: Data("own".utf8))
        transport.send(.failed(TransportError(code: .connectionLost, response: own), TransportMetrics()))
        guard case .failure(let error) = await recorder.outcome else {
            Issue.record("half a response passed")
            return
        }
        #expect(error.response == own)
    }

    @Test func `an SLA that ends after the head has what had come`() async throws {
        let clock = ManualClock()
        let transport = Halfway()
        let manager = RequestManager(host: "http://stub.test", transport: transport, clock: clock)
        let (recorder, _) = manager.record(PlainRequest(), sla: .seconds(1))
        await recorder.waitForAttempt(1)
        try transport.begin("half")
        clock.advance(by: .seconds(1))
        guard case .failure(let error) = await recorder.outcome else {
            Issue.record("half a response passed")
            return
        }
        #expect(error == .slaExceeded() && Self.isHalf(error.response))
    }

    @Test func `an SLA that ends while the body is decoded has the response`() async {
        let clock = ManualClock()
        let request = ComposableRequest<NoBody, String, NoError>().decodeBody { _ in
            clock.advance(by: .seconds(5))
            return "late"
        }
        let manager = RequestManager(
            host: "http://stub.test", transport: ScriptedTransport(.status(200, [:], "x")), clock: clock)
        let (recorder, _) = manager.record(request, sla: .seconds(2))
        guard case .failure(let error) = await recorder.outcome else {
            Issue.record("late, and yet in time")
            return
        }
        #expect(error == .slaExceeded() && error.response?.body == Data("x".utf8))
    }

    /// The wait would end in time, but time jumps past both.
    @Test func `an SLA that ends in a wait has the last response`() async {
        let clock = ManualClock()
        let manager = RequestManager(
            host: "http://stub.test", transport: ScriptedTransport(.status(503, [:], "busy")), clock: clock)
        let policy = RetryPolicy(retries: 1, backoff: .constant(.milliseconds(1900)))
        let (recorder, _) = manager.record(TextRequest(), retry: policy, sla: .seconds(2))
        await recorder.waitForWait(beforeAttempt: 2)
        clock.advance(by: .seconds(3), latestFirst: true)
        guard case .failure(let error) = await recorder.outcome else {
            Issue.record("503 passed")
            return
        }
        #expect(error.response?.statusCode == 503 && error.response?.body == Data("busy".utf8))
    }

    // MARK: Decoders that see the whole response

    struct Page: Equatable {
        let users: [User]
        let next: String?
    }

    struct PageRequest: HTTPRequest {
        typealias ResponseBody = Page
        let path = "/users"
        let method = RequestMethod.get

        var responseDecoder: BodyDecoder<Page> {
            .response(acceptType: .contentType(.json)) { response in
                guard let body = response.body else { return nil }
                return Page(users: try JSONDecoder().decode([User].self, from: body), next: response["Link"]?.text)
            }
        }
    }

    @Test func `a page is made of its body and its link`() async throws {
        let step = ScriptedTransport.Step.status(200, ["Link": "</users?page=2>; rel=\"next\""], #"[{"name": "Ada"}]"#)
        let page = try await manager(step).response(for: PageRequest()).body
        #expect(page == Page(users: [User(name: "Ada")], next: "</users?page=2>; rel=\"next\""))
        #expect(try manager(step).buildRequest(for: PageRequest()).headers[.acceptType] == "application/json")
        let empty = try await manager(.status(204, ["Link": "x"])).response(for: PageRequest())
        #expect(empty.body == nil)
    }
}
