import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// WebSockets in `ombi run` and in the explorer, with a server of another implementation.
    @Suite struct WebSocketTests {
        /// For the length of a test. It needs no package of Python's.
        private static func withPeer(_ body: (_ port: Int) throws -> Void) throws {
            let python = try #require(ChildProgram.find("python3"), "python3 is the peer of these tests")
            let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .appending(path: "OmbiCoreTests/Peers/plain_websocket_peer.py").path
            let process = try ServerProcess(python, [script])
            defer { process.stop() }
            try body(process.port)
        }

        private static func collection(_ port: Int, _ path: String) -> String {
            """
            { "version": 1, "name": "c", "variables": { "who": "Ada" },
              "environments": [{ "name": "local", "host": "http://127.0.0.1:\(port)",
                "additionalHeaders": { "Authorization": "Bearer {{key}}" },
                "secrets": { "key": { "env": "OMBI_TEST_SECRET" } } }],
              "items": [{ "request": "r", "path": "\(path)", "expect": { "status": 101 },
                "webSocket": { "messages": [
                  { "name": "hello", "text": "hello {{who}}\\n{{key}}" }, { "name": "more", "text": "[1]" }] } }] }
            """
        }

        private static let secret = ["OMBI_TEST_SECRET": "s3cr3t-key"]

        @Test func `the saved messages are sent, what comes is printed, and a count closes it well`() throws {
            try Self.withPeer { port in
                try Scene.play { scene in
                    try scene.write("c.json", Self.collection(port, "ws://127.0.0.1:\(port)/echo"))
                    let outcome = try scene.ombi(
                        "run", "c.json", "--trust", "--events", "2", "--output", "json", environment: Self.secret)
                    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
                    let lines = try outcome.output.split(separator: "\n").map { line in
                        try #require(
                            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: [String: Any]])
                    }
                    let events = lines.compactMap { $0["event"] }
                    try #require(events.count == 5, "\(outcome.output)")
                    #expect(events[0]["type"] as? String == "opened")
                    let sent = events.filter { $0["type"] as? String == "sent" }
                    let received = events.filter { $0["type"] as? String == "received" }
                    #expect(sent.map { $0["data"] as? String }.first == "hello Ada\n••••••", "\(sent)")
                    #expect(sent.count == 2 && (sent.last?["data"] as? [Int]) == [1])
                    #expect(received.count == 2 && (received.last?["data"] as? [Int]) == [1])
                    #expect(lines.compactMap { $0["result"] }.first?["status"] as? Int == 101)
                }
            }
        }

        @Test func `credentials of the environment go with the handshake, a close says its code`() throws {
            try Self.withPeer { port in
                try Scene.play { scene in
                    try scene.write("c.json", Self.collection(port, "/handshake"))
                    let outcome = try scene.ombi("run", "c.json", "--trust", "--stream", environment: Self.secret)
                    #expect(outcome.output.contains("Bearer s3cr3t-key"), "\(outcome.output)\(outcome.errors)")
                    try scene.write("c.json", Self.collection(port, "/close?code=1000&reason=done"))
                    let closed = try scene.ombi("run", "c.json", "--trust", "--stream", environment: Self.secret)
                    #expect(closed.output.contains("closed  1000 normal closure: done"), "\(closed.output)")
                    try scene.write("c.json", Self.collection(port, "/close?code=1011&reason=broken"))
                    let broken = try scene.ombi("run", "c.json", "--trust", "--stream", environment: Self.secret)
                    #expect(broken.status == 1)
                    #expect(broken.output.contains("1011 internal error"), "\(broken.output)")
                }
            }
        }

        @Test func `a refused handshake fails with its status`() throws {
            try Self.withPeer { port in
                try Scene.play { scene in
                    try scene.write("c.json", Self.collection(port, "/forbidden"))
                    let outcome = try scene.ombi("run", "c.json", "--trust", environment: Self.secret)
                    #expect(outcome.status == 1)
                    #expect(outcome.output.contains("403"), "\(outcome.output)")
                }
            }
        }

        @Test func `in the explorer messages are typed, chosen and shown in both directions`() throws {
            try Self.withPeer { port in
                try Scene.play { scene in
                    try scene.write(
                        "c.json",
                        """
                        { "version": 1, "name": "c",
                          "variables": { "who": "Ada" },
                          "environments": [{ "name": "local", "host": "http://127.0.0.1:\(port)" }],
                          "items": [{ "request": "r", "path": "/echo",
                            "webSocket": { "messages": [{ "name": "more", "text": "[1]" }] } }] }
                        """)
                    let session = try scene.explore("c.json")
                    try session.see("WS", "r")
                    session.type("j", "s")
                    try session.see("101 Switching Protocols", "opened  no subprotocol", "no SLA", "x stop")
                    session.type("3", "i")
                    try session.see("Message (Enter sends, Esc closes)")
                    session.type("hi there", "\r")
                    try session.see("received #2")
                    session.type("\u{1B}")
                    try session.seeGone("Message (Enter")
                    try session.seeLine("received #2", "8 B", "hi there")
                    session.type("i")
                    try session.see("Message (Enter sends, Esc closes)")
                    session.type("dear {{who}}", "\r")
                    try session.seeLine("received #4", "8 B", "dear Ada")
                    session.type("\u{1B}")
                    try session.seeGone("Message (Enter")
                    session.type(":Send a saved message", Keys.enter)
                    try session.see("Send a message", "more")
                    session.type("more", "\r")
                    try session.seeLine("received #6", "3 B", "[1]")
                    session.type("x")
                    try session.see("closed  1000 normal closure")
                    try session.seeGone("no SLA")
                }
            }
        }
    }
}
