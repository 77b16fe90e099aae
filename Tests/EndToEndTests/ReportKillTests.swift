import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// A run that is killed before, while and after it writes its reports and the summary of its step.
    @Suite struct ReportKillTests {
        private static let requests = 20
        private static let names = [
            "junit": "run.xml", "tap": "run.tap", "html": "run.html", "json": "run.json", "github": "run.github",
        ]
        /// The summary of the step, which follows those of others.
        private static let summary = "summary.md"
        private static let written = names.merging(["summary": summary]) { $1 }
        /// A report of an earlier run.
        private static let old = "before\n"

        private static func isWhole(_ text: String, _ format: String) -> Bool {
            switch format {
            case "junit":
                text.hasSuffix("</testsuites>\n") && text.components(separatedBy: "<testcase ").count == requests + 1
            case "tap": text.split(separator: "\n").count == requests + 2
            case "github": text.hasPrefix("ombi run: \(requests) requests") && text.hasSuffix("\n")
            case "summary":
                text.replacing(old, with: "").hasPrefix("## ombi run\n\n\(requests) requests, all passed, ")
                    && text.contains(", p99 ") && text.hasSuffix("s\n")
            case "html": text.hasPrefix("<!DOCTYPE html>") && text.hasSuffix("</html>\n")
            default: (try? JSONSerialization.jsonObject(with: Data(text.utf8))) is [String: Any]
            }
        }

        private static func collection(_ host: String) -> String {
            let items = (1...requests).map { "{ \"request\": \"r\($0)\", \"path\": \"/\($0)\" }" }
            return """
                { "version": 1, "name": "shop", "environments": [{ "name": "local", "host": "\(host)" }],
                  "items": [\(items.joined(separator: ", "))] }
                """
        }

        /// 40 runs: half of them killed at one of their requests, the others once a report is written, the later, the more
        /// looks at the folder. The last one comes to its end.
        @Test func `killed at any point, each report is whole, as it was before or absent`() throws {
            try Scene.play { scene in
                let reports = Self.names.flatMap { ["--report", "\($0)=\($1)"] }
                for point in 0..<40 {
                    let arrived = DispatchSemaphore(value: 0)
                    let server = try LoopbackServer { _ in
                        arrived.signal()
                        return .ok("{}")
                    }
                    defer { server.stop() }
                    try scene.write("shop.json", Self.collection(server.host))
                    for name in Self.written.values { try? FileManager.default.removeItem(atPath: scene.path(name)) }
                    let replaced = Self.written.values.sorted()[point % Self.written.count]
                    try scene.write(replaced, Self.old)
                    let before = try Self.files(of: scene)
                    let program = try scene.background(
                        Program.ombi, ["run", "shop.json", "--no-record", "--concurrency", "1"] + reports,
                        environment: ["GITHUB_STEP_SUMMARY": scene.path(Self.summary)])
                    for _ in 0...min(point, Self.requests - 1) {
                        #expect(arrived.wait(timeout: .now() + 10) == .success)
                    }
                    if point >= Self.requests {
                        let limit = Date().addingTimeInterval(10)
                        while try Self.files(of: scene) == before, Date() < limit {}
                        for _ in 0..<(point - Self.requests) * 4 { _ = try Self.files(of: scene) }
                    }
                    if point < 39 { program.signal(SIGKILL) }
                    let outcome = try program.outcome()
                    for (format, name) in Self.written {
                        let text = try? scene.read(name)
                        let isUntouched = text == (name == replaced ? Self.old : nil) && outcome.status != 0
                        let isWhole = text.map { Self.isWhole($0, format) } ?? false
                        #expect(isWhole || isUntouched, "\(name) at point \(point): \(text ?? "nothing")")
                    }
                }
            }
        }

        private static func files(of scene: Scene) throws -> Set<String> {
            Set(try FileManager.default.contentsOfDirectory(atPath: scene.folder))
        }
    }
}
