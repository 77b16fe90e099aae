import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// A breaker and a budget in headless runs: what was not sent, and why.
    @Suite struct BreakerTests {
        @Test func `a run that is held to the end of its SLA and retries beyond the budget say why`() throws {
            try Scene.play { scene in
                let server = try LoopbackServer { _ in .status(503) }
                defer { server.stop() }
                try scene.write(
                    "shop.json",
                    """
                    { "version": 1, "name": "shop",
                      "environments": [{ "name": "local", "host": "\(server.host)" }],
                      "items": [
                        { "request": "budget", "path": "/a", "policy": { "retries": 5, "retryBudget": "20%" } },
                        { "request": "opens", "path": "/b", "policy": { "breaker": { "failures": 1, "pause": "1h" } } },
                        { "request": "held", "path": "/c",
                          "policy": { "sla": "200ms", "breaker": { "failures": 1, "pause": "1h" } } }
                      ] }
                    """)
                let address = "127.0.0.1:\(server.port)"
                let text = try scene.background(Program.ombi, ["run", "shop.json"]).outcome()
                #expect(text.status == 1)
                let spent = "retry budget of \(address) spent: 3 in the last minute"
                #expect(text.output.contains("not retried: \(spent)"), "\(text.output)")
                let held = "the breaker of \(address) held the first attempt"
                #expect(text.output.contains(held), "\(text.output)")
                #expect(server.requests.map(\.target) == ["/a", "/a", "/a", "/a", "/b"])
                let json = try scene.background(Program.ombi, ["run", "shop.json", "--output", "json"]).outcome()
                #expect(json.output.contains(spent) && json.output.contains(held), "\(json.output)")
                let shown = try scene.background(Program.ombi, ["history", "show", "1"]).outcome()
                #expect(shown.output.contains(spent), "\(shown.output)")
                let simulated = try scene.ombi(
                    "history", "simulate", "shop.json/budget", "--retry-budget", "20%", "--breaker",
                    "5 within 30s pause 10s", "--output", "json")
                #expect(simulated.status == 0, "\(simulated.errors)")
                #expect(try RunSchema().failures(simulated.output, "simulation") == [], "\(simulated.output)")
            }
        }
    }
}
