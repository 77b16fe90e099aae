import Foundation
import Testing

@testable import OmbiTUI

/// Requests as they arrive.
@Suite struct TapeRequestTests {
    private static func read(_ text: String) -> TapeRequest.Reading { TapeRequest.read(Array(text.utf8)) }

    @Test func `a request is complete with its body, and what follows is the next one`() throws {
        let text = "POST /a?b=1 HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabcGET / HTTP/1.1\r\n"
        guard case .complete(let request, let length) = Self.read(text) else {
            Issue.record("\(Self.read(text))")
            return
        }
        #expect(request.method == "POST" && request.target.text == "/a?b=1" && request.keepsAlive)
        #expect(request.body == Array("abc".utf8) && text.utf8.count - length == 16)
    }

    @Test func `chunks are joined, whatever the portions are in which they come`() {
        let text =
            "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "3;x=y\r\nabc\r\n0a\r\n0123456789\r\n0\r\nT: x\r\n\r\n"
        let bytes = Array(text.utf8)
        for count in 0..<bytes.count {
            #expect(TapeRequest.read(Array(bytes[..<count])) == .incomplete(awaitsContinue: false), "\(count)")
        }
        guard case .complete(let request, let length) = TapeRequest.read(bytes) else {
            Issue.record("\(TapeRequest.read(bytes))")
            return
        }
        #expect(request.body == Array("abc0123456789".utf8) && length == bytes.count)
    }

    @Test func `a client that waits for a 100 is recognized, and one that closes`() {
        #expect(
            Self.read("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n")
                == .incomplete(awaitsContinue: true))
        for text in ["GET / HTTP/1.0\r\n\r\n", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n"] {
            guard case .complete(let request, _) = Self.read(text) else {
                Issue.record("\(text)")
                continue
            }
            #expect(!request.keepsAlive)
        }
        guard case .complete(let request, _) = Self.read("GET / HTTP/1.1\r\nConnection: x-closed\r\n\r\n") else {
            Issue.record("no request")
            return
        }
        #expect(request.keepsAlive)
    }

    @Test(arguments: [
        ("\r\n\r\n", 400), ("GET /\r\n\r\n", 400), ("GET / HTTP/2\r\n\r\n", 400), ("G(T / HTTP/1.1\r\n\r\n", 400),
        ("GET  / HTTP/1.1\r\n\r\n", 400), ("GET x HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nNo colon\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nA : b\r\n\r\n", 400), ("GET / HTTP/1.1\r\n folded\r\n\r\n", 400),
        ("GET / HTTP/1.1\nHost: x\r\n\r\n", 400), ("GET / HTTP/1.1\r\nA: \u{0}\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nA: \u{1B}[2J\r\n\r\n", 400), ("GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nContent-Length: +1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nContent-Length: \r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", 413),
        ("GET / HTTP/1.1\r\nContent-Length: 16777217\r\n\r\n", 413),
        ("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
        ("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n", 400),
        ("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n", 413),
        ("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n", 400),
        ("GET / HTTP/1.1\n\n", 400), ("GET / HTTP/1.0\nHost: x\n", 400),
        ("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\na\n0\n\n", 400),
        ("GET / HTTP/1.1\r\nA: \(String(repeating: "x", count: 40_000))", 431),
        ("GET / HTTP/1.1\r\n\(String(repeating: "A: b\r\n", count: 300))\r\n", 431),
    ])
    func `a request that could be read in two ways, or has no end, is refused`(text: String, status: Int) {
        guard case .invalid(let found, let reason) = Self.read(text) else {
            Issue.record("\(Self.read(text))")
            return
        }
        #expect(found == status && !reason.isEmpty)
    }
}
