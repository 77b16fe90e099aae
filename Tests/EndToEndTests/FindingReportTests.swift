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
                #expect(outcome.output.contains("::error file=bad.json,line=3,endLine=3,title=bad.json/"), "\(outcome)")
                #expect(outcome.output.contains("\nombi check: 2 cases, 1 failed\n"), "\(outcome)")
                junit = try scene.read("check.xml")
                let folder = try scene.ombi("check", "good.json", "--report", "tap=none/check.tap")
                #expect(folder.status == 3 && folder.errors.contains("there is no folder none"), "\(folder)")
            }
            let start = "<testsuites name=\"ombi check\" tests=\"2\" failures=\"1\" errors=\"0\""
            #expect(junit.contains(start), "\(junit)")
            let valid = "<testcase name=\"has no errors\" classname=\"good_json\" file=\"good.json\" time="
            #expect(junit.contains(valid), "\(junit)")
            try await Self.expectValid(junit)
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
                    Program.ombi, words + ["--report", "junit=compare.xml", "--report", "tap=compare.tap"]
                ).outcome()
                #expect(outcome.status == 1, "\(outcome)")
                junit = try scene.read("compare.xml")
                let tap = try scene.read("compare.tap")
                #expect(tap.hasPrefix("TAP version 14\n1..3\nnot ok 1 - shop.json/user\n"), "\(tap)")
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
