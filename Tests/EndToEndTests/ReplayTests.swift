import Foundation
import Testing

extension EndToEnd {
    /// Recorded responses that are compared, sent again and handed over.
    @Suite struct ReplayTests {
        private static func shop(_ port: Int, ignore: String = "") -> String {
            """
            { "version": 1, "name": "shop",
              "environments": [
                { "name": "local", "host": "http://127.0.0.1:\(port)", "variables": { "id": "1" } },
                { "name": "other", "host": "http://127.0.0.1:\(port)", "variables": { "id": "2" } } ],
              "items": [
                { "folder": "users", "items": [
                  { "request": "user", "path": "/users/{{id}}"\(ignore) },
                  { "request": "status", "path": "/status/503" } ] },
                { "request": "echo", "method": "POST", "path": "/echo", "body": { "json": { "note": 1 } } } ] }
            """
        }

        private static func json(_ text: String) throws -> [String: Any] {
            try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        }

        @Test func `the newest runs of two environments are compared by their values`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Self.shop(try scene.port()))
                _ = try scene.ombi("run", "shop.json/users", "--environment", "local")
                let alone = try scene.ombi("history", "compare", "shop.json", "-e", "local", "-e", "other")
                #expect(alone.status == 1 && alone.output.contains("users/user  has no run in other"))
                _ = try scene.ombi("run", "shop.json/users", "--environment", "other")
                let both = try scene.ombi("history", "compare", "shop.json", "-e", "local", "-e", "other")
                #expect(both.status == 1, "\(both.output)\(both.errors)")
                #expect(both.output.contains("✗ shop.json: users/user  200"))
                #expect(both.output.contains("    ~ $.id  1 → 2"))
                #expect(both.output.contains("✓ shop.json: users/status  503"))
                #expect(both.output.contains("2 requests compared, 1 differs"))

