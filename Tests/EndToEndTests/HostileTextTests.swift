import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Every subcommand on a terminal, with names, files and bodies that want to control it.
    @Suite struct HostileTextTests {
        /// Sets the clipboard and the title, clears the screen (once with an 8-bit control), asks the terminal to type something,
        /// turns the text round.
        private static let attack =
            "\u{1B}]52;c;SE9TVElMRQ==\u{07}\u{1B}]0;HOSTILE\u{07}\u{9B}2J\u{1B}[2J\u{1B}[6n\u{05}\u{202E}\u{08}\u{7F}x"

        /// The attack in a JSON text.
        private static let escaped: String = attack.unicodeScalars.reduce(into: "") { text, scalar in
            text += scalar == "x" ? "x" : "\\u" + String(format: "%04x", scalar.value)
        }

        private static func json(_ text: String) -> String { text.replacing("ATTACK", with: escaped) }

        /// A folder with a hostile collection, its history, and files for the other commands.
        private static func prepare(_ scene: Scene) throws {
            let port = try scene.port()
            try scene.write(
                "c\(attack).json",
                json(
                    """
                    { "version": 1, "name": "nATTACK",
                      "environments": [{ "name": "eATTACK", "host": "http://127.0.0.1:\(port)",
                          "secrets": { "token": { "command": ["echo", "ATTACK"] } } }],
                      "variables": { "vATTACK": "ATTACK" },
                      "items": [{ "folder": "fATTACK", "items": [
                        { "request": "rATTACK", "path": "/control-characters", "tags": ["t"], "description": "ATTACK",
                          "expect": { "body": [{ "contains": "missing ATTACK" }] } },
                        { "request": "echo", "method": "POST", "path": "/echo",
                          "body": { "json": { "text": "ATTACK {{token}}" } } },
                        { "request": "json", "path": "/control-characters.json", "unknownATTACK": "ATTACK" },
                        { "request": "down", "path": "http://127.0.0.1:1/x" } ] }] }
                    """))
            try scene.write(
                "broken\(attack).json", json("{ \"version\": 1, \"name\": 5, \"itemsATTACK\": [ { \"ATTACK\" "))
            try scene.write("body.json", json("{ \"a\": \"ATTACK\", \"ATTACK\": [1] }"))
            try scene.write("body.txt", "one \(attack)\ntwo\n")
            try scene.write("other.txt", "one\ntwo \(attack)\n")
            try scene.write(
                "curl.sh",
                "curl -H 'X-A: \(attack)' --unknown-\(attack) 'http://127.0.0.1:1/\(attack)' -d '\(attack)'\n")
            try scene.write(
                "postman.json",
                json(
                    """
                    { "info": { "name": "ATTACK" }, "item": [{ "name": "ATTACK", "request": { "method": "ATTACK",
                      "url": "http://127.0.0.1:1/ATTACK", "header": [{ "key": "ATTACK", "value": "{{ATTACK}}" }],
                      "auth": { "type": "ATTACK" } }, "event": [{ "listen": "ATTACK", "script": { "exec": "ATTACK" } }] }] }
                    """))
            try scene.write(
                "openapi.json",
                json(
                    """
                    { "openapi": "3.0.3", "info": { "title": "ATTACK" }, "paths": { "/ATTACK": { "get": {
                      "operationId": "ATTACK", "responses": { "200": { "description": "ATTACK" } } } } } }
                    """))
            try scene.write(
                "hostile\(attack).bru",
                "meta {\n  name: \(attack)\n}\nget {\n  url: http://127.0.0.1:1/\(attack)\n  auth: \(attack)\n}\n"
                    + "headers {\n  \(attack): \(attack)\n}\nassert {\n  \(attack): \(attack)\n}\n")
            try prepareSchema(scene)
            _ = try scene.ombi("run", "c\(attack).json", "--trust", environment: environment(scene))
            _ = try scene.ombi("run", "c\(attack).json", "--trust", environment: environment(scene))
        }

        /// A schema whose descriptions are hostile, in a folder: that of the scene is the home folder, which is no workspace.
        private static func prepareSchema(_ scene: Scene) throws {
            _ = try scene.shell("mkdir graphql")
            let type = "type Query { \"\(attack)\" a: Int @deprecated(reason: \"\(attack)\") }"
            try scene.write("graphql/s.graphql", "\"\(attack)\" \(type)\n")
            try scene.write(
                "graphql/q.json",
                """
                { "version": 1, "name": "q", "items": [
                  { "request": "q", "path": "http://127.0.0.1:1/", "body": { "graphql": "{ a }", "schema": "./s.graphql" } }
                ] }
                """)
        }

        private static func environment(_ scene: Scene) -> [String: String] {
            ["XDG_STATE_HOME": scene.path("state\(attack)"), "XDG_CONFIG_HOME": scene.path("config\(attack)")]
        }

        private static let file = "c\(attack).json"

        // The words of command lines that write text.
        private static let requests: [[String]] = [
            ["run", file, "--trust"], ["run", file, "--trust", "--body"],
            ["run", file, "--trust", "--output", "json"], ["run", file, "--trust", "--dry-run"],
            ["run", file, "--trust", "--dry-run", "--output", "json"], ["run", file, "--trust", "--repeat", "2"],
            ["run", file + "/none\(attack)"], ["run", file, "-e", attack], ["run", "broken\(attack).json"],
            ["run", file + "/f\(attack)/json", "--trust", "--stream"],
            ["run", file + "/f\(attack)/json", "--trust", "--stream", "--output", "json"],
            ["run", "--no-such\(attack)"], ["run", file, "--trust", "--report", "junit=-"],
            ["run", file, "--trust", "--report", "tap=-"], ["run", file, "--trust", "--report", "html=-"],
            ["run", file, "--trust", "--report", "json=-"], ["run", file, "--trust", "--report", "github=-"],
            ["run", file, "--trust", "--report", "tap=none\(attack)/x"],
            ["send", "/control-characters.json", "--in", file, "--trust"],
            ["send", "/control-characters", "--in", file, "--trust"],
        ]

        private static let files: [[String]] = [
            ["check", file, "broken\(attack).json"], ["check", "none\(attack).json"],
            ["check", file, "broken\(attack).json", "--report", "github=-"],
            ["check", file, "broken\(attack).json", "--report", "html=-"],
            ["check", file, "broken\(attack).json", "--report", "json=-"],
            ["spec", "diff", "openapi.json", file, "--report", "github=-"],
            ["spec", "diff", "openapi.json", file, "--report", "html=-"],
            ["spec", "coverage", "openapi.json", file, "--report", "json=-"], ["list", file],
            ["list", attack], ["list", file, "--tag", attack], ["import", "curl", "curl.sh"],
            ["import", "curl", "--to", attack, "curl.sh"], ["import", "curl", attack], ["export", file, "--trust"],
            ["import", "hostile\(attack).bru"], ["import", "."],
            ["import", "postman.json"], ["import", attack], ["import", "postman.json", "--to", "out\(attack).json"],
            ["import", "postman.json", "--from", attack], ["import", "file", "body.json"], ["check", "postman.json"],
            ["export", file, "--as", "swift"], ["export", file, "--resolved", "--trust"],
            ["export", file, "--as", "http"], ["export", file, "--as", "har"], ["export", file, "--as", "hurl"],
            ["export", file, "--as", "postman"], ["export", file, "--as", "markdown"],
            ["export", file, "--as", "openapi"],
            ["export", file, "--as", "httpie"], ["export", file, "--as", "python"], ["export", file, "--as", "fetch"],
            ["export", file, "--as", "k6"], ["export", file, "--as", "locust"],
            ["filter", "$..*", "body.json"], ["filter", "--paths", "$..*", "body.json"],
            ["filter", attack, "body.json"], ["filter", "$", "body.txt"], ["filter", "$", "none\(attack)"],
            ["view", "none\(attack)"], ["diff", "none\(attack)", "body.txt"], ["diff", "body.txt", "body.txt"],
            ["spec", "diff", "openapi.json", file], ["spec", "diff", "openapi.json", file, "--output", "json"],
            ["spec", "coverage", "openapi.json", file], ["spec", "diff", attack, file],
            ["spec", "coverage", "openapi.json", file, "--output", "json"],
            ["graphql", file], ["graphql", attack, "--operations"],
            ["graphql", "graphql/q.json/q"], ["graphql", "graphql/q.json/q", "--operations"],
            ["load", file, "--engine", "k6", "--users", "1", "--duration", "1s", "--dry-run", "--trust"],
            ["load", file, "--engine", "locust", "--users", "1", "--duration", "1s", "--dry-run", "--trust"],
            ["load", attack, "--engine", "k6", "--users", "1", "--duration", "1s", "--threshold", attack],
            ["doctor"], ["doctor", "--output", "json"], ["help", "history", "list"], ["help", attack],
            ["record", "--to", file, "--target", attack],
            ["record", "--to", "broken\(attack).json", "--target", "http://127.0.0.1:1"],
            ["trust", file + "x"], ["trust", "--list"],
            ["trust", "--revoke", file], ["manuals", "body.txt/\(attack)"], ["demo", attack],
            ["new", "body.txt/\(attack)"], ["send", attack], ["send", "http://127.0.0.1:1/\(attack)", "--no-record"],
            ["explore", "--no-such\(attack)"],
            ["completions", "bash"], ["completions", "zsh"], ["completions", "fish"], ["completions", attack],
            ["---completion", "run", "--", "positional@0", "2", "0", "ombi", "run", ""],
            ["---completion", "run", "--", "--environment", "3", "0", "ombi", "run", "-e", ""],
        ]

        private static let history: [[String]] = [
            ["history"], ["history", "list", "--output", "json"], ["history", "list", attack],
            ["history", "list", "--where", attack], ["history", "list", "--since", attack], ["history", "stats"],
            ["history", "audit"], ["history", "audit", "--output", "json"],
            ["mark", attack], ["mark", "x", "--at", attack], ["mark", "--list"],
            ["mark", "--list", "--output", "json"],
            ["mark", "--remove", "99"], ["history", "compare", "--around", attack], ["history", "objectives"],
            ["history", "objectives", attack],
            ["history", "objectives", "--output", "json"], ["history", "hosts"],
            ["history", "hosts", "--output", "json"],
            ["history", "stats", "--output", "json"], ["history", "stats", file, "--output", "prometheus"],
            ["history", "values", "$.text", file + "/f\(attack)/json"],
            ["history", "values", "$.text", file + "/f\(attack)/json", "--output", "json"],
            ["history", "values", attack, file], ["history", "simulate", "--retries", "1"],
            ["history", "simulate", "--retries", "1", "--output", "json"], ["history", "compare", "2", "3"],
            ["history", "compare", "1", "2", "--output", "json"],
            ["history", "compare", "2", "3", "--report", "html=-"],
            ["history", "compare", "2", "3", "--report", "json=-"],
            ["history", "compare", "-e", attack, "-e", "e\(attack)"], ["history", "replay", "--trust"],
            ["history", "replay", "--trust", "--output", "json"], ["history", "export"],
            ["history", "export", "--output", "har"], ["incident", "1d.."], ["incident", "1d..", "--html"],
            ["incident", "1d..", "--har"], ["incident", attack], ["incident", "1d..", "--out", "none\(attack)/x"],
            ["incident", "1d..", "--bundle", "none\(attack)/x"], ["incident", "1d..", "--bundle", "bundle.json"],
            ["tape", attack], ["tape", "body.json"], ["tape", "1d..", "--host", attack],
            ["tape", "1d..", "--speed", attack],
            ["history", "delete", "--text", attack],
        ]

        private static let shown: [[String]] = (1...8).flatMap { run -> [[String]] in
            let show = ["history", "show", "\(run)"]
            return [show, show + ["--body"], show + ["--output", "json"]]
        }

        private static let lines: [[String]] = requests + files + shown + history

        /// Those that ask something.
        private static let questions: [[String]] = [["trust", file], ["check", file, "--fix"]]

        /// Those that draw a screen.
        private static let screens: [[String]] = [
            ["view", "body.txt"], ["view", "body.json"], ["diff", "body.txt", "other.txt"],
            ["diff", "body.json", "body.txt"], ["explore", file], [file], [attack + ".json"],
        ]

        @Test func `no subcommand lets a text control the terminal`() throws {
            try Scene.play { scene in
                try Self.prepare(scene)
                for words in Self.questions + Self.lines {
                    let bytes = try Self.output(of: words, scene)
                    let found = Self.controls(in: bytes)
                    #expect(found == [], "\(words) wrote \(found)")
                    #expect(!bytes.isEmpty || ["diff", "run", "trust"].contains(words[0]), "\(words)")
                }
                for words in Self.screens {
                    let text = String(decoding: try Self.output(of: words, scene), as: UTF8.self)
                    for attack in ["\u{1B}]52;c;SE9T", "\u{1B}]0;HOSTILE", "\u{9B}", "\u{202E}", "\u{1B}[6n"] {
                        #expect(!text.contains(attack), "\(words) wrote \(attack.debugDescription)")
                    }
                }
            }
        }

        /// A command that is missing here could be the one that writes whatever it gets.
        @Test func `every subcommand is tried`() throws {
            try Scene.play { scene in
                let tried = Self.questions + Self.lines + Self.screens
                for (prefix, words) in [([], ["--help"]), (["history"], ["history", "--help"])] {
                    let help = try scene.background(Program.ombi, words).outcome().output
                    let section = help.components(separatedBy: "SUBCOMMANDS:\n").last ?? ""
                    let names = section.split(separator: "\n").compactMap { line -> String? in
                        line.hasPrefix("  ") && !line.hasPrefix("   ")
                            ? line.split(separator: " ").first.map { String($0.prefix { $0 != "," }) } : nil
                    }
                    #expect(names.count > 5)
                    for name in names where name != "See" && name != "help" {
                        #expect(tried.contains { $0.starts(with: prefix + [name]) }, "\(name) is not among the lines")
                    }
                }
            }
        }

        @Test func `a pipe gets a body as it came`() throws {
            try Scene.play { scene in
                try Self.prepare(scene)
                let runs = try (1...4).map { run in
                    try scene.ombi("history", "show", "\(run)", "--body", environment: Self.environment(scene)).output
                }
                #expect(runs.contains { $0.contains("\u{1B}]52;c;b3duZWQ=\u{07}") && $0.contains("\u{1B}[2J") })
                #expect(try scene.ombi("view", "body.txt").output == (try scene.read("body.txt")))
            }
        }

        private static func output(of words: [String], _ scene: Scene) throws -> [UInt8] {
            let session = try scene.start(Program.ombi, words, columns: 200, rows: 50, environment: environment(scene))
            defer { session.terminal.close() }
            if words == ["trust", file] {
                try session.see("[y/N]")
                session.type("y\n")
            }
            if screens.contains(words) {
                // JSON has the escapes of its text.
                let texts = ["]52;c;SE9T", "u001b"]
                try session.look(until: { screen in screen.isAlternate && texts.contains(where: screen.contains) }) {
                    "a text of \(words)"
                }
                session.terminal.kill(SIGTERM)
            }
            _ = try session.waitForExit()
            return session.terminal.bytes
        }

        /// The control and format characters of an output, but for line ends, tabs, and the colours and emphasis that
        /// Ombi gives a text.
        private static func controls(in bytes: [UInt8]) -> [String] {
            let text = String(decoding: bytes, as: UTF8.self).replacing(/\u{1B}\[38;5;[0-9]+m/, with: "")
            let plain = ["\u{1B}[m", "\u{1B}[1m", "\u{1B}[31m", "\u{1B}[32m", "\u{1B}[33m", "\r\n", "\t"].reduce(text) {
                $0.replacing($1, with: "")
            }
            return plain.unicodeScalars.filter {
                [.control, .format].contains($0.properties.generalCategory)
            }.map { String($0.value, radix: 16) }
        }
    }
}
