import TestSupport

extension CompileTests {
    /// Whole requests.
    static let requests: [Snippet] = [
        Snippet(
            "path, method and a response body are enough", .compiles,
            """
            struct R: Requestable {
                struct ResponseBody: Decodable { let id: Int }
                let path = "/"
                let method = RequestMethod.get
            }
            """),
        Snippet(
            "a request without a response body", .fails("does not conform"),
            """
            struct R: HTTPRequest {
                let path = "/"
                let method = RequestMethod.get
            }
            """),
        Snippet(
            "a request without a path", .fails("does not conform"),
            """
            struct R: HTTPRequest {
                typealias ResponseBody = User
                let method = RequestMethod.get
            }
            """),
        Snippet(
            "a response body without a decoder", .fails("ResponseBody has no decoder: make it Decodable"),
            """
            struct R: HTTPRequest {
                typealias ResponseBody = Tree
                let path = "/"
                let method = RequestMethod.get
            }
            """),
        Snippet(
            "a response body that is Void", .fails("ResponseBody has no decoder"),
            """
            struct R: HTTPRequest {
                typealias ResponseBody = Void
                let path = "/"
                let method = RequestMethod.get
            }
            """),
        Snippet(
            "a body without an encoder", .fails("RequestBody has no encoder: make it Encodable"),
            """
            struct R: HTTPRequest {
                typealias RequestBody = Tree
                typealias ResponseBody = User
                let path = "/"
                let method = RequestMethod.post
                let body: Tree
            }
            """),
        Snippet(
            "coders of one's own for types that have none", .compiles,
            """
            struct R: HTTPRequest {
                typealias RequestBody = Tree
                typealias ResponseBody = Tree
                let path = "/"
                let method = RequestMethod.post
                let body: Tree
                var requestEncoder: BodyEncoder<Tree> { BodyEncoder { _ in Data() } }
                var responseDecoder: BodyDecoder<Tree> { BodyDecoder { _ in Tree() } }
            }
            """),
        Snippet(
            "an error and a validator of one's own", .compiles,
            """
            struct R: Requestable {
                typealias ResponseBody = User
                typealias ResponseError = OwnError
                let path = "/"
                let method = RequestMethod.get
                var responseValidator: ResponseValidator<User, OwnError> { ResponseValidator { _ in .failure(OwnError()) } }
            }
            """),
        Snippet(
            "a body of any type", .compiles,
            """
            struct R<Model: Codable & Sendable>: HTTPRequest {
                typealias RequestBody = [Model]
                typealias ResponseBody = Model
                let path = "/"
                let method = RequestMethod.post
                let body: [Model]
            }
            """),
        Snippet(
            "a leaf of an API that says the same otherwise", .compiles,
            """
            protocol Shop: Requestable where ResponseError == OwnError {}
            extension Shop {
                var headers: RequestHeaders { ["X-Client": "shop"] }
                var timeoutInterval: Double { 10 }
            }
            extension Shop where ResponseBody: Decodable & SendableMetatype {
                var responseDecoder: BodyDecoder<ResponseBody> { .json() }
            }
            struct R: Shop {
                typealias ResponseBody = User
                let path = "/"
                let method = RequestMethod.get
                let headers = ["X-Client": "leaf"]
                let timeoutInterval = Duration.seconds(3)
            }
            """),
        Snippet(
            "an API that says it in the short forms", .compiles,
            """
            protocol Shop: HTTPRequest {}
            extension Shop {
                var headers: [String: String] { ["X-Client": "shop"] }
                var timeoutInterval: Int { 10 }
            }
            struct R: Shop {
                typealias ResponseBody = User
                let path = "/"
                let method = RequestMethod.get
            }
            """),
        Snippet(
            "a leaf with the wrong decoder under an API with the right one",
            .fails("declare responseDecoder as BodyDecoder<ResponseBody>"),
            """
            protocol Shop: HTTPRequest {}
            extension Shop where ResponseBody: Decodable & SendableMetatype {
                var responseDecoder: BodyDecoder<ResponseBody> { .json() }
            }
            struct R: Shop {
                typealias ResponseBody = User
                let path = "/"
                let method = RequestMethod.get
                var responseDecoder: BodyDecoder<Int> { .json() }
            }
            """),
        Snippet(
            "a request around another one", .compiles,
            """
            struct Traced<Base: Requestable>: Requestable {
                let base: Base
                var erased: AnyRequestable<Base.RequestBody, Base.ResponseBody, Base.ResponseError> {
                    AnyRequestable(base)
                }
                var path: String { base.path }
                var method: RequestMethod { base.method }
                var headers: RequestHeaders { get throws { try erased.headers.merging(["X-Trace": "1"]) } }
                var body: Base.RequestBody? { get throws { try erased.body } }
                var timeoutInterval: TimeInterval { erased.timeoutInterval }
                var requestEncoder: BodyEncoder<Base.RequestBody> { erased.requestEncoder }
                var responseDecoder: BodyDecoder<Base.ResponseBody> { erased.responseDecoder }
                var responseValidator: ResponseValidator<Base.ResponseBody, Base.ResponseError> {
                    erased.responseValidator
                }
                typealias RequestBody = Base.RequestBody
                typealias ResponseBody = Base.ResponseBody
                typealias ResponseError = Base.ResponseError
            }
            """),
        Snippet(
            "a member that is read from any request", .fails("has no subscripts"),
            """
            func client<R: Requestable>(of request: R) throws -> String? { try request.headers["X-Client"]?.text }
            """),
        Snippet(
            "a request whose type is hidden", .compiles,
            """
            struct R: HTTPRequest {
                typealias ResponseBody = User
                let path = "/"
                let method = RequestMethod.get
            }
            private let request: any Requestable<NoBody, User, HTTPError> = R()
            private let erased = AnyRequestable(R())
            """),
        Snippet(
            "a misspelled member in an extension", .warns("'timeoutIntervall' nearly matches"),
            """
            struct R {
                typealias ResponseBody = User
            }
            extension R: HTTPRequest {
                var path: String { "/" }
                var method: RequestMethod { .get }
                var timeoutIntervall: Double { 5 }
            }
            """),
        Snippet(
            "a method that is any token", .compiles,
            """
            struct R: HTTPRequest {
                typealias ResponseBody = User
                let path = "/"
                let method: RequestMethod = "PROPFIND"
            }
            """),
        Snippet(
            "the stub right after its label", .compiles,
            """
            private let manager = RequestManager(
                host: "http://h", transport: .stubJSONResponse(statusCode: 200, data: Data("{}".utf8)))
            """),
    ]

