import TestSupport
import Testing

/// The tool that other tests trust.
struct PseudoTerminalTests {
    @Test func `a program draws reads and ends`() throws {
        let terminal = try PseudoTerminal(columns: 40, rows: 5)
        defer { terminal.close() }
        try terminal.spawn(
            "/bin/sh", ["-c", "stty size; echo $TERM; pwd; read line; echo got $line; tty -s && exit 5"],
            environment: ["TERM": "vt100", "PATH": "/usr/bin:/bin"], directory: "/usr")
        try terminal.waitForScreen { $0.line(0) == "5 40" && $0.line(1) == "vt100" && $0.line(2) == "/usr" }
        terminal.send("hello\r")
        try terminal.waitForScreen { $0.contains("got hello") }
        #expect(try terminal.waitForExit() == 5)
        #expect(terminal.isCooked)
    }

    @Test func `a program hears of sizes and signals`() throws {
        let terminal = try PseudoTerminal(columns: 40, rows: 5)
        defer { terminal.close() }
        try terminal.spawn(
            "/bin/bash", ["-c", "trap 'stty size' WINCH; echo ready; while :; do read -t 0.05 line; done"],
            environment: ["TERM": "vt100", "PATH": "/usr/bin:/bin"])
        try terminal.waitForScreen { $0.contains("ready") }
        terminal.resize(columns: 50, rows: 7)
        try terminal.waitForScreen { $0.contains("7 50") }
        terminal.kill(9)
        #expect(try terminal.waitForExit() == -9)
    }

    @Test func `waiting in vain shows the screen`() throws {
        let terminal = try PseudoTerminal(columns: 40, rows: 5)
        defer { terminal.close() }
        try terminal.spawn("/bin/echo", ["what is there"])
        try terminal.waitForScreen { $0.contains("what is there") }
        let error = #expect(throws: PseudoTerminal.Failure.self) {
            try terminal.waitForScreen(timeout: 0.01) { $0.contains("something else") }
        }
        #expect(error?.description.contains("what is there") == true)
    }
}
