import Foundation
import Testing

extension EndToEnd {
    /// Killed, told to end, or with its terminal gone: the file is whole, and the terminal is given back where it can
    /// be.
    @Suite struct KillTests {
        /// 40 programs, each killed during its first, second or third save: the later, the more looks at the folder.
        @Test func `killed while saving, the file is either the old or the new one`() throws {
            try Scene.play { scene in
                let enabled = try scene.saved(Samples.shop(port: 1))
                let disabled = try scene.saved(
                    Samples.shop(port: 1).replacing(
                        "\"x-why\": \"short\"", with: "\"x-why\": \"short\", \"enabled\": false"))
                try #require(enabled != disabled)
                var found: Set<String> = []
                for point in 0..<40 {
                    try scene.write("shop.json", enabled)
                    try? FileManager.default.removeItem(atPath: scene.path(".local"))
                    let ombi = try scene.explore("shop.json", columns: 80, rows: 24)
                    try ombi.see("› list users")
                    ombi.type("2", Keys.down)
                    try ombi.look {
                        !$0.contains("1 Requests ━") && $0.hasBackground(behind: "limit")
                    } orSay: {
                        "the cursor on limit"
                    }
                    for save in 0..<point % 3 {
                        ombi.type(" ")
                        try ombi.see("●", save % 2 == 0 ? "· limit" : "✓ limit")
                        ombi.type("w")
                        try ombi.see("Saved shop.json")
                    }
                    let start = ombi.screen.bytesSeen
                    ombi.type(" w w w")
                    try ombi.look {
                        $0.bytesSeen > start
                    } orSay: {
                        "the edit"
                    }
                    for _ in 0..<point * 4 { _ = try FileManager.default.contentsOfDirectory(atPath: scene.folder) }
                    ombi.terminal.kill(SIGKILL)
                    #expect(try ombi.waitForExit() == -SIGKILL)
                    let left = try scene.read("shop.json")
                    #expect(left == enabled || left == disabled, "killed at point \(point)")
                    found.insert(left)
                    ombi.end()
                }
                #expect(found.contains(disabled), "no save came through before the kill")
            }
        }

