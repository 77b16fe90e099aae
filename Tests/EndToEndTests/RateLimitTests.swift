import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Limits that servers name, and traces, in headless runs.
    @Suite struct RateLimitTests {
        @Test func `the summary has a line for each host that names a limit`() throws {
            try Scene.play { scene in
                let server = try LoopbackServer { _ in
                    .ok("{}", headers: [("X-RateLimit-Remaining", "412"), ("X-RateLimit-Reset", "1080")])
                }
                defer { server.stop() }
                try scene.write("shop.json", Samples.shop(port: server.port))
                let text = try scene.ombi("run", "shop.json/users")
                #expect(text.status == 0)
                #expect(text.output.contains("\n127.0.0.1:\(server.port) 412 left, 1"), "\(text.output)")
                let json = try scene.ombi("run", "shop.json/users", "--output", "json")
                #expect(json.output.contains("\"host\": \"127.0.0.1:\(server.port)\""), "\(json.output)")
                #expect(json.output.contains("\"remaining\": 412"))
                #expect(try RunSchema().failures(json.output, "results").isEmpty)
            }
        }

        @Test func `a run says why it is slower, and can be told to go on`() throws {
            try Scene.play { scene in
                let slow = try LoopbackServer { _ in
                    .ok("{}", headers: [("RateLimit-Remaining", "0"), ("RateLimit-Reset", "2")])
                }
                defer { slow.stop() }
                try scene.write("shop.json", Samples.shop(port: slow.port))
                let slowed = try scene.ombi("run", "shop.json/users/list users", "--repeat", "2")
                let reason = "slower, as 127.0.0.1:\(slow.port) allows few more requests (0 left, "
                #expect(slowed.status == 0 && slowed.errors.contains(reason), "\(slowed.errors)")
                let ignoring = try scene.ombi(
                    "run", "shop.json/users/list users", "--repeat", "2", "--ignore-rate-limits")
                #expect(ignoring.status == 0 && ignoring.errors.isEmpty)
            }
        }

        @Test func `a run for a certain time says that a server ends it early`() throws {
            try Scene.play { scene in
                let server = try LoopbackServer { _ in
                    .ok("{}", headers: [("RateLimit-Remaining", "0"), ("RateLimit-Reset", "3600")])
                }
                defer { server.stop() }
                try scene.write(
                    "limited.json",
                    """
                    { "version": 1, "name": "limited",
                      "environments": [{ "name": "local", "host": "http://127.0.0.1:\(server.port)" }],
                      "items": [{ "request": "one", "path": "/" }] }
                    """)
                let run = try scene.ombi("run", "limited.json", "--duration", "30s")
                #expect(run.status == 0 && server.requests.count == 1)
                #expect(
                    run.errors.contains("early: 127.0.0.1:\(server.port) allows no more requests until then"),
                    "\(run.errors)")
            }
        }

        @Test func `a run with a trace names it in each attempt, and in its JSON`() throws {
            try Scene.play { scene in
                let server = try LoopbackServer { $0.number < 2 ? .status(503) : .ok("{}") }
                defer { server.stop() }
                let text = Samples.shop(port: server.port).replacing(
                    "\"version\": 1,",
                    with: "\"version\": 1, \"trace\": true, \"traceURL\": \"https://jaeger.test/{traceId}\", "
                        + "\"policy\": { \"retries\": 1 },", maxReplacements: 1)
                try scene.write("shop.json", text)
                let run = try scene.ombi("run", "shop.json/users/list users", "--output", "json")
                let sent = server.requests.compactMap { $0.headers["traceparent"] }
                #expect(run.status == 0 && sent.count == 2 && Set(sent).count == 2, "\(run.errors)")
                let trace = sent.first.map { String($0.dropFirst(3).prefix(32)) } ?? ""
                #expect(run.output.contains("\"traceId\": \"\(trace)\""), "\(run.output)")
                #expect(run.output.contains("\"traceURL\": \"https://jaeger.test/\(trace)\""))
                #expect(try RunSchema().failures(run.output, "results").isEmpty)
                let recorded = try scene.ombi("history", "show", "1")
                for header in sent { #expect(recorded.output.contains(String(header.dropFirst(36).prefix(16)))) }
                #expect(recorded.output.contains("trace: https://jaeger.test/\(trace)"))
            }
        }
    }
}
