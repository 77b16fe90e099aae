import Foundation
import Testing

extension EndToEnd {
    /// Rows of data, dry runs, statistics and limits of `ombi run`.
    @Suite struct HeadlessPlanTests {
        private static func shop(_ port: Int) -> String {
            """
            {
              "version": 1, "name": "shop", "variables": { "id": "1" },
              "environments": [
                { "name": "local", "host": "http://127.0.0.1:\(port)", "additionalHeaders": { "X-Key": "{{key}}" },
                  "secrets": { "key": { "env": "OMBI_TEST_SECRET" } } }
              ],
              "items": [
                { "request": "user", "path": "/users/{{id}}", "expect": { "status": 200 } },
                { "request": "log in", "method": "POST", "path": "/echo", "body": { "json": { "token": "t-{{id}}" } },
                  "capture": { "token": { "path": "$.body.token" } } },
                { "request": "use", "path": "/users", "query": [{ "name": "token", "value": "{{token}}" }] }
              ]
            }
            """
        }

        @Test func `each row of a file is a run with its values`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Self.shop(try scene.port()))
                try scene.write("ids.csv", "id,note\r\n1,\"a, b\"\r\n9999,\r\n")
                let environment = ["OMBI_TEST_SECRET": "s3cr3t-key"]
                let outcome = try scene.ombi(
                    "run", "shop.json/user", "--trust", "--data", "ids.csv", environment: environment)
                #expect(outcome.status == 1)
                let lines = outcome.output.split(separator: "\n")
                try #require(lines.count == 4, "\(outcome.output)\(outcome.errors)")
                #expect(lines[0].hasPrefix("✓ GET   shop/user (row 1)  200"))
                #expect(lines[1].hasPrefix("✗ GET   shop/user (row 2)  404"))
                #expect(lines[3].hasPrefix("p50 "))
                #expect(lines[3].hasSuffix("first try 50 %, eventually 50 %"))
                let stopped = try scene.ombi(
                    "run", "shop.json/user", "--trust", "--data", "ids.csv", "--set", "id=9999", "--fail-fast",
                    environment: environment)
                #expect(stopped.status == 1)
                #expect(stopped.output.contains("1 request, 1 failed"), "\(stopped.output)")
            }
        }

        @Test func `a file of data with an error sends nothing, and names the place`() throws {
            try Scene.play { scene in
                let server = try SilentServer()
                defer { server.stop() }
                try scene.write("shop.json", Samples.shop(port: server.port))
                try scene.write("ids.csv", "id,note\n1\n")
                let outcome = try scene.ombi("run", "shop.json/users", "--data", "ids.csv")
                #expect(outcome.status == 2)
                #expect(outcome.errors.hasPrefix("ids.csv:2:1: error: this row has 1 of 2 values"))
                let missing = try scene.ombi("run", "shop.json/users", "--data", "none.csv")
                #expect(missing.status == 3)
                #expect(missing.errors.contains("cannot read none.csv: no such file or folder"))
            }
        }

        @Test func `a dry run shows the requests, and nothing of the secret`() throws {
            try Scene.play { scene in
                let server = try SilentServer()
                defer { server.stop() }
                try scene.write("shop.json", Self.shop(server.port))
                let environment = ["OMBI_TEST_SECRET": "s3cr3t-key"]
                let outcome = try scene.ombi("run", "shop.json/use", "--trust", "--dry-run", environment: environment)
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(outcome.output.contains("GET http://127.0.0.1:\(server.port)/users?token="))
                #expect(outcome.output.contains("host from environment local"))
                #expect(outcome.output.contains("Sent first  log in  for {{token}}"), "\(outcome.output)")
                #expect(!outcome.output.contains("s3cr3t"))
                let json = try scene.ombi(
                    "run", "shop.json/use", "--trust", "--dry-run", "--output", "json", environment: environment)
                let value = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
                let requests = value?["requests"] as? [[String: Any]]
                #expect((requests?.first?["sentFirst"] as? [[String: String]])?.first?["name"] == "log in")
                #expect(!json.output.contains("s3cr3t"))
                let untrusted = try scene.ombi("run", "shop.json/use", "--dry-run", environment: environment)
                #expect(untrusted.status == 0 && untrusted.output.contains("asked before it is sent"), "\(untrusted)")
                #expect(!untrusted.output.contains("s3cr3t"))
                let lacking = try scene.ombi("run", "shop.json/use", "--trust", "--dry-run")
                #expect(lacking.status == 2)
                #expect(lacking.errors.contains("OMBI_TEST_SECRET"))
            }
        }

        @Test func `a request that another one needs is sent once, and a dry run says before which`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Self.shop(try scene.port()))
                let arguments = ["run", "shop.json/use", "shop.json/log in", "--trust"]
                func ombi(_ more: String...) throws -> Outcome {
                    let environment = ["OMBI_TEST_SECRET": "s3cr3t-key"]
                    return try scene.background(Program.ombi, arguments + more, environment: environment).outcome()
                }
                let outcome = try ombi()
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(outcome.output.contains("2 requests, all passed"), "\(outcome.output)")
                let list = try scene.ombi("history", "list")
                #expect(list.output.split(separator: "\n").count == 2, "\(list.output)")
                let dry = try ombi("--dry-run")
                #expect(dry.output.contains("before use  which needs what it captures"), "\(dry.output)\(dry.errors)")
                let requests = try ombi("--dry-run", "--output", "json").json()["requests"] as? [[String: Any]]
                #expect(requests?.map { $0["sentFor"] as? String } == [nil, "use"])
            }
        }

        @Test func `a dry run shows rows that are alike once, and counts the others`() throws {
            try Scene.play { scene in
                try scene.write(
                    "shop.json",
                    #"""
                    { "version": 1, "name": "shop", "environments": [{ "name": "local", "host": "http://127.0.0.1:1" }],
                      "items": [{ "request": "user", "path": "/users/{{id}}" }, { "request": "all", "path": "/users" }] }
                    """#)
                try scene.write("ids.csv", "id\n1\n2\n1\n1\n")
                let outcome = try scene.ombi("run", "shop.json", "--dry-run", "--data", "ids.csv")
                let names = outcome.output.split(separator: "\n").filter { $0.hasPrefix("shop/") }
                #expect(
                    names == [
                        "shop/user (row 1)", "shop/all (row 1)", "shop/user (row 2)", "shop/user", "shop/all",
                    ], "\(outcome.output)\(outcome.errors)")
                let end =
                    "\nshop/user\n  the same as above for 2 more rows\n\nshop/all\n  the same as above for 3 more rows\n"
                #expect(outcome.output.hasSuffix(end), "\(outcome.output)")
                let json = try scene.ombi("run", "shop.json", "--dry-run", "--data", "ids.csv", "--output", "json")
                #expect((try json.json()["requests"] as? [Any])?.count == 8)
            }
        }

        @Test func `environment variables come from a file`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Self.shop(try scene.port()))
                try scene.write("ci.env", "# of CI\nexport OMBI_TEST_SECRET='s3cr3t-key'\n")
                let outcome = try scene.ombi("run", "shop.json/user", "--trust", "--env-file", "ci.env")
                #expect(outcome.status == 0, "\(outcome.errors)")
                try scene.write("ci.env", "OMBI_TEST_SECRET\n")
                let wrong = try scene.ombi("run", "shop.json/user", "--trust", "--env-file", "ci.env")
                #expect(wrong.status == 2)
                #expect(wrong.errors.hasPrefix("ci.env:1:"), "\(wrong.errors)")
                #expect(try scene.ombi("run", "shop.json", "--env-file", "none.env").status == 3)
            }
        }

        @Test func `a limit that is missed fails a run in which all passed`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: try scene.port()))
                let request = "shop.json/users/list users"
                let eventual = try scene.ombi("run", request, "--threshold", "eventual>=100%")
                #expect(eventual.status == 0, "\(eventual.output)\(eventual.errors)")
                let first = try scene.ombi("run", request, "--threshold", "mean<0.001ms", "--output", "json")
                #expect(first.status == 1)
                #expect(first.errors.hasPrefix("ombi: threshold missed: mean<0.001ms, measured "))
                let value = try JSONSerialization.jsonObject(with: Data(first.output.utf8)) as? [String: Any]
                let thresholds = value?["thresholds"] as? [[String: Any]]
                #expect(thresholds?.first?["met"] as? Bool == false)
                #expect((value?["statistics"] as? [String: Any])?["eventual"] as? Double == 1)
                let unknown = try scene.ombi("run", request, "--threshold", "latency<1s")
                #expect(unknown.status == 2)
                #expect(unknown.errors.contains("there is no measure \"latency\""))
                #expect(try scene.ombi("run", "--repeat", "2", "--duration", "1s").status == 2)
            }
        }

        @Test func `a duration ends a run, and what runs then is finished`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: try scene.port()))
                let outcome = try scene.ombi("run", "shop.json/users/list users", "--duration", "100ms", "--rate", "50")
                #expect(outcome.status == 0, "\(outcome.errors)")
                let count = outcome.output.split(separator: "\n").count { $0.hasPrefix("✓") }
                #expect((1...6).contains(count), "\(outcome.output)")
            }
        }

        @Test func `rows that go to a file leave the figures of a load on the terminal`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: try scene.port()))
                let script = "exec \"$0\" run 'shop.json/users/list users' --rate 20/s --duration 4s > rows"
                let session = try scene.start("/bin/sh", ["-c", script, Program.ombi])
                #expect(try session.waitForExit() == 0)
                #expect(try scene.read("rows").contains("\nfrom the schedule: p50 "))
                // One of them is the end, one may be the warning of a machine that is too slow.
                let cleared = session.terminal.bytes.split(separator: 13).count { line in
                    line.count > 1 && line.allSatisfy { $0 == 32 }
                }
                #expect(cleared < 3, "\(cleared)")
            }
        }

        @Test func `stages go down from a rate to 0, and are refused where they send nothing`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: try scene.port()))
                let request = "shop.json/users/list users"
                let down = try scene.ombi("run", request, "--no-record", "--rate", "40/s", "--stages", "500ms:0/s")
                #expect(down.status == 0 && down.output.contains(" all passed, "), "\(down)")
                let nothing = try scene.ombi("run", request, "--stages", "500ms:0/s")
                #expect(nothing.status == 2 && nothing.errors.contains("nothing would be sent"), "\(nothing)")
            }
        }

        @Test func `stages are a load, whose schedule is in JSON and in the table`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: try scene.port()))
                let (request, stages) = ("shop.json/users/list users", "0s:40/s,250ms:40/s")
                let outcome = try scene.ombi("run", request, "--stages", stages)
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(outcome.output.contains("\nfrom the schedule: p50 "), "\(outcome.output)")
                let json = try scene.ombi("run", request, "--stages", stages, "--output", "json")
                let value = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
                let sent = (value?["requests"] as? [[String: Any]]) ?? []
                let schedule = value?["schedule"] as? [String: Any]
                #expect(sent.allSatisfy { $0["latencyMs"] as? Double != nil })
                #expect(sent.count + (schedule?["missed"] as? Int ?? -1) == 10, "\(json.output)")
            }
        }
    }
}