        @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT])
        func `a signal ends it in order, and the terminal is given back`(signal: Int32) throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: 1))
                let ombi = try scene.explore("shop.json")
                try ombi.see("› list users")
                ombi.type("2", Keys.enter)
                try ombi.see("Esc cancel")
                ombi.terminal.kill(signal)
                #expect(try ombi.waitForExit() == 128 + signal)
                ombi.expectTerminalRestored()
            }
        }

        @Test func `edits outlive a connection that drops, and are offered at the next start`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: 1))
                let before = try scene.read("shop.json")
                var ombi = try scene.explore("shop.json")
                try ombi.editURL(adding: "/mine")
                ombi.terminal.hangUp()
                _ = try ombi.waitForExit()
                #expect(try scene.read("shop.json") == before)
                ombi = try scene.explore("shop.json")
                try ombi.see("shop.json has unsaved edits", "y restore the edits", "n discard them")
                ombi.type("y")
                try ombi.see("/users/mine", "w saves them")
                ombi.type("w")
                try ombi.see("Saved shop.json")
                #expect(try scene.read("shop.json").contains("/users/mine"))
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
                ombi = try scene.explore("shop.json")
                try ombi.see("› list users")
                #expect(!ombi.screen.contains("not saved"))
            }
        }

        @Test func `edits outlive the program when it is killed, also what was being typed`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: 1))
                var ombi = try scene.explore("shop.json")
                try ombi.editURL(adding: "/mine")
                ombi.type("\r")
                ombi.type("/typed")
                let drafts = ".local/state/ombi/drafts"
                let deadline = Date.now + Session.patience
                var kept = false
                while !kept, Date.now < deadline {
                    let names = (try? FileManager.default.contentsOfDirectory(atPath: scene.path(drafts))) ?? []
                    // Not one that is still being written, which has another name.
                    kept = names.filter { $0.wholeMatch(of: /[0-9a-f]+-shop\.json\.[0-9]+/) != nil }.contains {
                        (try? scene.read("\(drafts)/\($0)"))?.contains("/mine/typed") ?? false
                    }
                }
                try #require(kept)
                ombi.terminal.kill(SIGKILL)
                _ = try ombi.waitForExit()
                ombi = try scene.explore("shop.json")
                try ombi.see("shop.json has unsaved edits")
                ombi.type("y")
                try ombi.see("/users/mine/typed")
            }
        }

        @Test func `a scratch request outlives the program when it is killed, and comes back by itself`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: 1))
                var ombi = try scene.explore("shop.json")
                try ombi.see("› list users")
                ombi.type(Keys.paste("https://a.test/mine"))
                try ombi.see("Scratch › mine")
                let drafts = ".local/state/ombi/drafts"
                let deadline = Date.now + Session.patience
                var kept = false
                while !kept, Date.now < deadline {
                    let names = (try? FileManager.default.contentsOfDirectory(atPath: scene.path(drafts))) ?? []
                    // Not one that is still being written, which has another name.
                    kept = names.filter { $0.wholeMatch(of: /[0-9a-f]+-.*\.[0-9]+/) != nil }.contains {
                        (try? scene.read("\(drafts)/\($0)"))?.contains("https://a.test/mine") ?? false
                    }
                }
                try #require(kept)
                ombi.terminal.kill(SIGKILL)
                _ = try ombi.waitForExit()
                ombi = try scene.explore("shop.json")
                try ombi.see("1 scratch request from the last time", "▾ Scratch", "mine")
            }
        }

        /// A request with a time limit.
        private static func limited(_ path: String, sla: String, port: Int) -> String {
            """
            { "version": 1, "name": "shop",
              "environments": [{ "name": "local", "host": "http://127.0.0.1:\(port)" }],
              "items": [{ "request": "limited", "path": "\(path)", "policy": { "sla": "\(sla)" } }] }
            """
        }

        @Test func `a run in flight when the terminal goes away is finished, recorded, and told at the next start`()
            throws
        {
            try Scene.play { scene in
                try scene.write("shop.json", Self.limited("/slow?ms=2000", sla: "20s", port: try scene.port()))
                var ombi = try scene.explore("shop.json")
                try ombi.see("› limited")
                ombi.type("s")
                try ombi.see("waiting for the response")
                ombi.terminal.hangUp()
                _ = try ombi.waitForExit()
                let list = try scene.ombi("history", "list")
                #expect(list.output.contains("✓ GET") && list.output.contains("200"), "\(list.output)\(list.errors)")
                ombi = try scene.explore("shop.json")
                try ombi.see("While the terminal was away, 1 run passed: limited")
                ombi.type("q")
                _ = try ombi.waitForExit()
                // Once is enough.
                ombi = try scene.explore("shop.json")
                try ombi.see("limited")
                ombi.type("L")
                try ombi.see("Messages")
                #expect(!ombi.screen.text.contains("was away"))
            }
        }

        @Test func `a run in flight when the user quits is cancelled, and recorded as that`() throws {
            try Scene.play { scene in
                let server = try SilentServer()
                defer { server.stop() }
                try scene.write("shop.json", Self.limited("/slow", sla: "600s", port: server.port))
                let ombi = try scene.explore("shop.json")
                try ombi.see("› limited")
                ombi.type("s")
                try ombi.see("waiting for the response")
                ombi.type("q")
                try ombi.see("Still running: limited")
                ombi.type("\u{03}")
                #expect(try ombi.waitForExit() == 0)
                let list = try scene.ombi("history", "list")
                #expect(list.output.contains("– GET"), "\(list.output)\(list.errors)")
            }
        }

        @Test func `a stream ends with the terminal, and what has come of it is recorded`() throws {
            try Scene.play { scene in
                try scene.write(
                    "shop.json", Self.limited("/events?count=100000&ms=100", sla: "300s", port: try scene.port()))
                let ombi = try scene.explore("shop.json")
                try ombi.see("› limited")
                ombi.type("s")
                try ombi.see("streaming")
                ombi.terminal.hangUp()
                _ = try ombi.waitForExit()
                let list = try scene.ombi("history", "list")
                #expect(list.output.contains("200") && list.output.contains("limited"), "\(list.output)\(list.errors)")
            }
        }

        @Test func `a signal to terminate ends a run that goes on without a terminal at once`() throws {
            try Scene.play { scene in
                let server = try SilentServer()
                defer { server.stop() }
                try scene.write("shop.json", Self.limited("/slow", sla: "600s", port: server.port))
                let ombi = try scene.explore("shop.json")
                try ombi.see("› limited")
                ombi.type("s")
                try ombi.see("waiting for the response")
                let pids = scene.processes()
                ombi.terminal.hangUp()
                for pid in pids { kill(pid, SIGTERM) }
                _ = try ombi.waitForExit()
                #expect(scene.processes() == [])
            }
        }

        @Test(arguments: [false, true])
        func `when the terminal goes away the program ends, with a run at the end of its SLA`(whileRunning: Bool) throws
        {
            try Scene.play { scene in
                let server = try SilentServer()
                defer { server.stop() }
                try scene.write("shop.json", Self.limited("/slow", sla: "3s", port: server.port))
                let ombi = try scene.explore("shop.json")
                try ombi.see("› limited")
                if whileRunning {
                    ombi.type("s")
                    try ombi.see("waiting for the response")
                }
                ombi.terminal.hangUp()
                _ = try ombi.waitForExit()
                #expect(scene.processes() == [])
                guard whileRunning else { return }
                let list = try scene.ombi("history", "list")
                #expect(list.output.contains("✗ GET"), "\(list.output)\(list.errors)")
            }
        }

        @Test func `the demo server ends with the demo, even when that is killed`() throws {
            try Scene.play { scene in
                let ombi = try scene.explore("demo")
                try ombi.see("› list users")
                ombi.type("s")
                try ombi.see("200 OK")
                ombi.type("3", "[")
                let screen = try ombi.look {
                    $0.port(before: "/users?page=1") != nil
                } orSay: {
                    "the URL that was sent"
                }
                let port = try #require(screen.port(before: "/users?page=1"))
                let line = try Line(port: port)
                ombi.terminal.kill(SIGKILL)
                #expect(try ombi.waitForExit() == -SIGKILL)
                #expect(line.waitForEnd())
            }
        }
    }
}

extension Scene {
    /// A collection as Ombi writes it.
    func saved(_ text: String) throws -> String {
        try write("layout.json", text)
        let outcome = try ombi("check", "--fix", "layout.json")
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        defer { try? FileManager.default.removeItem(atPath: path("layout.json")) }
        return try read("layout.json")
    }
}
