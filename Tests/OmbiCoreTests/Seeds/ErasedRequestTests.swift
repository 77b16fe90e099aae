import Foundation
import OmbiCore
import Testing

/// A request behind `AnyRequestable`.
@Suite struct ErasedRequestTests {
    /// Notes which of its members are asked for.
    struct Watched: HTTPRequest {
        typealias RequestBody = String
        typealias ResponseBody = String

        final class Asked: Sendable {
            private let names = Lock<[String]>([])
            var all: [String] { names.withLock { $0 } }
            func add(_ name: String) { names.withLock { $0.append(name) } }
        }

        let asked = Asked()

        private func note<Value>(_ value: Value, _ name: String = #function) -> Value {
            asked.add(name)
            return value
        }

        var path: String { note("/p") }
        var query: [URLQueryItem] { note([URLQueryItem(name: "q", value: "1")]) }
        var method: RequestMethod { note(.put) }
        var headers: RequestHeaders { note(["X": "1"]) }
        var body: String { note("body") }
        var authentication: RequestAuthentication? { note(.token(type: .bearer, value: "t")) }
        var fallbackResponse: RequestResponse<String>? { note(RequestResponse(body: "fallback")) }
        var requestEncoder: BodyEncoder<String> { note(.default) }
        var responseDecoder: BodyDecoder<String> { note(.default) }
        var responseValidator: ResponseValidator<String, HTTPError> { note(.default) }
        var timeoutInterval: TimeInterval { note(7) }
        var requestInterceptor: RequestInterceptor { note(.none) }
    }

    @Test func `nothing is read before it is needed`() throws {
        let watched = Watched()
        let erased = AnyRequestable(watched)
        #expect(watched.asked.all == [])
        #expect(erased.path == "/p")
        #expect(erased.timeoutInterval == 7)
        #expect(try erased.body == "body")
        #expect(erased.fallbackResponse?.body == "fallback")
        #expect(watched.asked.all == ["path", "timeoutInterval", "body", "fallbackResponse"])
    }

    @Test func `the same arrives`() async throws {
        let watched = Watched()
        let direct = try await RealServer.arrival(of: watched)
        var erased = try await RealServer.arrival(of: AnyRequestable(watched))
        erased.headers["host"] = direct.headers["host"]
        #expect(erased == direct)
        #expect(direct.method == "PUT" && direct.target == "/p?q=1" && direct.text == "body")
        #expect(direct.headers["authorization"] == "Bearer t" && direct.headers["x"] == "1")
    }

    @Test func `parts are read once per request`() throws {
        let watched = Watched()
        _ = try RequestManager(host: "http://h").buildRequest(for: AnyRequestable(watched))
        for name in ["path", "query", "method", "headers", "body", "authentication", "timeoutInterval"] {
            #expect(watched.asked.all.filter { $0 == name }.count == 1, "\(name)")
        }
        #expect(!watched.asked.all.contains("fallbackResponse"))
    }
}
