import Testing

extension EndToEnd {
    /// A folder is run in its table, against a server.
    @Suite struct FolderRunTests {
        @Test(arguments: [(80, 24), (120, 34)])
        func `a folder is run, what failed is mended and run again, and a response read`(
            columns: Int, rows: Int
        ) throws {
            try Scene.play { scene in
                try scene.write("shop.json", Self.checks(port: try scene.port()))
                let ombi = try scene.explore("shop.json", columns: columns, rows: rows)
                try ombi.see("1 Requests", "▾ checks")
                ombi.type("gjs")
                try ombi.see("Run checks", "4 requests to local")
                ombi.type("2", Keys.enter)
                try ombi.see("Run of shop › checks ─ local", "4 of 4 done · 2 failed", "2 at a time")
                // On a narrow screen the causes of failures have the room of the sizes.
                try ombi.seeLine("✓", "one user", "200 OK", columns < 90 ? " ms" : " B")
                try ombi.seeLine("✗", "broken", "500 Internal Server Error")
                try ombi.seeLine("✗", "unresolved", "path: ")
                try ombi.seeLine("✓", "last", "200 OK")
                ombi.type("gjj", Keys.enter)
                try ombi.see("2 Request", "/users/{{nobody}}")
                ombi.type(Keys.enter, Keys.deleteToStart, "/users/3", Keys.enter, "T")
                try ombi.see("Run of shop › checks")
                ombi.type("f")
                try ombi.see("4 of 4 done · 1 failed")
                try ombi.seeLine("✓", "unresolved", "200 OK")
                ombi.type("/500", Keys.enter)
                try ombi.see("1 match")
                try ombi.seeGone("one user")
                ombi.type(Keys.escape)
                try ombi.see("one user")
                ombi.type("G", Keys.enter)
                try ombi.see("3 Response", "200 OK", "\"id\": 4,")
                ombi.type("q")
                try ombi.see("Not saved")
                ombi.type("n")
                #expect(try ombi.waitForExit() == 0)
                ombi.expectTerminalRestored()
            }
        }

        @Test func `a file that changes and an environment that is switched leave the run as it began`() throws {
            try Scene.play { scene in
                let before = Self.waits(port: try scene.port(), last: "/users/4")
                try scene.write("shop.json", before)
                let ombi = try scene.explore("shop.json")
                try ombi.see("1 Requests", "▾ waits")
                ombi.type("gjs", Keys.enter)
                try ombi.seeLine("↻", "waits long", "attempt 1/2 · waiting")
                try ombi.seeLine("last", "waiting")
                ombi.type(Keys.escape)
                try ombi.see("1 Requests", "↻ 1")
                try scene.write("shop.json", Self.waits(port: try scene.port(), last: "/users/9999"))
                try ombi.see("shop.json changed on disk")
                ombi.type("E", Keys.down, Keys.enter)
                try ombi.see("down ▾")
                ombi.type("T")
                try ombi.see("Run of shop › waits ─ local", "0 of 2 done")
                ombi.type("r")
                try ombi.see("2 of 2 done · all passed")
                try ombi.seeLine("✓", "last", "200 OK")
                ombi.type("s", Keys.enter)
                try ombi.see("Run of shop › waits ─ down")
                try ombi.seeLine("↻", "waits long", "attempt 1/2 · waiting")
                ombi.type("r")
                try ombi.see("2 of 2 done · 2 failed")
                try ombi.seeLine("✗", "last", "could not connect")
                ombi.type(Keys.escape)
                try ombi.see("1 Requests")
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
            }
        }

        @Test func `all are cancelled at once, and the terminal is given back while others run`() throws {
            try Scene.play { scene in
                let server = try SilentServer()
                defer { server.stop() }
                try scene.write("shop.json", Self.checks(port: server.port))
                let ombi = try scene.explore("shop.json", columns: 80, rows: 24)
                try ombi.see("1 Requests", "▾ checks")
                ombi.type("gs", Keys.enter)
                try ombi.seeLine("↻", "one user", "attempt 1/1 · waiting")
                ombi.type(Keys.controlX)
                try ombi.see("4 of 4 done · 4 cancelled")
                #expect(server.waitForEndOfConnection())
                ombi.type("s", Keys.enter)
                try ombi.seeLine("↻", "one user", "attempt 1/1")
                ombi.type("q")
                try ombi.see("1 Requests")
                ombi.type("q")
                try ombi.see("Still running: the run of")
                ombi.type("y")
                #expect(try ombi.waitForExit() == 0)
                ombi.expectTerminalRestored()
            }
        }

        @Test func `the table has the order of a run without a screen`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Self.checks(port: try scene.port()))
                let names = ["one user", "broken", "unresolved", "last"]
                let listed = try scene.ombi("list", "shop.json").output
                #expect(Self.names(names, in: listed.split(separator: "\n").map(String.init)) == names)
                let ombi = try scene.explore("shop.json")
                try ombi.see("▾ checks")
                ombi.type("gs", Keys.enter)
                let screen = try ombi.see("4 of 4 done")
                let rows = (0..<screen.rows).map(screen.line).filter { $0.contains("✓") || $0.contains("✗") }
                #expect(Self.names(names, in: rows) == names)
                ombi.type("q")
                try ombi.see("1 Requests")
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
            }
        }

        /// The names in the order of the lines.
        private static func names(_ names: [String], in lines: [String]) -> [String] {
            lines.compactMap { line in names.first { line.contains($0) } }
        }

        private static func checks(port: Int) -> String {
            """
            {
              "version": 1,
              "name": "shop",
              "environments": [ { "name": "local", "host": "http://127.0.0.1:\(port)" } ],
              "items": [
                { "folder": "checks", "items": [
                  { "request": "one user", "path": "/users/1" },
                  { "request": "broken", "path": "/status/500" },
                  { "request": "unresolved", "path": "/users/{{nobody}}" },
                  { "request": "last", "path": "/users/4" }
                ] }
              ]
            }

            """
        }

        private static func waits(port: Int, last: String) -> String {
            """
            {
              "version": 1,
              "name": "shop",
              "environments": [
                { "name": "local", "host": "http://127.0.0.1:\(port)" },
                { "name": "down", "host": "http://127.0.0.1:1" }
              ],
              "items": [
                { "folder": "waits", "items": [
                  {
                    "request": "waits long",
                    "path": "/flaky",
                    "query": [ { "name": "failures", "value": "1" }, { "name": "key", "value": "long" } ],
                    "policy": { "retries": 1, "sla": "120s", "backoff": { "first": "60s" } }
                  },
                  { "request": "last", "path": "\(last)" }
                ] }
              ]
            }

            """
        }
    }
}
