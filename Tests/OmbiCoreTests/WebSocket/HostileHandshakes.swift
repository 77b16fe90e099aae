import Foundation

/// Servers that answer the opening handshake wrongly, or in an odd way.
extension HostileCase {
    private static let accepted = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"

    private static func acceptance(_ server: WebSocketPlayer, _ change: (String) -> String) -> String {
        change(String(decoding: server.acceptance, as: UTF8.self))
    }

    /// The right answer, changed.
    private static func changed(
        _ name: String, _ expected: String..., change: @escaping @Sendable (String) -> String
    ) -> HostileCase {
        HostileCase(name, expected[0]) { server, _ in server.write(acceptance(server, change)) }
    }

    static let handshakes: [HostileCase] = refusals + nonsense + interrupted + odd

    private static let refusals: [HostileCase] = [
        changed("wrong accept", "PEER accepted another handshake than this one (Sec-WebSocket-Accept)") {
            $0.replacing("Accept: ", with: "Accept: x")
        },
        answer(
            "no accept", "PEER accepted another handshake than this one (Sec-WebSocket-Accept)", accepted + "\r\n"),
        changed("no upgrade", "PEER switched protocols, but not to WebSocket (Upgrade)") {
            $0.replacing("Upgrade: websocket\r\n", with: "")
        },
        changed("upgrade to something else", "PEER switched protocols, but not to WebSocket (Upgrade)") {
            $0.replacing("Upgrade: websocket", with: "Upgrade: h2c")
        },
        changed("upgrade to two things", "PEER switched protocols, but not to WebSocket (Upgrade)") {
            $0.replacing("Upgrade: websocket", with: "Upgrade: websocket, h2c")
        },
        changed("connection closes", "PEER switched protocols, but not this connection (Connection)") {
            $0.replacing("Connection: Upgrade", with: "Connection: close")
        },
        changed("extension", "PEER uses an extension that was not offered (Sec-WebSocket-Extensions)") {
            $0.replacing("Connection:", with: "Sec-WebSocket-Extensions: permessage-deflate\r\nConnection:")
        },
        changed("subprotocol", "PEER chose the subprotocol \"v9\", which was not offered") {
            $0.replacing("Connection:", with: "Sec-WebSocket-Protocol: v9\r\nConnection:")
        },
        changed("HTTP/1.0", "PEER switched protocols in HTTP/1.0, which has no WebSocket") {
            $0.replacing("HTTP/1.1", with: "HTTP/1.0")
        },
        answer("200", "PEER refused the WebSocket: 200 OK", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"),
        answer(
            "404", "PEER refused the WebSocket: 404 Not Found", "HTTP/1.1 404 x\r\nContent-Length: 2\r\n\r\n{}"),
        answer(
            "426", "PEER refused the WebSocket: 426 Upgrade Required",
            "HTTP/1.1 426 x\r\nSec-WebSocket-Version: 12\r\nContent-Length: 0\r\n\r\n"),
        answer(
            "500 in chunks", "PEER refused the WebSocket: 500 Internal Server Error",
            "HTTP/1.1 500 x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"),
        answer(
            "302", "PEER refused the WebSocket: 302 Found, to /elsewhere",
            "HTTP/1.1 302 x\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n"),
        answer(
            "line breaks in the reason", "PEER refused the WebSocket: 302 Found, to \\u{1B}[31m",
            "HTTP/1.1 302 x\r\nLocation: \u{1B}[31m\r\nContent-Length: 0\r\n\r\n"),
    ]

    private static let nonsense: [HostileCase] = [
        answer("SSH", "PEER did not answer in HTTP/1.1", "SSH-2.0-OpenSSH_9.2p1 Debian\r\n"),
        answer("HTTP/2", "PEER did not answer in HTTP/1.1", "HTTP/2 101\r\n\r\n"),
        answer("frames of HTTP/2", "PEER did not answer in HTTP/1.1", "\u{0}\u{0}\u{12}\u{4}\u{0}"),
        answer("TLS alert", "PEER did not answer in HTTP/1.1", "\u{15}\u{3}\u{3}\u{0}\u{2}\u{2}\u{28}"),
        answer("a page without a head", "PEER did not answer in HTTP/1.1", "<html></html>"),
        answer(
            "no status",
            "PEER answered with a response that begins with \"HTTP/1.1 OK\", which is no status line of HTTP",
            "HTTP/1.1 OK\r\n\r\n"),
        answer("status 999", "PEER answered without a status", "HTTP/1.1 999 x\r\n\r\n"),
        answer("line without a colon", "PEER sent a header line that is none", accepted + "nonsense\r\n\r\n"),
        answer("folded line", "PEER sent a header line that is none", accepted + " more\r\n\r\n"),
        answer(
            "endless head", "PEER sent a header larger than 65536 bytes",
            accepted + "X: " + String(repeating: "x", count: 70_000)),
        answer(
            "endless interim responses", "PEER sent a header larger than 65536 bytes",
            String(repeating: "HTTP/1.1 102 Processing\r\n\r\n", count: 3000)),
    ]

    private static let interrupted: [HostileCase] = [
        HostileCase("end instead of an answer", "PEER closed the connection") { server, _ in
            server.connection.finishSending()
        },
        HostileCase("end within the head", "PEER closed the connection") { server, _ in
            server.write(accepted)
            server.connection.finishSending()
        },
        HostileCase("end within a refusal", "PEER refused the WebSocket: 403 Forbidden") { server, _ in
            server.write("HTTP/1.1 403 x\r\nContent-Length: 100\r\n\r\nhalf")
            server.connection.finishSending()
        },
        HostileCase("refusal up to the end", "PEER refused the WebSocket: 401 Unauthorized") { server, _ in
            server.write("HTTP/1.1 401 x\r\n\r\npage")
            server.connection.finishSending()
        },
        HostileCase("end right after accepting", "PEER closed the connection without a close frame") { server, _ in
            server.accept()
            server.connection.finishSending()
        },
        HostileCase(
            "silence", "no answer to the opening handshake from PEER within 2m", wait: .seconds(120)
        ) { _, pass in pass() },
        HostileCase(
            "half an answer, then silence", "no answer to the opening handshake from PEER within 2m",
            wait: .seconds(120)
        ) { server, pass in
            server.write(accepted)
            pass()
        },
    ]

    /// Right, though rarely seen.
    private static let odd: [HostileCase] = [
        HostileCase("byte by byte", "end", told: 1000) { server, _ in
            for byte in server.acceptance + WireFrame.close(1000).bytes { server.connection.send(Data([byte])) }
            _ = server.read().map { server.connection.unread($0.bytes) }
            server.connection.finishSending()
        },
        HostileCase("interim responses first", "hi", "end", told: 1000) { server, _ in
            server.write("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n")
            server.accept()
            server.write(.text("hi"), .close(1000))
            server.connection.finishSending()
        },
        HostileCase("bare line feeds, odd cases and spaces", "end", told: 1000) { server, _ in
            server.write(
                acceptance(server) {
                    $0.replacing("\r\n", with: "\n").replacing("Upgrade: websocket", with: "UPGRADE:\t WebSocket ")
                        .replacing("Connection: Upgrade", with: "connection: keep-alive , UPGRADE")
                })
            server.write(.close(1000))
            server.connection.finishSending()
        },
    ]
}
