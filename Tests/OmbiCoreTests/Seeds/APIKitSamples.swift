import OmbiCore
import Testing

/// The samples of APIKit's guide in Ombi's terms: the manager is the session, and its host the base URL.
@Suite struct APIKitSamples {
    struct RateLimitRequest: HTTPRequest {
        typealias ResponseBody = RateLimit

        var method: RequestMethod {
            return .get
        }

        var path: String {
            return "/rate_limit"
        }

        var responseDecoder: BodyDecoder<RateLimit> {
            BodyDecoder(acceptType: .contentType(.json)) { data in
                try RateLimit(object: try BodyDecoder<AnyJSON>.default.decode(data))
            }
        }
    }

    struct RateLimit: Equatable {
        let limit: Int
        let remaining: Int

        init(object: AnyJSON?) throws {
            guard let rate = object?["rate"], let limit = rate["limit"]?.intValue,
                let remaining = rate["remaining"]?.intValue
            else { throw CodingFailure("unexpected object") }

            self.limit = limit
            self.remaining = remaining
        }
    }

    @Test func `a handler gets a result of the request's own type`() async throws {
        try await SampleServer.run { host, arrivals in
            let transcript = Transcript()
            let request = RateLimitRequest()
            let manager = RequestManager(host: host)
            manager.send(request) { result in
                switch result {
                case .success(let response):
                    // Type of `response.body` is inferred as `RateLimit?`,
                    // which is also known as `RateLimitRequest.ResponseBody?`.
                    transcript.add("limit: \(response.body?.limit ?? 0)")
                    transcript.end("remaining: \(response.body?.remaining ?? 0)")
                case .failure(let error):
                    transcript.end("error: \(error)")
                }
            }
            #expect(await transcript.lines == ["limit: 60", "remaining: 59"])
            #expect(arrivals().first?.headers["accept"] == "application/json")
        }
    }

    struct SearchRepositoriesRequest: HTTPRequest {
        struct ResponseBody: Decodable {
            struct Repository: Decodable { let name: String }
            let items: [Repository]
        }

        let words: String
        let path = "/search/repositories"
        let method = RequestMethod.get
        var query: [URLQueryItem] { [URLQueryItem(name: "q", value: words)] }
    }

    @Test func `the response type is inferred from the request`() async throws {
        try await SampleServer.run { host, arrivals in
            let response = try await RequestManager(host: host).response(for: SearchRepositoriesRequest(words: "swift"))
            #expect(response.body?.items.map(\.name) == ["swift", "swift-format"])
            #expect(arrivals().map(\.line) == ["GET /search/repositories?q=swift"])
        }
    }

    @Test func `an unexpected object is an error of the parsing`() async throws {
        let request = ComposableRequest<NoBody, RateLimit, HTTPError>()
            .path("/token").decodeBody { data in
                try RateLimit(object: try BodyDecoder<AnyJSON>.default.decode(data))
            }
        try await SampleServer.run { host, _ in
            await #expect(throws: RequestError<HTTPError>.decodingError(CodingFailure("unexpected object"))) {
                try await RequestManager(host: host).response(for: request)
            }
        }
    }

    struct SilentRequest: HTTPRequest {
        typealias ResponseBody = String
        let path = "/silence"
        let method = RequestMethod.get
    }

    @Test func `requests are cancelled by their type`() async throws {
        try await SampleServer.run { host, _ in
            let transcript = Transcript()
            let manager = RequestManager(host: host)
            manager.send(SilentRequest()) { result in
                guard case .failure(let error) = result else { return transcript.end("success") }
                transcript.end("\(error)")
            }
            manager.cancelRequests(with: RateLimitRequest.self)
            manager.cancelRequests(with: SilentRequest.self) { _ in
                return false
            }
            #expect(transcript.soFar == [])
            manager.cancelRequests(with: SilentRequest.self)
            #expect(await transcript.lines == ["cancelled"])
        }
    }
}
