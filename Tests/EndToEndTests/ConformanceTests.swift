import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Responses that differ from their OpenAPI document on purpose, judged by Ombi and by schemathesis.
    @Suite struct ConformanceTests {
        private static let peer = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "Peers/conformance_peer.py").path
        private static let python = ChildProgram.interpreter(of: "schemathesis")

        private static let (status, contentType, schema) = (
            "status_code_conformance", "content_type_conformance", "response_schema_conformance"
        )

        /// The verdicts of Ombi that differ from those of schemathesis, and why.
        private static let exceptions: [String: (checks: Set<String>, reason: String)] = [
            "documentedFailure": ([status], "a request that fails as documented has failed still"),
            "wrongFailure": ([status, schema], "a request that fails as documented has failed still"),
            "defaultOfOthers": ([status, schema], "only the documented statuses of success are expected"),
            "wholeFloat": ([], "1.0 is an integer since draft 6; schemathesis judges 2.0 and 3.0 by draft 4"),
            "nullableOfReference": ([schema], "nullable is about the type of the same schema, says 3.0.3"),
            "noContentType": ([contentType], "schemathesis reports a missing content type by two checks"),
            "emptyText": ([], "an empty body has no content, so no type of it is missed"),
        ]

        /// The checks that responses fail, by operation.
        private static func verdicts(_ run: [String: Any]) throws -> [String: Set<String>] {
            var verdicts: [String: Set<String>] = [:]
            for request in try #require(run["requests"] as? [[String: Any]]) {
                let name = try #require(request["name"] as? String)
                let failed = (request["expectations"] as? [[String: Any]] ?? []).filter { $0["met"] as? Bool == false }
                verdicts[String(name.split(separator: "/").last ?? "")] = Set(
                    failed.map {
                        switch $0["subject"] as? String {
                        case "status": status
                        case "header Content-Type": contentType
                        default: schema
                        }
                    })
            }
            return verdicts
        }

        @Test(
            .enabled(if: python != nil, "schemathesis is not installed: pip install schemathesis"),
            arguments: ["2.0", "3.0.3", "3.1.0", "3.2.0"])
        func `Ombi and schemathesis agree on each response, but for those named`(version: String) throws {
            let python = try #require(Self.python)
            let server = try ServerProcess(python, [Self.peer, "serve"])
            defer { server.stop() }
            try Scene.play { scene in
                let document = try scene.background(python, [Self.peer, "document", version]).outcome()
                try scene.write("openapi.json", document.output)
                let judged = try scene.background(python, [Self.peer, "judge", version, server.host]).outcome()
                #expect(judged.status == 0, "\(judged.errors)")
                let run = try scene.ombi(
                    "run", "openapi.json", "--set", "host=\(server.host)", "--no-record", "--output", "json")
                let (own, other) = (try Self.verdicts(run.json()), try judged.json())
                #expect(own.count > 50 && own.count == other.count)
                for (name, checks) in own.sorted(by: { $0.key < $1.key }) {
                    let expected = Self.exceptions[name]?.checks ?? Set(other[name] as? [String] ?? ["none"])
                    #expect(checks == expected, "\(name) of \(version)")
                }
            }
        }
    }
}
