import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The JSON of runs, as the program writes it, against `schema/run.schema.json`.
    @Suite struct RunSchemaTests {
        @Test func `runs, the history, comparisons and archives follow one schema`() throws {
            try Scene.play { scene in
                let schema = try RunSchema()
                func check(_ definition: String, _ text: String) throws {
                    let failures = try schema.failures(text, definition)
                    #expect(failures.isEmpty, "\(definition): \(failures)\n\(text)")
                }
                try scene.write("shop.json", Samples.shop(port: try scene.port()))
                let run = try scene.ombi(
                    "run", "shop/users/one user", "shop/trouble/missing", "shop/trouble/flaky", "--retries", "1",
                    "--threshold", "p95<60s", "--output", "json")
                try check("results", run.output)
                let lines = try scene.ombi("history", "export").output.split(separator: "\n").map(String.init)
                #expect(lines.count == 3)
                for line in lines { try check("recordedRun", line) }
                try check("recordedRun", try scene.ombi("history", "show", "1", "--output", "json").output)
                try check("list", try scene.ombi("history", "list", "--output", "json").output)
                try check("statistics", try scene.ombi("history", "stats", "--output", "json").output)
                try check("hosts", try scene.ombi("history", "hosts", "--output", "json").output)
                _ = try scene.ombi("mark", "deploy 1.4.2")
                try check("marks", try scene.ombi("mark", "--list", "--output", "json").output)
                let around = try scene.ombi("history", "compare", "--around", "deploy 1.4.2", "--output", "json")
                try check("around", around.output)
                _ = try scene.ombi("mark", "long ago", "--at", "2020-01-01T00:00")
                let empty = try scene.ombi("history", "compare", "--around", "long ago")
                #expect(empty.status == 1 && empty.output == "", "\(empty.output)")
                #expect(empty.errors.contains("no run was found within 1h of ") && empty.errors.contains("--span 7d"))
                let promise = Samples.shop(port: try scene.port()).replacing(
                    "\"version\": 1,", with: "\"version\": 1, \"objective\": { \"success\": \"99.5%\" },",
                    maxReplacements: 1)
                try scene.write("shop.json", promise)
                let objectives = try scene.ombi("history", "objectives", "shop", "--output", "json")
                #expect(objectives.output.contains("budgetLeft"))
                try check("objectives", objectives.output)
                let promised = try scene.ombi("history", "stats", "shop", "--output", "json")
                #expect(promised.output.contains("\"99.5%\""), "\(promised.output)")
                try check("statistics", promised.output)
                let words = try scene.ombi("history", "stats", "shop/users").output
                #expect(words.contains("of the error budget of 99.5 % left"), "\(words)")
                try check("comparisons", try scene.ombi("history", "compare", "1", "2", "--output", "json").output)
                try check("archive", try scene.ombi("incident", "1h..", "--har").output)
                try check("archive", try scene.ombi("history", "export", "--output", "har").output)
            }
        }
    }
}
