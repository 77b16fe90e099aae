import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// WebSockets over libcurl against another implementation (python3-websockets).
@Suite(
    .timeLimit(.minutes(10)),
    .enabled(
        if: WebSocketPeer.python != nil, "websockets is not installed: apt-get install python3-websockets"))
struct WebSocketPeerTests {
    @Test func `payloads of every length class come back, whole and in fragments`() async throws {
        try await WebSocketPeer.use { peer in
            for fragment in [nil, 1, 7, 1000, 70_000] as [Int?] {
                let socket = RequestManager(host: peer.host)
                    .webSocket("/echo", options: WebSocketOptions { $0.fragmentBytes = fragment })
                var messages = socket.messages.makeAsyncIterator()
                let lengths = [0, 1, 125, 126, 127, 128, 65_535, 65_536, 65_537, 300_000]
                for length in lengths where length / (fragment ?? .max) < 10_000 {
                    let text = String(repeating: "ü", count: length / 2) + (length % 2 == 1 ? "x" : "")
                    let data = Data((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 13) })
                    try await socket.send(text)
                    try await socket.send(data)
                    #expect(try await messages.next()?.text == text, "\(length) in \(fragment ?? 0)")
                    #expect(try await messages.next()?.data == data, "\(length) in \(fragment ?? 0)")
                }
                #expect(try await socket.ping() > .zero)
                try await socket.close(reason: "done")
                #expect(try await messages.next() == nil && socket.closeCode == .normal)
            }
        }
    }

    @Test func `the same over TLS, where records are larger than what is read of them`() async throws {
        try await WebSocketPeer.use(isSecure: true) { peer in
            let manager = RequestManager(host: peer.host)
            manager.connection = Connection { $0.tls.caFile = peer.authorityFile }
            let socket = manager.webSocket("/echo")
            var messages = socket.messages.makeAsyncIterator()
            for length in [0, 1, 16_384, 16_385, 65_536, 1_000_000, 3] {
                let data = Data((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 13) })
                try await socket.send(data)
                #expect(try await messages.next()?.data == data)
            }
            try await socket.close()
            #expect(socket.closeCode == .normal)
        }
    }

    @Test func `a server that is not trusted gets no handshake`() async throws {
        try await WebSocketPeer.use(isSecure: true) { peer in
            let options = WebSocketOptions { $0.reconnect = RetryPolicy(retries: 3) }
            let socket = RequestManager(host: peer.host, transport: CurlTransport()).webSocket(
                "/echo", options: options)
            do throws(WebSocketError) {
                try await socket.opened()
                Issue.record("opened")
            } catch .connectionError(let error) {
                #expect(error.code == .certificateNotTrusted)
            }
        }
    }

    @Test func `the settings of the manager hold for its WebSockets`() async throws {
        try await WebSocketPeer.use(isSecure: true) { peer in
            func report(_ change: (inout Connection) -> Void) async throws -> TLSReport? {
                let manager = RequestManager(host: peer.host)
                manager.connection = Connection {
                    $0.tls.caFile = peer.authorityFile
                    change(&$0)
                }
                let socket = manager.webSocket("/echo")
                try await socket.opened()
                defer { socket.cancel() }
                for await event in socket.events {
                    if case .connected(_, let metrics) = event.kind { return metrics.tls }
                }
                return nil
            }
            let plain = try await report { _ in }
            #expect(plain?.isVerified == true && plain?.version == "TLSv1.3")
            let pin = "sha256//" + Data(repeating: 0, count: 32).base64EncodedString()
            let refusal = await sentence { try await report { $0.tls.pinnedPublicKeys = [pin] } }
            #expect(refusal.hasSuffix("its public key is none of Connection.tls.pinnedPublicKeys"))
        }
    }

    @Test func `an address takes the place of the name lookup`() async throws {
        try await WebSocketPeer.use { peer in
            let manager = RequestManager(host: "http://websocket.test:\(peer.port)")
            manager.connection.addresses = [.init(host: "websocket.test", port: peer.port, address: "127.0.0.1")]
            let socket = manager.webSocket("/echo")
            try await socket.opened()
            try await socket.close()
        }
    }

    @Test func `path, headers, credentials and subprotocols arrive`() async throws {
        struct Handshake: Decodable {
            let path: String
            let headers: [[String]]
            let subprotocol: String
        }
        try await WebSocketPeer.use { peer in
            let manager = RequestManager(host: peer.host)
            manager.additionalHeaders = ["X-Manager": "m"]
            let request = ComposableRequest<NoBody, NoBody, NoError>().path("/handshake")
                .query(URLQueryItem(name: "q", value: "a b&c")).authenticate(withUsername: "ada", password: "x:y")
            let socket = manager.webSocket(for: request, options: WebSocketOptions { $0.subprotocols = ["v1", "v9"] })
            var messages = socket.messages.makeAsyncIterator()
            let text = try #require(try await messages.next()?.text)
            let arrived = try JSONDecoder().decode(Handshake.self, from: Data(text.utf8))
            #expect(
                arrived.path == "/handshake?q=a%20b%26c" && arrived.subprotocol == "v1" && socket.subprotocol == "v1")
            #expect(arrived.headers.contains(["X-Manager", "m"]))
            #expect(arrived.headers.contains(["Authorization", "Basic \(Data("ada:x:y".utf8).base64EncodedString())"]))
            #expect(try await messages.next() == nil)
        }
    }

    @Test(arguments: [
        ("/forbidden", "refused the WebSocket: 403 Forbidden", #"{"error": "not for you"}"#),
        ("/busy", "refused the WebSocket: 503 Service Unavailable", ""),
        ("/moved", "refused the WebSocket: 302 Found, to /echo", ""),
    ])
    func `a refusal comes with its response`(path: String, reason: String, body: String) async throws {
        try await WebSocketPeer.use { peer in
            let socket = RequestManager(host: peer.host).webSocket(path)
            do throws(WebSocketError) {
                try await socket.opened()
                Issue.record("opened")
            } catch {
                #expect("\(error)" == "127.0.0.1:\(peer.port) \(reason)")
                #expect(error.response?.body == Data(body.utf8))
            }
        }
    }

    @Test(arguments: [1000, 1001, 1008, 1011, 3000, 4711])
    func `close codes and reasons arrive`(code: UInt16) async throws {
        try await WebSocketPeer.use { peer in
            let socket = RequestManager(host: peer.host).webSocket("/close?code=\(code)&reason=so%20be%20it")
            let outcome = await sentence { for try await _ in socket.messages {} }
            #expect((outcome == "no error") == (code <= 1001))
            #expect(socket.closeCode?.rawValue == code && socket.closeReason == "so be it")
        }
    }

    @Test func `pings are answered while nobody reads`() async throws {
        try await WebSocketPeer.use { peer in
            let socket = RequestManager(host: peer.host).webSocket("/pings?times=100")
            await socket.waitFor("received")
            for try await message in socket.messages { #expect(message == "all answered") }
        }
    }

    @Test func `messages in fragments of single characters arrive whole`() async throws {
        try await WebSocketPeer.use { peer in
            let text = "grüße 💶"
            let socket = RequestManager(host: peer.host)
                .webSocket(
                    for: ComposableRequest<NoBody, NoBody, NoError>().path("/fragments")
                        .query(URLQueryItem(name: "text", value: text)))
            var texts: [String] = []
            for try await message in socket.messages { texts.append(message.text ?? "") }
            #expect(texts == [text, text])
        }
    }

    @Test func `a connection that is torn down is made anew`() async throws {
        try await WebSocketPeer.use { peer in
            let socket = RequestManager(host: peer.host)
                .webSocket("/abort", options: WebSocketOptions { $0.reconnect = RetryPolicy(retries: 4) })
            var count = 0
            let outcome = await sentence { for try await _ in socket.messages { count += 1 } }
            #expect(count == 5 && outcome.contains("127.0.0.1:\(peer.port)"))
            #expect(socket.closeCode == .abnormal)
        }
    }

    @Test func `a slow reader gets everything, in order`() async throws {
        try await WebSocketPeer.use { peer in
            let socket = RequestManager(host: peer.host)
                .webSocket("/count?to=20000", options: WebSocketOptions { $0.bufferBytes = 1000 })
            var next = 0
            for try await message in socket.messages {
                if message.text != "\(next)" { Issue.record("\(message) instead of \(next)") }
                next += 1
                if next % 1000 == 0 { await Task.yield() }
            }
            #expect(next == 20_000)
        }
    }

    @Test func `many WebSockets at a time share one thread`() async throws {
        try await WebSocketPeer.use { peer in
            let manager = RequestManager(host: peer.host)
            let sockets = (0..<60).map { _ in manager.webSocket("/echo") }
            for (number, socket) in sockets.enumerated() { try await socket.send("\(number)") }
            for (number, socket) in sockets.enumerated() {
                var messages = socket.messages.makeAsyncIterator()
                #expect(try await messages.next()?.text == "\(number)")
            }
            await withTaskGroup { group in
                for socket in sockets { group.addTask { try? await socket.close() } }
            }
            #expect(sockets.allSatisfy { $0.closeCode == .normal })
        }
    }
}
