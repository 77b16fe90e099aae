import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Streams in `ombi run` and in the explorer, from servers that never end them.
    @Suite struct StreamTests {
        /// Sends events of a count that grows, and waits for the client to close.
        private static func endless(_ type: String, _ body: @escaping @Sendable (Int) -> String) throws
            -> ConversationServer
        {
            try ConversationServer { peer, _ in
                guard peer.readHead() != nil else { return }
                peer.write("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nTransfer-Encoding: chunked\r\n\r\n")
                for number in 1...5 {
                    let text = body(number)
                    peer.write(String(text.utf8.count, radix: 16) + "\r\n" + text + "\r\n")
                }
                peer.waitForEnd()
            }
        }

        private static func events() throws -> ConversationServer {
            try endless("text/event-stream") { "id: \($0)\nevent: tick\ndata: {\"n\":\($0)}\n\n" }
        }

        private static func collection(_ port: Int, policy: String = "{}") -> String {
            """
            { "version": 1, "name": "c", "environments": [{ "name": "local", "host": "http://127.0.0.1:\(port)" }],
              "items": [{ "request": "r", "path": "/", "policy": \(policy), "expect": { "status": "2xx" } }] }
            """
        }

        @Test func `events are printed as they come, and a count ends the stream well`() throws {
            try Scene.play { scene in
                let server = try Self.events()
                defer { server.stop() }
                try scene.write("c.json", Self.collection(server.port))
                let outcome = try scene.ombi("run", "c.json", "--events", "2")
                #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
                let lines = outcome.output.split(separator: "\n").map(String.init)
                try #require(lines.count == 4, "\(outcome.output)")
                #expect(lines[0].hasSuffix("  tick #1  {\"n\":1}") && lines[1].hasSuffix("  tick #2  {\"n\":2}"))
                #expect(lines[1].contains(" s ") && lines[1].contains("+"))
                #expect(lines[2].hasPrefix("✓ GET   c/r  200"))
            }
        }

        @Test func `with JSON each event and each result is a line`() throws {
            try Scene.play { scene in
                let server = try Self.events()
                defer { server.stop() }
                try scene.write("c.json", Self.collection(server.port))
                let outcome = try scene.ombi("run", "c.json", "--until", "$.n >= 2", "--output", "json")
                #expect(outcome.status == 0, "\(outcome.errors)")
                let lines = try outcome.output.split(separator: "\n").map { line in
                    try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: [String: Any]])
                }
                try #require(lines.count == 4, "\(outcome.output)")
                let event = try #require(lines[1]["event"])
                #expect(
                    event["number"] as? Int == 2 && event["type"] as? String == "tick" && event["id"] as? String == "2")
                #expect((event["data"] as? [String: Int]) == ["n": 2])
                #expect(event["atMs"] is Double || event["atMs"] is Int)
                #expect(lines[2]["result"]?["outcome"] as? String == "passed")
                #expect(lines[3]["summary"]?["passed"] as? Int == 1)
            }
        }

        @Test func `a condition that no event meets fails, once the time is over`() throws {
            try Scene.play { scene in
                let server = try Self.endless("application/x-ndjson") { "{\"n\":\($0)}\n" }
                defer { server.stop() }
                try scene.write("c.json", Self.collection(server.port))
                let outcome = try scene.ombi("run", "c.json", "--until", "$.n = 9", "--stream-for", "300ms")
                #expect(outcome.status == 1)
                #expect(outcome.output.contains("  {\"n\":5}\n"))
                #expect(outcome.output.contains("no event met $.n = 9"), "\(outcome.output)")
                #expect(outcome.output.contains("1 request, 1 failed"))
                let wrong = try scene.ombi("run", "c.json", "--until", "n = 9")
                #expect(wrong.status == 2 && wrong.errors.contains("write a JSONPath and a condition"))
            }
        }

        @Test func `a condition on events fails a response that is no stream`() throws {
            try Scene.play { scene in
                let server = try LoopbackServer { _ in .ok("{\"n\":9}") }
                defer { server.stop() }
                try scene.write("c.json", Self.collection(server.port))
                let outcome = try scene.ombi("run", "c.json", "--until", "$.n = 9")
                #expect(outcome.status == 1, "\(outcome)")
                #expect(outcome.output.contains("no event met $.n = 9, as the response is no stream"), "\(outcome)")
                #expect(try scene.ombi("run", "c.json", "--events", "2").status == 0)
            }
        }

        @Test func `an SLA that the file sets ends a stream`() throws {
            try Scene.play { scene in
                let server = try Self.events()
                defer { server.stop() }
                try scene.write("c.json", Self.collection(server.port, policy: "{ \"sla\": \"300ms\" }"))
                let outcome = try scene.ombi("run", "c.json", "--stream")
                #expect(outcome.status == 1)
                #expect(outcome.output.contains("tick #5") && outcome.output.contains("300ms"), "\(outcome.output)")
            }
        }

        @Test func `the explorer shows events while they come, and x ends the stream well`() throws {
            try Scene.play { scene in
                let server = try Self.events()
                defer { server.stop() }
                try scene.write("c.json", Self.collection(server.port))
                let session = try scene.explore("c.json")
                try session.see("GET   r")
                session.type("j", "s")
                try session.see("tick #5  {\"n\":5}", "streaming", "no SLA", "following")
                session.type("3", ":Join the values", Keys.enter)
                try session.see("joined:")
                session.type("$.n", "\r")
                try session.see("12345")
                session.type("\u{1B}")
                try session.see("tick #5")
                session.type("x")
                try session.see("200 OK", "Expect ✓")
                try session.seeGone("no SLA")
            }
        }
    }
}
