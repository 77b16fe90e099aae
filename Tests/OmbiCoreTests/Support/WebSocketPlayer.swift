import Foundation
import TestSupport

@testable import OmbiCore

/// What a server of a test says over one connection, once a handshake has come.
struct WebSocketPlayer: Sendable {
    let connection: RawConnection
    /// The lines of the handshake.
    let handshake: [String]

    /// A server that plays so for each connection.
    static func server(_ play: @escaping @Sendable (WebSocketPlayer) -> Void) throws -> RawServer {
        try RawServer { connection in
            guard let head = connection.readHead() else { return }
            play(WebSocketPlayer(connection: connection, handshake: head.components(separatedBy: "\r\n")))
        }
    }

    /// The answer to the handshake.
    var acceptance: Data {
        let name = "Sec-WebSocket-Key: "
        let key = handshake.first { $0.hasPrefix(name) }.map { String($0.dropFirst(name.count)) } ?? ""
        return Data(OpeningHandshakeTests.accepting(accept: HandshakeKey(key).accept).utf8)
    }

    func accept() { connection.send(acceptance) }

    func write(_ frames: WireFrame...) { connection.send(frames.reduce(Data()) { $0 + $1.bytes }) }

    func write(_ text: String) { connection.send(Data(text.utf8)) }

    /// The next frame of the client; nil at the end.
    func read() -> WireFrame? {
        var bytes = Data()
        while true {
            if let frame = WireFrame.take(from: &bytes) {
                connection.unread(bytes)
                return frame
            }
            guard let more = connection.readSome() else { return nil }
            bytes.append(more)
        }
    }

    /// Every frame up to a close frame, or the end.
    func readToClose() -> [WireFrame] {
        var frames: [WireFrame] = []
        while let frame = read() {
            frames.append(frame)
            if frame.opcode == 8 { break }
        }
        return frames
    }
}
