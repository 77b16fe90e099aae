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

        /// The form in which each request would be sent, by its name without those of its folders.
        private static func sent(_ file: String, _ scene: Scene) throws -> [String: String] {
            let captured = ["accessToken=x", "sessionToken=", "sessionUser="].flatMap { ["--set", $0] }
            let words = ["run", file, "--dry-run", "--output", "json", "--trust"]
            let outcome = try scene.background(Program.ombi, words + captured).outcome()
            try #require(outcome.status == 0, "\(outcome.errors)")
            var forms: [String: String] = [:]
            for request in try outcome.json()["requests"] as? [[String: Any]] ?? [] {
                let headers = (request["headers"] as? [[String: Any]] ?? []).map { header in
                    "\((header["name"] as? String ?? "").lowercased()): \(header["value"] as? String ?? "")"
                }
                let line = ["method", "url", "body"].map { request[$0] as? String ?? "" }
                // Some texts are made up anew each time: UUIDs, and the boundaries of parts.
                let made = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|ombi-[0-9a-z]+/
                let form = (line + headers.sorted()).joined(separator: "\n").replacing(made, with: "made up")
                let name = (request["name"] as? String ?? "").split(separator: "/").last ?? ""
                forms[String(name)] = form
            }
            return forms
        }

        @Test(arguments: [("postman", "back.json"), ("http", "back.http"), ("hurl", "back.hurl"), ("har", "back.har")])
        func `each request of the demo comes back as it was sent, or what is lost is said`(
            format: String, file: String
        ) throws {
            try Scene.play { scene in
                let folder = (Self.demo as NSString).deletingLastPathComponent
                #expect(try scene.shell("cp '\(folder)'/*.json .").status == 0)
                let wanted = try Self.sent("demo.json", scene)
                #expect(wanted.count > 70)
                let exported = try scene.ombi(
                    "export", "demo.json", "--as", format, "--resolved", "--reveal-secrets", "--trust")
                try scene.write(file, exported.output)
                let imported = try scene.ombi("import", file, "--to", "again.json")
                try #require(imported.status == 0, "\(imported.errors)")
                let found = try Self.sent("again.json", scene)
                // These change nothing of what is sent.
                let others = ["left out: expectations", "left out: retries, expectations", "its timeout is left out"]
                let lines = exported.errors.split(separator: "\n")
                for (name, form) in wanted where found[name] != form {
                    let losses = lines.filter { line in
                        (line.hasPrefix("ombi: \(name): ") || line.hasPrefix("ombi: \(name) is "))
                            && !others.contains { line.hasSuffix(": " + $0) }
                    }
                    #expect(!losses.isEmpty, "\(name) was\n\(form)\nand is\n\(found[name] ?? "nothing")")
                }
                #expect(found.count { wanted[$0.key] == $0.value } > 65)
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
