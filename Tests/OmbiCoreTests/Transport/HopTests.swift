import Foundation
import Testing

@testable import OmbiCore

/// What a redirect makes of a request (RFC 9110 §15.4), without a network.
@Suite struct HopTests {
    func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    func hop(
        _ method: RequestMethod = .get, headers: RequestHeaders = [:], body: Data? = nil,
        originHeaders: Set<RequestHeaders.Key> = [], _ policy: RedirectPolicy = RedirectPolicy()
    ) throws -> Hop {
        Hop(
            TransportRequest(
                url: try url("https://a.test/x"), method: method, headers: headers, body: body,
                originHeaders: originHeaders, connection: Connection { $0.redirects = policy }))
    }

    struct Rule: Sendable {
        let status: Int
        let method: RequestMethod
        let next: RequestMethod
        var keeps = false
    }

    @Test(arguments: [
        Rule(status: 301, method: .get, next: .get), Rule(status: 301, method: .head, next: .head),
        Rule(status: 301, method: .post, next: .get), Rule(status: 301, method: .put, next: .put),
        Rule(status: 302, method: .post, next: .get), Rule(status: 302, method: .patch, next: .patch),
        Rule(status: 302, method: "QUERY", next: "QUERY"), Rule(status: 302, method: .delete, next: .delete),
        Rule(status: 303, method: .post, next: .get), Rule(status: 303, method: .put, next: .get),
        Rule(status: 303, method: .delete, next: .get), Rule(status: 303, method: .head, next: .head),
        Rule(status: 307, method: .post, next: .post), Rule(status: 308, method: .post, next: .post),
        Rule(status: 301, method: .post, next: .post, keeps: true),
        Rule(status: 302, method: .post, next: .post, keeps: true),
        Rule(status: 303, method: .post, next: .get, keeps: true),
    ]) func `method and body`(rule: Rule) throws {
        let body = rule.method == .head ? nil : Data("body".utf8)
        var hop = try hop(
            rule.method, headers: ["Content-Type": "a/b", "Content-Language": "de", "Digest": "x", "X-One": "1"],
            body: body, RedirectPolicy(keepsMethod: rule.keeps))
        let withheld = try hop.follow(to: try url("https://a.test/y"), statusCode: rule.status)
        #expect(withheld == [])
        #expect(hop.method == rule.next)
        #expect(hop.url.absoluteString == "https://a.test/y")
        let becameGet = rule.next != rule.method
        #expect(hop.body == (becameGet ? nil : body))
        #expect(
            hop.headers.fields.map(\.key.name)
                == (becameGet
                    ? ["X-One"]
                    : [
                        "Content-Type", "Content-Language", "Digest", "X-One",
                    ]))
    }

    static let headers: RequestHeaders = [
        "Authorization": "Bearer x", "Cookie": "a=1", "X-Api-Key": "k", "Host": "b.test", "X-Tenant": "acme",
        "Accept": "a/b", "x-tenant": "again", "X-Room": .secret("7"),
    ]

    @Test(arguments: ["https://b.test/", "https://a.test:8443/", "http://a.test/", "https://www.a.test/"])
    func `what belongs to an origin stays there`(target: String) throws {
        var hop = try hop(headers: Self.headers, originHeaders: ["X-Tenant"])
        let withheld = try hop.follow(to: try url(target), statusCode: 302)
        #expect(withheld == ["Authorization", "Cookie", "X-Api-Key", "Host", "X-Tenant", "X-Room"])
        #expect(hop.headers.fields.map(\.key.name) == ["Accept"])
        #expect(hop.trust == .foreign)
    }

    @Test(arguments: ["https://a.test/y", "https://A.TEST:443/y"]) func `within an origin all goes along`(
        target: String
    )
        throws
    {
        var hop = try hop(headers: Self.headers, originHeaders: ["X-Tenant"])
        #expect(try hop.follow(to: try url(target), statusCode: 302) == [])
        #expect(hop.headers == Self.headers)
        #expect(hop.trust == .own)
    }

    @Test func `all goes along where the policy says so`() throws {
        var hop = try hop(
            headers: Self.headers, originHeaders: ["X-Tenant"], RedirectPolicy(keepsCredentialsAcrossOrigins: true))
        #expect(try hop.follow(to: try url("https://b.test/"), statusCode: 302) == ["Host"])
        #expect(hop.headers[.authorization] == "Bearer x")
        #expect(hop.headers["X-Tenant"] == "acme")
        #expect(hop.trust == .foreign, "the certificate of the client is not a field")
    }

    /// Whoever leads back has chosen the URL: its keys are looked at, but it is given nothing.
    @Test func `nothing comes back from another origin`() throws {
        var hop = try hop(headers: Self.headers)
        _ = try hop.follow(to: try url("https://b.test/"), statusCode: 302)
        #expect(try hop.follow(to: try url("https://a.test/y"), statusCode: 302) == [])
        #expect(hop.headers[.authorization] == nil)
        #expect(hop.trust == .returned)
        _ = try hop.follow(to: try url("https://a.test/z"), statusCode: 302)
        #expect(hop.trust == .returned)
    }

    @Test func `going to HTTPS is staying`() throws {
        let request = TransportRequest(url: try url("http://a.test/x"), headers: Self.headers)
        var hop = Hop(request)
        #expect(try hop.follow(to: try url("https://a.test/x"), statusCode: 301) == [])
        #expect(hop.trust == .own)
        #expect(try hop.follow(to: try url("http://a.test/x"), statusCode: 301) != [], "and back is not")
        #expect(hop.trust == .returned)
    }

    @Test func `a stream goes along`() throws {
        let stream = BodyStream(data: Data("body".utf8))
        let request = TransportRequest(url: try url("https://a.test/"), method: .put, bodyStream: stream)
        var hop = Hop(request)
        _ = try hop.follow(to: try url("https://a.test/y"), statusCode: 307)
        #expect(hop.bodyStream?.length == 4)
        _ = try hop.follow(to: try url("https://a.test/y"), statusCode: 303)
        #expect(hop.bodyStream == nil && hop.method == .get)
    }

    @Test(arguments: [
        ("http://a.test/", "a.test"), ("http://a.test:8080/", "a.test:8080"), ("http://[::1]:1/", "[::1]:1"),
        ("http://[::1]/", "[::1]"), ("http://user:pw@a.test/", "a.test"),
        ("http://" + String(repeating: "x", count: 500) + "/", String(repeating: "x", count: 120) + "…"),
    ]) func `a server is host and port`(address: String, server: String) throws {
        #expect(try url(address).server == server)
    }
}
