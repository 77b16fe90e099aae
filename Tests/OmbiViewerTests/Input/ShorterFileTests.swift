import Foundation
import OmbiTerminal
import TestSupport
import Testing

@testable import OmbiViewer

/// A mapped file that becomes shorter while the screen is open ends the program: the terminal is given back, and a message
/// says why. The dying program is the test runner itself, started once more on a pseudo terminal.
struct ShorterFileTests {
    private static let variable = "OMBI_TEST_SHORTER_FILE"

    @Test func `the terminal is given back, and the cause is told`() throws {
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        defer { terminal.close() }
        var environment = ProcessInfo.processInfo.environment
        environment["TERM"] = "xterm-256color"
        environment[Self.variable] = "1"
        try terminal.spawn(
            CommandLine.arguments[0], ["--testing-library", "swift-testing", "--filter", "ShorterFileTests/dies"],
            environment: environment)
        try terminal.waitForScreen { $0.isAlternate && $0.line(3) == "open" && $0.modes.contains(1006) }
        #expect(!terminal.isCooked)
        terminal.send("x")
        #expect(try terminal.waitForExit() == 3)
        let left = try terminal.waitForScreen {
            !$0.isAlternate && $0.contains("last words")
                && $0.contains("ombi: the file became shorter while it was read")
        }
        #expect(left.cursorIsVisible)
        #expect(left.modes.isDisjoint(with: [1000, 1002, 1006, 2004]))
        #expect(terminal.isCooked)
    }

    /// The dying program.
    @Test(.enabled(if: ProcessInfo.processInfo.environment[variable] != nil))
    @MainActor
    func dies() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        try Data("text".utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let text = try ViewInput(path).all()
        let screen = try Screen.open(mouse: true)
        var surface = Surface(size: screen.size)
        surface.write("open", at: Point(column: 0, row: 3))
        screen.show(surface, cursor: nil)
        TerminalOutput.write(Array("last words\n".utf8), to: 2)
        var byte: UInt8 = 0
        #expect(read(0, &byte, 1) == 1)
        truncate(path, 0)
        unlink(path)
        exit(Int32(text[0]))
    }
}
