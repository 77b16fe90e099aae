import Foundation
import Testing

extension EndToEnd {
    /// Several programs that record in one history.
    @Suite struct HistoryParallelTests {
        @Test func `eight programs at once record every run`() throws {
            try Scene.play { scene in
                let port = try scene.port()
                try scene.write(
                    "shop.json",
                    """
                    { "version": 1, "name": "shop", "items": [
                      { "request": "user", "path": "http://127.0.0.1:\(port)/users/1" } ] }
                    """)
                for round in 1...2 {
                    let programs = try (0..<8).map { _ in
                        try scene.background(Program.ombi, ["run", "shop.json", "--repeat", "100"])
                    }
                    for program in programs {
                        let outcome = try program.outcome(timeout: 120)
                        #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.errors)")
                    }
                    let stats = try scene.ombi("history", "stats", "--output", "json")
                    #expect(try stats.json()["runs"] as? Int == round * 800, "\(stats.output)\(stats.errors)")
                }
            }
        }
    }
}