                // What may differ is left out, by the command line and by the file.
                let ignored = try scene.ombi(
                    "history", "compare", "shop.json", "-e", "local", "-e", "other", "--ignore", "$.*")
                #expect(ignored.status == 0 && ignored.output.contains("all the same"), "\(ignored.output)")
                try scene.write(
                    "shop.json", Self.shop(try scene.port(), ignore: ", \"compare\": { \"ignore\": [\"$.*\"] }"))
                #expect(try scene.ombi("history", "compare", "shop.json", "-e", "local", "-e", "other").status == 0)
                let json = try Self.json(
                    try scene.ombi(
                        "history", "compare", "shop.json", "-e", "local", "-e", "other", "--output", "json"
                    ).output)
                #expect(json["same"] as? Bool == true && (json["comparisons"] as? [Any])?.count == 2)
            }
        }

        @Test func `two runs are compared by their numbers`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Self.shop(try scene.port()))
                _ = try scene.ombi("run", "shop.json/users/user", "--environment", "local")
                _ = try scene.ombi("run", "shop.json/users/user", "--environment", "other")
                let outcome = try scene.ombi("history", "compare", "1", "2")
                #expect(outcome.status == 1 && outcome.output.contains("~ $.id  1 → 2"), "\(outcome.errors)")
                #expect(try scene.ombi("history", "compare", "1", "1").status == 0)
                let unknown = try scene.ombi("history", "compare", "1", "99")
                #expect(unknown.status == 1 && unknown.errors.contains("there is no run 99"))
                let one = try scene.ombi("history", "compare", "1")
                #expect(one.status == 2 && one.errors.contains("Name two runs"))
                let path = try scene.ombi("history", "compare", "1", "2", "--ignore", "id")
                #expect(path.status == 2 && path.errors.contains("did you mean $.id?"), "\(path.errors)")
            }
        }

        @Test func `a replay sends what reads again, to where it is told, and says what changed`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Self.shop(try scene.port()))
                _ = try scene.ombi("run", "shop.json", "--environment", "local")
                let same = try scene.ombi("history", "replay", "shop.json", "--ignore", "$.path")
                #expect(same.errors.contains("1 request may change something, not sent"), "\(same.errors)")
                #expect(same.status == 0, "\(same.output)\(same.errors)")
                #expect(same.output.contains("2 requests compared, all the same"))
                let other = try scene.ombi(
                    "history", "replay", "shop.json/users/user", "--environment", "other", "--output", "json")
                #expect(other.status == 1)
                let report = try Self.json(other.output)
                let comparison = try #require((report["comparisons"] as? [[String: Any]])?.first)
                #expect((comparison["old"] as? [String: Any])?["environment"] as? String == "local")
                #expect((comparison["new"] as? [String: Any])?["environment"] as? String == "other")
                let paths = (comparison["changes"] as? [[String: Any]])?.compactMap { $0["path"] as? String } ?? []
                #expect(paths.contains("$.id"))
                let unknown = try scene.ombi("history", "replay", "shop.json/users", "--environment", "nowhere")
                #expect(unknown.status == 1 && unknown.output.contains("has no environment nowhere in its file"))
                // The replay is recorded, too: 3 runs, 2 again, 1 elsewhere.
                #expect(try scene.ombi("history", "list").output.split(separator: "\n").count == 6)
                _ = try scene.ombi("history", "replay", "shop.json", "--all-methods", "--no-record")
                #expect(try scene.ombi("history", "list").output.split(separator: "\n").count == 6)
                #expect(try scene.ombi("history", "replay", "--status", "404").status == 1)
            }
        }

        @Test func `runs are exported as lines of JSON and as an HTTP archive`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Self.shop(try scene.port()))
                _ = try scene.ombi("run", "shop.json", "--repeat", "2")
                let lines = try scene.ombi("history", "export").output.split(separator: "\n").map(String.init)
                #expect(lines.count == 6)
                for line in lines { #expect((try Self.json(line)["attempts"] as? [Any])?.isEmpty == false) }
                let bare = try scene.ombi("history", "export", "shop.json/users/user", "--limit", "1", "--no-bodies")
                let response = try Self.json(bare.output)["response"] as? [String: Any]
                #expect(response?["status"] as? Int == 200 && response?["body"] is NSNull)
                let har = try Self.json(try scene.ombi("history", "export", "--output", "har").output)
                let entries = (har["log"] as? [String: Any])?["entries"] as? [[String: Any]] ?? []
                #expect(entries.count >= 6)
                #expect(entries.allSatisfy { $0["timings"] != nil && $0["request"] != nil })
                #expect(try scene.ombi("history", "export", "--text", "nothing like it").status == 1)
            }
        }

        @Test func `an incident is written to a file that was not there`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Self.shop(try scene.port()))
                _ = try scene.ombi("run", "shop.json")
                let text = try scene.ombi("incident", "1h..")
                #expect(text.status == 0 && text.output.contains("# Incident of "), "\(text.errors)")
                #expect(text.output.contains("503 Service Unavailable") && text.output.contains("curl "))
                let html = try scene.ombi("incident", "1h..", "--html", "--out", "report.html")
                #expect(html.status == 0, "\(html.errors)")
                let mode = try FileManager.default.attributesOfItem(atPath: scene.path("report.html"))[
                    .posixPermissions]
                #expect(mode as? Int == 0o600)
                let again = try scene.ombi("incident", "1h..", "--out", "report.html")
                #expect(again.status == 3 && again.errors.contains("--force replaces it"), "\(again.errors)")
                #expect(try scene.read("report.html").hasPrefix("<!DOCTYPE html>"))
                #expect(try scene.ombi("incident", "1h..", "--har", "--out", "report.html", "--force").status == 0)
                #expect(try Self.json(try scene.read("report.html"))["log"] != nil)
                #expect(try scene.ombi("incident", "2020-01-01..2020-01-02").status == 1)
                let wrong = try scene.ombi("incident", "yesterday")
                #expect(wrong.status == 2 && wrong.errors.contains("write 14:05..14:20"), "\(wrong.errors)")
            }
        }
    }
}
