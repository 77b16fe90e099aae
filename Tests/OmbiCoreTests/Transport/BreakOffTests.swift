import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// A response that ends too early or cannot be used, in any way: status, headers and bytes that came stay.
struct BreakOff: Sendable, CustomTestStringConvertible {
    enum End: Sendable { case close, reset, silence }

    let name: String
    /// The rest of the head, behind the status line and a header.
    var head = ""
    var body = Data()
    var end = End.close
    var status = 200
    var isHeadComplete = true
    /// The bytes that are there in the end; nil for those of the body.
    var left: Data?
    /// False for a response that is complete, but for its coding.
    var fails = true
    var maximumBytes = 1 << 20

    var testDescription: String { name }

    private static let gzip = BadServer.bytes("1f8b0800000000000203cb48cdc9c9070086a6103605000000")
    private static let zlib = BadServer.bytes("789ccb48cdc9c90700062c0215")
    private static let hello = Data("hello".utf8)
    private static let large = Data(repeating: 0x78, count: 100_000)

    private static func coded(_ name: String, _ coding: String, _ body: Data, left: Data? = nil) -> BreakOff {
        BreakOff(
            name: name, head: "Content-Encoding: \(coding)\r\nContent-Length: \(body.count)\r\n", body: body, left: left
        )
    }

    static let all: [BreakOff] = [
        BreakOff(name: "a small body is cut off", head: "Content-Length: 100\r\n", body: hello),
        BreakOff(name: "a small body is reset", head: "Content-Length: 100\r\n", body: hello, end: .reset),
        BreakOff(name: "a small body stalls", head: "Content-Length: 100\r\n", body: hello, end: .silence),
        BreakOff(name: "no byte of a body comes", head: "Content-Length: 100\r\n"),
        BreakOff(name: "no byte of a body comes in time", head: "Content-Length: 100\r\n", end: .silence),
        BreakOff(name: "a large body is cut off", head: "Content-Length: 1000000\r\n", body: large),
        BreakOff(name: "a large body is reset", head: "Content-Length: 1000000\r\n", body: hello, end: .reset),
        BreakOff(name: "a large body stalls", head: "Content-Length: 1000000\r\n", body: large, end: .silence),
        BreakOff(name: "a body of unknown length is reset", body: hello, end: .reset),
        BreakOff(name: "a body of unknown length stalls", body: hello, end: .silence),
        BreakOff(
            name: "chunks end without the last one", head: "Transfer-Encoding: chunked\r\n",
            body: Data("5\r\nhello\r\n".utf8), left: hello),
        BreakOff(
            name: "a chunk is cut off", head: "Transfer-Encoding: chunked\r\n", body: Data("a\r\nhello".utf8),
            left: hello),
        BreakOff(
            name: "chunks stall", head: "Transfer-Encoding: chunked\r\n", body: Data("5\r\nhello\r\n".utf8),
            end: .silence,
            left: hello),
        BreakOff(
            name: "a chunk is none", head: "Transfer-Encoding: chunked\r\n", body: Data("5\r\nhello\r\nxyz\r\n".utf8),
            left: hello),
        coded("a text is said to be gzip", "gzip", Data("{\"a\": 1}".utf8)),
        coded("bytes are said to be deflate", "deflate", BadServer.bytes("ffffffff")),
        coded("a text is said to be zstd", "zstd", Data("this is not zstd".utf8)),
        coded("gzip is cut off in its header", "gzip", gzip.prefix(5)),
        coded("gzip has a wrong sum", "gzip", gzip.dropLast(8) + Data(count: 8), left: hello),
        coded("gzip is cut off behind its data", "gzip", gzip.dropLast(8), left: hello),
        coded("deflate is cut off in its header", "deflate", zlib.prefix(1)),
        BreakOff(
            name: "a coding is unknown", head: "Content-Encoding: utf-8\r\nContent-Length: 5\r\n", body: hello,
            fails: false),
        BreakOff(
            name: "a body in an unknown coding is cut off", head: "Content-Encoding: utf-8\r\nContent-Length: 9\r\n",
            body: hello),
        BreakOff(
            name: "two lengths differ", head: "Content-Length: 5\r\nContent-Length: 6\r\n", body: hello, left: Data()),
        BreakOff(name: "a length is none", head: "Content-Length: five\r\n", body: hello, left: Data()),
        BreakOff(
            name: "a body is larger than the maximum", head: "Content-Length: 5\r\n", body: hello,
            left: Data("hel".utf8), maximumBytes: 3),
        BreakOff(name: "the head is cut off", head: "Content-Le", isHeadComplete: false, left: Data()),
        BreakOff(name: "the head stalls", head: "X-Other: 1\r\n", end: .silence, isHeadComplete: false, left: Data()),
        BreakOff(
            name: "redirects go on for ever", head: "Location: /again\r\nContent-Length: 5\r\n", body: hello,
            status: 302),
        BreakOff(
            name: "a redirect leads to no HTTP", head: "Location: ftp://127.0.0.1/x\r\nContent-Length: 0\r\n",
            status: 301),
        BreakOff(name: "an error is cut off", head: "Content-Length: 100\r\n", body: hello, status: 503),
    ]

    func serve(_ connection: RawConnection) {
        while connection.readHead() != nil {
            let end = isHeadComplete ? "\r\n" : ""
            connection.send(Data("HTTP/1.1 \(status) Scripted\r\nX-Id: 7\r\n\(head)\(end)".utf8) + body)
            guard (300..<400).contains(status) else { break }
        }
        switch end {
        case .close: return
        case .reset: connection.reset()
        case .silence: connection.waitForEnd()
        }
    }
}

@Suite struct BreakOffTests {
    @Test(arguments: BreakOff.all) func `what came of a response stays`(_ way: BreakOff) async throws {
        let server = try RawServer { way.serve($0) }
        defer { server.stop() }
        let transport = CurlTransport(configuration: .init(maximumResponseBytes: way.maximumBytes))
        let url = try #require(URL(string: server.host + "/x"))
        let last = await transport.events(of: TransportRequest(url: url, idleTimeout: .seconds(2))).last
        #expect((last?.error != nil) == way.fails, "\(last as Any)")
        let response = last?.error?.response ?? last?.response
        #expect(response?.statusCode == way.status)
        #expect(response?["X-Id"] == "7")
        #expect(response?.body ?? Data() == way.left ?? way.body)
        #expect(last?.metrics?.unknownCoding == (way.head.contains("utf-8") ? "utf-8" : nil))
    }

    @Test(arguments: [100, 1_000_000]) func `an SLA that ends in a body has what had come`(length: Int) async throws {
        let server = try RawServer { connection in
            guard connection.readHead() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nX-Id: 7\r\nContent-Length: \(length)\r\n\r\nhello")
            connection.waitForEnd()
        }
        defer { server.stop() }
        let clock = ManualClock()
        let manager = RequestManager(host: server.host, transport: CurlTransport(), clock: clock)
        let (recorder, handle) = manager.record(PlainRequest(), sla: .seconds(1))
        for await event in handle.events {
            guard case .bodyReceived(_, let bytes, _, _) = event, bytes == 5 else { continue }
            clock.advance(by: .seconds(1))
        }
        guard case .failure(let error) = await recorder.outcome else {
            Issue.record("half a response passed")
            return
        }
        #expect(error.response?.statusCode == 200 && error.response?["X-Id"] == "7")
        #expect(error.response?.body == Data("hello".utf8))
    }
}
