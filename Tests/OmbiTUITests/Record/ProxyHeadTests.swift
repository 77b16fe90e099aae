import OmbiCore
import Testing

@testable import OmbiTUI

/// The heads of requests to a recording proxy.
@Suite struct ProxyHeadTests {
    private static func head(_ text: String) throws -> ProxyHead { try ProxyHead(Array(text.utf8)[...]) }

    @Test func `a head is passed on without what belongs to its connection`() throws {
        let head = try Self.head(
            """
            POST /a?b=c HTTP/1.1\r\nHost: here\r\nConnection: keep-alive, X-Own\r\nKeep-Alive: 5\r\nX-Own: 1\r
            X-Team:  blue \r\nx-team: red\r\nTE: trailers\r\nContent-Length: 3\r\nExpect: 100-continue
            """)
        #expect(head.method == "POST" && head.target == "/a?b=c" && head.framing == .length(3))
        #expect(head.keepsAlive && head.awaitsContinue && head.takesChunks)
        #expect(head.passed.fields.map { "\($0.key.name)=\($0.value.text)" } == ["X-Team=blue", "x-team=red"])
    }

    @Test func `the end of a connection is that of the client`() throws {
        #expect(try !Self.head("GET / HTTP/1.1\r\nHost: a\r\nConnection: close").keepsAlive)
        let old = try Self.head("GET / HTTP/1.0")
        #expect(!old.keepsAlive && !old.takesChunks)
        #expect(try Self.head("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked").framing == .chunked)
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked", 400, "a length of two kinds"),
        ("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 1", 400, "a length of two kinds"),
        ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1", 400, "a length of two kinds"),
        ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: +1", 400, "that is no number"),
        ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999", 413, "longer than 16 GiB"),
        ("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked", 400, "an unknown coding"),
        ("GET / HTTP/1.0\r\nTransfer-Encoding: chunked", 400, "an unknown coding"),
        ("GET / HTTP/1.1", 400, "has no Host"), ("GET / HTTP/1.1\r\nHost: a\r\nHost: b", 400, "more than one Host"),
        ("GET / HTTP/1.1\r\nHost : a", 400, "is no header field"),
        ("GET / HTTP/1.1\r\nHost: a\r\n b", 400, "is no header field"),
        ("GET / HTTP/1.1\nHost: a", 400, "does not end with CR LF"), ("GET  / HTTP/1.1", 400, "no request of HTTP/1.1"),
        ("GET / HTTP/2", 400, "no request of HTTP/1.1"), ("GET / HTTP/1.1\r\nHost: a\u{1}", 400, "control characters"),
        ("GET http://b/ HTTP/1.1\r\nHost: b", 400, "is a path"), ("CONNECT b:443 HTTP/1.1\r\nHost: b", 501, "CONNECT"),
        (
            "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket", 501,
            "a WebSocket is not passed on; connect to the target itself"
        ),
    ])
    func `what two servers might read in two ways is refused`(text: String, status: Int, reason: String) {
        let problem = #expect(throws: ProxyHead.Problem.self) { try Self.head(text) }
        #expect(problem?.status == status && problem?.reason.contains(reason) == true, "\(problem?.reason ?? "")")
    }

    @Test(arguments: [
        ("Host: evil.example:8080", "is not this machine"), ("Host: evil.example.", "is not this machine"),
        ("Host: a\r\nOrigin: https://evil.example", "does not serve"), ("Host: a\r\nOrigin: null", "does not serve"),
        ("Host: a\r\nOrigin: http://localhost.evil.example", "does not serve"),
        ("Host: a\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors", "another site"),
    ])
    func `a page of another site sends nothing through the proxy`(fields: String, reason: String) {
        let problem = #expect(throws: ProxyHead.Problem.self) { try Self.head("POST / HTTP/1.1\r\n" + fields) }
        #expect(problem?.status == 403 && problem?.reason.contains(reason) == true, "\(problem?.reason ?? "")")
    }

    @Test(arguments: [
        "Host: 127.0.0.1:8080", "Host: LocalHost", "Host: [::1]:8080", "Host: api.localhost:1",
        "Host: host.docker.internal:8080", "Host: a\r\nOrigin: http://localhost:3000",
        "Host: a\r\nOrigin: http://127.0.0.1:3000", "Host: a\r\nOrigin: http://[::1]:3000",
        "Host: a\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate",
        "Host: a\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\nReferer: http://localhost:3000/a",
    ])
    func `programs and pages of this machine are served`(fields: String) throws {
        #expect(try Self.head("GET / HTTP/1.1\r\n" + fields).method == "GET")
    }

    @Test func `the end of a head is found wherever its parts come`() {
        let bytes = Array("GET / HTTP/1.1\r\nHost: a\r\n\r\nbody".utf8)
        #expect(HeadEnd(in: bytes[...], from: 0) == .found(23))
        for count in 0..<27 {
            #expect(HeadEnd(in: bytes[..<count], from: 0) == .missing)
            #expect(HeadEnd(in: bytes[...], from: count) == .found(23))
        }
    }

    @Test(arguments: ["\n", "GET / HTTP/1.1\n\n", "GET / HTTP/1.1\r\nHost: a\n\r\n", "GET / HTTP/1.1\r\n\n"])
    func `a line that ends with LF alone ends the wait for a head`(text: String) {
        #expect(HeadEnd(in: Array(text.utf8)[...], from: 0) == .bareLineFeed)
    }
}

/// The bodies of requests to a recording proxy.
@Suite struct ProxyBodyTests {
    /// Takes a text in portions of a size; nil where it is refused.
    private static func take(_ text: String, _ framing: ProxyHead.Framing, by size: Int) -> (String, rest: String)? {
        var body = ProxyBody(framing)
        var (taken, rest, input): ([UInt8], ArraySlice<UInt8>, ArraySlice<UInt8>) = ([], [], Array(text.utf8)[...])
        while !input.isEmpty {
            rest += input.prefix(size)
            input = input.dropFirst(size)
            do throws(ProxyHead.Problem) { taken += try body.take(&rest) } catch { return nil }
        }
        guard body.isComplete else { return nil }
        return (String(decoding: taken, as: UTF8.self), String(decoding: rest, as: UTF8.self))
    }

    @Test(arguments: [1, 2, 3, 100]) func `a body comes in any portions, and what is behind it stays`(size: Int) {
        let chunks = "4\r\nWiki\r\n6;x=y\r\npedia \r\n0\r\nA: b\r\n\r\nGET"
        let chunked = Self.take(chunks, .chunked, by: size)
        #expect(chunked?.0 == "Wikipedia " && chunked?.rest == "GET")
        let fixed = Self.take("Wikipedia GET", .length(10), by: size)
        #expect(fixed?.0 == "Wikipedia " && fixed?.rest == "GET")
        #expect(Self.take("GET", .length(0), by: size)?.rest == "GET")
    }

    @Test(arguments: [
        "x\r\n", "\r\n", "4 \r\nWiki\r\n0\r\n\r\n", "4\nWiki\r\n0\r\n\r\n", "4\r\nWikip\r\n0\r\n\r\n", "-1\r\n\r\n",
        "1000000000000\r\n", "0x4\r\nWiki\r\n0\r\n\r\n", "400000001\r\n", "4\r\nWiki\r\n", "4\r\r\nWiki\r\n0\r\n\r\n",
    ])
    func `a chunk that is none is refused`(text: String) {
        #expect(Self.take(text, .chunked, by: 100) == nil)
    }
}
