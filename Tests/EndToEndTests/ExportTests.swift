import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// `ombi export`, judged by the readers of its formats.
    @Suite struct ExportTests {
        private static let demo = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "collections/demo.json").path
        private static let validator = ChildProgram.find("openapi-spec-validator")

        @Test(
            .enabled(
                if: validator != nil,
                "openapi-spec-validator is not installed: pip install openapi-spec-validator"))
        func `openapi-spec-validator accepts the demo, and Ombi reads it`() throws {
            try Scene.play { scene in
                let exported = try scene.ombi("export", Self.demo, "--as", "openapi")
                #expect(exported.status == 0, "\(exported.errors)")
                try scene.write("openapi.json", exported.output)
                let validator = try #require(Self.validator)
                let judged = try scene.background(validator, [scene.path("openapi.json")]).outcome()
                #expect(judged.status == 0, "\(judged.output)\(judged.errors)")
                let imported = try scene.ombi("import", "openapi.json")
                #expect(imported.status == 0, "\(imported.errors)")
                #expect(imported.output.contains("\"request\": \"list users\""))
            }
        }

        @Test func `an environment that is chosen is the one server, and variables are not filled in`() throws {
            try Scene.play { scene in
                let all = try scene.ombi("export", Self.demo, "--as", "openapi").json()["servers"] as? [Any]
                let one = try scene.ombi("export", Self.demo, "--as", "openapi", "-e", "local").json()["servers"]
                #expect((all?.count ?? 0) > 1 && (one as? [Any])?.count == 1)
                let refused = try scene.ombi("export", Self.demo, "--as", "openapi", "--resolved", "--trust")
                #expect(refused.status == 2)
                #expect(refused.errors.contains("--as openapi: its variables stay variables"), "\(refused.errors)")
            }
        }
    }
}