    /// What takes effect; that it does is shown by `MemberFormsTests`.
    static let membersThatFit: [Snippet] = [
        .member("let timeoutInterval = 5"),
        .member("let timeoutInterval = 5.5"),
        .member("let timeoutInterval = Duration.seconds(5)"),
        .member("var timeoutInterval: TimeInterval { 5 }"),
        .member("let attemptTimeout = Duration.seconds(5)"),
        .member("var attemptTimeout: Duration? { .seconds(5) }"),
        .member(#"let headers = ["A": "b"]"#),
        .member(#"let headers: RequestHeaders = ["A": "b"]"#),
        .member(#"var headers: RequestHeaders { get throws { ["A": "b"] } }"#),
        .member(#"let query = ["a": "b"]"#),
        .member(#"let query = [("a", "b"), ("a", "c")]"#),
        .member(#"let query: RequestParameters = ["a": 1]"#),
        .member(#"let query = [URLQueryItem(name: "a", value: "b")]"#),
        .member(#"let authentication = RequestAuthentication.token(type: .bearer, value: "t")"#),
        .member("var authentication: RequestAuthentication? { nil }"),
        .member("var authentication: RequestAuthentication { get throws { throw CancellationError() } }"),
        .member("let bodyStream = BodyStream(data: Data())"),
        .member("var bodyStream: BodyStream? { get throws { nil } }"),
        .member("let fallbackResponse = RequestResponse(statusCode: 200, body: User())"),
        .member("var fallbackResponse: Response? { nil }"),
        .member("var uploadProgress: @Sendable (TransferProgress) -> Void { { _ in } }"),
        .member("let downloadProgress: @Sendable (TransferProgress) -> Void"),
        .member("var downloadProgress: (@Sendable (TransferProgress) -> Void)?"),
        .member("let requestInterceptor = RequestInterceptor.none"),
        .member("var responseDecoder: BodyDecoder<User> { .json() }"),
        .member("var responseValidator: ResponseValidator<User, HTTPError> { .unsafe }"),
        .member("typealias RequestBody = User\n    let body: User"),
        .member("typealias RequestBody = User\n    let body: User?"),
    ]

    /// What does not compile, and which member the error names.
    static let membersThatDoNot: [Snippet] = [
        .member(#"let timeoutInterval = "5""#, .fails("declare timeoutInterval as TimeInterval, Int or Duration")),
        .member("let timeoutInterval: Duration? = nil", .fails("declare timeoutInterval as")),
        .member("private let timeoutInterval = 5.0", .fails("'timeoutInterval' must be as accessible")),
        .member("let attemptTimeout = 5", .fails("declare attemptTimeout as Duration or Duration?")),
        .member("let headers = [1, 2]", .fails("declare headers as RequestHeaders or [String: String]")),
        .member(#"let headers: [RequestHeaders.Key: String] = [:]"#, .fails("declare headers as")),
        .member("let jsonDecoder = 5", .fails("declare jsonDecoder as JSONDecoder")),
        .member(#"let query = "a=b""#, .fails("declare query as [URLQueryItem], RequestParameters,")),
        .member(#"let authentication = "token""#, .fails("declare authentication as RequestAuthentication")),
        .member("let bodyStream = Data()", .fails("declare bodyStream as BodyStream or BodyStream?")),
        .member("let fallbackResponse = User()", .fails("declare fallbackResponse as RequestResponse<ResponseBody>")),
        .member(
            "var fallbackResponse: RequestResponse<Int>? { nil }", .fails("declare fallbackResponse as")),
        .member("var uploadProgress: (TransferProgress) -> Void { { _ in } }", .fails("'_uploadProgress'")),
        .member(
            "var downloadProgress: @Sendable (Int) -> Void { { _ in } }",
            .fails("declare downloadProgress as @Sendable")),
        .member("let requestInterceptor: RequestInterceptor? = nil", .fails("declare requestInterceptor as")),
        .member(
            "var responseDecoder: BodyDecoder<Int> { .json() }",
            .fails("declare responseDecoder as BodyDecoder<ResponseBody>")),
        .member(
            "var requestEncoder: BodyEncoder<Int> { .json() }",
            .fails("declare requestEncoder as BodyEncoder<RequestBody>")),
        .member(
            "var responseValidator: ResponseValidator<User, OwnError> { .unsafe }",
            .fails("declare responseValidator as ResponseValidator<ResponseBody, ResponseError>")),
        .member("let body: User", .fails("declare body as RequestBody or RequestBody?, and name that type")),
        .member(
            "typealias RequestBody = User\n    let body = 3", .fails("declare body as RequestBody or RequestBody?")),
        Snippet(
            "let path: Substring", .fails("does not conform"),
            """
            struct R: HTTPRequest {
                typealias ResponseBody = User
                let path: Substring = "/"
                let method = RequestMethod.get
            }
            """),
        Snippet(
            "let method = \"GET\"", .fails("does not conform"),
            """
            struct R: HTTPRequest {
                typealias ResponseBody = User
                let path = "/"
                let method = "GET"
            }
            """),
    ]

    /// In a module whose default isolation is the main actor.
    static let isolated: [Snippet] = [
        Snippet(
            "bodies within the request", .compiles,
            """
            struct R: HTTPRequest {
                struct RequestBody: Codable { let id: Int }
                struct ResponseBody: Codable { let id: Int }
                let path = "/"
                let method = RequestMethod.post
                let body: RequestBody
                let headers = ["A": "b"]
                let timeoutInterval = 5
                let authentication = RequestAuthentication.token(type: .bearer, value: "t")
            }
            """),
        Snippet(
            "a body of its own that is nonisolated", .compiles,
            """
            nonisolated private struct Order: Decodable { let id: Int }
            struct R: HTTPRequest {
                typealias ResponseBody = [Order]
                let path = "/"
                let method = RequestMethod.get
            }
            """),
        Snippet(
            "a body of its own that is not", .fails("nonisolated"),
            """
            struct Order: Decodable, Sendable { let id: Int }
            struct R: HTTPRequest {
                typealias ResponseBody = Order
                let path = "/"
                let method = RequestMethod.get
            }
            """),
        Snippet(
            "an API whose extensions are nonisolated", .compiles,
            """
            protocol Shop: Requestable where ResponseError == OwnError {}
            nonisolated extension Shop {
                var headers: RequestHeaders { ["X-Client": "shop"] }
                var timeoutInterval: Int { 10 }
            }
            struct R: Shop {
                typealias ResponseBody = User
                let path = "/"
                let method = RequestMethod.get
            }
            """),
        Snippet(
            "coders of JSON for all requests of an API", .compiles,
            """
            protocol Shop: HTTPRequest {}
            nonisolated extension Shop {
                var jsonEncoder: JSONEncoder { JSONEncoder() }
                var jsonDecoder: JSONDecoder { JSONDecoder() }
            }
            struct Get: Shop {
                typealias ResponseBody = User
                let path = "/"
                let method = RequestMethod.get
            }
            struct Delete: Shop {
                typealias ResponseBody = NoBody
                let path = "/"
                let method = RequestMethod.delete
            }
            """),
        Snippet(
            "a view that awaits a response", .compiles,
            """
            struct R: HTTPRequest {
                typealias ResponseBody = User
                let path = "/"
                let method = RequestMethod.get
            }
            final class Screen {
                var user: User?
                let manager = RequestManager(host: "https://api.example.com")
                func load() async throws { user = try await manager.response(for: R()).body }
            }
            """),
    ]
}
