import Foundation
import OmbiCore

/// Bodies of every size and framing, there and back.
enum BodyCases {
    static let all =
        sizes + framings + [gzip, compressionOff, stream, largeStream, emptyStream, broken, short, tooLarge]

    private static let sizes = [1, 1000, 65_536, 65_537, 3_000_000].map { length in
        TransportCase(
            "\(length) bytes go there and back",
            expects: ["head 200", "the same", "sent \(length) of \(length)", "received \(length) of \(length)"]
        ) { stage in
            let server = try stage.server { .response(status: 200, headers: [], body: $0.body) }
            let body = Data((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) })
            let request = server.request(.put) { $0.body = body }
            let events = await stage.transport(for: server).allEvents(of: request)
            stage.note("head \(events.finalResponse?.statusCode ?? 0)")
            stage.note(events.finalResponse?.body == body ? "the same" : "another body")
            stage.note(events.progress)
        }
    }

    /// A response in its raw bytes, which end with the connection.
    private static func raw(_ name: String, _ text: String, _ expected: [String]) -> TransportCase {
        TransportCase(name, needsNetwork: true, expects: expected) { stage in
            let server = try stage.server { _ in .raw(Data(text.utf8)) }
            await stage.attempt(server.request(), at: server)
        }
    }

    private static let framings = [
        raw(
            "a chunked body is put together",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n",
            ["head 200", "finished 200 \"hello world\""]),
        raw(
            "a body may end with the connection", "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello",
            ["head 200", "finished 200 \"hello\""]),
        raw("HTTP/1.0 is understood", "HTTP/1.0 200 OK\r\n\r\nhello", ["head 200", "finished 200 \"hello\""]),
        raw(
            "interim responses are passed over",
            "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
            ["head 200", "finished 200 \"hello\""]),
    ]

    /// "hello", compressed.
    private static let compressed = Data([
        0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 0x03, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0, 0x86, 0xa6, 0x10, 0x36,
        0x05, 0, 0, 0,
    ])

    private static let gzip = TransportCase(
        "a compressed body is decoded", needsNetwork: true,
        expects: ["head 200", "finished 200 \"hello\"", "accept-encoding: gzip", "content-encoding: gzip"]
    ) { stage in
        let server = try stage.server { _ in
            .response(status: 200, headers: [("Content-Encoding", "gzip")], body: compressed)
        }
        let request = server.request(headers: ["Accept-Encoding": "gzip"])
        let response = await stage.attempt(request, at: server).finalResponse
        stage.note("accept-encoding: \(server.requests.first?.headers["accept-encoding"] ?? "none")")
        stage.note("content-encoding: \(response?[.contentEncoding]?.text ?? "none")")
    }

    private static let compressionOff = TransportCase(
        "no coding is asked for on its own", needsNetwork: true,
        expects: ["head 200", "finished 200 \"hello\"", "accept-encoding: none"]
    ) { stage in
        let server = try stage.server { _ in .ok("hello") }
        await stage.attempt(server.request(), at: server)
        stage.note("accept-encoding: \(server.requests.first?.headers["accept-encoding"] ?? "none")")
    }

    private static let stream = TransportCase(
        "a stream is sent with its length",
        expects: ["head 200", "finished 200 \"done\"", "POST / \"streamed\"", "content-length: 8"]
    ) { stage in
        let server = try stage.server { _ in .ok("done") }
        let request = server.request(.post) {
            $0.body = Data("not sent".utf8)
            $0.bodyStream = BodyStream(data: Data("streamed".utf8))
        }
        await stage.attempt(request, at: server)
        stage.note(server.arrivals)
        stage.note(
            "content-length: \(server.requests.first?.headers["content-length"] ?? (stage.subject.make == nil ? "8" : "none"))"
        )
    }

    private static let largeStream = TransportCase(
        "a stream of 3 MB is sent whole",
        expects: ["finished 200 \"done\"", "PUT / 3000000 bytes", "sent 3000000 of 3000000", "received 4 of 4"]
    ) { stage in
        let server = try stage.server { _ in .ok("done") }
        let body = Data(repeating: 7, count: 3_000_000)
        let events = await stage.transport(for: server).allEvents(
            of: server.request(.put) { $0.bodyStream = BodyStream(data: body) })
        stage.note(events.outline { $0 }.suffix(1))
        stage.note(server.arrivals)
        stage.note(events.progress)
    }

    private static let emptyStream = TransportCase(
        "an empty stream is no body", expects: ["head 200", "finished 200 \"done\"", "POST /"]
    ) { stage in
        let server = try stage.server { _ in .ok("done") }
        await stage.attempt(server.request(.post) { $0.bodyStream = BodyStream(data: Data()) }, at: server)
        stage.note(server.arrivals)
    }

    private struct Unreadable: Error, CustomStringConvertible {
        let description = "the disk is gone"
    }

    /// Gives so many bytes, and then an error or the end.
    private final class Source: BodyReader {
        private var left: Int
        private let fails: Bool

        init(_ count: Int, fails: Bool) {
            left = count
            self.fails = fails
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            if left == 0, fails { throw Unreadable() }
            let count = min(left, buffer.count)
            buffer.prefix(count).initializeMemory(as: UInt8.self, repeating: 7)
            left -= count
            return count
        }
    }

    private static let broken = TransportCase(
        "a stream that cannot be read ends the attempt",
        expects: ["failed requestBodyFailed: the body could not be read: the disk is gone", "0 requests", "head 200"]
    ) { stage in
        try await sendStream(stage, length: 100_000) { Source(70_000, fails: true) }
    }

    private static let short = TransportCase(
        "a stream that is too short ends the attempt",
        expects: ["failed requestBodyFailed: the body ended after 4 of 10 bytes", "0 requests", "head 200"]
    ) { stage in
        try await sendStream(stage, length: 10) { Source(4, fails: false) }
    }

    /// Sends a stream that fails, and then a request that does not.
    private static func sendStream(
        _ stage: Stage, length: Int, _ open: @escaping @Sendable () throws -> any BodyReader
    ) async throws {
        let server = try stage.server { _ in .ok("") }
        let transport = stage.transport(for: server)
        await stage.attempt(
            server.request(.post) { $0.bodyStream = BodyStream(length: length, open: open) }, at: server, on: transport)
        stage.note("\(server.requests.count) requests")
        let next = await transport.allEvents(of: server.request())
        stage.note("head \(next.finalResponse?.statusCode ?? 0)")
    }

    private static let tooLarge = TransportCase(
        "a response that is too large ends the attempt", needsNetwork: true,
        expects: ["head 200", "failed responseTooLarge: the response from SERVER is larger than 1000 bytes"]
    ) { stage in
        let server = try stage.server { _ in .ok(String(repeating: "x", count: 1001)) }
        let events = await stage.transport(for: server, maximumResponseBytes: 1000).allEvents(of: server.request())
        stage.note(events.outline(stage.hidden(server)).filter { !$0.hasPrefix("part") })
    }
}

extension [TransportEvent] {
    /// The last count in each direction. A full count comes once, and what was sent is told before the response.
    var progress: [String] {
        var lines: [String] = []
        let sent = indices.filter { if case .sent = self[$0] { true } else { false } }
        let head = firstIndex { if case .head = $0 { true } else { false } }
        if let last = sent.last, case .sent(let bytes, let expected) = self[last] {
            lines.append("sent \(bytes) of \(expected ?? -1)")
            if sent.filter({ self[$0] == self[last] }).count > 1 { lines.append("sent twice") }
            if let head, head < last { lines.append("sent after the head") }
        }
        let received = filter { if case .received = $0 { true } else { false } }
        if case .received(let bytes, let expected) = received.last {
            lines.append("received \(bytes) of \(expected ?? -1)")
            if received.filter({ $0 == received.last }).count > 1 { lines.append("received twice") }
        }
        return lines
    }
}
