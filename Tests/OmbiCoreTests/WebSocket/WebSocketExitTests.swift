#if compiler(>=6.2)
import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// What can be seen only of a whole process: its descriptors, its threads, and its end.
@Suite(.timeLimit(.minutes(10))) struct WebSocketExitTests {
    @Test func `no descriptor and no channel is left, however a WebSocket ends`() async {
        await #expect(processExitsWith: .success) {
            let echo = try WebSocketPlayer.server { player in
                player.accept()
                while let frame = player.read() {
                    player.write(WireFrame(opcode: frame.opcode, payload: frame.payload))
                    if frame.opcode == 8 { return }
                }
            }
            let manager = RequestManager(host: echo.host)
            func use(_ end: (WebSocket) async throws -> Void) async throws {
                let socket = manager.webSocket("/")
                try await socket.send("x")
                var messages = socket.messages.makeAsyncIterator()
                _ = try await messages.next()
                try await end(socket)
            }
            try await use { try await $0.close() }
            await Descriptors.settle(echo)
            let before = Descriptors.count
            for _ in 0..<30 {
                try await use { try await $0.close() }
                try await use { $0.cancel() }
                try await use { _ in }
                _ = manager.webSocket("/")
                _ = RequestManager(host: "http://127.0.0.1:1").webSocket("/")
            }
            await Descriptors.settle(echo)
            guard Descriptors.count <= before else {
                print("\(Descriptors.count) descriptors instead of \(before)")
                exit(3)
            }
            exit(0)
        }
    }

    @Test func `exit with WebSockets open is clean`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let server = try WebSocketPlayer.server { player in
                player.accept()
                let frame = WireFrame.binary(Array(repeating: 0, count: 10_000)).bytes
                while player.connection.send(frame) {}
            }
            let manager = RequestManager(host: server.host)
            let sockets = (0..<8).map { _ in manager.webSocket("/") }
            for socket in sockets {
                Task { for try await _ in socket.messages {} }
                try await socket.opened()
            }
            exit(0)
        }
        print(String(decoding: result?.standardErrorContent ?? [], as: UTF8.self))
    }

    @Test func `a proxy of the environment is asked for a tunnel`() async {
        await #expect(processExitsWith: .success) {
            let echo = try WebSocketPlayer.server { player in
                player.accept()
                player.write(.text("through"), .close(1000))
                _ = player.readToClose()
            }
            let asked = Lock<[String]>([])
            let proxy = try RawServer { client in
                guard let head = client.readHead() else { return }
                asked.withLock { $0.append(head) }
                client.send("HTTP/1.1 200 Connected\r\n\r\n")
                client.join(port: echo.port)
            }
            setenv("http_proxy", proxy.host, 1)
            let socket = RequestManager(host: "http://websocket.test:9999").webSocket("/")
            var texts: [String] = []
            for try await message in socket.messages { texts.append(message.text ?? "") }
            let head = asked.withLock { $0 }.first ?? ""
            guard texts == ["through"], head.hasPrefix("CONNECT websocket.test:9999 HTTP/1.1\r\n"),
                !head.contains("Sec-WebSocket")
            else {
                print(texts, head)
                exit(3)
            }
            exit(0)
        }
    }
}

private enum Descriptors {
    static var count: Int { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0 }

    /// Waits until the server has no connection left and the channels have no thread.
    static func settle(_ server: RawServer) async {
        while server.openCount > 0 || !CurlChannelLoop.shared.isIdle { await Task.yield() }
    }
}
#endif
