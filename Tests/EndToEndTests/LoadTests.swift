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

        @Test func `Ctrl+C asks the engine to end, and shows its results`() throws {
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
                let program = try scene.background(
                    Program.ombi, ["load", "shop.json"] + Self.load, environment: Self.environment(scene))
                let started = open(scene.path("started"), O_RDWR | O_CLOEXEC)
                defer { close(started) }
                var waiting = pollfd(fd: started, events: Int16(POLLIN), revents: 0)
                let hasStarted = poll(&waiting, 1, 60_000) == 1
                #expect(hasStarted, "the engine runs")
                program.signal(SIGINT)
                let outcome = try program.outcome()
                #expect(outcome.status == 130, "\(outcome.output)\(outcome.errors)")
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

        @Test(.enabled(if: ChildProgram.find("locust") != nil, "pip install locust"))
        func `Locust with two workers sends what the collection says`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: try scene.port()))
                let program = try #require(ChildProgram.find("locust"))
                let folder = (program as NSString).deletingLastPathComponent
                let words = [
                    "load", "shop.json/users/list users", "--engine", "locust", "--users", "4", "--rate", "20/s",
                    "--duration", "3s", "--workers", "2", "--output", "json",
                ]
                let outcome = try scene.background(
                    Program.ombi, words, environment: ["PATH": folder + ":/usr/bin:/bin"]
                ).outcome()
                #expect(outcome.status == 0, "\(outcome.errors)")
                let total = try outcome.json()["total"] as? [String: Any]
                #expect(total?["failed"] as? Int == 0)
                #expect((total?["count"] as? Int ?? 0) > 0, "\(outcome.output)")
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
