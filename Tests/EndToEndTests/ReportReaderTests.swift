import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Reports and exports as the readers of other makers find them, with texts that want to be more than texts.
    @Suite struct ReportReaderTests {
        private static let peer = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "Peers/report_reader.py").path

        /// The Python that has a module; nil where none has it.
        private static func python(with module: String) -> String? {
            let pythons = [ChildProgram.interpreter(of: "junitparser"), ChildProgram.find("python3")]
            return pythons.compactMap { $0 }.first { python in
                let process = Process()
                process.executableURL = URL(fileURLWithPath: python)
                process.arguments = ["-c", "import \(module)"]
                process.standardOutput = FileHandle.nullDevice
                process.standardError = FileHandle.nullDevice
                guard (try? process.run()) != nil else { return false }
                process.waitUntilExit()
                return process.terminationStatus == 0
            }
        }

        private static let junit = python(with: "junitparser")
        private static let tap = python(with: "tap.parser")
        private static let prove = ChildProgram.find("prove")
        private static let archive = python(with: "haralyzer")
        private static let markdown = python(with: "markdown_it")

        /// Returns what a reader finds in a file.
        private static func read(
            _ file: String, as format: String, _ python: String?, _ scene: Scene
        ) throws -> [String: Any] {
            let python = try #require(python)
            let outcome = try scene.background(python, [peer, format, scene.path(file)]).outcome(timeout: 60)
            try #require(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
            return try outcome.json()
        }

        private static func list(_ value: Any?) throws -> [[String: Any]] {
            try #require(value as? [[String: Any]], "\(value ?? "nothing")")
        }

        // MARK: Reports

        /// Names, each as one line that can be seen.
        private static let names: [(name: String, shown: String)] = [
            ("]]> end", "]]> end"), ("\u{1}\u{1B}[31m\u{7F} end", "␁␛[31m␡ end"), ("100% %0A %s", "100% %0A %s"),
            ("\"double\" 'single'", "\"double\" 'single'"), ("line\nbreak\r\nagain", "line␊break␍␊again"),
            ("</script><script>alert(1)</script>", "</script><script>alert(1)</script>"),
            ("&amp; <b>", "&amp; <b>"), ("::error::x", "::error::x"), ("# SKIP # todo", "# SKIP # todo"),
        ]
        private static let long = String(repeating: "x", count: 1 << 20)
        private static let failing = "fails # todo ]]>\n\"%"

        private static func quoted(_ text: String) throws -> String {
            String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
        }

        /// The first passes on its third attempt, the last but one fails, and the last is not sent.
        private static func collection(_ port: Int) throws -> String {
            let passing = try (names.map(\.name) + [long]).map { name in
                "{ \"request\": \(try quoted(name)), \"path\": \"/users/1\" },"
            }
            return """
                { "version": 1, "name": "a.b </script>",
                  "environments": [{ "name": "local", "host": "http://127.0.0.1:\(port)" }],
                  "items": [
                    { "request": "flaky", "path": "/flaky",
                      "query": [{ "name": "failures", "value": "2" }, { "name": "key", "value": "reader" }],
                      "policy": { "retries": 3, "backoff": { "first": "10ms" } } },
                    \(passing.joined(separator: "\n"))
                    { "request": \(try quoted(failing)), "path": "/users/9999", "expect": { "status": 200 } },
                    { "request": "comes too late", "path": "/users/1" }
                  ] }
                """
        }

        private static func run(_ scene: Scene, _ reports: String...) throws -> Outcome {
            try scene.write("names.json", try collection(try scene.port()))
            let words = reports.flatMap { ["--report", $0] }
            let outcome = try scene.background(Program.ombi, ["run", "names.json", "--fail-fast"] + words).outcome()
            #expect(outcome.status == 1, "\(outcome.errors)")
            return outcome
        }

        @Test(.enabled(if: junit != nil, "pip install junitparser"))
        func `junitparser reads each name, the attempts, the failure and what was not sent`() throws {
            try Scene.play { scene in
                _ = try Self.run(scene, "junit=run.xml")
                let found = try Self.read("run.xml", as: "junit", Self.junit, scene)
                let counts = ["tests", "failures", "errors", "skipped"].compactMap { found[$0] as? Int }
                #expect(counts == [Self.names.count + 4, 1, 0, 1])
                let cases = try Self.list(found["cases"])
                try #require(cases.count == Self.names.count + 4)
                let names = cases.compactMap { $0["name"] as? String }
                #expect(Array(names[1...Self.names.count]) == Self.names.map(\.shown))
                let long = names[Self.names.count + 1]
                #expect(long.hasPrefix("xxxx") && long.hasSuffix("…") && long.count < 2000)
                #expect(cases.allSatisfy { $0["className"] as? String == "a_b </script>" }, "no dot is a level")
                let failure = "503 Service Unavailable"
                #expect(cases[0]["name"] as? String == "flaky" && cases[0]["flaky"] as? [String] == [failure, failure])
                #expect(cases.dropFirst().allSatisfy { ($0["flaky"] as? [String])?.isEmpty ?? false })
                let results = cases.map { $0["results"] as? [[String]] ?? [["nothing"]] }
                #expect(results.dropLast(2).allSatisfy { $0.isEmpty })
                #expect(names[names.count - 2] == "fails # todo ]]>␊\"%")
                #expect(results[results.count - 2] == [["Failure", "expected status 200, got 404"]])
                #expect(results[results.count - 1] == [["Skipped", "not sent: another request failed"]])
            }
        }

        @Test(.enabled(if: JUnitSchema.judge != nil, "apt-get install libxml2-utils"))
        func `the schema of JUnit accepts reports of runs that fail, are limited, have a schedule or are ended`()
            async throws
        {
            var reports: [String] = []
            try Scene.play { scene in
                _ = try Self.run(scene, "junit=run.xml")
                reports.append(try scene.read("run.xml"))
                let run = ["run", "--no-record", "--report", "junit=run.xml"]
                for options in [["--strict-retries"], ["--max-flaky", "1%"], ["--rate", "50/s", "--repeat", "2"]] {
                    _ = try scene.background(Program.ombi, run + ["names.json"] + options).outcome()
                    reports.append(try scene.read("run.xml"))
                }
                let server = try SilentServer()
                defer { server.stop() }
                try scene.write("shop.json", Samples.shop(port: server.port))
                let ended = try scene.background(Program.ombi, run + ["shop.json/trouble/slow", "shop.json/users"])
                #expect(server.waitForRequest())
                ended.signal(SIGTERM)
                #expect(try ended.outcome().status == 128 + SIGTERM)
                reports.append(try scene.read("run.xml"))
            }
            for report in reports {
                #expect(try await JUnitSchema.problems(in: report) == "", "\(report)")
                #expect(try await JUnitSchema.problemsForAnt(in: report) == "", "\(report)")
            }
        }

        @Test(.enabled(if: tap != nil, "pip install tap.py"))
        func `a reader of TAP counts what passed, failed and was left out, and takes no name for a directive`() throws {
            try Scene.play { scene in
                _ = try Self.run(scene, "tap=run.tap")
                let found = try Self.read("run.tap", as: "tap", Self.tap, scene)
                let points = try Self.list(found["points"])
                #expect(found["plan"] as? [Int] == [points.count] && points.count == Self.names.count + 4)
                #expect(found["unknown"] as? [String] == [])
                #expect(points.compactMap { $0["number"] as? Int } == Array(1...points.count))
                let failed = points.count - 2
                #expect(points.indices.filter { points[$0]["ok"] as? Bool == false } == [failed])
                #expect(points.indices.filter { points[$0]["isSkipped"] as? Bool == true } == [points.count - 1])
                #expect(points.allSatisfy { $0["isToDo"] as? Bool == false })
                let descriptions = points.compactMap { $0["description"] as? String }
                // This reader ends a description at its first #; the sign in its place is another one.
                let shown = Self.names.map { "- a.b </script>/" + $0.shown.replacing("#", with: "\u{FF03}") }
                #expect(Array(descriptions[1...Self.names.count]) == shown)
                #expect(descriptions[failed] == "- a.b </script>/fails \u{FF03} todo ]]>␊\"%")
            }
        }

        @Test(.enabled(if: prove != nil, "apt-get install perl"))
        func `prove passes a report of requests that passed, one of them after retries`() throws {
            try Scene.play { scene in
                let prove = try #require(Self.prove)
                try scene.write("names.json", try Self.collection(try scene.port()))
                let run = try scene.ombi("run", "names.json/flaky", "--report", "tap=run.tap")
                #expect(run.status == 0, "\(run.errors)")
                let passed = try scene.background(prove, ["--exec", "cat", "run.tap"]).outcome()
                #expect(passed.status == 0 && passed.output.contains("Result: PASS"), "\(passed)")
                _ = try Self.run(scene, "tap=run.tap")
                let failed = try scene.background(prove, ["--exec", "cat", "run.tap"]).outcome()
                let number = Self.names.count + 3
                #expect(failed.status != 0 && failed.output.contains("Failed test:  \(number)\n"), "\(failed)")
                #expect(!failed.output.contains("Parse errors"), "\(failed)")
            }
        }

        @Test func `names break out of neither JSON, a page of HTML nor the commands of GitHub`() throws {
            try Scene.play { scene in
                let outcome = try Self.run(scene, "json=run.json", "html=run.html", "github=-")
                let data = Data(try scene.read("run.json").utf8)
                let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
                let names = try Self.list(json["requests"]).compactMap { $0["name"] as? String }
                let wanted = ["flaky"] + Self.names.map(\.name) + [Self.long, Self.failing]
                #expect(names == wanted.map { "a.b </script>/" + $0 })
                let page = try scene.read("run.html")
                #expect(!page.contains("<script") && page.contains("&lt;/script&gt;&lt;script&gt;alert(1)"))
                #expect(page.hasSuffix("</html>\n") && page.utf8.count < 100_000, "\(page.utf8.count)")
                let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
                let token = try #require(lines.first).dropFirst("::stop-commands::".count)
                let end = try #require(lines.firstIndex(of: "::\(token)::"))
                let title = "title=a.b </script>/fails # todo ]]>␊\"%25::expected status 200, got 404"
                let commands = lines[(end + 1)...].filter { $0.hasPrefix("::") }
                #expect(commands.count == 2 && commands.first?.hasSuffix(title) ?? false, "\(commands)")
                #expect(commands.last?.hasPrefix("::warning file=names.json,line=") ?? false, "\(commands)")
            }
        }

        // MARK: Archives

        @Test(.enabled(if: archive != nil, "pip install haralyzer"))
        func `haralyzer reads each attempt of a recorded run, and each request of an export`() throws {
            try Scene.play { scene in
                _ = try Self.run(scene)
                let recorded = try scene.ombi("history", "export", "names.json/flaky", "--output", "har")
                #expect(recorded.status == 0, "\(recorded.errors)")
                try scene.write("recorded.har", recorded.output)
                let runs = try Self.read("recorded.har", as: "har", Self.archive, scene)
                #expect(runs["version"] as? String == "1.2" && runs["creator"] as? String == "Ombi")
                let attempts = try Self.list(runs["entries"])
                #expect(attempts.compactMap { $0["status"] as? Int } == [503, 503, 200], "\(attempts)")
                for attempt in attempts {
                    #expect(attempt["method"] as? String == "GET" && attempt["time"] as? Double ?? 0 > 0)
                    #expect((attempt["query"] as? [[String]])?.first == ["failures", "2"])
                    #expect(attempt["type"] as? String == "application/json" && attempt["size"] as? Int ?? 0 > 0)
                    #expect(attempt["year"] as? Int ?? 0 > 2000)
                }
                let exported = try scene.ombi("export", "names.json", "--as", "har")
                try scene.write("exported.har", exported.output)
                let requests = try Self.list(
                    try Self.read("exported.har", as: "har", Self.archive, scene)["entries"])
                #expect(requests.count == Self.names.count + 4)
                #expect(requests.allSatisfy { $0["method"] as? String == "GET" && $0["status"] as? Int == 0 })
            }
        }

        // MARK: Pages

        /// Bodies in which blocks of code, headings and elements begin, with a word that is nowhere else.
        private static let bodies = [
            "```\n# inside\n</script><b>inside</b>\n```", "~~~~\n| inside |\n````\n`````\n\tinside", "\n\n    inside\n",
        ]

        private static let markup = "~~old~~ *a* _b_ [c](d) `e` | 1\\"

        private static func page() throws -> String {
            let plain = try (names.map(\.name) + [markup]).map { name in
                "{ \"request\": \(try quoted(name)), \"path\": \"/users/1\" },"
            }
            let sent = try bodies.enumerated().map { index, body in
                """
                { "request": "body \(index)", "method": "POST", "path": "/echo", "description": "open\\n```\\nblock",
                  "headers": [{ "name": "X-A", "value": "a | b ```" }], "body": { "text": \(try quoted(body)) },
                  "examples": [{ "name": "e", "body": \(try quoted(body)) }] }
                """
            }
            return """
                { "version": 1, "name": "pages",
                  "environments": [{ "name": "local", "host": "http://127.0.0.1:1" }],
                  "items": [ \(plain.joined()) { "folder": "f # <i>", "items": [ \(sent.joined(separator: ",")) ] } ] }
                """
        }

        @Test(.enabled(if: markdown != nil, "pip install markdown-it-py"))
        func `a reader of Markdown finds each request once, and no body outside of its block`() throws {
            try Scene.play { scene in
                try scene.write("pages.json", try Self.page())
                let exported = try scene.ombi("export", "pages.json", "--as", "markdown")
                #expect(exported.status == 0, "\(exported.errors)")
                try scene.write("page.md", exported.output)
                let found = try Self.read("page.md", as: "markdown", Self.markdown, scene)
                let headings = try Self.list(found["headings"])
                let plain = Self.names.map(\.shown) + [Self.markup]
                let sent = Self.bodies.indices.map { "body \($0)" }
                #expect(headings.compactMap { $0["text"] as? String } == ["pages"] + plain + ["f # <i>"] + sent)
                let levels = [1] + plain.map { _ in 2 } + [2] + sent.map { _ in 3 }
                #expect(headings.compactMap { $0["level"] as? Int } == levels)
                let blocks = try Self.list(found["blocks"])
                let lines = blocks.filter { $0["language"] as? String == "http" }.compactMap { $0["text"] as? String }
                let first = plain.map { _ in "GET http://127.0.0.1:1/users/1\n" }
                #expect(lines == first + sent.map { _ in "POST http://127.0.0.1:1/echo\n" })
                let texts = blocks.compactMap { $0["text"] as? String }.filter { $0.contains("inside") }
                let wanted = Self.bodies.flatMap { body in
                    Array(repeating: body + (body.hasSuffix("\n") ? "" : "\n"), count: 2)
                }
                #expect(texts == wanted)
                #expect(blocks.count == lines.count + texts.count + sent.count, "one of each description")
                #expect(found["markup"] as? [String] == [])
                let outside = try #require(found["texts"] as? [String])
                #expect(!outside.contains { $0.contains("inside") }, "\(outside)")
            }
        }
    }
}
