import Foundation
import OmbiDocument
import TestSupport
import Testing

@testable import OmbiTerminal

/// A program that dies with the screen open gives the terminal back. The dying program is the test runner itself,
/// started once more on a pseudo terminal and told by its environment how to die.
struct CrashGuardTests {
    private static let variable = "OMBI_TEST_DEATH"

    enum Death: String, CaseIterable {
        case trap, abort, badPointer, exit, terminated
    }

    @Test(arguments: [
        (Death.trap, -SIGILL), (.abort, -SIGABRT), (.badPointer, -SIGSEGV), (.exit, 3), (.terminated, 143),
    ])
    func `the terminal is given back`(_ death: Death, _ status: Int32) throws {
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        defer { terminal.close() }
        var environment = ProcessInfo.processInfo.environment
        environment["TERM"] = "xterm-256color"
        environment[Self.variable] = death.rawValue
        try terminal.spawn(
            CommandLine.arguments[0], ["--testing-library", "swift-testing", "--filter", "CrashGuardTests/dies"],
            environment: environment)
        try terminal.waitForScreen { $0.isAlternate && $0.line(3) == "open" && $0.modes.contains(1006) }
        #expect(!terminal.isCooked)
        terminal.send("x")
        #expect(try terminal.waitForExit() == status)
        let left = try terminal.waitForScreen { !$0.isAlternate && $0.contains("last words") }
        #expect(left.cursorIsVisible)
        #expect(left.modes.isDisjoint(with: [1000, 1002, 1006, 2004]))
        #expect(terminal.isCooked)
    }

    /// The dying program.
    @Test(.enabled(if: ProcessInfo.processInfo.environment[variable] != nil))
    @MainActor
    func dies() throws {
        let name = ProcessInfo.processInfo.environment[Self.variable] ?? ""
        let death = try #require(Death(rawValue: name))
        let screen = try Screen.open(mouse: true)
        let signals = try #require(SignalPipe())
        var surface = Surface(size: screen.size)
        surface.write("open", at: Point(column: 0, row: 3))
        screen.show(surface, cursor: nil)
        TerminalOutput.write(Array("last words\n".utf8), to: 2)
        var byte: UInt8 = 0
        #expect(read(0, &byte, 1) == 1)
        switch death {
        case .trap: _ = [Int]()[Int(byte)]
        case .abort: abort()
        case .badPointer: UnsafeMutablePointer<Int>(bitPattern: Int(byte))?.pointee = 1
        case .exit: exit(3)
        case .terminated:
            let wanted = [Signal.windowChanged, .continue, .stop, .terminate]
            let told = wanted.map { tell($0, signals) }
            screen.close()
            exit(told == wanted.map { [$0] } ? 143 : 1)
        }
    }

    /// Sends the process a signal and waits for what arrives.
    @MainActor
    private func tell(_ signal: Signal, _ signals: SignalPipe) -> [Signal] {
        kill(getpid(), signal.number)
        var arrival = pollfd(fd: signals.input, events: Int16(POLLIN), revents: 0)
        poll(&arrival, 1, -1)
        return signals.take()
    }
}
