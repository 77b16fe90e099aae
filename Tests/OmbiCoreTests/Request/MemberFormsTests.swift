import Foundation
import OmbiCore
import TestSupport
import Testing

/// The members of a request take effect in every form in which they may be declared.
@Suite struct MemberFormsTests {
    struct Bare: HTTPRequest {
        typealias ResponseBody = AnyJSON
        let path = "/"
        let method = RequestMethod.post
    }

    struct Short: HTTPRequest {
        typealias ResponseBody = AnyJSON
        let path = "/"
        let method = RequestMethod.post
        let query = ["b": "1=2", "a": "x y"]
        let headers = ["X-Client": "shop", "Accept": "text/x"]
        typealias RequestBody = String
        let body = "text"
        let authentication = RequestAuthentication.token(type: .bearer, value: "t")
        let timeoutInterval = 7
        let attemptTimeout = Duration.seconds(3)
        let fallbackResponse = RequestResponse<AnyJSON>(statusCode: 200, body: "fallback")
    }

    @Test(arguments: [false, true]) func `the short forms arrive`(erased: Bool) async throws {
        let request = Short()
        let arrived =
            erased
            ? try await RealServer.arrival(of: AnyRequestable(request))
            : try await RealServer.arrival(of: request)
        #expect(arrived.target.hasPrefix("/?a=x%20y&b=1"))
        #expect(arrived.headers["x-client"] == "shop" && arrived.headers["accept"] == "text/x")
        #expect(arrived.text == "text" && arrived.headers["content-type"] == "text/plain; charset=utf-8")
        #expect(arrived.headers["authorization"] == "Bearer t")
        let manager = RequestManager(host: "http://h")
        let built =
            erased ? try manager.buildRequest(for: AnyRequestable(request)) : try manager.buildRequest(for: request)
        #expect(built.idleTimeout == .seconds(7) && built.attemptTimeout == .seconds(3))
    }

    @Test func `a fallback that is not optional stands in`() async throws {
        let manager = RequestManager(
            host: "http://h", transport: StubTransport.stub(error: TransportError(code: .connectionLost)))
        #expect(try await manager.response(for: Short()).body == "fallback")
        #expect(try await manager.response(for: AnyRequestable(Short())).body == "fallback")
    }

    struct Pairs: HTTPRequest {
        typealias ResponseBody = AnyJSON
        let path = "/"
        let method = RequestMethod.get
        let query = [("z", "1"), ("a", "2"), ("z", "3")]
        let timeoutInterval = Duration.milliseconds(1500)
    }

    struct Parameters: HTTPRequest {
        typealias ResponseBody = AnyJSON
        let path = "/"
        let method = RequestMethod.get
        let query: RequestParameters = ["z": 1, "a": true, "x": "y"]
    }

    @Test func `a query keeps its order in every form`() async throws {
        #expect(try await RealServer.arrival(of: Pairs()).target == "/?z=1&a=2&z=3")
        #expect(try await RealServer.arrival(of: Parameters()).target == "/?z=1&a=true&x=y")
        #expect(try RequestManager(host: "http://h").buildRequest(for: Pairs()).idleTimeout == .milliseconds(1500))
    }

    struct Upload: HTTPRequest {
        typealias ResponseBody = AnyJSON
        let path = "/"
        let method = RequestMethod.put
        let bodyStream = BodyStream(data: Data("streamed".utf8))
        let sent = Transcript()
        let received = Transcript()
        var uploadProgress: @Sendable (TransferProgress) -> Void { { sent.add("\($0.bytes)") } }
        var downloadProgress: @Sendable (TransferProgress) -> Void { { received.add("\($0.bytes)") } }
    }

    @Test func `a stream and closures that are not optional are used`() async throws {
        let request = Upload()
        #expect(try await RealServer.arrival(of: request).text == "streamed")
        #expect(request.sent.soFar.last == "8" && request.received.soFar.last == "2")
        let erased = Upload()
        #expect(try await RealServer.arrival(of: AnyRequestable(erased)).text == "streamed")
        #expect(erased.sent.soFar.last == "8" && erased.received.soFar.last == "2")
    }

    struct Locked: HTTPRequest {
        struct KeychainIsLocked: Error {}
        typealias ResponseBody = AnyJSON
        let path = "/"
        let method = RequestMethod.get
        var authentication: RequestAuthentication { get throws { throw KeychainIsLocked() } }
    }

    @Test func `a member that throws makes the request malformed`() {
        let manager = RequestManager(host: "http://h")
        #expect(throws: Locked.KeychainIsLocked.self) { try manager.buildRequest(for: Locked()) }
        #expect(throws: Locked.KeychainIsLocked.self) { try manager.buildRequest(for: AnyRequestable(Locked())) }
    }

    /// A leaf declares one form, and the protocol of its API another.
    struct Leaf: ShortAPI {
        typealias ResponseBody = AnyJSON
        let path = "/"
        let method = RequestMethod.get
        let headers: RequestHeaders = ["X-Client": "leaf"]
    }

    struct Inheriting: ShortAPI {
        typealias ResponseBody = AnyJSON
        let path = "/"
        let method = RequestMethod.get
    }

    @Test func `a leaf goes before its API and the API before the defaults`() throws {
        let manager = RequestManager(host: "http://h")
        let leaf = try manager.buildRequest(for: Leaf())
        #expect(leaf.headers["X-Client"] == "leaf" && leaf.idleTimeout == .seconds(10))
        let inheriting = try manager.buildRequest(for: Inheriting())
        #expect(inheriting.headers["X-Client"] == "api" && inheriting.idleTimeout == .seconds(10))
        let bare = try manager.buildRequest(for: Bare())
        #expect(bare.headers["X-Client"] == nil && bare.idleTimeout == .seconds(120) && bare.attemptTimeout == nil)
        #expect(bare.body == nil && bare.bodyStream == nil && bare.url.query() == nil)
    }
}

protocol ShortAPI: HTTPRequest {}

extension ShortAPI {
    var headers: [String: String] { ["X-Client": "api"] }
    var timeoutInterval: Int { 10 }
}
