import Foundation
import OmbiCore
import TestSupport
import Testing

/// Which header fields arrive, and which of several of the same name.
@Suite struct HeaderPrecedenceTests {
    @Test func `names are replaced without case from the defaults to the additional ones`() async throws {
        var request = PlainRequest(headers: ["user-agent": "request", "X-A": "request", "x-b": "request"])
        request.headers["authorization"] = "request"
        let arrived = try await RealServer.arrival(of: request) { manager in
            manager.requestAuthentication = .token(type: .bearer, value: "manager")
            manager.additionalHeaders = ["X-B": "additional", "x-c": "additional"]
        }
        #expect(arrived.headers["user-agent"] == "request")
        #expect(arrived.headers["x-a"] == "request")
        #expect(arrived.headers["x-b"] == "additional")
        #expect(arrived.headers["x-c"] == "additional")
        #expect(arrived.headers["authorization"] == "Bearer manager")
        let replaced = try await RealServer.arrival(of: request) { manager in
            manager.requestAuthentication = .token(type: .bearer, value: "manager")
            manager.additionalHeaders = ["Authorization": "additional"]
        }
        #expect(replaced.headers["authorization"] == "additional")
    }

    struct Own: Request {
        typealias ResponseBody = Data
        let path = "/"
        let method = RequestMethod.get
        var authentication: RequestAuthentication?
    }

    @Test func `the credentials of the request win then those of the call`() async throws {
        let own = Own(authentication: .token(type: "Own", value: "1"))
        let call = RequestAuthentication.token(type: "Call", value: "2")
        try await RealServer.scripted({ _ in .ok("") }) { (server) async throws in
            let manager = RequestManager(host: server.host)
            manager.requestAuthentication = .token(type: "Manager", value: "3")
            _ = try await manager.response(for: own, authentication: call)
            _ = try await manager.response(for: Own(), authentication: call)
            _ = try await manager.response(for: Own())
            manager.requestAuthentication = nil
            _ = try await manager.response(for: Own())
            #expect(server.requests.map { $0.headers["authorization"] } == ["Own 1", "Call 2", "Manager 3", nil])
        }
    }

    @Test(
        arguments: [
            (.basic(username: "Aladdin", password: "open sesame"), "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
            (.basic(username: "", password: "ü:"), "Basic OsO8Og=="),
            (.token(type: .basic, value: "x"), "Basic x"), (.token(type: .bearer, value: "x"), "Bearer x"),
            (.token(type: .digest, value: "x"), "Digest x"), (.token(type: .hoba, value: "x"), "HOBA x"),
            (.token(type: .mutual, value: "x"), "Mutual x"), (.token(type: .aws, value: "x"), "AWS4-HMAC-SHA256 x"),
            (.token(type: "ApiKey", value: "x"), "ApiKey x"), (.token(type: .custom("Odd"), value: "x"), "Odd x"),
        ] as [(RequestAuthentication, String)])
    func `credentials arrive behind their word`(credentials: RequestAuthentication, text: String) async throws {
        let arrived = try await RealServer.arrival(of: Own(authentication: credentials))
        #expect(arrived.headers["authorization"] == text)
        #expect(credentials.headerKey == .authorization)
    }

    @Test func `a custom value is sent as it is`() async throws {
        let request = PlainRequest(headers: [
            .cacheControl: .cacheControlType(.maxStale()), "X-Int": 7, "X-Double": 1.5, "X-Text": "ä, 🦊; q=1",
            "X-Empty": "", .authorization: .authorization(type: .bearer, token: "abc"),
        ])
        let headers = try await RealServer.arrival(of: request).headers
        #expect(headers["cache-control"] == "max-stale" && headers["x-int"] == "7" && headers["x-double"] == "1.5")
        #expect(headers["x-text"] == "ä, 🦊; q=1" && headers["x-empty"] == "")
        #expect(headers["authorization"] == "Bearer abc")
    }

    @Test func `the defaults say who asks for what`() async throws {
        let headers = try await RealServer.arrival(of: PlainRequest()).headers
        let agent = try #require(headers["user-agent"])
        #if os(Linux)
        let program = try #require(CommandLine.arguments[0].split(separator: "/").last)
        #expect(agent == "\(program) (Linux) Ombi/0.1.0")
        #endif
        #expect(!agent.contains("nknown") && agent.hasSuffix("Ombi/0.1.0"))
        #expect(headers["accept-language"]?.contains(";q=1.0") == true)
        #expect(headers["accept-encoding"]?.contains("gzip") == true)
    }

    @Test func `a program says who it is`() async throws {
        let named = try await RealServer.arrival(of: PlainRequest()) { $0.userAgent = "Shop/7.1 (kiosk)" }
        #expect(named.headers["user-agent"] == "Shop/7.1 (kiosk)")
        let nameless = try await RealServer.arrival(of: PlainRequest()) { $0.userAgent = nil }
        #expect(nameless.headers["user-agent"] == nil && nameless.headers["accept-language"] != nil)
        let own = try await RealServer.arrival(of: PlainRequest(headers: [.userAgent: "own"])) { $0.userAgent = "Shop" }
        #expect(own.headers["user-agent"] == "own")
    }

    /// What is said to be accepted is decoded.
    @Test(arguments: ["gzip", "deflate"]) func `the accepted encodings are decoded`(encoding: String) async throws {
        try await RealServer.demo { (host) async throws in
            let manager = RequestManager(host: host)
            let request = ComposableRequest<NoBody, AnyJSON, HTTPError>().path("/compressed/\(encoding)")
            let accepted = try manager.buildRequest(for: request).headers[.acceptEncoding]?.text
            #expect(accepted?.contains(encoding) == true)
            let response = try await manager.response(for: request)
            #expect(response[.contentEncoding]?.text == encoding)
            #expect(response.body != nil)
        }
    }

    @Test func `types come from the coders unless they are given`() async throws {
        let request = ComposableRequest<[Int], AnyJSON, NoError>().method(.post).body([1])
        let own = try await RealServer.arrival(of: request).headers
        #expect(own["content-type"] == "application/json" && own["accept"] == "application/json")
        let given = request.headers([.contentType: "application/x-list", .acceptType: "text/x"])
        let headers = try await RealServer.arrival(of: given).headers
        #expect(headers["content-type"] == "application/x-list" && headers["accept"] == "text/x")
        let managers = try await RealServer.arrival(of: request) { $0.additionalHeaders = [.acceptType: "text/y"] }
        #expect(managers.headers["accept"] == "text/y")
        let bodiless = try await RealServer.arrival(of: ComposableRequest<[Int], AnyJSON, NoError>()).headers
        #expect(bodiless["content-type"] == nil)
    }

    @Test func `repeated fields are all sent`() async throws {
        var headers = RequestHeaders()
        headers.append("1", forKey: "X-Many")
        headers.append("2", forKey: "x-many")
        let arrived = try await RealServer.arrival(of: PlainRequest(headers: headers))
        #expect(arrived.headers["x-many"] == "1, 2")
    }

    /// 300 000 bytes: there is no limit of our own; what is too much for a server is for the server to say.
    @Test func `a huge header arrives whole`() async throws {
        let value = String(repeating: "x", count: 300_000)
        let arrived = try await RealServer.arrival(of: PlainRequest(headers: ["X-Huge": .string(value)]))
        #expect(arrived.headers["x-huge"]?.count == value.count)
    }
}
