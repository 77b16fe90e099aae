import Foundation
import TestSupport
import Testing

/// A person at a terminal with a program in it: types, looks, waits until something shows.
final class Session {
    let terminal: PseudoTerminal
    /// How long something may take to show: the machines of CI are slow.
    static let patience: TimeInterval = 30

    init(
        _ program: String, _ arguments: [String], columns: Int, rows: Int, environment: [String: String],
        directory: String
    ) throws {
        terminal = try PseudoTerminal(columns: columns, rows: rows)
        try terminal.spawn(program, arguments, environment: environment, directory: directory)
    }

    var screen: VirtualTerminal { terminal.screen }

    func type(_ keys: String...) { terminal.send(keys.joined()) }

    /// Waits until all of these show at once.
    @discardableResult
    func see(_ texts: String...) throws -> VirtualTerminal {
        try look { screen in
            texts.allSatisfy(screen.contains)
        } orSay: {
            texts.joined(separator: " and ")
        }
    }

    /// Waits until this shows no more.
    func seeGone(_ text: String) throws {
        try look {
            !$0.contains(text)
        } orSay: {
            "\(text) to go away"
        }
    }

    /// Waits until a line holds all of these.
    func seeLine(_ parts: String...) throws {
        try look { screen in
            (0..<screen.rows).contains { row in parts.allSatisfy(screen.line(row).contains) }
        } orSay: {
            "a line with " + parts.joined(separator: " and ")
        }
    }

    /// Waits until the cursor of a list is on the row that holds a text.
    func seeCursor(on text: String) throws {
        try look {
            $0.hasBackground(behind: text)
        } orSay: {
            "the cursor on \(text)"
        }
    }

    @discardableResult
    func look(
        until isWanted: (VirtualTerminal) -> Bool, orSay what: () -> String
    ) throws -> VirtualTerminal {
        do {
            return try terminal.waitForScreen(timeout: Self.patience, until: isWanted)
        } catch {
            throw StoryFailure("wanted: \(what())\n\(error)")
        }
    }

    /// A response shows a moment before its run has ended: a quit in between is asked about, and confirmed here.
    func waitForExit() throws -> Int32 {
        if let status = try? terminal.waitForExit(timeout: 5) { return status }
        func shows(_ text: String) -> Bool { (0..<screen.rows).contains { screen.line($0).contains(text) } }
        if shows("Still running:") { type("y") } else if shows("Nothing runs any more") { type("q") }
        return try terminal.waitForExit(timeout: Self.patience)
    }

    /// How a shell finds the terminal in order: echo and lines on, the first screen back, the cursor there.
    func expectTerminalRestored(_ location: SourceLocation = #_sourceLocation) {
        #expect(terminal.isCooked, sourceLocation: location)
        #expect(!screen.isAlternate, sourceLocation: location)
        #expect(screen.cursorIsVisible, sourceLocation: location)
        #expect(screen.modes.isDisjoint(with: [1000, 1002, 1004, 1006, 2004]), sourceLocation: location)
    }

    func end() {
        terminal.kill(SIGKILL)
        terminal.hangUp()
        _ = try? terminal.waitForExit(timeout: Self.patience)
    }
}

extension VirtualTerminal {
    /// Whether the row of a list that holds the text is painted as the one under the cursor.
    func hasBackground(behind text: String) -> Bool {
        (0..<rows).contains { row in
            guard let range = line(row).range(of: text) else { return false }
            let column = line(row).distance(from: line(row).startIndex, to: range.lowerBound)
            let look = cell(column: column, row: row).attributes
            return look.background != nil || look.traits.contains(7)
        }
    }
}

/// What terminals send for keys that are no characters.
enum Keys {
    static let escape = "\u{1B}"
    static let enter = "\r"
    static let tab = "\t"
    static let up = "\u{1B}[A"
    static let down = "\u{1B}[B"
    static let end = "\u{1B}[F"
    static let controlC = "\u{03}"
    static let controlX = "\u{18}"
    static let controlZ = "\u{1A}"
    static let toStart = "\u{01}"
    static let deleteToStart = "\u{15}"

    /// The left button, pressed and let go; counted from 1.
    static func click(column: Int, row: Int) -> String { "\u{1B}[<0;\(column);\(row)M\u{1B}[<0;\(column);\(row)m" }

    static func paste(_ text: String) -> String { "\u{1B}[200~\(text)\u{1B}[201~" }
}
