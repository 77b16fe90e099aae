import Foundation
import Testing

extension EndToEnd {
    /// A history on a disk that is full, or cannot be written. A file system of its own is mounted in a namespace of its own,
    /// which needs root; the tests without one run everywhere.
    @Suite struct HistoryDiskTests {
        private static let canMount: Bool = {
            let mount = Process()
            mount.executableURL = URL(filePath: "/bin/sh")
            mount.arguments = ["-c", "exec unshare -m mount -t tmpfs none /mnt 2>/dev/null"]
            guard (try? mount.run()) != nil else { return false }
            mount.waitUntilExit()
            return mount.terminationStatus == 0
        }()

        /// Runs a script with a file system in the place of the folder for states.
        private static func run(_ scene: Scene, mounting options: String, _ script: String) throws -> Outcome {
            try FileManager.default.createDirectory(
                atPath: scene.path(".local/state"), withIntermediateDirectories: true)
            return try scene.shell(
                "exec unshare -m sh -c 'mount -t tmpfs -o \(options) none .local/state || exit 99; \(script)' \"$0\"")
        }

        @Test(.enabled(if: canMount, "no file system can be mounted here"), arguments: ["size=2m", "size=512k"])
        func `a full disk fails no run, and is told`(options: String) throws {
            try Scene.play { scene in
                try scene.write("shop.json", Self.shop(try scene.port()))
                let script = """
                    mkdir -p .local/state/ombi; dd if=/dev/zero of=.local/state/fill bs=4k 2>/dev/null;
                    "$0" run shop.json --repeat 50; status=$?; rm .local/state/fill;
                    "$0" run shop.json; "$0" history list; exit $status
                    """
                let outcome = try Self.run(scene, mounting: options, script)
                #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
                #expect(outcome.output.contains("50 requests, all passed"), "\(outcome.output)")
                #expect(outcome.errors.contains("not in the history: "), "\(outcome.errors)")
                #expect(outcome.errors.contains("full"), "\(outcome.errors)")
                let told = outcome.errors.split(separator: "\n").filter { $0.contains("not in the history: ") }
                #expect(told.count <= 2, "not once a batch: \(outcome.errors)")
                // With room again runs are recorded again.
                #expect(outcome.output.contains("shop.json: user"), "\(outcome.output)\(outcome.errors)")
            }
        }

