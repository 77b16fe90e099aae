import Foundation
import OmbiCore
import Testing

/// `AnyRequestable` and `ComposableRequest` carry every member of a request.
@Suite struct EveryMemberTests {
    struct Full: HTTPRequest {
        typealias RequestBody = [String: Int]
        typealias ResponseBody = String

        let calls: Transcript
        let stream: BodyStream?

        let path = "/p"
        let method = RequestMethod.put
        let query = [("b", "2"), ("a", "1")]
        let headers = ["X-Client": "full"]
        let body = ["n": 1]
        var bodyStream: BodyStream? { stream }
        let authentication = RequestAuthentication.apiKey(name: "X-Key", value: "k", location: .header)
        let fallbackResponse = RequestResponse(statusCode: 203, body: "fallback")
        let timeoutInterval = 7
        let attemptTimeout = Duration.seconds(3)
        var requestEncoder: BodyEncoder<[String: Int]> { BodyEncoder(contentType: "a/b") { _ in Data("encoded".utf8) } }
        var responseDecoder: BodyDecoder<String> { BodyDecoder(acceptType: "c/d") { _ in "decoded" } }
        var responseValidator: ResponseValidator<String, HTTPError> {
            ResponseValidator { .success(RequestResponse(statusCode: 299, body: ($0.body ?? "") + ", validated")) }
        }
        var requestInterceptor: RequestInterceptor {
            RequestInterceptor { request in
                var request = request
                request.headers["X-Seen"] = .string("\(request.headers.fields.count)")
                return request
            }
        }
        var uploadProgress: @Sendable (TransferProgress) -> Void { { calls.add("up \($0.bytes)") } }
        var downloadProgress: @Sendable (TransferProgress) -> Void { { calls.add("down \($0.bytes)") } }
    }

    static func composed(_ full: Full) -> ComposableRequest<[String: Int], String, HTTPError> {
        ComposableRequest()
            .path(full.path).method(full.method)
            .queries(full.query.map { URLQueryItem(name: $0.0, value: $0.1) })
            .headers(RequestHeaders(full.headers)).body(full.body).bodyStream(full.bodyStream)
            .authenticate(with: full.authentication).fallbackResponse(full.fallbackResponse)
            .timeoutInterval(7).attemptTimeout(full.attemptTimeout).encodeBody(with: full.requestEncoder)
            .decodeBody(with: full.responseDecoder).validateResponse(with: full.responseValidator)
            .intercept(with: full.requestInterceptor).uploadProgress(full.uploadProgress)
            .downloadProgress(full.downloadProgress)
    }

    @Test(arguments: [BodyStream?.none, BodyStream(data: Data("streamed".utf8))])
    func `the same is sent`(stream: BodyStream?) throws {
        let full = Full(calls: Transcript(), stream: stream)
        let manager = RequestManager(host: "http://h")
        let built = try manager.buildRequest(for: full)
        #expect(built.url.absoluteString == "http://h/p?b=2&a=1" && built.method == .put)
        #expect(built.body == (stream == nil ? Data("encoded".utf8) : nil) && built.bodyStream == stream)
        #expect(built.headers[.contentType] == (stream == nil ? "a/b" : nil) && built.headers[.acceptType] == "c/d")
        #expect(built.headers["X-Client"] == "full" && built.headers["X-Key"] == "k")
        #expect(built.idleTimeout == .seconds(7) && built.attemptTimeout == .seconds(3))
        #expect(built.headers["X-Seen"]?.text == "\(built.headers.fields.count - 1)")
        #expect(try manager.buildRequest(for: AnyRequestable(full)) == built)
        #expect(try manager.buildRequest(for: AnyRequestable(AnyRequestable(full))) == built)
        #expect(try manager.buildRequest(for: Self.composed(full)) == built)
        #expect(try AnyRequestable(full).body == full.body)
    }

    @Test func `the response is treated the same`() async throws {
        let calls = Transcript()
        let full = Full(calls: calls, stream: nil)
        let manager = RequestManager(host: "http://h", transport: .stub(replies: [.response(data: Data("x".utf8))]))
        let responses = [
            try await manager.response(for: full), try await manager.response(for: AnyRequestable(full)),
            try await manager.response(for: Self.composed(full)),
        ]
        #expect(responses.map(\.body) == Array(repeating: "decoded, validated", count: 3))
        #expect(calls.soFar == Array(repeating: ["up 7", "down 1"], count: 3).flatMap { $0 })
        let down = RequestManager(host: "http://h", transport: .stub(error: TransportError(code: .connectionLost)))
        let fallbacks = [
            try await down.response(for: full), try await down.response(for: AnyRequestable(full)),
            try await down.response(for: Self.composed(full)),
        ]
        #expect(fallbacks.map(\.body) == Array(repeating: "fallback, validated", count: 3))
    }
}
