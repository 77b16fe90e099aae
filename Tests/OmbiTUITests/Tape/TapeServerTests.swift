import Foundation
import OmbiCore
import TestSupport
import Testing

@testable import OmbiTUI

/// A tape on 127.0.0.1.
@Suite struct TapeServerTests {
    /// Serves a tape while the body runs, and returns what was logged.
    private static func serve(
        _ tape: Tape, maximumConnections: Int = 16, _ body: (TapeServer) throws -> Void
    ) throws -> [TapeConnection.Event] {
        let server = try TapeServer(host: "127.0.0.1", port: 0, maximumConnections: maximumConnections)
        let events = Lock<[TapeConnection.Event]>([])
        let end = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            server.run(tape, .immediate) { event in events.withLock { $0.append(event) } }
            end.signal()
        }
        defer {
            server.stop()
            end.wait()
        }
        try body(server)
        return events.withLock { $0 }
    }

    private static func ask(_ server: TapeServer, _ line: String) throws -> String {
        let client = try RawClient(port: server.port)
        client.write("\(line) HTTP/1.1\r\nConnection: close\r\n\r\n")
        return client.readToEnd()
    }

    @Test func `statuses, bodies and broken connections come in their order`() throws {
        let tape = Tape([
            TapeSample.run(
                "http://api.test/x",
                [
                    .init(status: 503, body: "busy", headers: ["Retry-After": "1"]), .init(),
                    .init(status: 200, body: "half", headers: ["Content-Length": "8"], isPartial: true),
                ]),
            TapeSample.run("http://api.test/x", [.init(status: 200, body: "par", isPartial: true)]),
            TapeSample.run("http://api.test/x", [.init(status: 200, body: "done")]),
        ])
        let events = try Self.serve(tape) { server in
            let busy = try Self.ask(server, "GET /x")
            #expect(busy.hasPrefix("HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\n"), "\(busy)")
            #expect(busy.hasSuffix("\r\n\r\nbusy"))
            #expect(try Self.ask(server, "GET /x") == "", "nothing came")
            let half = try Self.ask(server, "GET /x")
            #expect(half.contains("Content-Length: 8") && half.hasSuffix("\r\n\r\nhalf"), "\(half)")
            let part = try Self.ask(server, "GET /x")
            #expect(part.contains("Transfer-Encoding: chunked") && part.hasSuffix("\r\n\r\n3\r\npar\r\n"), "\(part)")
            for _ in 0..<2 { #expect(try Self.ask(server, "GET /x").hasSuffix("\r\n\r\ndone")) }
        }
        #expect(events.map(\.target) == Array(repeating: "/x", count: 6))
        #expect(events[1].result == "no response, the connection ends, 2 of 5")
        #expect(events[2].result == "200 OK, broken off, 3 of 5")
        #expect(events[5].result == "200 OK, the last of 5 again")
    }

    @Test func `a request that was not recorded gets 501 and the nearest one`() throws {
        let tape = Tape([TapeSample.run("http://api.test/orders?page=1", [.init(status: 200)])])
        let events = try Self.serve(tape) { server in
            let reply = try Self.ask(server, "GET /orders?page=2")
            #expect(reply.hasPrefix("HTTP/1.1 501 Not Implemented\r\n"))
            #expect(reply.contains("{\"error\":\"GET /orders?page=2 was not recorded\","), "\(reply)")
            #expect(reply.hasSuffix("\"nearest\":\"GET /orders?page=1\"}\n"))
        }
        #expect(events.first?.result == "501, not recorded; the nearest is GET /orders?page=1")
    }

    @Test func `one connection serves several requests, and a bad one ends it alone`() throws {
        let tape = Tape([TapeSample.run("http://api.test/x", [.init(status: 200, body: "ok")])])
        _ = try Self.serve(tape) { server in
            let silent = try RawClient(port: server.port)
            let bad = try RawClient(port: server.port)
            bad.write("\u{1B}[2J\r\n\r\n")
            #expect(bad.readToEnd().hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
            let client = try RawClient(port: server.port)
            client.write("GET /x HTTP/1.1\r\n\r\n")
            client.write("GET /x HTTP/1.1\r\nConnection: close\r\n\r\n")
            #expect(client.readToEnd().components(separatedBy: "HTTP/1.1 200 OK").count == 3)
            silent.write("GET /x HTTP/1.1\r\nConnection: close\r\n\r\n")
            #expect(silent.readToEnd().hasSuffix("ok"))
        }
    }

    @Test func `clients that send nothing leave room for others`() throws {
        let tape = Tape([TapeSample.run("http://api.test/x", [.init(status: 200, body: "ok")])])
        _ = try Self.serve(tape, maximumConnections: 2) { server in
            let silent = try (0..<3).map { _ in try RawClient(port: server.port) }
            silent[0].write("GET ")
            let start = ContinuousClock.now
            #expect(try Self.ask(server, "GET /x").hasSuffix("ok"))
            #expect(ContinuousClock.now - start < TapeConnection.patience)
            withExtendedLifetime(silent) {}
        }
    }

    @Test func `a port that is taken, and a host that is none of this machine, are told`() throws {
        let server = try TapeServer(host: "127.0.0.1", port: 0)
        #expect(server.url == "http://127.0.0.1:\(server.port)")
        let taken = #expect(throws: TapeServer.Failure.self) { try TapeServer(host: "127.0.0.1", port: server.port) }
        #expect(taken?.description.contains("cannot listen on port \(server.port) of 127.0.0.1: ") == true)
        #expect(throws: TapeServer.Failure.self) { try TapeServer(host: "localhost", port: 0) }
        #expect(TapeSocket.isLoopback("127.0.0.1") && TapeSocket.isLoopback("127.8.0.1"))
        #expect(!TapeSocket.isLoopback("0.0.0.0") && !TapeSocket.isLoopback("10.0.0.1"))
    }
}
