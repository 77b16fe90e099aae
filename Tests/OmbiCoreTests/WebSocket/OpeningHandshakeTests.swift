import Foundation
import Testing

@testable import OmbiCore

@Suite struct OpeningHandshakeTests {
    /// Of the RFC's example.
    private static let key = "dGhlIHNhbXBsZSBub25jZQ=="
    static let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

    static func handshake(
        _ url: String = "http://127.0.0.1:9000/chat", headers: RequestHeaders = [:], subprotocols: [String] = []
    ) throws -> OpeningHandshake {
        let request = TransportRequest(url: try #require(URL(string: url)), headers: headers)
        return try OpeningHandshake(request, subprotocols: subprotocols, key: HandshakeKey(key))
    }

    static func accepting(_ fields: [String] = [], accept: String = Self.accept) -> String {
        let head = [
            "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Accept: \(accept)",
        ]
        return (head + fields + ["", ""]).joined(separator: "\r\n")
    }

    // The request.

    @Test func `the request is as the RFC has it`() throws {
        let handshake = try Self.handshake(
            "http://127.0.0.1:9000/chat?a=b%20c&d#part", headers: ["X-One": "1", .acceptEncoding: "gzip"],
            subprotocols: ["v2", "v1"])
        #expect(
            String(decoding: handshake.bytes, as: UTF8.self)
                == [
                    "GET /chat?a=b%20c&d HTTP/1.1", "Host: 127.0.0.1:9000", "Upgrade: websocket", "Connection: Upgrade",
                    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
                    "Sec-WebSocket-Protocol: v2, v1", "X-One: 1", "", "",
                ].joined(separator: "\r\n"))
    }

    @Test(arguments: [
        ("http://example.com", "GET / HTTP/1.1", "Host: example.com"),
        ("https://example.com?x", "GET /?x HTTP/1.1", "Host: example.com"),
        ("http://[::1]:8080/a/b", "GET /a/b HTTP/1.1", "Host: [::1]:8080"),
        ("http://me:secret@example.com/", "GET / HTTP/1.1", "Host: example.com"),
    ])
    func `target and host follow from the URL`(url: String, line: String, host: String) throws {
        let lines = String(decoding: try Self.handshake(url).bytes, as: UTF8.self).components(separatedBy: "\r\n")
        #expect(lines[0] == line && lines[1] == host)
    }

    @Test func `credentials in the URL become a header, unless there is one`() throws {
        func text(_ headers: RequestHeaders) throws -> String {
            String(
                decoding: try Self.handshake("http://me:s%3Fcret@example.com/", headers: headers).bytes, as: UTF8.self)
        }
        #expect(try text([:]).contains("\r\nAuthorization: Basic \(Data("me:s?cret".utf8).base64EncodedString())\r\n"))
        let own = try text([.authorization: "Bearer x", .host: "other.example"])
        #expect(own.contains("\r\nAuthorization: Bearer x\r\n") && !own.contains("Basic"))
        #expect(own.contains("\r\nHost: other.example\r\n") && !own.contains("Host: example.com"))
    }

