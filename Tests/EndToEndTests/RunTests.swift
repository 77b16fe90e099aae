import TestSupport
import Testing

extension EndToEnd {
    /// A request that fails, waits and tries again, and a person who looks on and steps in.
    @Suite struct RunTests {
        @Test func `attempts, waits and the SLA move on the screen, and the timeline names each attempt`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: try scene.port()))
                let ombi = try scene.explore("shop.json")
                try ombi.choose("flaky")
                ombi.type("s")
                try ombi.see("↻ flaky  attempt 1/4 · waiting", "SLA 1", "s left", "x cancel", "─ running")
                try ombi.seeLine("↻", "GET", "flaky")
                try ombi.see("attempt 2/4 · waiting", "503 Service Unavailable", "waited 1", "s (backoff)")
                try ombi.see("200 OK", "─ attempt 3 of 4 · SLA 20s", "\"attempt\": 3,")
                try ombi.seeLine("✓", "GET", "flaky")
                ombi.type("3", "]", "]", "]")
                try ombi.see("Timeline 3", "waited 1", "waited 2", "s (backoff)", "3 attempts", "SLA 20s")
                try ombi.seeLine("retried (status)", "503 Service Unavailable")
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
            }
        }

        @Test func `r retries at once, + allows one more, and keys answer meanwhile`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: try scene.port()))
                let ombi = try scene.explore("shop.json")
                try ombi.choose("waits long")
                ombi.type("s")
                try ombi.see("attempt 1/2 · waiting")
                ombi.type("j")
                try ombi.see("› slow", "attempt 1/2 · waiting")
                try ombi.seeLine("↻", "waits long")
                ombi.type("k+")
                try ombi.see("› waits long", "attempt 1/3 · waiting")
                ombi.type("r")
                try ombi.see("200 OK", "─ attempt 2 of 3 · SLA 2m")
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
            }
        }

        @Test func `x cancels: the screen says so, and the server sees the connection end`() throws {
            try Scene.play { scene in
                let server = try SilentServer()
                defer { server.stop() }
                try scene.write("shop.json", Samples.shop(port: server.port))
                let ombi = try scene.explore("shop.json")
                try ombi.choose("slow")
                ombi.type("s")
                try ombi.see("waiting for the response")
                ombi.type("x")
                try ombi.see("Response ─ cancelled")
                #expect(server.waitForEndOfConnection())
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
            }
        }

        @Test func `two requests run at once, each with its own mark and its own end`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: try scene.port()))
                let ombi = try scene.explore("shop.json")
                try ombi.choose("waits long")
                ombi.type("s")
                try ombi.see("attempt 1/2 · waiting")
                ombi.type("j")
                try ombi.see("› slow")
                ombi.type("s")
                try ombi.see("2 running")
                try ombi.seeLine("↻", "waits long")
                try ombi.seeLine("↻", "slow")
                ombi.type("x")
                try ombi.see("Response ─ cancelled")
                try ombi.seeLine("✗", "slow")
                try ombi.seeLine("↻", "waits long")
                ombi.type("k")
                try ombi.see("› waits long")
                ombi.type("r")
                try ombi.see("200 OK")
                try ombi.seeLine("✓", "waits long")
                try ombi.seeLine("✗", "slow")
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
            }
        }

        @Test func `quitting in the middle of a run ends at once and in order`() throws {
            try Scene.play { scene in
                let server = try SilentServer()
                defer { server.stop() }
                try scene.write("shop.json", Samples.shop(port: server.port))
                let ombi = try scene.explore("shop.json")
                try ombi.choose("slow")
                ombi.type("s")
                try ombi.see("waiting for the response")
                ombi.type("q")
                try ombi.see("Still running: slow")
                ombi.type("y")
                #expect(try ombi.waitForExit() == 0)
                ombi.expectTerminalRestored()
                #expect(server.waitForEndOfConnection())
            }
        }

        @Test func `a server that is down is told in plain words`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: 1))
                let ombi = try scene.explore("shop.json", "-e", "down")
                try ombi.see("down ▾")
                ombi.type("s")
                try ombi.see("could not connect to 127.0.0.1:1 (connection refused)", "Response ─ no response")
                try ombi.seeLine("✗", "list users")
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
            }
        }
    }
}

extension Session {
    /// Moves the cursor of the tree from the first request, where it stands at the start, down to another.
    func choose(_ request: String) throws {
        let screen = try see("1 Requests", "› list users", " \(request) ", "q quit")
        guard let first = screen.treeRow(of: "list users"), let row = screen.treeRow(of: request) else {
            throw StoryFailure("no \(request) in the tree:\n\(screen.text)")
        }
        type(String(repeating: "j", count: row - first))
        try see("› \(request)")
    }
}

extension VirtualTerminal {
    fileprivate func treeRow(of request: String) -> Int? {
        (1..<rows).first { line($0).prefix(36).contains(" \(request) ") }
    }
}
