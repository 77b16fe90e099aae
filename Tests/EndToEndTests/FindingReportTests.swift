import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Reports of commands that find errors and differences.
    @Suite struct FindingReportTests {
        private static func expectValid(_ report: String) async throws {
            guard JUnitSchema.judge != nil else { return }
            #expect(try await JUnitSchema.problems(in: report) == "", "\(report)")
        }

        @Test func `each error of a file is a failure at its line, and a file without errors passes`() async throws {
            var junit = ""
            try Scene.play { scene in
                try scene.write("good.json", Samples.shop(port: 1))
                try scene.write(
                    "bad.json",
                    """
                    { "version": 1, "name": "bad", "items": [
                      { "request": "]]>",
                        "path": 5 }] }
                    """)
                let outcome = try scene.ombi(
                    "check", "good.json", "bad.json", "--report", "junit=check.xml", "--report", "github=-")
                #expect(outcome.status == 2, "\(outcome)")
                let annotation = "::error file=bad.json,line=3,endLine=3,title=bad.json%3A3%3A"
                #expect(outcome.output.contains(annotation), "\(outcome)")
                #expect(outcome.output.contains("\nombi check: 2 cases, 1 failed\n"), "\(outcome)")
                let alone = try scene.ombi("check", "good.json", "bad.json", "--report", "json=-")
                let summary = ["passed", "failed", "warnings"].map { try? alone.json()[$0] as? Int }
                #expect(summary == [1, 1, 0], "\(alone)")
                junit = try scene.read("check.xml")
                let folder = try scene.ombi("check", "good.json", "--report", "tap=good.json/check.tap")
                #expect(folder.status == 3 && folder.errors.contains("cannot make the folder good.json"), "\(folder)")
            }
            let start = "<testsuites name=\"ombi check\" tests=\"2\" failures=\"1\" errors=\"0\""
            #expect(junit.contains(start), "\(junit)")
            let valid = "<testcase name=\"has no errors\" classname=\"good_json\" file=\"good.json\" time="
            #expect(junit.contains(valid), "\(junit)")
            try await Self.expectValid(junit)
        }

        @Test func `warnings are told with their places, of a file with errors and in a file next to it, too`() throws {
            try Scene.play { scene in
                try scene.write(
                    "bad.json",
                    """
                    { "version": 1, "name": "bad", "odd": 1, "items": [
                      { "request": "one", "path": 5 }] }
                    """)
                let outcome = try scene.background(
                    Program.ombi, ["check", "bad.json", "--report", "github=-", "--report", "html=check.html"],
                    environment: ["GITHUB_STEP_SUMMARY": scene.path("summary.md")]
                ).outcome()
                #expect(outcome.status == 2)
                let warning = "::warning file=bad.json,line=1,endLine=1,title=bad.json%3A1%3A32::unknown key \"odd\""
                #expect(outcome.output.contains(warning), "\(outcome.output)")
                #expect(outcome.output.contains("\nombi check: 2 cases, 1 failed, 1 warning\n"), "\(outcome.output)")
                let summary = try scene.read("summary.md")
                #expect(
                    summary.hasPrefix("## ombi check\n\n2 cases, 1 failed, 1 warning\n\n### Failed\n"), "\(summary)")
                let page = try scene.read("check.html")
                #expect(page.contains("<h2>Failed: 1</h2>") && page.contains("<h2>Warnings: 1</h2>"), "\(page)")
                let attributes = try FileManager.default.attributesOfItem(atPath: scene.path("check.html"))
                #expect(attributes[.posixPermissions] as? Int == 0o600)
            }
        }

        @Test func `names break out of no report about findings`() throws {
            try Scene.play { scene in
                let long = String(repeating: "x", count: 1 << 20)
                let names = [
                    "]]>", "\u{1B}[2J\u{9B}6n", "100% %0A", "\"'&<>", "a\nb", "</script><script>alert(1)</script>",
                    long,
                ]
                let items = try names.map { name in
                    let quoted = String(decoding: try JSONEncoder().encode(name), as: UTF8.self)
                    return "{ \"request\": \(quoted), \"path\": \"/\", \(quoted): 1 }"
                }
                try scene.write(
                    "names.json", "{ \"version\": 1, \"name\": \"n\", \"items\": [\(items.joined(separator: ",\n"))] }")
                let outcome = try scene.ombi(
                    "check", "names.json", "--report", "html=check.html", "--report", "json=check.json", "--report",
                    "github=-")
                #expect(outcome.status == 0, "\(outcome.errors)")
                let (page, json) = (try scene.read("check.html"), try scene.read("check.json"))
                #expect(try RunSchema().failures(json, "findings").isEmpty)
                #expect(page.utf8.count < 100_000 && page.hasSuffix("</html>\n") && !page.contains("<script"))
                #expect(page.contains("&lt;script&gt;alert(1)"))
                for text in [page, json, outcome.output] {
                    let controls = text.unicodeScalars.filter {
                        $0 != "\n" && $0.properties.generalCategory == .control
                    }
                    #expect(controls.isEmpty)
                }
                let commands = outcome.output.split(separator: "\n").filter { $0.hasPrefix("::") }
                #expect(
                    commands.count == names.count && commands.allSatisfy { $0.hasPrefix("::warning file=names.json,") })
            }
        }

        @Test func `a document that differs, and operations without a run, are in each report`() throws {
            try Scene.play { scene in
                try scene.write(
                    "api.json",
                    """
                    { "openapi": "3.1.0", "info": { "title": "api", "version": "1" }, "paths": {
                      "/users": { "get": { "responses": { "200": { "description": "ok" } } } },
                      "/gone": { "get": { "responses": { "200": { "description": "ok" } } } } } }
                    """)
                try scene.write(
                    "shop.json",
                    """
                    { "version": 1, "name": "shop",
                      "environments": [{ "name": "local", "host": "http://127.0.0.1:\(try scene.port())" }],
                      "items": [
                        { "request": "users", "path": "/users" },
                        { "request": "other", "path": "/other" }] }
                    """)
                #expect(try scene.ombi("run", "shop.json/users").status == 0)
                let words = ["api.json", "shop.json", "--report", "html=page.html", "--report", "json=found.json"]
                let differs = try scene.background(Program.ombi, ["spec", "diff"] + words).outcome()
                #expect(differs.status == 1, "\(differs)")
                let diff = try Self.findings(scene)
                #expect(diff.map { $0["outcome"] as? String } == ["failed", "failed", "passed"], "\(diff)")
                #expect(diff[0]["file"] as? String == "shop.json" && diff[0]["line"] as? Int == 5, "\(diff)")
                #expect(diff[1]["file"] as? String == "api.json", "\(diff)")
                #expect(try scene.read("page.html").contains("<h2>Failed: 2</h2>"))
                let limit = ["--min", "80%", "--report", "junit=cover.xml"]
                let covers = try scene.background(Program.ombi, ["spec", "coverage"] + words + limit).outcome()
                #expect(covers.status == 1, "\(covers)")
                let coverage = try Self.findings(scene)
                #expect(coverage.map { $0["outcome"] as? String } == ["passed", "skipped"], "\(coverage)")
                let junit = try scene.read("cover.xml")
                #expect(junit.contains("<skipped message=\"no request\"/>"), "\(junit)")
                #expect(junit.contains("<failure message=\"50 % of the operations are run\""), "\(junit)")
                #expect(try scene.read("page.html").contains("<h2>Not run: 1</h2>"))
            }
        }

        private static func findings(_ scene: Scene) throws -> [[String: Any]] {
            let text = try scene.read("found.json")
            let failures = try RunSchema().failures(text, "findings")
            #expect(failures.isEmpty, "\(failures)\n\(text)")
            let report = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            return try #require(report?["findings"] as? [[String: Any]])
        }

        @Test func `a replay that is ended leaves reports of what was and was not sent`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: try scene.port()))
                #expect(try scene.ombi("run", "shop.json/users").status == 0)
                let server = try SilentServer()
                defer { server.stop() }
                try scene.write("shop.json", Samples.shop(port: server.port))
                let replay = try scene.background(
                    Program.ombi,
                    ["history", "replay", "--report", "tap=replay.tap", "--report", "json=found.json"])
                #expect(server.waitForRequest())
                replay.signal(SIGTERM)
                let outcome = try replay.outcome()
                #expect(outcome.status == 128 + SIGTERM, "\(outcome)")
                let tap = try scene.read("replay.tap")
                #expect(tap.contains(" # SKIP not sent: ended by SIGTERM\n"), "\(tap)")
                #expect(tap.hasSuffix("\nBail out! ended by SIGTERM\n"), "\(tap)")
                #expect(try Self.findings(scene).count == 2)
            }
        }

        @Test func `a replay whose output is gone sends all requests of its report`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: try scene.port()))
                #expect(try scene.ombi("run", "shop.json/users").status == 0)
                let outcome = try scene.shell(
                    "mkfifo pipe; exec 4<> pipe 5> pipe 4<&-; "
                        + "\"$0\" history replay --concurrency 1 --report json=found.json >&5")
                let findings = try Self.findings(scene)
                #expect(findings.count == 2, "\(outcome)")
            }
        }

        @Test func `a response that differs, and a run that is missing, are failures`() async throws {
            var junit = ""
            try Scene.play { scene in
                let host = "http://127.0.0.1:\(try scene.port())"
                try scene.write(
                    "shop.json",
                    """
                    { "version": 1, "name": "shop",
                      "environments": [{ "name": "one", "host": "\(host)", "variables": { "id": "1" } },
                        { "name": "two", "host": "\(host)", "variables": { "id": "2" } }],
                      "items": [{ "request": "user", "path": "/users/{{id}}" },
                        { "request": "same", "path": "/users/3" }, { "request": "only one", "path": "/users/4" }] }
                    """)
                #expect(try scene.ombi("run", "shop.json", "-e", "one").status == 0)
                #expect(try scene.ombi("run", "shop.json/user", "shop.json/same", "-e", "two").status == 0)
                let words = ["history", "compare", "shop.json", "-e", "one", "-e", "two"]
                let outcome = try scene.background(
                    Program.ombi,
                    words + ["--report", "junit=compare.xml", "--report", "tap=compare.tap"]
                        + ["--report", "json=found.json", "--report", "html=page.html"]
                ).outcome()
                #expect(outcome.status == 1, "\(outcome)")
                let found = try Self.findings(scene)
                #expect(found.map { $0["line"] as? Int } == [4, 5, 5], "\(found)")
                #expect(found[0]["status"] as? Int == 200 && (found[0]["diff"] as? [String])?.isEmpty == false)
                #expect(try scene.read("page.html").contains("<p class=\"f\">has no run in two</p>"))
                junit = try scene.read("compare.xml")
                let tap = try scene.read("compare.tap")
                #expect(tap.hasPrefix("TAP version 13\n1..3\nnot ok 1 - shop.json/user\n"), "\(tap)")
                #expect(tap.contains("message: \"has no run in two\""), "\(tap)")
                let printed = try scene.background(
                    Program.ombi, words + ["--output", "json", "--report", "github=-"]
                ).outcome()
                #expect(printed.status == 2 && printed.errors.contains("room for one form"), "\(printed)")
            }
            let start = "<testsuites name=\"ombi history\" tests=\"3\" failures=\"2\" errors=\"0\""
            #expect(junit.contains(start) && junit.contains("<testcase name=\"same\" "), "\(junit)")
            #expect(junit.contains("<failure message=\"has no run in two\""), "\(junit)")
            try await Self.expectValid(junit)
        }
    }
}
