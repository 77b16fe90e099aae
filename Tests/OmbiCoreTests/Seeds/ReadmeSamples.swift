import OmbiCore
import Testing

/// The samples of Ombi's readme, where they differ from those of the quick start.
@Suite struct ReadmeSamples {
    struct LoginRequest: Requestable {
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

        typealias ResponseError = HTTPError

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

    @Test func `a login with its own error type gives a token`() async throws {
        try await SampleServer.run { host, arrivals in
            let transcript = Transcript()
            let request = LoginRequest(username: "MyUserName", password: "MyPassword")
            let manager = RequestManager(host: host)

            let cancellable = manager.makeRequest(request)
                .replaceError(with: .empty)
                .map(\.body?.token)
                .sink { token in
                    transcript.end(token ?? "no token")
                }

            #expect(await transcript.lines == ["MyToken"])
            #expect(arrivals().first?.json == ["username": "MyUserName", "password": "MyPassword"])
            cancellable.cancel()
        }
    }

    /// The same request, its body declared as the library's own source declares it.
    struct OptionalLoginRequest: HTTPRequest {
        typealias RequestBody = AnyJSON
        typealias ResponseBody = LoginRequest.ResponseBody

        let path = "/login"
        let method = RequestMethod.get
        var body: AnyJSON?
    }

    @Test func `an optional body is sent when there is one`() async throws {
        try await SampleServer.run { host, arrivals in
            let manager = RequestManager(host: host)
            let body: AnyJSON = ["username": "MyUserName", "password": "MyPassword"]
            let response = try await manager.response(for: OptionalLoginRequest(body: body))
            #expect(response.body?.token == "MyToken")
            await #expect(throws: RequestError<HTTPError>.validationError(.unauthorized)) {
                try await manager.response(for: OptionalLoginRequest())
            }
            #expect(arrivals().map(\.json) == [body, nil])
        }
    }

    /// A type of one's own as the body, without coders.
    struct Temperature: AutomaticBodyCoding, Equatable {
        var degrees: Int

        init(degrees: Int) { self.degrees = degrees }

        init?(fromData data: Data?) throws {
            guard let text = data.flatMap({ String(data: $0, encoding: .utf8) }), let degrees = Int(text) else {
                throw CodingFailure("the temperature is no number")
            }
            self.degrees = degrees
        }

        func asData() throws -> Data? { String(degrees).data(using: .utf8) }
    }

    @Test func `a type that codes itself needs no coders`() async throws {
        try await SampleServer.run { host, _ in
            let request = ComposableRequest<Temperature, Temperature, HTTPError>()
                .path("/mirror").method(.put).body(Temperature(degrees: -3))
            let response = try await RequestManager(host: host).response(for: request)
            #expect(response.body == Temperature(degrees: -3))
        }
    }

    @Test func `query items and a JSONDecoder of one's own need no other import`() async throws {
        try await SampleServer.run { host, arrivals in
            let request = ComposableRequest<NoBody, LoginRequest.ResponseBody, HTTPError>()
                .path("/token")
                .query(URLQueryItem(name: "for", value: "a b"))
                .decodeBody(
                    with: .json(
                        decoder: {
                            let decoder = JSONDecoder()
                            decoder.keyDecodingStrategy = .useDefaultKeys
                            return decoder
                        }()))
            let response = try await RequestManager(host: host).response(for: request)
            #expect(response.body?.token == "MyToken")
            #expect(response.url == URL(string: host + "/token?for=a%20b"))
            #expect(arrivals().map(\.line) == ["GET /token?for=a%20b"])
        }
    }
}
