import Foundation
import OmbiCore
import TestSupport
import Testing

@Suite struct RequestMethodTests {
    @Test(arguments: ["PROPFIND", "PURGE", "QUERY", "M-SEARCH", "get", "A!#$%&'*+-.^_`|~9"])
    func `any token arrives as it is`(name: String) async throws {
        let method = try #require(RequestMethod(rawValue: name))
        let arrived = try await RealServer.arrival(of: PlainRequest(method: method, body: Data("body".utf8)))
        #expect(arrived.method == name && arrived.text == "body")
    }

    @Test(arguments: ["", "GET /", "GET\r\nX: y", "GÉT", "A(B)"])
    func `what is no token makes the request malformed`(name: String) {
        #expect(RequestMethod(rawValue: name) == nil)
        let request = PlainRequest(method: RequestMethod(stringLiteral: name))
        let error = #expect(throws: MalformedRequest.self) {
            try RequestManager(host: "http://h").buildRequest(for: request)
        }
        #expect(error?.part == .method)
        #expect(error?.reason.hasSuffix("is not a method; one has letters, digits and !#$%&'*+-.^_`|~ only") == true)
        #expect(error?.reason.contains("\n") == false)
    }

    @Test func `a method is coded as its text`() throws {
        let methods: [RequestMethod] = [.get, "PROPFIND"]
        let json = try JSONEncoder().encode(methods)
        #expect(String(decoding: json, as: UTF8.self) == #"["GET","PROPFIND"]"#)
        #expect(try JSONDecoder().decode([RequestMethod].self, from: json) == methods)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([RequestMethod].self, from: Data(#"["GET /"]"#.utf8))
        }
    }

    @Test(arguments: ["GET", "PUT", "DELETE", "PROPFIND", "QUERY", "REPORT"])
    func `the registry knows what is idempotent`(name: String) {
        #expect(RequestMethod(rawValue: name)?.isIdempotent == true)
    }

    @Test(arguments: ["POST", "PATCH", "LOCK", "PURGE", "get", "CONNECT"])
    func `what is not known is not`(name: String) {
        #expect(RequestMethod(rawValue: name)?.isIdempotent == false)
    }

    @Test func `a method that Ombi does not know is not repeated`() async throws {
        let transport = ScriptedTransport(.errorAfterSending(.connectionLost))
        let manager = RequestManager(host: "http://h", transport: transport)
        _ = try? await manager.response(
            for: PlainRequest(method: "PURGE"), retry: RetryPolicy(retries: 3, backoff: .none))
        #expect(transport.requests.count == 1)
        _ = try? await manager.response(
            for: PlainRequest(method: "SEARCH"), retry: RetryPolicy(retries: 3, backoff: .none))
        #expect(transport.requests.count == 5)
    }
}
