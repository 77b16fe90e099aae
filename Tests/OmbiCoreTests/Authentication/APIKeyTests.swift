import Foundation
import OmbiCore
import TestSupport
import Testing

/// An API key in the header, in the query and in a cookie.
@Suite struct APIKeyTests {
    static func request(
        _ name: String, _ value: String, _ location: RequestAuthentication.APIKeyLocation, path: String = "/p"
    ) -> ComposableRequest<NoBody, AnyJSON, HTTPError> {
        ComposableRequest().path(path).authenticate(with: .apiKey(name: name, value: value, location: location))
    }

    @Test func `a key in the header replaces the field of its name`() async throws {
        let request = Self.request("X-Acme", "k 1", .header).header(key: "x-acme", value: "old")
        let arrived = try await RealServer.arrival(of: request)
        #expect(arrived.headers["x-acme"] == "k 1" && arrived.headers["authorization"] == nil)
    }

    @Test(arguments: [
        ("/p", "/p?k%2By=a%26b%3Dc"), ("/p?x=1", "/p?x=1&k%2By=a%26b%3Dc"),
        ("/p?k%2By=old&x=1&k%2By", "/p?x=1&k%2By=a%26b%3Dc"),
    ])
    func `a key in the query replaces the parameters of its name`(path: String, target: String) async throws {
        #expect(try await RealServer.arrival(of: Self.request("k+y", "a&b=c", .query, path: path)).target == target)
    }

    @Test func `a key in a cookie goes beside other cookies`() async throws {
        let alone = try await RealServer.arrival(of: Self.request("sid", "abc", .cookie))
        #expect(alone.headers["cookie"] == "sid=abc")
        let request = Self.request("sid", "abc", .cookie).header(key: .cookie, value: "a=1; sid=old; sidecar=2")
        #expect(try await RealServer.arrival(of: request).headers["cookie"] == "a=1; sidecar=2; sid=abc")
    }

    @Test func `the key of the request goes before that of the manager`() async throws {
        let manager = RequestManager(host: "http://h")
        manager.requestAuthentication = .apiKey(name: "key", value: "manager", location: .query)
        let own = try manager.buildRequest(for: Self.request("X-Acme", "own", .header))
        #expect(own.url.query() == nil && own.headers["X-Acme"] == "own")
        let call = RequestAuthentication.apiKey(name: "key", value: "call", location: .query)
        #expect(try manager.buildRequest(for: PlainRequest(), authentication: call).url.query() == "key=call")
        #expect(try manager.buildRequest(for: PlainRequest()).url.query() == "key=manager")
    }

    @Test(
        arguments: [
            (
                .init(name: "", value: "a", location: .query),
                "the API key has no name; give the one that the API asks for"
            ),
            (
                .init(name: "a b", value: "c", location: .header),
                "\"a b\" is no name for an API key in a header or a cookie"
            ),
            (
                .init(name: "a=b", value: "c", location: .cookie),
                "\"a=b\" is no name for an API key in a header or a cookie"
            ),
            (
                .init(name: "sid", value: "a;b", location: .cookie),
                "the value of the cookie sid contains a character that no cookie has; encode it"
            ),
        ] as [(Key, String)])
    func `a key that would arrive as another is refused`(key: Key, words: String) {
        let request = Self.request(key.name, key.value, key.location)
        #expect(throws: MalformedRequest(.authentication, words)) {
            try RequestManager(host: "http://h").buildRequest(for: request)
        }
    }

    struct Key: Sendable {
        let name: String
        let value: String
        let location: RequestAuthentication.APIKeyLocation
    }

    @Test(arguments: RequestAuthentication.APIKeyLocation.allCases)
    func `no key is in the log under any name`(location: RequestAuthentication.APIKeyLocation) async throws {
        let request = Self.request("acme", "hidden", location, path: "/p?page=2")
        let logged = try await LogMaskingTests.entries(request, reply: .ok("{}"))
        #expect(!(logged.request + logged.response).contains("hidden"))
        #expect(logged.request.contains("/p?page=2"))
        #expect(logged.request.contains("••••••"))
    }

    @Test func `no key is in the message about too many redirects`() async throws {
        let location = "/p?acme=hidden"
        try await RealServer.scripted({ _ in .status(302, headers: [("Location", location)], "") }) {
            (server) async throws in
            let error = await #expect(throws: RequestError<HTTPError>.self) {
                try await RequestManager(host: server.host).response(for: Self.request("acme", "hidden", .query))
            }
            #expect(error?.description.contains("/p?acme=•••••• redirects more than") == true, "\(error as Any)")
        }
    }

    @Test(
        arguments: [
            (.basic(username: "me", password: "hidden"), "Basic ••••••"),
            (.token(type: .bearer, value: "hidden"), "Bearer ••••••"),
            (.apiKey(name: "acme", value: "hidden", location: .query), "acme in the query ••••••"),
        ] as [(RequestAuthentication, String)])
    func `a description shows nothing secret`(credentials: RequestAuthentication, words: String) {
        var dumped = ""
        dump(credentials, to: &dumped)
        #expect("\(credentials)" == words && String(reflecting: credentials) == words)
        #expect(!dumped.contains("hidden"))
    }
}
