import OmbiCore
import Testing

/// The samples of CombineRequest's readme in Ombi's terms: a protocol refines `Requestable` with what the requests of an
/// API have in common, and the leaves are values.
@Suite struct CombineRequestSamples {
    /// What `UsersRequest: APIBase, Request` is: the bytes as they come.
    struct UsersDataRequest: Request {
        typealias ResponseBody = Data
        let path = "/users"
        let method = RequestMethod.get
    }

    @Test func `a request gives the bytes`() async throws {
        try await SampleServer.run { host, arrivals in
            let transcript = Transcript()
            let cancellable = RequestManager(host: host)
                .makeRequest(UsersDataRequest())
                .compactMap(\.body)
                .catch { error -> Empty<Data, Never> in
                    // error handling
                    transcript.end("failed: \(error)")
                    return Empty()
                }
                .sink { data in
                    // a Data instance with the response JSON
                    transcript.end("\(data.count) bytes")
                }
            #expect(await transcript.lines == ["80 bytes"])
            #expect(arrivals().map(\.line) == ["GET /users"])
            cancellable.cancel()
        }
    }

    struct User: Codable, Equatable {
        var id: Int
        var name: String
        var username: String
        var email: String
    }

    struct UsersRequest: JSONPlaceholderAPI {
        typealias ResponseBody = [User]
        let path = "/users"
    }

    @Test func `the requests of an API share their headers and their validation`() async throws {
        try await SampleServer.run { host, arrivals in
            let response = try await RequestManager(host: host).response(for: UsersRequest())
            #expect(response.body?.map(\.username) == ["Bret"])
            #expect(arrivals().first?.headers["accept"] == "application/json")
            #expect(arrivals().first?.headers["x-client"] == "samples")
        }
    }

    struct PostsRequest: JSONPlaceholderAPI {
        typealias ResponseBody = String
        let path = "/posts/update"
    }

    @Test func `the shared validation refuses another type`() async throws {
        try await SampleServer.run { host, _ in
            let refused = ResponseMismatch.contentType(nil, expected: "application/json")
            await #expect(throws: RequestError<ResponseMismatch>.validationError(refused)) {
                try await RequestManager(host: host).response(for: PostsRequest())
            }
        }
    }

    /// A page of JSON that is no list of users is refused for its status, and not for its shape.
    @Test func `the shared validation comes before the decoder`() async throws {
        let page = StubTransport.stubJSONResponse(statusCode: 401, data: Data(#"{"error": "log in first"}"#.utf8))
        let manager = RequestManager(host: "http://api.example.com", transport: page)
        await #expect(throws: RequestError<ResponseMismatch>.validationError(.statusCode(401))) {
            try await manager.response(for: UsersRequest())
        }
    }

    @Test func `the pipeline validates and decodes`() async throws {
        try await SampleServer.run { host, _ in
            let transcript = Transcript()
            let cancellable = RequestManager(host: host)
                .makeRequest(UsersDataRequest())
                .validateStatusCode(in: 200..<300)
                .hasContentType("application/json")
                .compactMap(\.body)
                .decode(type: [User].self, decoder: JSONDecoder())
                .sink(
                    receiveCompletion: { transcript.end("\($0)") },
                    receiveValue: { users in transcript.add(users.map(\.name).joined()) })
            #expect(await transcript.lines == ["Leanne", "finished"])
            cancellable.cancel()
        }
    }

    @Test func `a stub stands in for the network`() async throws {
        let json = Data(#"[{"id": 7, "name": "N", "username": "U", "email": "E"}]"#.utf8)
        let stubs: [StubTransport] = [
            .stubJSONResponse(statusCode: 200, data: json),
            .stubResponse(statusCode: 200, data: json, headers: [.contentType: .contentType(.json)]),
            .stub(with: TransportResponse(headers: [.contentType: .contentType(.json)], statusCode: 200, body: json)),
        ]
        for stub in stubs {
            let manager = RequestManager(host: "http://api.example.com", transport: stub)
            #expect(try await manager.response(for: UsersRequest()).body?.map(\.id) == [7])
        }
        let failing = RequestManager(
            host: "http://api.example.com", transport: StubTransport.stub(error: TransportError(code: .cannotFindHost)))
        await #expect(throws: RequestError<ResponseMismatch>.connectionError(TransportError(code: .cannotFindHost))) {
            try await failing.response(for: UsersRequest())
        }
    }
}

/// What the subclass `JSONPlaceholderAPI: APIBase` is: the method, a header and the validation of all its requests.
protocol JSONPlaceholderAPI: Requestable where ResponseError == ResponseMismatch {}

extension JSONPlaceholderAPI {
    var method: RequestMethod { .get }
    var headers: RequestHeaders { [.acceptType: .contentType(.json), "X-Client": "samples"] }

    var responseValidator: ResponseValidator<ResponseBody, ResponseMismatch> {
        ResponseValidator(beforeDecoding: { response in
            guard let code = response.statusCode, (200..<300).contains(code) else {
                return .statusCode(response.statusCode)
            }
            guard response[.contentType]?.text.hasPrefix("application/json") == true else {
                return .contentType(response[.contentType]?.text, expected: "application/json")
            }
            return nil
        })
    }
}
