import Foundation
import OmbiCore
import OmbiWorkspace
import TestSupport
import Testing

@testable import OmbiTUI

/// A recording proxy on 127.0.0.1, between a client and a server that are real.
@Suite struct RecordServerTests {
    /// The events of a proxy while a test ran.
    private struct Told {
        var passed: [ProxiedExchange] = []
        var refused: [String] = []
    }

    /// Passes requests on to a server while the body runs, and returns what was told.
    /// - Parameter onPassed: called for each exchange, which is told after its connections have ended.
    private static func serve(
        _ origin: String, onPassed: @escaping @Sendable () -> Void = {}, _ body: (RecordServer) throws -> Void
    ) throws -> Told {
        let server = try RecordServer(host: "127.0.0.1", port: 0)
        let target = try #require(ProxyTarget(origin, transport: CurlTransport()))
        let told = Lock(Told())
        let end = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            server.run(target) { event in
                told.withLock { told in
                    switch event {
                    case .passed(let exchange): told.passed.append(exchange)
                    case .refused(let status, let reason): told.refused.append("\(status) \(reason)")
                    }
                }
                if case .passed = event { onPassed() }
            }
            end.signal()
        }
        defer {
            server.stop()
            end.wait()
        }
        try body(server)
        return told.withLock { $0 }
    }

    private static func ask(_ server: RecordServer, _ head: String, _ body: String = "") throws -> String {
        let client = try RawClient(port: server.port)
        client.write("\(head) HTTP/1.1\r\nHost: here\r\nConnection: close\r\n")
        client.write(body.isEmpty ? "\r\n" : "Content-Length: \(body.utf8.count)\r\n\r\n" + body)
        return client.readToEnd()
    }

    private static func body(of response: String) -> String {
        response.components(separatedBy: "\r\n\r\n").dropFirst().joined(separator: "\r\n\r\n")
    }

    // MARK: Bytes

    @Test func `both sides get each other's bytes`() throws {
        let origin = try LoopbackServer { request in
            .response(
                status: 201, headers: [("X-Path", request.target), ("Set-Cookie", "a=1"), ("Set-Cookie", "b=2")],
                body: Data(request.body.reversed()))
        }
        defer { origin.stop() }
        let sent = (0..<300_000).map { String($0 % 10) }.joined()
        let told = try Self.serve(origin.host + "/api") { server in
            let response = try Self.ask(server, "PUT /a%2Fb?q=x%20y&q=", sent)
            #expect(response.hasPrefix("HTTP/1.1 201 Created\r\nX-Path: /api/a%2Fb?q=x%20y&q=\r\n"))
            #expect(response.contains("Set-Cookie: a=1\r\nSet-Cookie: b=2\r\nContent-Length: 300000\r\n"))
            #expect(Self.body(of: response) == String(sent.reversed()))
        }
        let request = try #require(origin.requests.first)
        #expect(request.text == sent && request.headers["content-length"] == "300000")
        #expect(request.headers["host"] == "127.0.0.1:\(origin.port)")
        #expect(request.headers["accept-encoding"] == "identity" && request.headers["connection"] == nil)
        #expect(request.headers["content-type"] == nil && request.headers["expect"] == nil)
        #expect(told.passed.map(\.url) == [origin.host + "/api/a%2Fb?q=x%20y&q="])
        #expect(told.passed.first?.body == Data(sent.utf8) && told.passed.first?.responseSize == 300_000)
    }

    @Test(arguments: [
        ("/../x", "/api/x"), ("/a/../../x", "/api/x"), ("/%2e%2E/x", "/api/x"), ("/.%2e/%2E/x/", "/api/x/"),
        ("/..", "/api/"), ("/a/./b/../c?d=/../e", "/api/a/c?d=/../e"), ("/a..b/...", "/api/a..b/..."),
        ("//x", "/api//x"),
    ])
    func `no path leads above that of the target`(written: String, sent: String) throws {
        let origin = try LoopbackServer { _ in .ok("") }
        defer { origin.stop() }
        let told = try Self.serve(origin.host + "/api") { server in _ = try Self.ask(server, "GET \(written)") }
        #expect(origin.requests.map(\.target) == [sent])
        #expect(told.passed.map(\.url) == [origin.host + sent])
    }

    @Test func `chunks come through in both directions`() throws {
        let reply = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nWiki\r\n5\r\npedia\r\n0\r\n\r\n"
        let origin = try LoopbackServer { _ in .raw(Data(reply.utf8)) }
        defer { origin.stop() }
        _ = try Self.serve(origin.host) { server in
            let client = try RawClient(port: server.port)
            client.write("POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
            client.write("2;x\r\nde\r\n0\r\nTrailer: no\r\n\r\nGET /y HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            let responses = client.readToEnd().components(separatedBy: "HTTP/1.1 200 OK")
            #expect(responses.count == 3)
            for response in responses.dropFirst() {
                var rest = Array(Self.body(of: response).utf8)[...]
                var body = ProxyBody(.chunked)
                let taken = try body.take(&rest)
                #expect(String(decoding: taken, as: UTF8.self) == "Wikipedia" && body.isComplete && rest.isEmpty)
            }
        }
        #expect(origin.requests.map(\.text) == ["abcde", ""])
        #expect(origin.requests.first?.headers["transfer-encoding"]?.lowercased() == "chunked")
    }

    @Test func `responses without a body have none, and say what they said`() throws {
        let origin = try LoopbackServer { request in
            switch request.target {
            case "/204": .status(204, headers: [("X-A", "1")])
            case "/304": .status(304, headers: [("ETag", "\"x\"")])
            default: .ok("hello")
            }
        }
        defer { origin.stop() }
        let told = try Self.serve(origin.host) { server in
            let client = try RawClient(port: server.port)
            for line in ["GET /204", "GET /304", "HEAD /x"] { client.write("\(line) HTTP/1.1\r\nHost: a\r\n\r\n") }
            client.write("GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            let text = client.readToEnd()
            let expected = [
                "HTTP/1.1 204 No Content\r\nX-A: 1\r\n\r\n", "HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello",
            ]
            #expect(text == expected.joined(), "\(text)")
        }
        #expect(told.passed.map(\.responseSize) == [0, 0, 0, 5])
    }

    @Test func `a redirect goes to the client as it is, and a 100 comes from the proxy`() throws {
        let origin = try LoopbackServer { _ in .redirect(302, to: "http://other.test/x") }
        defer { origin.stop() }
        _ = try Self.serve(origin.host) { server in
            let client = try RawClient(port: server.port)
            client.write("POST /x HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n")
            client.write("Connection: close\r\n\r\nhi")
            let text = client.readToEnd()
            #expect(text.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 302 Found\r\n"), "\(text)")
            #expect(text.contains("Location: http://other.test/x\r\n"))
        }
        #expect(origin.requests.map(\.text) == ["hi"])
    }

    // MARK: Failures

    @Test func `a target that is not there is a 502 with the reason`() throws {
        let gone = try LoopbackServer { _ in .drop }
        let host = gone.host
        gone.stop()
        let told = try Self.serve(host) { server in
            let response = try Self.ask(server, "GET /x")
            #expect(response.hasPrefix("HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/plain"), "\(response)")
            #expect(Self.body(of: response).hasPrefix("ombi record: "))
        }
        #expect(told.passed.first?.problem != nil && told.passed.first?.response == nil)
    }

    @Test func `a response that breaks off does so for the client, and the next connection works`() throws {
        let origin = try LoopbackServer { request in
            request.target == "/broken" ? .broken(length: 8, sent: 3) : .ok("whole")
        }
        defer { origin.stop() }
        let told = try Self.serve(origin.host) { server in
            let broken = try Self.ask(server, "GET /broken")
            #expect(broken.contains("Content-Length: 8\r\n") && Self.body(of: broken) == "xxx", "\(broken)")
            #expect(try Self.body(of: Self.ask(server, "GET /x")) == "whole")
        }
        #expect(told.passed.map { $0.problem == nil } == [false, true])
        #expect(told.passed.first?.response?.body == Data("xxx".utf8))
    }

    @Test func `a request that is refused reaches no target`() throws {
        let origin = try LoopbackServer { _ in .ok("") }
        defer { origin.stop() }
        let told = try Self.serve(origin.host) { server in
            let client = try RawClient(port: server.port)
            client.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n")
            #expect(client.readToEnd().hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
            let socket = try RawClient(port: server.port)
            socket.write("GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
            #expect(socket.readToEnd().hasPrefix("HTTP/1.1 501 Not Implemented\r\n"))
            let long = try RawClient(port: server.port)
            long.write("GET / HTTP/1.1\r\nX: " + String(repeating: "x", count: 70_000))
            #expect(long.readToEnd().hasPrefix("HTTP/1.1 431 "))
        }
        #expect(origin.requests.isEmpty && told.passed.isEmpty && told.refused.count == 3)
    }

    @Test func `a chunk that is none ends the request on both sides`() throws {
        let origin = try LoopbackServer { _ in .ok("") }
        defer { origin.stop() }
        let told = try Self.serve(origin.host) { server in
            let client = try RawClient(port: server.port)
            client.write("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n0\r\n\r\n")
            #expect(client.readToEnd().hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        }
        #expect(origin.requests.isEmpty && told.refused.count == 1)
    }

    @Test func `a client that is gone ends the request at the target`() throws {
        let isAsked = DispatchSemaphore(value: 0)
        let (isEnded, isTold) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let origin = try RawServer { connection in
            _ = connection.readHead()
            isAsked.signal()
            connection.waitForEnd()
            isEnded.signal()
        }
        defer { origin.stop() }
        let told = try Self.serve(origin.host, onPassed: { isTold.signal() }) { server in
            var client: RawClient? = try RawClient(port: server.port)
            client?.write("GET /x HTTP/1.1\r\nHost: a\r\n\r\n")
            isAsked.wait()
            client = nil
            isEnded.wait()
            isTold.wait()
        }
        #expect(told.passed.map(\.isCancelled) == [true])
    }

    // MARK: Several clients

    @Test func `a slow response holds up no other client`() throws {
        let isAsked = DispatchSemaphore(value: 0)
        let goesOn = DispatchSemaphore(value: 0)
        let origin = try LoopbackServer { request in
            guard request.target == "/slow" else { return .ok("fast") }
            isAsked.signal()
            goesOn.wait()
            return .ok("slow")
        }
        defer { origin.stop() }
        _ = try Self.serve(origin.host) { server in
            let slow = try RawClient(port: server.port)
            slow.write("GET /slow HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            isAsked.wait()
            #expect(try Self.body(of: Self.ask(server, "GET /fast")) == "fast")
            goesOn.signal()
            #expect(Self.body(of: slow.readToEnd()) == "slow")
        }
    }

    @Test func `a large response goes through whole, and only its size is recorded`() throws {
        let piece = Data(repeating: 0x61, count: 64 << 10)
        let origin = try LoopbackServer { _ in .repeated(piece, times: 32) }
        defer { origin.stop() }
        let told = try Self.serve(origin.host) { server in
            let response = try Self.ask(server, "GET /x")
            #expect(Self.body(of: response).utf8.count == 2 << 20)
        }
        let exchange = try #require(told.passed.first)
        #expect(exchange.responseSize == 2 << 20 && exchange.response?.body == nil && exchange.problem == nil)
    }

    // MARK: Places

    @Test(arguments: [
        ("http://localhost:8080", "http://localhost:8080", ""), ("HTTPS://Api.Test/", "https://api.test", ""),
        ("http://127.0.0.1:8080/api/v2/", "http://127.0.0.1:8080", "/api/v2"),
    ])
    func `a target is a URL`(text: String, origin: String, path: String) {
        let target = ProxyTarget(text)
        #expect(target?.origin == origin && target?.path == path)
        #expect(target?.connection.tls.verifiesServer == true && target?.connection.redirects.maximum == 0)
    }

    @Test(arguments: ["", "localhost:8080", "ftp://a", "http://", "http://u:p@a", "http://a?b", "http://a#b", "/x"])
    func `anything else is no target`(text: String) { #expect(ProxyTarget(text) == nil) }

    @Test(arguments: [["--host", "0.0.0.0"], ["--host", "10.0.0.1"], ["--port", "70000"], ["--target", "x"]])
    func `a proxy for other machines is refused`(arguments: [String]) {
        let words = ["--to", "c.json", "--target", "http://localhost:1"] + arguments
        #expect(throws: (any Error).self) { try RecordCommand.parse(words) }
    }
}
