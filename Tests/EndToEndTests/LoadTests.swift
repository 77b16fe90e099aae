import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// `ombi load` with a program in the place of an engine.
    @Suite struct LoadTests {
        private static let secret = "s3cr3t-key"
        private static let load = ["--trust", "--engine", "k6", "--users", "2", "--duration", "1s"]

        /// A folder with a collection and an engine.
        private static func prepare(_ scene: Scene, _ engine: String) throws {
            try scene.write(
                "shop.json",
                """
                { "version": 1, "name": "shop",
                  "environments": [{ "name": "local", "host": "http://127.0.0.1:1",
                      "secrets": { "key": { "env": "OMBI_TEST_SECRET" } } }],
                  "items": [
                    { "request": "user", "path": "/users/1",
                      "headers": [{ "name": "X-Key", "value": "{{key}}" }] }
                  ] }
                """)
            try FileManager.default.createDirectory(atPath: scene.path("bin"), withIntermediateDirectories: true)
            try scene.write("bin/k6", "#!/bin/sh\n" + engine)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: scene.path("bin/k6"))
        }

        private static func environment(_ scene: Scene) -> [String: String] {
            ["PATH": scene.path("bin") + ":/usr/bin:/bin", "OMBI_TEST_SECRET": secret]
        }

        private static func run(_ scene: Scene, _ more: [String] = []) throws -> Outcome {
            try scene.background(
                Program.ombi, ["load", "shop.json"] + load + more, environment: environment(scene)
            ).outcome()
        }

        /// Writes the results that an engine leaves.
        private static func results(failed: Int = 0, p95: Int = 40) -> String {
            let percentiles = "{\"50\": 8, \"95\": \(p95), \"99\": 41}"
            let figures = "{\"count\": 5, \"failed\": \(failed), \"maxMs\": 41, \"percentiles\": \(percentiles)}"
            return "echo '{\"requests\": [\(figures)], \"total\": \(figures)}' > \"$OMBI_RESULT\"\n"
        }

        @Test func `an engine runs the script, its lines are progress and its results a report`() throws {
            try Scene.play { scene in
                let engine = """
                    echo "running with $OMBI_VALUE_KEY"
                    printf 'half a line\\033]0;x' >&2
                    cp "$3" "$HOME/seen.js"
                    echo "$*" > "$HOME/arguments"
                    [ "$OMBI_VALUE_KEY" = \(Self.secret) ] && echo yes > "$HOME/known"

                    """
                try Self.prepare(scene, engine + Self.results())
                let outcome = try Self.run(scene, ["--threshold", "p95<50ms"])
                #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
                #expect(outcome.output.contains("user        5       0"), "\(outcome.output)")
                #expect(outcome.errors.contains("k6: running with ") && outcome.errors.contains("k6: half a line"))
                #expect(try scene.read("known") == "yes\n")
                let script = try scene.read("seen.js")
                #expect(script.contains("__ENV[\"OMBI_VALUE_KEY\"]"), "\(script)")
                for text in [outcome.output, outcome.errors, script, try scene.read("arguments")] {
                    #expect(!text.contains(Self.secret) && !text.contains("\u{1B}"))
                }
                let left = try FileManager.default.contentsOfDirectory(atPath: NSTemporaryDirectory())
                let folder = try scene.read("arguments").split(separator: "/").first { $0.hasPrefix("ombi-load-") }
                #expect(folder.map { !left.contains(String($0)) } == true)
            }
        }

        @Test(
            arguments: [
                (results(failed: 1), [], 1, ""),
                (results(), ["--threshold", "p95<10ms"], 1, "ombi: threshold missed: p95<10ms, measured 40 ms"),
                ("exit 7\n", [], 3, "ombi: k6 ended with status 7, without results"),
                ("echo nonsense > \"$OMBI_RESULT\"\n", [], 3, "ombi: k6 ended with status 0, without results"),
            ] as [(String, [String], Int32, String)])
        func `the exit status is that of the results`(
            engine: String, options: [String], status: Int32, told: String
        ) throws {
            try Scene.play { scene in
                try Self.prepare(scene, engine)
                let outcome = try Self.run(scene, options)
                #expect(outcome.status == status, "\(outcome.output)\(outcome.errors)")
                #expect(told.isEmpty || outcome.errors.contains(told), "\(outcome.errors)")
            }
        }

        @Test func `without the engine the script stays where it was asked for`() throws {
            try Scene.play { scene in
                try Self.prepare(scene, "")
                try FileManager.default.removeItem(atPath: scene.path("bin/k6"))
                let outcome = try Self.run(scene, ["--to", "load.js"])
                #expect(outcome.status == 3)
                #expect(outcome.errors.contains("ombi: k6 is not installed: "), "\(outcome.errors)")
                #expect(try scene.read("load.js").contains("http.request("))
                let shown = try Self.run(scene, ["--dry-run"])
                let script = try scene.read("load.js")
                #expect(shown.status == 0 && shown.output == script)
            }
        }

        /// A terminal that is closed sends SIGHUP twice, timeout(1) any signal.
        @Test(arguments: [[SIGINT], [SIGTERM, SIGTERM], [SIGHUP, SIGHUP]])
        func `Ctrl+C and the end of the terminal ask the engine to end, and show its results`(signals: [Int32]) throws {
            try Scene.play { scene in
                let engine = """
                    finish() {
                      echo asked
                      \(Self.results())
                      exit 0
                    }
                    trap finish INT
                    echo started > "$HOME/started"
                    while :; do sleep 1; done
                    """
                try Self.prepare(scene, engine)
                try #require(mkfifo(scene.path("started"), 0o600) == 0)
                let words = ["--default-signal=HUP", Program.ombi, "load", "shop.json"] + Self.load
                let program = try scene.background("/usr/bin/env", words, environment: Self.environment(scene))
                let started = open(scene.path("started"), O_RDWR | O_CLOEXEC)
                defer { close(started) }
                var waiting = pollfd(fd: started, events: Int16(POLLIN), revents: 0)
                let hasStarted = poll(&waiting, 1, 60_000) == 1
                #expect(hasStarted, "the engine runs")
                for signal in signals { program.signal(signal) }
                let outcome = try program.outcome()
                #expect(outcome.status == 128 + signals[0], "\(outcome.output)\(outcome.errors)")
                #expect(outcome.errors.contains("k6: asked") && outcome.output.contains("all "))
            }
        }

        @Test func `a load is a row of the history, which no statistics count, unless it is not to be recorded`() throws
        {
            try Scene.play { scene in
                func history(_ words: String...) throws -> Outcome {
                    try scene.background(Program.ombi, ["history"] + words).outcome()
                }
                try Self.prepare(scene, Self.results())
                #expect(try Self.run(scene, ["--no-record"]).status == 0)
                #expect(try history("list").status == 1)
                let load = try Self.run(scene)
                #expect(load.status == 0, "\(load.errors)")
                let list = try history("list")
                let row = "load k6, 2 users for 1s, 5 sent, 0 failed, p95 40 ms  user  local"
                #expect(list.status == 0 && list.output.contains(row), "\(list.output)\(list.errors)")
                #expect(try history("list", "shop.json").output.contains(row))
                let shown = try history("show", "L1", "--output", "json").json()
                #expect(shown["users"] as? Int == 2 && shown["id"] as? Int == 1)
                #expect(try history("show", "L1").output.contains("user        5       0"))
                #expect(try history("show", "L2").status == 1)
                #expect(try history("export", "--loads").output.contains("\"engine\":\"k6\""))
                #expect(try history("export").status == 1)
                #expect(try history("stats").status == 1)
                #expect(try history("delete", "--id", "L2").errors.contains("there is no load L2; "))
                #expect(try history("delete", "--id", "L1").errors.contains("1 load deleted"))
                #expect(try history("list").status == 1)
            }
        }

        private static let locust = ChildProgram.find("locust")
        private static let hint: Comment = "Locust is not installed: pip install locust"

        /// Writes a collection for a server, and returns the variables with which its loads find Locust.
        private static func prepare(_ scene: Scene, for server: LoopbackServer) throws -> [String: String] {
            try scene.write(
                "shop.json",
                """
                { "version": 1, "name": "shop", "environments": [{ "name": "local", "host": "\(server.host)" }],
                  "variables": { "id": "7" }, "items": [{ "request": "user", "path": "/users/{{id}}" }] }
                """)
            let program = try #require(locust)
            return ["PATH": (program as NSString).deletingLastPathComponent + ":/usr/bin:/bin"]
        }

        @Test(.enabled(if: locust != nil, hint))
        func `Locust with two workers sends what the collection says, and counts what arrives`() throws {
            let server = try LoopbackServer { _ in .ok("{}") }
            defer { server.stop() }
            try Scene.play { scene in
                let environment = try Self.prepare(scene, for: server)
                let words = [
                    "load", "shop.json", "--engine", "locust", "--users", "4", "--rate", "20/s", "--duration", "3s",
                    "--workers", "2", "--output", "json",
                ]
                let outcome = try scene.background(Program.ombi, words, environment: environment).outcome()
                #expect(outcome.status == 0, "\(outcome.errors)")
                let result = try outcome.json()
                let total = result["total"] as? [String: Any]
                #expect(total?["failed"] as? Int == 0 && result["lostWorkers"] as? Int == 0)
                #expect(total?["count"] as? Int == server.requests.count, "\(outcome.output)")
                #expect(server.requests.count > 0 && server.requests.allSatisfy { $0.target == "/users/7" })
            }
        }

        @Test(.enabled(if: locust != nil, hint))
        func `requests that are in flight at the end of a load count`() throws {
            let gate = DispatchSemaphore(value: 0)
            let server = try LoopbackServer { _ in
                gate.wait()
                gate.signal()
                return .ok("{}")
            }
            defer { server.stop() }
            try Scene.play { scene in
                let environment = try Self.prepare(scene, for: server)
                let words = ["--engine", "locust", "--users", "4", "--duration", "1s", "--workers", "2"]
                let session = try scene.start(
                    Program.ombi, ["load", "shop.json"] + words, columns: 200, environment: environment)
                try session.see("--run-time limit reached")
                gate.signal()
                #expect(try session.waitForExit() == 0)
                let screen = session.screen
                let row = (0..<screen.rows).map(screen.line).last { $0.hasPrefix("all ") }
                #expect(row?.split(separator: " ").dropFirst().first == "\(server.requests.count)", "\(row ?? "")")
            }
        }

        @Test(
            .enabled(if: locust != nil, hint),
            .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/stat"), "there is no /proc"))
        func `a worker that is killed is told, and the others go on`() throws {
            let server = try LoopbackServer { _ in .ok("{}") }
            defer { server.stop() }
            try Scene.play { scene in
                let environment = try Self.prepare(scene, for: server)
                let words = [
                    "--engine", "locust", "--users", "4", "--rate", "20/s", "--duration", "8s", "--workers", "2",
                ]
                let session = try scene.start(
                    Program.ombi, ["load", "shop.json"] + words, columns: 200, environment: environment)
                try session.look { screen in
                    (0..<screen.rows).contains { screen.line($0).contains(#/ [1-9][0-9]* done, /#) }
                } orSay: {
                    "requests that are done"
                }
                kill(try #require(Self.worker(of: scene)), SIGKILL)
                try session.see("ombi: 1 worker ended before the load did: the last requests are not counted")
                #expect(try session.waitForExit() == 3)
                let history = try scene.ombi("history", "show", "L1", "--output", "json").json()
                let count = (history["total"] as? [String: Any])?["count"] as? Int ?? 0
                #expect(history["lostWorkers"] as? Int == 1)
                #expect(count > 0 && count <= server.requests.count, "\(count) of \(server.requests.count)")
            }
        }

        /// A process of the story whose parent is one that a process of the story has started.
        private static func worker(of scene: Scene) -> pid_t? {
            let processes = Set(scene.processes())
            let parent = { (process: pid_t) -> pid_t? in
                let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
                return stat?.split(separator: ")").last?.split(separator: " ").dropFirst().first.flatMap { pid_t($0) }
            }
            return processes.first { process in
                guard let master = parent(process), processes.contains(master), let ombi = parent(master) else {
                    return false
                }
                return processes.contains(ombi)
            }
        }

        @Test(.enabled(if: locust != nil, hint)) func `Locust runs an export, whose size is in variables`() throws {
            let server = try LoopbackServer { _ in .ok("{}") }
            defer { server.stop() }
            try Scene.play { scene in
                var environment = try Self.prepare(scene, for: server)
                let exported = try scene.ombi("export", "shop.json", "--as", "locust")
                #expect(exported.status == 0, "\(exported.errors)")
                try scene.write("load.py", exported.output)
                let program = try #require(Self.locust)
                let words = ["-f", "load.py", "--headless", "--only-summary"]
                let unset = try scene.background(program, words, environment: environment).outcome()
                #expect(unset.status == 1 && unset.errors.contains("The variable ID is not set."), "\(unset.errors)")
                environment.merge(["ID": "a b", "OMBI_USERS": "2", "OMBI_DURATION": "2s", "OMBI_RATE": "10"]) { $1 }
                let outcome = try scene.background(program, words, environment: environment).outcome()
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(outcome.errors.contains("(2 total users)") && server.requests.count > 2, "\(outcome.errors)")
                #expect(server.requests.allSatisfy { $0.target == "/users/a%20b" })
            }
        }

        @Test func `a secret without a grant goes to no engine`() throws {
            try Scene.play { scene in
                try Self.prepare(scene, "echo ran > \"$HOME/ran\"\n" + Self.results())
                let words = ["load", "shop.json"] + Self.load.dropFirst()
                let outcome = try scene.background(
                    Program.ombi, words, environment: Self.environment(scene)
                ).outcome()
                #expect(outcome.status == 2, "\(outcome.errors)")
                #expect(!FileManager.default.fileExists(atPath: scene.path("ran")))
            }
        }
    }
}