        @Test(.enabled(if: canMount, "no file system can be mounted here"))
        func `a disk that cannot be written fails no run, and is told once`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Self.shop(try scene.port()))
                let script = "\"$0\" run shop.json --repeat 5"
                let outcome = try Self.run(scene, mounting: "ro,size=1m", script)
                #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
                #expect(outcome.output.contains("5 requests, all passed"), "\(outcome.output)")
                #expect(outcome.errors.contains("not in the history: "), "\(outcome.errors)")
                #expect(outcome.errors.contains("ead-only"), "\(outcome.errors)")
                #expect(outcome.errors.split(separator: "\n").count < 5, "\(outcome.errors)")
            }
        }

        @Test func `a file that may not grow fails no run, and is told`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Self.shop(try scene.port()))
                // In blocks of 512 bytes; a program that ignores the signal gets an error from each write beyond.
                let outcome = try scene.shell(
                    "trap '' XFSZ; (ulimit -f 300; exec \"$0\" run shop.json --repeat 400); status=$?; "
                        + "\"$0\" run shop.json; \"$0\" history list; exit $status")
                #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
                #expect(outcome.output.contains("400 requests, all passed"), "\(outcome.output)")
                let told = outcome.errors.split(separator: "\n").filter { $0.contains("not in the history: ") }
                #expect(!told.isEmpty && told.count <= 2, "\(outcome.errors)")
                #expect(outcome.output.contains("shop.json: user"), "\(outcome.output)\(outcome.errors)")
            }
        }

        @Test func `a place where no folder can be made fails no run, and is told with the number of runs`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Self.shop(try scene.port()))
                try FileManager.default.createDirectory(atPath: scene.path(".local"), withIntermediateDirectories: true)
                try scene.write(".local/state", "a file")
                let outcome = try scene.ombi("run", "shop.json", "--repeat", "5")
                #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
                #expect(outcome.output.contains("5 requests, all passed"), "\(outcome.output)")
                let told = outcome.errors.split(separator: "\n").filter { $0.contains("not in the history: ") }
                #expect((1...2).contains(told.count), "\(outcome.errors)")
                #expect(told.last?.contains("5 runs") == true, "\(outcome.errors)")
            }
        }

        /// What the state is like in which the history is read: a script after two runs were recorded, in the folder of the state.
        private static let unwritable = [
            "read-only": "mount -o remount,ro .local/state",
            "full": "dd if=/dev/zero of=.local/state/fill bs=4k 2>/dev/null; true",
            "read-only, after a program was killed": """
            "$0" run shop.json --repeat 100000 >/dev/null & run=$!
            while [ ! -s .local/state/ombi/history.sqlite-wal ]; do :; done
            kill -9 $run; wait $run; mount -o remount,ro .local/state
            """,
            "read-only, without the index of the log": """
            "$0" run shop.json --repeat 100000 >/dev/null & run=$!
            while [ ! -s .local/state/ombi/history.sqlite-wal ]; do :; done
            kill -9 $run; wait $run; rm .local/state/ombi/history.sqlite-shm; mount -o remount,ro .local/state
            """,
        ]

        @Test(.enabled(if: canMount, "no file system can be mounted here"), arguments: unwritable.keys.sorted())
        func `a history that cannot be written can be read`(state: String) throws {
            try Scene.play { scene in
                try scene.write("shop.json", Self.shop(try scene.port()))
                let commands = [
                    "list", "show 1", "show 1 --body", "show 1 --output json", "stats", "stats shop.json", "values",
                    "simulate shop.json/user", "compare 1 2", "export",
                ].map { $0 == "values" ? "values \\$.id shop.json/user" : $0 }
                let asked = commands.map {
                    "\"$0\" history \($0) >out 2>err; echo \"\($0): $? $(wc -c <out) $(cat err)\""
                }
                let script = """
                    "$0" run shop.json --repeat 2 >/dev/null || exit 98
                    \(Self.unwritable[state] ?? "")
                    \(asked.joined(separator: "\n"))
                    "$0" incident 1d.. >out 2>err; echo "incident: $? $(wc -c <out) $(cat err)"
                    """
                let outcome = try Self.run(scene, mounting: "size=4m", script)
                let lines = outcome.output.split(separator: "\n")
                #expect(lines.count == commands.count + 1, "\(outcome.output)\(outcome.errors)")
                let missing = state.contains("without") ? "ombi: the newest runs are missing" : ""
                for line in lines {
                    let parts =
                        line.split(separator: ": ", maxSplits: 1).last?.split(separator: " ", maxSplits: 2) ?? []
                    #expect(parts.count >= 2 && parts[0] == "0" && Int(parts[1]) ?? 0 > 0, "\(line)")
                    #expect(parts.count < 3 || !missing.isEmpty && parts[2].hasPrefix(missing), "\(line)")
                }
            }
        }

        @Test(.enabled(if: canMount, "no file system can be mounted here"), arguments: ["read-only", "full"])
        func `the explorer shows a history that cannot be written`(state: String) throws {
            try Scene.play { scene in
                try scene.write("shop.json", Self.shop(try scene.port()))
                try FileManager.default.createDirectory(
                    atPath: scene.path(".local/state"), withIntermediateDirectories: true)
                let script = """
                    mount -t tmpfs -o size=2m none .local/state && "$0" run shop.json --repeat 2 >/dev/null || exit 98
                    \(Self.unwritable[state] ?? ""); exec "$0" shop.json
                    """
                let ombi = try scene.start("/usr/bin/unshare", ["-m", "sh", "-c", script, Program.ombi])
                try ombi.see("user")
                ombi.type(Keys.down, "H")
                try ombi.see("History 2", "✓ 200")
                ombi.type(Keys.enter)
                try ombi.see("1 of 2", "Bruno")
                ombi.type("q")
                _ = try ombi.waitForExit()
            }
        }

        private static func shop(_ port: Int) -> String {
            """
            { "version": 1, "name": "shop", "items": [
              { "request": "user", "path": "http://127.0.0.1:\(port)/users/1" } ] }
            """
        }
    }
}
