import Foundation
import OmbiCore
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// Which recorded response a request gets.
@Suite struct TapeTests {
    /// Plays a request, and returns the body of the response; nil where nothing was recorded.
    private static func play(
        _ tape: inout Tape, _ method: String, _ target: String, body: String = ""
    ) throws -> String? {
        let play = tape.play(method, try #require(TapeTarget(target)), body: Array(body.utf8))
        return play.map { String(decoding: $0.take.body, as: UTF8.self) }
    }

    @Test func `responses come in their order, attempts that failed among them, and the last one repeats`() throws {
        var tape = Tape([
            TapeSample.run("http://a.test/x", [.init(status: 503, body: "1"), .init(status: 200, body: "2")]),
            TapeSample.run("http://a.test/y", [.init(status: 200, body: "other")]),
            TapeSample.run("http://a.test/x", [.init(status: 500, body: "3")]),
        ])
        #expect(tape.requestCount == 2 && tape.takeCount == 4)
        let bodies = try (0..<5).map { _ in try Self.play(&tape, "GET", "/x") }
        #expect(bodies == ["1", "2", "3", "3", "3"])
        #expect(try Self.play(&tape, "GET", "http://localhost/y") == "other")
        #expect(try Self.play(&tape, "POST", "/x") == nil)
    }

    @Test func `a HEAD gets what a GET got, in an order of its own, unless it was recorded itself`() throws {
        var tape = Tape([
            TapeSample.run("http://a.test/x", [.init(status: 503, body: "1"), .init(status: 200, body: "23")]),
            TapeSample.run("http://a.test/y", method: .post, [.init(status: 200)]),
        ])
        #expect(try Self.play(&tape, "GET", "/x") == "1")
        let (x, z) = (try #require(TapeTarget("/x")), try #require(TapeTarget("/z")))
        let heads = (0..<3).compactMap { _ in tape.play("HEAD", x, body: [])?.take }
        #expect(heads.map(\.head?.status) == [503, 200, 200])
        #expect(try Self.play(&tape, "GET", "/x") == "23")
        let take = try #require(heads.last)
        let text = String(decoding: take.start(toHead: true, keepsAlive: true), as: UTF8.self)
        #expect(text == "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n" && take.content(toHead: true).isEmpty)
        #expect(try Self.play(&tape, "HEAD", "/y") == nil)
        tape.add(TapeSample.run("http://a.test/z", method: .head, [.init(status: 204)]))
        tape.add(TapeSample.run("http://a.test/z", [.init(status: 200, body: "a")]))
        let own = tape.play("HEAD", z, body: [])
        #expect(own?.take.head?.status == 204)
    }

    @Test func `a redirect is served as one, to a path of the tape`() throws {
        var run = TapeSample.run("http://a.test/start", [.init(status: 200, body: "there")])
        let target = "https://other.test/end?x=1"
        run.result.prepared?.redirects = [
            FollowedRedirect(
                statusCode: 302, headers: ["Location": .init(target), "X-Id": "7"], body: Data("moved".utf8),
                target: target)
        ]
        var tape = Tape([run])
        let start = try #require(TapeTarget("/start"))
        let played = tape.play("GET", start, body: [])
        let take = try #require(played).take
        #expect(take.head?.status == 302 && take.head?.lines == ["X-Id: 7", "Location: /end?x=1"])
        #expect(take.body == Data("moved".utf8))
        #expect(try Self.play(&tape, "GET", "/end?x=1") == "there")
    }

    @Test(arguments: [(TransportError.Code.unsupportedURL, false), (.connectionLost, true)])
    func `a redirect that was not followed is served as a whole`(code: TransportError.Code, isBroken: Bool) throws {
        var run = TapeSample.run("http://a.test/x", [.init(status: 302, body: "moved", isPartial: true)])
        run.result.report?.attempts[0].errorCode = code
        var tape = Tape([run])
        let played = tape.play("GET", try #require(TapeTarget("/x")), body: [])
        let take = try #require(played).take
        #expect(take.body == Data("moved".utf8) && take.isBroken == isBroken)
    }

    @Test(arguments: ["https://other.test/end?token=••••••", "http://a.test/\r\nX: y"])
    func `a redirect to a target that cannot be sent is the response behind it`(target: String) throws {
        var run = TapeSample.run("http://a.test/start", [.init(status: 200, body: "there")])
        run.result.prepared?.redirects = [FollowedRedirect(statusCode: 302, target: target)]
        var tape = Tape([run])
        #expect(try Self.play(&tape, "GET", "/start") == "there")
    }

    @Test(arguments: [
        ("/a?x=1&y=2", "/a?y=2&x=1", true), ("/a?x=1", "/a?x=2", false), ("/a?x=1", "/a", false), ("/a", "/a/", false),
        ("/a?token=••••••&x=1", "/a?x=1&token=secret", true), ("/a?token=••••••", "/a?other=1", false),
        ("/reset/••••••/done", "/reset/abc/done", true), ("/reset/••••••/done", "/reset/abc/more", false),
        ("", "/", true), ("/%20", "/%20", true), ("/a#part", "/a", true),
        ("/%7Ea/%c3%a9?q=%7Ex", "/~%61/%C3%A9?q=~x", true), ("/?q=a%20b&r=(1)", "/?r=%281%29&q=a+b", true),
        ("/a%20b", "/a+b", false), ("/a%2Fb", "/a/b", false), ("/?q=a%26b", "/?q=a&b", false), ("/?a", "/?a=", true),
    ])
    func `a target is its path and its parameters in any order, and what is masked may be anything`(
        recorded: String, asked: String, isSame: Bool
    ) throws {
        let target = try #require(TapeTarget("https://api.test" + recorded))
        #expect(target.matches(try #require(TapeTarget(asked))) == isSame)
    }

    @Test(arguments: ["", "x", "*", "host:443", "a/b"])
    func `other texts are no targets`(text: String) { #expect((TapeTarget(text) == nil) == !text.isEmpty) }

    @Test func `the body tells requests apart where all else is the same`() throws {
        func run(_ body: String, _ answer: String) -> RecordedRun {
            TapeSample.run("http://a.test/x", method: .post, body: body, [.init(status: 200, body: answer)])
        }
        var tape = Tape([run("{\"id\": 1}", "one"), run("{\"id\": 2}", "two"), run("{\"id\": 1}", "three")])
        #expect(try Self.play(&tape, "POST", "/x", body: "{\"id\":2}") == "two")
        #expect(try Self.play(&tape, "POST", "/x", body: "{ \"id\" : 1 }") == "one")
        // One of none of them gets what is left, in the order of the recording.
        #expect(try Self.play(&tape, "POST", "/x", body: "{}") == "three")
        #expect(try Self.play(&tape, "POST", "/x", body: "{}") == "three")
    }

    @Test func `the nearest request is the one with most of the path, then of the parameters and the method`() throws {
        let tape = Tape([
            TapeSample.run("http://a.test/orders/7", [.init(status: 200)]),
            TapeSample.run("http://a.test/orders?page=1", [.init(status: 200)]),
            TapeSample.run("http://a.test/users", method: .post, [.init(status: 200)]),
        ])
        for (asked, nearest) in [
            ("/orders/8", "GET /orders/7"), ("/orders?page=2", "GET /orders?page=1"), ("/users", "POST /users"),
        ] { #expect(tape.nearest("GET", try #require(TapeTarget(asked))) == nearest) }
        #expect(Tape().nearest("GET", try #require(TapeTarget("/"))) == nil)
    }

    @Test(arguments: [("1x", 1000.0), ("10x", 100), ("0.5x", 2000), ("2", 500), ("0", 0), ("0x", 0)])
    func `the speed divides the times`(text: String, milliseconds: Double) throws {
        let scaled = try #require(TapeSpeed(text)).scaled(.seconds(1))
        #expect(abs((scaled - .milliseconds(milliseconds)).components.attoseconds) < 1_000_000_000)
    }

    @Test(arguments: ["", "x", "-1", "nan", "inf", "1e99", "fast", "10 x"])
    func `other speeds are refused`(text: String) { #expect(TapeSpeed(text) == nil) }

    @Test func `headers of the connection and those that no server can send are left out`() throws {
        let headers: RequestHeaders = [
            "Content-Type": "text/plain", "Content-Length": "9", "Transfer-Encoding": "chunked",
            "Content-Encoding": "gzip", "X-Evil": "a\r\nSet-Cookie: b", "Set-Cookie": "••••••",
        ]
        let run = TapeSample.run("http://a.test/", [.init(status: 200, body: "hi", headers: headers)])
        let take = try #require(TapeTake.takes(of: run).first)
        let text = String(decoding: take.start(toHead: false, keepsAlive: true), as: UTF8.self)
        #expect(text == "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n")
        let head = String(decoding: take.start(toHead: true, keepsAlive: false), as: UTF8.self)
        #expect(head.hasSuffix("Content-Length: 2\r\nConnection: close\r\n\r\n"))
    }
}
