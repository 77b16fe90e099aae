import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// What a server sent to the attempts before the last one, in all that is printed of the history.
    @Suite struct AttemptTests {
        private static let secret = "s3cr3t-key-in-a-header"

        @Test func `the response of a failed attempt is shown and exported, without the secret that it repeats`() throws
        {
            try Scene.play { scene in
                let server = try LoopbackServer { request in
                    request.number == 1
                        ? .status(503, headers: [("X-Node", "b7")], "busy \(request.headers["x-key"] ?? "")")
                        : .ok("done")
                }
                defer { server.stop() }
                try scene.write(
                    "shop.json",
                    """
                    { "version": 1, "name": "shop",
                      "environments": [{ "name": "local", "host": "\(server.host)",
                          "additionalHeaders": { "X-Key": "{{key}}" },
                          "secrets": { "key": { "env": "OMBI_TEST_SECRET" } } }],
                      "items": [{ "request": "r", "path": "/",
                          "policy": { "retries": 1, "backoff": { "first": "1ms" } } }] }
                    """)
                let environment = ["OMBI_TEST_SECRET": Self.secret]
                func ombi(_ arguments: String...) throws -> String {
                    let outcome = try scene.background(Program.ombi, arguments, environment: environment).outcome()
                    #expect(outcome.status == 0, "\(arguments) \(outcome.errors)")
                    #expect(!outcome.output.contains(Self.secret), "\(arguments)")
                    return outcome.output
                }
                _ = try ombi("run", "shop.json", "--trust")
                let shown = try ombi("history", "show", "1", "--attempt", "1")
                #expect(shown.contains("503 Service Unavailable") && shown.contains("X-Node: b7"), "\(shown)")
                #expect(try ombi("history", "show", "1", "--attempt", "1", "--body") == "busy ••••••")
                #expect(try ombi("history", "show", "1", "--attempt", "2", "--body") == "done")
                #expect(try ombi("history", "show", "1", "--attempt", "1", "--output", "json").contains("busy ••••••"))
                for output in ["jsonl", "har"] {
                    #expect(try ombi("history", "export", "--output", output).contains("busy ••••••"), "\(output)")
                }
                for form in [["incident", "1h.."], ["incident", "1h..", "--har"], ["incident", "1h..", "--html"]] {
                    let outcome = try scene.background(Program.ombi, form, environment: environment).outcome()
                    #expect(outcome.output.contains("busy ••••••") && !outcome.output.contains(Self.secret), "\(form)")
                }
                let missing = try scene.background(
                    Program.ombi, ["history", "show", "1", "--attempt", "3"], environment: environment
                ).outcome()
                #expect(missing.status == 1 && missing.errors.contains("has no attempt 3"), "\(missing.errors)")
            }
        }

        @Test func `a response that the request expects is not retried, unless the policy lists its status`() throws {
            try Scene.play { scene in
                let server = try LoopbackServer { _ in .status(503) }
                defer { server.stop() }
                try scene.write(
                    "shop.json",
                    """
                    { "version": 1, "name": "shop", "policy": { "retries": 2, "backoff": { "first": "1ms" } },
                      "environments": [{ "name": "local", "host": "\(server.host)" }],
                      "items": [
                        { "request": "down", "path": "/down", "expect": { "status": 503 } },
                        { "request": "listed", "path": "/listed", "expect": { "status": [200, 503] },
                          "policy": { "retryOn": ["503"] } }
                      ] }
                    """)
                let outcome = try scene.ombi("run", "shop.json", "--report", "tap=-", "--no-record")
                #expect(outcome.status == 0, "\(outcome)")
                let tap = "ok 1 - shop/down\nok 2 - shop/listed # 3 attempts: 503, 503\n"
                #expect(outcome.output.contains(tap), "\(outcome.output)")
                #expect(server.requests.map(\.target) == ["/down", "/listed", "/listed", "/listed"])
                let ombi = try scene.explore("shop.json")
                try ombi.see("1 Requests", "› down")
                ombi.type("s")
                try ombi.seeLine("✓", "GET", "down")
                try ombi.see("503 · ✓ expected", "attempt 1 of 3")
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
                #expect(server.requests.count == 5)
            }
        }
    }
}
