import Foundation

extension BadServer {
    private static func hello(_ name: String, _ steps: Step..., why: String = "…") -> BadServer {
        var server = BadServer(
            name, steps,
            .failure(.secureConnectionFailed, "could not make a secure connection to SERVER: \(why)"))
        server.language = .tls
        return server
    }

    /// A record of TLS (RFC 8446 §5.1): an alert of that number, which ends the connection.
    private static func alert(_ number: UInt8) -> Step { .bytes(Data([21, 3, 3, 0, 2, 2, number])) }

    static let handshakes: [BadServer] = [
        hello("HTTP without TLS", .text("HTTP/1.1 400 Bad Request\r\n\r\n")),
        hello("SSH", .text("SSH-2.0-OpenSSH_9.2p1\r\n")),
        hello("the end at once"),
        hello("nothing, and the end", .linger, why: "the server closed the connection"),
        hello("a reset for the first byte", .readBody(1), .reset),
        hello("zeros", .bytes(Data(count: 1000))),
        hello("an alert that the handshake failed", alert(40), .linger),
        hello("an alert about the version", alert(70), .linger),
        hello("an alert about the name", alert(112), .linger),
        hello("an alert of no known number", alert(250), .linger),
        hello("the start of a handshake, and the end", .bytes(bytes("160303004a0200004603030000"))),
        hello("a record that is too long", .bytes(Data([22, 3, 3, 0xFF, 0xFF]) + Data(count: 70_000))),
        hello("a record of an unknown version", .bytes(Data([22, 9, 9, 0, 4, 2, 0, 0, 0]))),
        hello("data before the handshake", .bytes(Data([23, 3, 3, 0, 5]) + Data("hello".utf8)), .linger),
    ]
}
