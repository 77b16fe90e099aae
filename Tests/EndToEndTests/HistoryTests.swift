import Foundation
import Testing

extension EndToEnd {
    /// `ombi history` over runs of `ombi run`.
    @Suite struct HistoryTests {
        private static func shop(_ port: Int) -> String {
            """
            { "version": 1, "name": "shop",
              "environments": [{ "name": "local", "host": "http://127.0.0.1:\(port)",
                  "additionalHeaders": { "X-Custom": "{{key}}" }, "secrets": { "key": { "env": "OMBI_TEST_SECRET" } } }],
              "items": [
                { "folder": "users", "items": [
                  { "request": "user", "path": "/users/{{id}}" },
                  { "request": "quiet", "path": "/users/1", "record": false } ] },
                { "request": "echo", "method": "POST", "path": "/echo", "body": { "json": { "note": "{{key}}" } } }
              ], "variables": { "id": "1" } }
            """
        }

        @Test func `a damaged history is told of by whoever meets it`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Self.shop(try scene.port()))
                let environment = ["OMBI_TEST_SECRET": "s3cr3t-key-in-a-header"]
                let send = ["run", "shop.json/users/user", "--trust"]
                for arguments in [["history"], ["history", "stats"], ["incident", "1h.."], send] {
                    let run = try scene.background(Program.ombi, send, environment: environment).outcome()
                    #expect(run.status == 0, "\(run.errors)")
                    let file = URL(filePath: scene.path(".local/state/ombi/history.sqlite"))
                    try FileHandle(forWritingTo: file).truncate(atOffset: 5000)
                    let outcome = try scene.background(Program.ombi, arguments, environment: environment).outcome()
                    #expect(outcome.errors.contains("the history was damaged; it is set aside as"), "\(arguments)")
                }
            }
        }

        @Test(arguments: [("JST-9", 9, "UTC+09:00"), ("STD-1DST,0/0,J365/25", 2, "UTC+02:00")])
        func `times are those of the clock here, daylight saving included`(zone: String, hours: Int, name: String)
            throws
        {
            try Scene.play { scene in
                try scene.write("shop.json", Self.shop(try scene.port()))
                let environment = ["OMBI_TEST_SECRET": "s3cr3t-key-in-a-header", "TZ": zone]
                func ombi(_ arguments: String...) throws -> String {
                    let outcome = try scene.background(Program.ombi, arguments, environment: environment).outcome()
                    #expect(outcome.status == 0, "\(arguments) \(outcome.errors)")
                    return outcome.output
                }
                _ = try ombi("run", "shop.json/users/user", "--trust")
                let json = try JSONSerialization.jsonObject(with: Data(ombi("history", "--output", "json").utf8))
                let run = ((json as? [String: Any])?["runs"] as? [[String: Any]])?.first
                let start = try Date(run?["startedAt"] as? String ?? "", strategy: .iso8601)
                // What the clock on the wall shows.
                let wall = start.addingTimeInterval(Double(hours) * 3600).formatted(.iso8601)
                #expect(try ombi("history").contains(wall.prefix(10) + " " + wall.dropFirst(11).prefix(8)))
                let (day, minute) = (String(wall.prefix(10)), String(wall.dropFirst(11).prefix(5)))
                #expect(try ombi("history", "--since", "\(day)T\(minute)").contains("shop.json: users/user"))
                let report = try ombi("incident", "\(day)T\(minute)..")
                #expect(report.contains("# Incident of \(day), \(minute) to ") && report.contains("Times are \(name)."))
            }
        }

        @Test func `runs are listed, shown, summed up and deleted`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Self.shop(try scene.port()))
                let environment = ["OMBI_TEST_SECRET": "s3cr3t-key-in-a-header"]
                func ombi(_ arguments: String...) throws -> (status: Int32, output: String, errors: String) {
                    let outcome = try scene.background(Program.ombi, arguments, environment: environment).outcome()
                    return (outcome.status, outcome.output, outcome.errors)
                }
                let empty = try ombi("history")
                #expect(empty.status == 1 && empty.errors.contains("no run was found"))
                _ = try ombi("run", "shop.json", "--trust", "--repeat", "3")
                _ = try ombi("run", "shop.json/users/user", "--trust", "--set", "id=9999")
                _ = try ombi("run", "shop.json/users/user", "--trust", "--no-record")
                let list = try ombi("history", "list")
                let lines = list.output.split(separator: "\n")
                #expect(lines.count == 7, "\(list.output)\(list.errors)")
                #expect(lines.first?.contains("✗ GET") == true && lines.first?.contains("404") == true)
                #expect(lines.first?.contains("shop.json: users/user") == true && !list.output.contains("quiet"))
                #expect(try ombi("history", "list", "shop.json/users").output.split(separator: "\n").count == 4)
                #expect(try ombi("history", "list", "--status", "4xx").output.split(separator: "\n").count == 1)
                #expect(try ombi("history", "list", "--outcome", "passed").output.split(separator: "\n").count == 6)
                #expect(try ombi("history", "list", "--until", "1d").status == 1)

                let show = try ombi("history", "show", "--output", "json")
                let json = try JSONSerialization.jsonObject(with: Data(show.output.utf8)) as? [String: Any]
                #expect(json?["status"] as? Int == 404)
                #expect((json?["attempts"] as? [Any])?.count == 1)
                let echo = try ombi("history", "list", "shop.json/echo", "--output", "json")
                let runs = try JSONSerialization.jsonObject(with: Data(echo.output.utf8)) as? [String: Any]
                let id = ((runs?["runs"] as? [[String: Any]])?.first?["id"] as? Int) ?? 0
                let body = try ombi("history", "show", "\(id)", "--body")
                #expect(body.output.contains("••••••") && !body.output.contains("s3cr3t"))

                let statistics = try ombi("history", "stats", "shop.json/users/user", "--threshold", "eventual>=75%")
                #expect(statistics.status == 0, "\(statistics.output)\(statistics.errors)")
                #expect(statistics.output.contains("eventually  75 %"))
                let missed = try ombi("history", "stats", "shop.json/users/user", "--threshold", "eventual>=80%")
                #expect(missed.status == 1 && missed.errors.contains("threshold missed: eventual>=80%, measured 75 %"))
                let newest = try ombi("history", "stats", "shop.json/users/user", "--last", "2")
                #expect(newest.output.contains("eventually  50 %") && newest.output.contains("  wait      p50 "))
                #expect(try ombi("history", "stats", "--last", "0").status == 2)
                let prometheus = try ombi("history", "stats", "shop.json/users/user", "--output", "prometheus")
                #expect(
                    prometheus.output.contains("ombi_runs{selection=\"shop.json/users/user\",outcome=\"passed\"} 3"))

                #expect(try ombi("history", "delete").status == 2)
                #expect(try ombi("history", "delete", "--status", "404").errors.contains("1 run deleted"))
                #expect(try ombi("history", "list").output.split(separator: "\n").count == 6)
            }
        }

        @Test func `the filter of the screen selects runs for every command`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Self.shop(try scene.port()))
                let environment = ["OMBI_TEST_SECRET": "s3cr3t-key-in-a-header"]
                func ombi(_ arguments: String...) throws -> (status: Int32, output: String, errors: String) {
                    let outcome = try scene.background(Program.ombi, arguments, environment: environment).outcome()
                    return (outcome.status, outcome.output, outcome.errors)
                }
                _ = try ombi("run", "shop.json", "--trust")
                _ = try ombi("run", "shop.json/users/user", "--trust", "--set", "id=9999")
                let counts = [
                    "": 3, "user status:4xx": 1, "9999": 1, "is:failed": 1, "is:passed since:1h env:loc": 2,
                    "method:post": 1, "is:passed users": 1, "time<1h attempts:1": 3,
                ]
                for (filter, count) in counts {
                    let list = try ombi("history", "list", "--filter", filter)
                    let lines = list.output.split(separator: "\n")
                    #expect(lines.count == count, "\(filter): \(list.output)\(list.errors)")
                }
                let none = try ombi("history", "list", "--filter", "attempts>1")
                #expect(none.status == 1 && none.errors.contains("no run was found"))
                let both = try ombi("history", "list", "shop.json/users", "--filter", "is:passed", "--status", "200")
                #expect(both.output.split(separator: "\n").count == 1, "\(both.output)")
                #expect(try ombi("history", "stats", "--filter", "is:failed").output.contains("runs        1"))
                #expect(try ombi("history", "delete", "--filter", "is:failed").errors.contains("1 run deleted"))
                #expect(try ombi("history", "delete", "--filter", "").status == 2)
            }
        }

        @Test func `runs that are not there are not deleted`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Self.shop(try scene.port()))
                _ = try scene.ombi("run", "shop.json/users")
                let absent = try scene.ombi("history", "delete", "--id", "998", "--id", "999")
                #expect(absent.status == 1 && absent.errors.contains("no run 998 or 999; "), "\(absent.errors)")
                let unfound = try scene.ombi("history", "delete", "--id", "1", "--status", "404")
                #expect(unfound.status == 1 && unfound.errors.contains("no run was found"), "\(unfound.errors)")
            }
        }

        @Test func `statistics name each problem of a file once`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", #"{ "version": 1, "name": "shop", "odd": 1, "items": [] }"#)
                let outcome = try scene.ombi("history", "stats", "shop.json")
                #expect(outcome.errors.components(separatedBy: "unknown key").count == 2, "\(outcome.errors)")
            }
        }

        @Test(arguments: [
            (
                ["list", "--since", "yesterday"],
                "--since yesterday: write 2026-11-23T14:05, 14:05 (today or yesterday) or 2h (ago)."
            ),
            (["list", "--status", "600"], "--status 600: write a status such as 503, or 5xx."),
            (["list", "--outcome", "good"], "--outcome good: write passed, failed, error or cancelled."),
            (["list", "--limit", "0"], "--limit takes a number from 1 on."),
            (["list", "--filter", "a status:600"], "--filter status:600: write a status such as 503, or 5xx."),
            (["stats", "--filter", "is:good"], "--filter is:good: write passed, failed, error, retried or cancelled."),
        ])
        func `a wrong option says what to write`(_ arguments: [String], _ message: String) throws {
            try Scene.play { scene in
                let outcome = try scene.background(Program.ombi, ["history"] + arguments).outcome()
                #expect(outcome.status == 2)
                #expect(outcome.errors.contains(message), "\(outcome.errors)")
            }
        }
    }
}
