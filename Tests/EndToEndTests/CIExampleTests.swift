import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The examples of the documents for GitHub, GitLab and Jenkins, run as a shell there runs them.
    @Suite struct CIExampleTests {
        private static let staging = "https://staging.example.com"

        /// The commands of the section on CI, each once.
        private static func commands() throws -> [String] {
            let document = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../docs/tasks.md")
            let text = try String(contentsOf: document, encoding: .utf8)
            let sections = text.components(separatedBy: "\n## ")
            let section = try #require(sections.first { $0.hasPrefix("Check an API in CI") })
            let commands = section.components(separatedBy: "\n").compactMap { line -> String? in
                // Jenkins has its command in quotes.
                guard let start = line.range(of: "ombi run ")?.lowerBound else { return nil }
                return line[start...].components(separatedBy: "\"").first
            }
            #expect(commands.count == 5 && commands.allSatisfy { $0.hasPrefix("ombi run shop -e staging ") })
            return commands
        }

        @Test func `each command passes where its secret is set, and leaves the report that the job takes`() throws {
            let commands = try Self.commands()
            try Scene.play { scene in
                let server = try LoopbackServer { request in
                    .status(request.headers.values.contains("Bearer t0ken-of-ci") ? 200 : 401)
                }
                defer { server.stop() }
                try scene.write(
                    "shop.json",
                    """
                    { "version": 1, "name": "shop",
                      "environments": [{ "name": "staging", "host": "\(server.host)",
                        "additionalHeaders": { "Authorization": "Bearer {{token}}" },
                        "secrets": { "token": { "env": "API_TOKEN" } } }],
                      "items": [
                        { "request": "orders", "path": "/orders", "tags": ["smoke"], "expect": { "status": 200 } }] }
                    """)
                let folder = URL(fileURLWithPath: Program.ombi).deletingLastPathComponent().path
                let environment = ["PATH": folder + ":/usr/bin:/bin", "API_TOKEN": "t0ken-of-ci"]
                for command in commands {
                    // A machine that builds beside it may be slow.
                    let script = command.replacing(Self.staging, with: server.host).replacing("500ms", with: "30s")
                    for file in ["run.xml", "run.html"] {
                        try? FileManager.default.removeItem(atPath: scene.path(file))
                    }
                    let outcome = try scene.background("/bin/sh", ["-c", script], environment: environment).outcome()
                    #expect(outcome.status == 0, "\(script): \(outcome)")
                    for (report, file) in [("junit=", "run.xml"), ("html=", "run.html")] {
                        let isThere = FileManager.default.fileExists(atPath: scene.path(file))
                        #expect(isThere == command.contains(report + file), "\(script)")
                    }
                }
                #expect(server.requests.count == commands.count)
            }
        }
    }
}
