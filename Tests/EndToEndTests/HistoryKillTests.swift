import Foundation
import Testing

extension EndToEnd {
    /// A program that is killed while it records.
    @Suite struct HistoryKillTests {
        /// The environment variable `OMBI_KILLS` asks for more points than the 20 of every day.
        private static let points = ProcessInfo.processInfo.environment["OMBI_KILLS"].flatMap { Int($0) } ?? 20

        @Test func `killed at any point, every run in the history is whole`() throws {
            try Scene.play { scene in
                let port = try scene.port()
                try scene.write(
                    "shop.json",
                    """
                    { "version": 1, "name": "shop", "items": [
                      { "request": "user", "path": "http://127.0.0.1:\(port)/users/1" } ] }
                    """)
                var before = 0
                for point in 0..<Self.points {
                    var (last, writes) = (written(of: scene), 0)
                    let program = try scene.background(
                        Program.ombi, ["run", "shop.json", "--repeat", "100000", "--concurrency", "4"])
                    // After a few writes, the first of which open the file, and at another point behind the last of them each time.
                    let limit = Date().addingTimeInterval(10)
                    while writes < 5 + point % 25, Date() < limit {
                        let now = written(of: scene)
                        if now != last { (last, writes) = (now, writes + 1) }
                    }
                    for _ in 0..<point % 7 * 20 {
                        _ = try FileManager.default.contentsOfDirectory(atPath: scene.folder)
                    }
                    program.signal(SIGKILL)
                    _ = try program.outcome()
                    try killReader(of: scene, at: point)
                    let list = try scene.ombi("history", "list", "--limit", "1000000", "--output", "json")
                    #expect(!list.errors.contains("damaged"), "\(list.errors)")
                    let json = try JSONSerialization.jsonObject(with: Data(list.output.utf8)) as? [String: Any]
                    let runs = json?["runs"] as? [[String: Any]] ?? []
                    #expect(runs.count >= before, "killed at point \(point): \(runs.count) after \(before)")
                    before = runs.count
                    guard let id = runs.first?["id"] as? Int else { continue }
                    let show = try scene.ombi("history", "show", "\(id)", "--output", "json")
                    let run = try JSONSerialization.jsonObject(with: Data(show.output.utf8)) as? [String: Any]
                    #expect((run?["attempts"] as? [Any])?.count == run?["attemptCount"] as? Int)
                    #expect(run?["response"] is [String: Any] || run?["outcome"] as? String != "passed")
                }
                #expect(before > 0)
            }
        }

        /// The time of the last write to the log of the history; nil without one.
        private func written(of scene: Scene) -> Date? {
            let log = scene.path(".local/state/ombi/history.sqlite-wal")
            return (try? FileManager.default.attributesOfItem(atPath: log))?[.modificationDate] as? Date
        }

        /// Kills a program while it puts runs of the journal into their tables: sooner or later after its first write each time.
        private func killReader(of scene: Scene, at point: Int) throws {
            let before = written(of: scene)
            let reader = try scene.background(Program.ombi, ["history", "list"])
            let limit = Date().addingTimeInterval(2)
            while written(of: scene) == before, Date() < limit {}
            for _ in 0..<point % 11 * 10 { _ = try FileManager.default.contentsOfDirectory(atPath: scene.folder) }
            reader.signal(SIGKILL)
            _ = try reader.outcome()
        }
    }
}
