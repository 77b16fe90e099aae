import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Reports of `ombi run`: what is in them, and that they are written whatever ends the run.
    @Suite struct ReportTests {
        private static let demo = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "collections/demo.json").path

        private static let reports = [
            "--report", "junit=run.xml", "--report", "tap=run.tap", "--report", "html=run.html", "--report",
            "json=run.json", "--report", "github=-",
        ]

        /// The request on line 6 fails twice, then passes.
        private static func shop(_ port: Int) -> String {
            """
            {
              "version": 1, "name": "shop",
              "environments": [{ "name": "local", "host": "http://127.0.0.1:\(port)",
                  "additionalHeaders": { "X-Key": "{{key}}" }, "secrets": { "key": { "env": "OMBI_TEST_SECRET" } } }],
              "items": [
                { "request": "flaky", "path": "/flaky",
                  "query": [{ "name": "failures", "value": "2" }, { "name": "key", "value": "report" }],
                  "policy": { "retries": 3, "backoff": { "first": "10ms" } }, "expect": { "status": 200 } },
                { "request": "echo", "method": "POST", "path": "/echo", "body": { "json": { "key": "{{key}}" } } },
                { "request": "missing", "path": "/users/9999" }
              ]
            }
            """
        }

        private static func run(_ scene: Scene, _ words: [String]) throws -> Outcome {
            let environment = ["OMBI_TEST_SECRET": "s3cr3t-key", "GITHUB_STEP_SUMMARY": scene.path("summary.md")]
            return try scene.background(
                Program.ombi, ["run"] + words + ["--trust", "--no-record"], environment: environment
            ).outcome()
        }

        @Test func `every report has the attempts of a request that passed at its third`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Self.shop(try scene.port()))
                try scene.write("summary.md", "before")
                let outcome = try Self.run(scene, ["shop.json/flaky", "shop.json/echo"] + Self.reports)
                #expect(outcome.status == 0, "\(outcome)")
                let junit = try scene.read("run.xml")
                #expect(junit.components(separatedBy: "<flakyFailure message=\"503 ").count == 3, "\(junit)")
                #expect(
                    junit.contains("<testcase name=\"flaky\" classname=\"shop\" file=\"shop.json\" line=\"6\" time=\""))
                #expect(junit.contains("assertions=\"1\"") && !junit.contains("<failure"))
                let tap = try scene.read("run.tap")
                #expect(tap.contains("1..2\nok 1 - shop/flaky # 3 attempts: 503, 503\n  ---\n"), "\(tap)")
                #expect(tap.contains("\nok 2 - shop/echo\n"))
                let page = try scene.read("run.html")
                #expect(page.contains("<h2>Passed after retries: 1</h2>") && page.contains("GET http://127.0.0.1:"))
                let warning =
                    "::warning file=shop.json,line=6,endLine=6,title=shop/flaky::passed after retries, 3 attempts"
                #expect(outcome.output.contains(warning), "\(outcome.output)")
                let summary = try scene.read("summary.md")
                #expect(
                    summary.hasPrefix("before\n## ombi run\n")
                        && summary.contains("| shop/flaky | 3 attempts: 503, 503"))
                for text in [junit, tap, page, summary, outcome.output, try scene.read("run.json")] {
                    #expect(!text.contains("s3cr3t-key"))
                }
            }
        }

        @Test func `the JSON of a report is that of the output`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Self.shop(try scene.port()))
                _ = try Self.run(scene, ["shop.json/missing", "--report", "json=run.json"])
                let data = Data(try scene.read("run.json").utf8)
                let file = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
                let output = try Self.run(scene, ["shop.json/missing", "--output", "json"]).json()
                #expect(Set(file.keys) == Set(output.keys) && file["failed"] as? Int == 1)
            }
        }

        @Test func `the summary of a step leaves what others wrote there, byte for byte`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Self.shop(try scene.port()))
                let file = URL(fileURLWithPath: scene.path("summary.md"))
                try Data([0xFF, 0x78]).write(to: file)
                let outcome = try Self.run(scene, ["shop.json/echo", "--report", "github=run.txt"])
                #expect(outcome.status == 0, "\(outcome)")
                #expect(try Data(contentsOf: file).starts(with: [0xFF, 0x78] + Array("\n## ombi run\n".utf8)))
            }
        }

        @Test func `GitHub takes no line of a response for a command`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Self.shop(try scene.port()))
                let lines = try Self.run(scene, ["shop.json/missing", "--report", "github=-"]).output.split(
                    separator: "\n")
                let first = try #require(lines.first)
                #expect(first.hasPrefix("::stop-commands::"))
                let token = first.dropFirst("::stop-commands::".count)
                let end = try #require(lines.firstIndex(of: "::\(token)::"))
                #expect(lines[1..<end].contains { $0.hasPrefix("✗ GET") })
                #expect(lines[end + 1].hasPrefix("::error file=shop.json,line=10,endLine=10,title=shop/missing::404"))
            }
        }

        @Test(arguments: ["GITHUB_WORKSPACE", "CI_PROJECT_DIR"])
        func `places begin at the root of the checkout, or here where that is elsewhere`(variable: String) throws {
            try Scene.play { scene in
                _ = try scene.shell("mkdir api")
                try scene.write("api/shop.json", Self.shop(try scene.port()))
                let words = "shop.json/missing --trust --no-record --report github=-"
                for script in [
                    "cd api && \(variable)='\(scene.folder)' \"$0\" run \(words)",
                    "\(variable)=/none \"$0\" run api/\(words)", "\(variable)= \"$0\" run api/\(words)",
                ] {
                    let outcome = try scene.shell("export OMBI_TEST_SECRET=x; \(script)")
                    #expect(outcome.output.contains("::error file=api/shop.json,line=10,"), "\(script): \(outcome)")
                }
            }
        }

        @Test func `the attempts of a list are those of the page that took the most`() throws {
            try Scene.play { scene in
                let server = try LoopbackServer { request in
                    let isRefused = (2...3).contains(request.number)
                    let json = [("Content-Type", "application/json")]
                    return isRefused ? .status(503) : .status(200, headers: json, "{\"items\": [1]}")
                }
                defer { server.stop() }
                try scene.write(
                    "shop.json",
                    """
                    { "version": 1, "name": "shop", "environments": [{ "name": "local", "host": "\(server.host)" }],
                      "items": [{ "request": "list", "path": "/list", "query": [{ "name": "page", "value": "1" }],
                        "pages": { "parameter": "page", "items": "$.items", "maximum": 3 },
                        "policy": { "retries": 3, "backoff": { "first": "1ms" } } }] }
                    """)
                let outcome = try Self.run(scene, ["shop.json", "--strict-retries", "--report", "tap=run.tap"])
                #expect(server.requests.count == 5)
                #expect(outcome.output.contains("passed only after 3 attempts,"), "\(outcome)")
                #expect(try scene.read("run.tap").contains("not ok 1 - shop/list # 3 attempts: 503, 503\n"))
            }
        }

        @Test func `a report on the standard output is alone there`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Self.shop(try scene.port()))
                let outcome = try Self.run(scene, ["shop.json/echo", "--report", "tap=-"])
                #expect(outcome.output == "TAP version 13\n1..1\nok 1 - shop/echo\n", "\(outcome)")
            }
        }

        /// A terminal that is closed sends SIGHUP by its shell and by itself, timeout(1) SIGTERM to the program and to
        /// its group.
        @Test(arguments: [
            ([SIGINT], "SIGINT"), ([SIGTERM], "SIGTERM"), ([SIGTERM, SIGTERM], "SIGTERM"),
            ([SIGHUP, SIGHUP], "SIGHUP"),
        ])
        func `a signal leaves whole reports of what was and was not sent`(signals: [Int32], name: String) throws {
            try Scene.play { scene in
                let server = try SilentServer()
                defer { server.stop() }
                try scene.write("shop.json", Samples.shop(port: server.port))
                let words = ["run", "shop/trouble/slow", "shop/users", "--no-record"] + Self.reports
                // Tests may run under nohup themselves.
                let run = try scene.background("/usr/bin/env", ["--default-signal=HUP", Program.ombi] + words)
                #expect(server.waitForRequest())
                for signal in signals { run.signal(signal) }
                let outcome = try run.outcome()
                #expect(outcome.status == 128 + signals[0], "\(outcome)")
                let junit = try scene.read("run.xml")
                #expect(
                    junit.hasSuffix("</testsuites>\n")
                        && junit.contains("<error message=\"cancelled\" type=\"cancelled\">"))
                let skipped = "<skipped message=\"not sent: ended by \(name)\"/>"
                #expect(junit.components(separatedBy: skipped).count == 4, "\(junit)")
                #expect(try scene.read("run.tap").hasSuffix("\nBail out! ended by \(name)\n"))
                #expect(try scene.read("run.html").hasSuffix("</html>\n"))
                #expect(outcome.output.contains("::error title=runs to its end::ended by \(name)"))
                let data = Data(try scene.read("run.json").utf8)
                #expect(try JSONSerialization.jsonObject(with: data) is [String: Any])
                let left = try FileManager.default.contentsOfDirectory(atPath: scene.folder)
                #expect(!left.contains { $0.hasSuffix(".tmp") })
            }
        }

        @Test func `a run whose terminal is closed leaves its reports`() throws {
            try Scene.play { scene in
                let server = try SilentServer()
                defer { server.stop() }
                try scene.write("shop.json", Samples.shop(port: server.port))
                let words = ["run", "shop/trouble/slow", "shop/users", "--no-record", "--report", "tap=run.tap"]
                let run = try scene.start(Program.ombi, words)
                #expect(server.waitForRequest())
                run.terminal.hangUp()
                #expect(try run.waitForExit() == 128 + SIGHUP)
                #expect(try scene.read("run.tap").hasSuffix("\nBail out! ended by SIGHUP\n"))
            }
        }

        @Test func `a run under nohup goes on when its terminal is closed`() throws {
            try Scene.play { scene in
                let (arrived, closed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
                let server = try LoopbackServer { _ in
                    arrived.signal()
                    _ = closed.wait(timeout: .now() + Session.patience)
                    return .ok("{}")
                }
                defer { server.stop() }
                try scene.write("shop.json", Samples.shop(port: server.port))
                let words = ["run", "shop.json/users/one user", "--no-record", "--report", "tap=run.tap"]
                let run = try scene.background("/usr/bin/env", ["--ignore-signal=HUP", Program.ombi] + words)
                #expect(arrived.wait(timeout: .now() + Session.patience) == .success)
                run.signal(SIGHUP)
                closed.signal()
                let outcome = try run.outcome()
                #expect(outcome.status == 0, "\(outcome)")
                #expect(try scene.read("run.tap") == "TAP version 13\n1..1\nok 1 - shop/users/one user\n")
            }
        }

        @Test func `the first failure and a missed limit end in reports, too`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Self.shop(try scene.port()))
                let stopped = try Self.run(
                    scene, ["shop.json/missing", "shop.json/echo", "--fail-fast", "--report", "junit=run.xml"])
                #expect(stopped.status == 1)
                let junit = try scene.read("run.xml")
                #expect(junit.contains("<failure message=\"404 Not Found\" type=\"expectation\">"), "\(junit)")
                #expect(junit.contains("<skipped message=\"not sent: another request failed\"/>"))
                let missed = try Self.run(
                    scene, ["shop.json/flaky", "--max-flaky", "50%", "--report", "tap=run.tap"])
                #expect(missed.status == 1 && missed.errors.contains("threshold missed: flaky<=50%, measured 100 %"))
                #expect(try scene.read("run.tap").contains("\nnot ok 2 - flaky<=50%\n"))
            }
        }

        @Test func `a retry fails a request where it may not`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Self.shop(try scene.port()))
                let outcome = try Self.run(
                    scene,
                    ["shop.json/flaky", "shop.json/echo", "--strict-retries", "--fail-fast", "--report", "tap=run.tap"])
                #expect(outcome.status == 1 && outcome.output.contains("passed only after 3 attempts"), "\(outcome)")
                let tap = try scene.read("run.tap")
                #expect(tap.contains("not ok 1 - shop/flaky # 3 attempts: 503, 503\n"), "\(tap)")
                #expect(tap.contains("ok 2 - shop/echo # SKIP not sent: another request failed"))
            }
        }

        @Test func `a report that cannot be written is an error before anything is sent`() throws {
            try Scene.play { scene in
                let server = try SilentServer()
                defer { server.stop() }
                try scene.write("shop.json", Samples.shop(port: server.port))
                let outcome = try scene.ombi("run", "shop/users", "--report", "junit=shop.json/run.xml")
                #expect(outcome.status == 3)
                #expect(outcome.errors == "ombi: cannot make the folder shop.json; name another file for the report\n")
                let folder = try scene.ombi("run", "shop/users", "--report", "junit=\(scene.folder)")
                #expect(folder.status == 3)
                #expect(folder.errors == "ombi: \(scene.folder) is a folder; name a file for the report\n")
                let summary = try scene.ombi(
                    "run", "shop/users", "--report", "github=-",
                    environment: ["GITHUB_STEP_SUMMARY": "none/summary.md"])
                let reason = "there is no folder none for the report none/summary.md; unset it to write none\n"
                #expect(summary.status == 3 && summary.errors == "ombi: GITHUB_STEP_SUMMARY: " + reason)
            }
        }

        @Test func `the folders of a report are made`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Self.shop(try scene.port()))
                let outcome = try Self.run(scene, ["shop.json/echo", "--report", "tap=out/today/run.tap"])
                #expect(outcome.status == 0, "\(outcome)")
                #expect(try scene.read("out/today/run.tap") == "TAP version 13\n1..1\nok 1 - shop/echo\n")
            }
        }

        @Test func `a run that ends before its first request has reports of the errors of its file`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", "{ \"version\": 1, \"name\": \"shop\",\n  \"items\": [{}] }")
                try scene.write("run.tap", "TAP version 13\n1..1\nok 1 - of an earlier run\n")
                let outcome = try Self.run(scene, ["shop.json"] + Self.reports)
                #expect(outcome.status == 2 && outcome.errors.hasPrefix("shop.json:2:13: error: "), "\(outcome)")
                let junit = try scene.read("run.xml")
                #expect(junit.contains("errors=\"1\"") && junit.contains("file=\"shop.json\" line=\"2\""), "\(junit)")
                #expect(junit.contains("<error message=\"missing key"))
                let tap = try scene.read("run.tap")
                #expect(tap.contains("not ok 1 - shop.json/missing key") && !tap.contains("earlier"), "\(tap)")
                #expect(tap.hasSuffix("\nBail out! ended by an error\n"))
                #expect(try scene.read("run.html").contains("missing key"))
                #expect(outcome.output.contains("::error file=shop.json,line=2,endLine=2,title=shop.json%3A2%3A13::"))
                let data = Data(try scene.read("run.json").utf8)
                let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
                #expect(json["command"] as? String == "ombi run" && json["failed"] as? Int == 1)
            }
        }

        @Test(arguments: [
            (["shop.json/none"], "shop has no \"none\"; `ombi list` lists its requests"),
            (["shop.json", "-e", "none"], "shop has no environment \"none\"; it has local"),
            (["shop.json", "--env-file", "none.env"], "cannot read none.env: no such file or folder"),
        ])
        func `a run that ends before its first request has a report of the error`(
            _ words: [String], _ reason: String
        ) throws {
            try Scene.play { scene in
                let shop = Self.shop(try scene.port())
                try scene.write("shop.json", shop)
                let outcome = try Self.run(scene, words + ["--report", "tap=run.tap", "--report", "json=./shop.json"])
                #expect(outcome.status >= 2 && outcome.errors.contains(reason), "\(outcome)")
                let tap = try scene.read("run.tap")
                #expect(tap.contains("not ok 1 - ombi run/\(reason)\n"), "\(tap)")
                #expect(try scene.read("shop.json") == shop, "a collection is no report")
            }
        }

        @Test func `a report has the error that ended a run next to those of requests`() throws {
            try Scene.play { scene in
                let request =
                    "{\"request\": \"a\", \"path\": \"/a\", \"operation\": \"a\", \"specification\": \"a.yaml\"}"
                let environment = "{\"name\": \"local\", \"host\": \"http://127.0.0.1:9\"}"
                try scene.write(
                    "shop.json",
                    "{\"version\": 1, \"name\": \"shop\", \"environments\": [\(environment)], \"items\": [\(request)]}")
                let outcome = try Self.run(scene, ["shop.json", "-e", "none", "--report", "tap=run.tap"])
                #expect(outcome.status == 2, "\(outcome)")
                let tap = try scene.read("run.tap")
                #expect(tap.contains("not ok 1 - shop.json/") && tap.contains("a.yaml cannot be read"), "\(tap)")
                #expect(tap.contains("not ok 2 - ombi run/shop has no environment \"none\"; it has local\n"), "\(tap)")
            }
        }

        @Test func `a comparison that ends in an error has a report of it`() throws {
            try Scene.play { scene in
                let outcome = try scene.ombi("history", "compare", "1", "2", "--report", "tap=compare.tap")
                #expect(outcome.status == 1, "\(outcome)")
                #expect(try scene.read("compare.tap").contains("not ok 1 - ombi history compare/there is no run 1"))
            }
        }

        @Test func `a report is written into a pipe, a device and an open file, which nothing replaces`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Self.shop(try scene.port()))
                let run = "OMBI_TEST_SECRET=x \"$0\" run shop.json/echo --trust --no-record --report"
                let tap = "TAP version 13\n1..1\nok 1 - shop/echo\n"
                let scripts = [
                    "\(run) tap=/dev/stdout > out; cat out", "\(run) tap=/dev/fd/3 3> out > table; cat out",
                    "mkfifo pipe; exec 4<> pipe; \(run) tap=pipe > table; head -n 3 <&4",
                    "\(run) tap=- --report junit=/dev/null",
                ]
                for script in scripts {
                    let outcome = try scene.shell(script)
                    #expect(outcome.status == 0 && outcome.output == tap, "\(script): \(outcome)")
                }
                let unread = try scene.shell("mkfifo unread; \(run) tap=unread > table")
                let reason = "ombi: cannot write unread: no program reads from it; start that program first\n"
                #expect(unread.status == 3 && unread.errors.hasSuffix(reason), "\(unread)")
            }
        }

        @Test func `a stream that is closed is no place for a file, and ends in an error`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: try scene.port()))
                let run = "\"$0\" run 'shop.json/users/one user' --report tap=run.tap"
                let outcome = try scene.shell("\(run) >&-")
                #expect(outcome.status == 3)
                #expect(outcome.errors == "ombi: cannot write the output: Bad file descriptor\n")
                #expect(try scene.shell("\(run) <&- >&- 2>&-").status == 3)
                #expect(try scene.read("run.tap").hasSuffix("\nok 1 - shop/users/one user\n"))
            }
        }

        @Test func `a reader of the table that has gone takes no report away`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: try scene.port()))
                let run =
                    "\"$0\" run 'shop.json/trouble/half a second' 'shop.json/users/one user' --no-record "
                    + "--report tap=run.tap"
                _ = try scene.shell("(\(run); echo $? > status) | true")
                #expect(try scene.read("status") == "0\n")
                #expect(
                    try scene.read("run.tap")
                        == "TAP version 13\n1..2\nok 1 - shop/trouble/half a second\nok 2 - shop/users/one user\n")
            }
        }

        @Test func `a report replaces no collection of its run, and no link that leads nowhere`() throws {
            try Scene.play { scene in
                let server = try SilentServer()
                defer { server.stop() }
                let shop = Samples.shop(port: server.port)
                try scene.write("shop.json", shop)
                let own = try scene.ombi("run", "shop.json/users", "--report", "json=./shop.json")
                #expect(own.status == 3, "\(own)")
                let advice = "./shop.json is the collection that is run; name another file for the report\n"
                #expect(try own.errors == "ombi: " + advice && scene.read("shop.json") == shop)
                let link = try scene.shell("ln -s nowhere run.tap; \"$0\" run shop.json/users --report tap=run.tap")
                #expect(link.status == 3 && link.errors == "ombi: cannot write run.tap: no such file or folder\n")
            }
        }

        @Test func `two reports in one file are an error`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: try scene.port()))
                let outcome = try scene.ombi(
                    "run", "shop/users", "--report", "junit=run.xml", "--report", "tap=./run.xml")
                #expect(outcome.status == 2 && outcome.errors.contains("Two reports cannot go to one file: ./run.xml."))
                #expect(!FileManager.default.fileExists(atPath: scene.path("run.xml")))
            }
        }

        @Test func `failures of one kind have an exit code where it is asked for`() throws {
            try Scene.play { scene in
                let port = try scene.port()
                try scene.write("shop.json", Samples.shop(port: port))
                try scene.write(
                    "safe.json",
                    """
                    { "version": 1, "name": "safe",
                      "environments": [{ "name": "live", "host": "http://127.0.0.1:\(port)", "protected": true }],
                      "items": [{ "request": "echo", "method": "POST", "path": "/echo" }] }
                    """)
                let codes: [(words: [String], code: Int32)] = [
                    (["shop/trouble/missing"], 4), (["shop/trouble/slow", "--sla", "100ms"], 5),
                    (["shop/users/one user", "-e", "down"], 6),
                    (["safe/echo", "-e", "live"], 8), (["shop/users/one user", "--threshold", "first-try<50%"], 9),
                    (["shop/trouble/missing", "shop/trouble/slow", "--sla", "100ms"], 1), (["shop/users/one user"], 0),
                ]
                for (words, code) in codes {
                    let run = try scene.background(Program.ombi, ["run", "--exit-class", "--no-record"] + words)
                    let outcome = try run.outcome()
                    #expect(outcome.status == code, "\(words) \(outcome)")
                }
                #expect(try scene.ombi("run", "safe/echo", "-e", "live").status == 2)
            }
        }

        @Test func `the flaky request of the demo is in each report with its attempts`() throws {
            try Scene.play { scene in
                let name = "demo/retries and SLA/fails twice, then works"
                let outcome = try Self.run(
                    scene,
                    [
                        "\(Self.demo)/retries and SLA/fails twice, then works", "-e", "local", "--set",
                        "port=\(try scene.port())",
                    ] + Self.reports)
                #expect(outcome.status == 0, "\(outcome)")
                let junit = try scene.read("run.xml")
                #expect(junit.components(separatedBy: "<flakyFailure ").count == 3, "\(junit)")
                let tap = try scene.read("run.tap")
                #expect(tap.contains("ok 1 - \(name) # 3 attempts: 503, 503\n"), "\(tap)")
                let page = try scene.read("run.html")
                #expect(page.contains("<h2>Passed after retries: 1</h2>"))
                let json = try JSONSerialization.jsonObject(with: Data(try scene.read("run.json").utf8))
                let requests = (json as? [String: Any])?["requests"] as? [[String: Any]]
                #expect((requests?.first?["attempts"] as? [Any])?.count == 3, "\(json)")
                #expect(outcome.output.contains("::passed after retries, 3 attempts: 503, 503"), "\(outcome.output)")
                #expect(try scene.read("summary.md").contains("| \(name) | 3 attempts: 503, 503"))
            }
        }
    }
}