    @Test(arguments: [
        ("Upgrade", "the header Upgrade belongs to the opening handshake; leave it out"),
        ("connection", "the header connection belongs to the opening handshake; leave it out"),
        ("Sec-WebSocket-Key", "the header Sec-WebSocket-Key belongs to the opening handshake; leave it out"),
        (
            "Sec-WebSocket-Protocol",
            "the header Sec-WebSocket-Protocol belongs to the opening handshake; name it in WebSocketOptions.subprotocols"
        ),
        ("Content-Length", "the header Content-Length belongs to the opening handshake; leave it out"),
    ])
    func `headers of the handshake are refused`(name: String, reason: String) {
        #expect(throws: MalformedRequest(.header, reason)) {
            try Self.handshake(headers: RequestHeaders([.init(.init(name), "x")]))
        }
    }

    @Test func `other methods, bodies and bad subprotocols are refused`() throws {
        let key = HandshakeKey(Self.key)
        let url = try #require(URL(string: "http://127.0.0.1"))
        let get = MalformedRequest(.method, "a WebSocket opens with GET and without a body (RFC 6455 section 4.1)")
        for request in [TransportRequest(url: url, method: .post), TransportRequest(url: url, body: Data())] {
            #expect(throws: get) { try OpeningHandshake(request, subprotocols: [], key: key) }
        }
        #expect(throws: MalformedRequest(.header, "\"a b\" is not the name of a subprotocol")) {
            try Self.handshake(subprotocols: ["a b"])
        }
        #expect(throws: MalformedRequest(.header, "the subprotocol v1 is offered twice")) {
            try Self.handshake(subprotocols: ["v1", "v2", "v1"])
        }
    }

    @Test func `the accept of the RFC's example comes out`() {
        #expect(HandshakeKey(Self.key).accept == Self.accept)
    }

    // The response.

    enum Outcome: Equatable {
        case incomplete
        case accepted(String?, rest: String)
        /// The sentence, status and body.
        case refused(String, Int, String)
        case broken(String)
    }

    static func read(_ text: String, portions: Int, subprotocols: [String] = []) throws -> Outcome {
        var reader = HandshakeReader(try handshake(subprotocols: subprotocols))
        var rest = Data(text.utf8)[...]
        while !rest.isEmpty {
            let portion = Data(rest.prefix(portions))
            rest = rest.dropFirst(portions)
            switch reader.read(portion) {
            case .incomplete: continue
            case .accepted(_, let subprotocol, let behind):
                return .accepted(subprotocol, rest: String(decoding: behind + rest, as: UTF8.self))
            case .refused(.refused(let reason, let response)):
                return .refused(
                    reason, response.statusCode ?? 0, String(decoding: response.body ?? Data(), as: UTF8.self))
            case .refused(let error): return .broken("\(error)")
            }
        }
        return .incomplete
    }

    static let place = "127.0.0.1:9000"

    static let responses: [(String, Outcome)] = [
        (accepting(), .accepted(nil, rest: "")),
        (accepting() + "\u{81}frames", .accepted(nil, rest: "\u{81}frames")),
        (accepting(["Sec-WebSocket-Protocol: v1"]), .accepted("v1", rest: "")),
        (accepting(["Sec-WebSocket-Extensions:"]), .accepted(nil, rest: "")),
        ("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + accepting(), .accepted(nil, rest: "")),
        (accepting().replacing("\r\n", with: "\n"), .accepted(nil, rest: "")),
        (accepting().replacing("Upgrade: websocket", with: "UPGRADE:WebSocket"), .accepted(nil, rest: "")),
        (
            accepting().replacing("Connection: Upgrade", with: "Connection: keep-alive, upgrade"),
            .accepted(nil, rest: "")
        ),
        (
            accepting().replacing("Upgrade: websocket", with: "Upgrade: h2c"),
            .refused("\(place) switched protocols, but not to WebSocket (Upgrade)", 101, "")
        ),
        (
            accepting().replacing("Upgrade: websocket\r\n", with: ""),
            .refused("\(place) switched protocols, but not to WebSocket (Upgrade)", 101, "")
        ),
        (
            accepting().replacing("Connection: Upgrade", with: "Connection: keep-alive"),
            .refused("\(place) switched protocols, but not this connection (Connection)", 101, "")
        ),
        (
            accepting(accept: "AAAAAAAAAAAAAAAAAAAAAAAAAAA="),
            .refused("\(place) accepted another handshake than this one (Sec-WebSocket-Accept)", 101, "")
        ),
        (
            accepting(["Sec-WebSocket-Accept: \(accept)"]),
            .refused("\(place) accepted another handshake than this one (Sec-WebSocket-Accept)", 101, "")
        ),
        (
            accepting(["Sec-WebSocket-Extensions: permessage-deflate"]),
            .refused("\(place) uses an extension that was not offered (Sec-WebSocket-Extensions)", 101, "")
        ),
        (
            accepting(["Sec-WebSocket-Protocol: v9"]),
            .refused("\(place) chose the subprotocol \"v9\", which was not offered", 101, "")
        ),
        (
            accepting(["Sec-WebSocket-Protocol: v1", "Sec-WebSocket-Protocol: v2"]),
            .refused("\(place) chose the subprotocol \"v1, v2\", which was not offered", 101, "")
        ),
        (
            accepting().replacing("HTTP/1.1", with: "HTTP/1.0"),
            .refused("\(place) switched protocols in HTTP/1.0, which has no WebSocket", 101, "")
        ),
        (
            "HTTP/1.1 403 No\r\nContent-Length: 5\r\n\r\nnope!behind",
            .refused("\(place) refused the WebSocket: 403 Forbidden", 403, "nope!")
        ),
        ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", .refused("\(place) refused the WebSocket: 200 OK", 200, "")),
        (
            "HTTP/1.1 401 No\r\nTransfer-Encoding: chunked\r\n\r\n4;x=y\r\nWiki\r\nA\r\npedia page\r\n0\r\n\r\n",
            .refused("\(place) refused the WebSocket: 401 Unauthorized", 401, "Wikipedia page")
        ),
        (
            "HTTP/1.1 500 No\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabxyz\r\n",
            .refused("\(place) refused the WebSocket: 500 Internal Server Error", 500, "ab")
        ),
        ("HTTP/1.1 503 No\r\n\r\nuntil the end", .incomplete),
        (
            "HTTP/1.1 204 Nothing\r\nContent-Length: 7\r\n\r\n",
            .refused("\(place) refused the WebSocket: 204 No Content", 204, "")
        ),
        (
            "HTTP/1.1 302 Found\r\nLocation: https://me:secret@other.example/\r\nContent-Length: 0\r\n\r\n",
            .refused("\(place) refused the WebSocket: 302 Found, to https://••••••@other.example/", 302, "")
        ),
        ("SSH-2.0-OpenSSH_9.2\r\n", .broken("\(place) did not answer in HTTP/1.1")),
        ("HTTP/2 101\r\n", .broken("\(place) did not answer in HTTP/1.1")),
        ("\r\nHTTP/1.1 101 x\r\n", .broken("\(place) did not answer in HTTP/1.1")),
        (
            "HTTP/1.1 abc\r\n\r\n",
            .broken(
                "\(place) answered with a response that begins with \"HTTP/1.1 abc\", which is no status line of HTTP")
        ),
        ("HTTP/1.1 999 Odd\r\n\r\n", .broken("\(place) answered without a status")),
        ("HTTP/1.1 101 x\r\nno colon\r\n", .broken("\(place) sent a header line that is none")),
        ("HTTP/1.1 101 x\r\n folded: line\r\n", .broken("\(place) sent a header line that is none")),
        ("HTTP/1.1 101 x\r\nUpgrade: websocket\r\n", .incomplete),
        ("", .incomplete),
    ]

    @Test(arguments: responses)
    func `a response is understood in any portions`(text: String, expected: Outcome) throws {
        for portions in [1, 2, 7, 64, .max] {
            #expect(try Self.read(text, portions: portions, subprotocols: ["v1", "v2"]) == expected, "\(portions)")
        }
    }

    @Test func `an endless head is given up, and so are endless interim responses`() throws {
        let limit = Outcome.broken("\(Self.place) sent a header larger than 65536 bytes")
        let long = "HTTP/1.1 101 x\r\nX: " + String(repeating: "x", count: 70_000)
        #expect(try Self.read(long, portions: 1000) == limit)
        let interim = String(repeating: "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n", count: 2000)
        #expect(try Self.read(interim, portions: 1000) == limit)
    }

    @Test func `a refusal keeps 64 KiB of its page`() throws {
        let page = "HTTP/1.1 404 x\r\nContent-Length: 100000\r\n\r\n" + String(repeating: "p", count: 100_000)
        guard case .refused(_, 404, let body) = try Self.read(page, portions: 5000) else {
            Issue.record("not refused")
            return
        }
        #expect(body.utf8.count == 65_536)
    }

    @Test func `what there is of a refusal counts when the connection ends`() throws {
        var reader = HandshakeReader(try Self.handshake())
        let lost = TransportError(code: .connectionLost, message: "gone")
        #expect("\(reader.end(lost))" == "gone")
        guard case .incomplete = reader.read(Data("HTTP/1.1 503 No\r\n\r\npart".utf8)) else {
            Issue.record("ended too early")
            return
        }
        let error = reader.end(lost)
        #expect("\(error)" == "127.0.0.1:9000 refused the WebSocket: 503 Service Unavailable")
        #expect(error.response?.body == Data("part".utf8))
    }
}
