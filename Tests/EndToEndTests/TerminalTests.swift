import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Terminals of all kinds, and what must never reach any.
    @Suite struct TerminalTests {
        @Test func `NO_COLOR leaves the colours out`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: try scene.port()))
                let colours = try scene.coloursWritten(environment: [:])
                #expect(!colours.isEmpty)
                #expect(try scene.coloursWritten(environment: ["NO_COLOR": "1"]) == [])
            }
        }

        @Test func `a vt100 works, in ASCII, without colours and without an alternate screen`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: try scene.port()))
                let ombi = try scene.explore("shop.json", columns: 80, rows: 24, environment: ["TERM": "vt100"])
                try ombi.see("+ 1 Requests ===", "> list users")
                ombi.type("\u{1B}OB")
                try ombi.see("> one user")
                ombi.type("s")
                try ombi.see("200 OK", "\"id\": 42,")
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
                #expect(ombi.terminal.isCooked)
                #expect(ombi.screen.cursorIsVisible)
                let text = String(decoding: ombi.terminal.bytes, as: UTF8.self)
                #expect(!text.contains("\u{1B}[?1049h") && !text.contains("\u{1B}[?2004h"))
            }
        }

        @Test(arguments: [
            ("dumb", "The terminal \"dumb\" (TERM) cannot move its cursor"),
            ("no-such-terminal", "This system has no description of the terminal \"no-such-terminal\""),
            ("", "TERM is not set"),
        ])
        func `a terminal that cannot show panes is refused in words`(name: String, words: String) throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: 1))
                let ombi = try scene.explore("shop.json", columns: 200, environment: ["TERM": name])
                try ombi.see(words)
                #expect(try ombi.waitForExit() == 2)
                ombi.expectTerminalRestored()
                #expect(!ombi.terminal.bytes.contains(0x1B))
            }
        }

        @Test func `input that is no terminal is refused in words`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: 1))
                let outcome = try scene.ombi("shop.json")
                #expect(outcome.status == 2)
                #expect(outcome.errors.contains("Standard input is not a terminal"))
                #expect(outcome.errors.contains("`ombi run` works without a terminal"))
                #expect(outcome.output == "")
                let piped = try scene.start("/bin/sh", ["-c", "\"$0\" shop.json | cat", Program.ombi], columns: 200)
                try piped.see("Standard output is not a terminal")
                #expect(try piped.waitForExit() == 0)
            }
        }

        @Test func `a secret is sent, and never reaches the terminal`() throws {
            try Scene.play { scene in
                let secret = "hush-4711-hush"
                let file = Samples.shop(port: try scene.port()).replacing(
                    "\"x-colour\": \"teal\"",
                    with: "\"additionalHeaders\": { \"Authorization\": \"Bearer {{token}}\" }, "
                        + "\"secrets\": { \"token\": { \"env\": \"SHOP_TOKEN\" } }"
                ).replacing("\"value\": \"one\"", with: "\"value\": \"{{token}}\"")
                try scene.write("shop.json", file)
                let ombi = try scene.explore("shop.json", environment: ["SHOP_TOKEN": secret])
                try ombi.see("› list users")
                ombi.type("s")
                try ombi.see(
                    "shop.json wants to use secrets or files of this machine:", "    $SHOP_TOKEN", "y allow it")
                ombi.type("y")
                try ombi.see("200 OK")
                ombi.type("2]3[")
                try ombi.seeLine("X-Trace", "••••••")
                try ombi.seeLine("Authorization", "Bearer ••••••", "from environment local")
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
                #expect(Data(ombi.terminal.bytes).range(of: Data(secret.utf8)) == nil)
            }
        }

        @Test func `what a server sends cannot write to the terminal itself`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: try scene.port()))
                let ombi = try scene.explore("shop.json")
                try ombi.choose("control characters")
                ombi.type("s")
                try ombi.see("200 OK", "title:", "clipboard:", "delete:")
                ombi.type("3", "]", "]", "]", "q")
                #expect(try ombi.waitForExit() == 0)
                let question = Data("\u{1B}]11;?\u{1B}\\".utf8)
                var bytes = Data(ombi.terminal.bytes)
                // Ombi's own question, for the colour of the background.
                if let range = bytes.range(of: question) { bytes.removeSubrange(range) }
                // No title, no clipboard, no question to the terminal, no bell, no C1, no change of direction.
                let all = ["\u{1B}]", "\u{1B}[c", "\u{1B}[6n", "\u{07}", "\u{05}", "\u{9B}", "\u{202E}", "\u{7F}"]
                for forbidden in all {
                    let found = bytes.range(of: Data(forbidden.utf8))
                    #expect(found == nil, "\(forbidden.unicodeScalars.map(\.value))")
                }
                // The way back from the alternate screen is written once, at the end.
                #expect(String(decoding: bytes, as: UTF8.self).components(separatedBy: "\u{1B}[?1049l").count == 2)
                #expect(ombi.screen.unknown == [])
            }
        }
    }
}

extension Scene {
    /// The numbers of colours that the explorer writes while a request is sent.
    fileprivate func coloursWritten(environment: [String: String]) throws -> [String] {
        let ombi = try explore("shop.json", environment: environment)
        try ombi.see("› list users")
        ombi.type("s")
        try ombi.see("200 OK")
        ombi.type("2", "?")
        try ombi.see("┌─ Keys")
        ombi.type("q", "q")
        #expect(try ombi.waitForExit() == 0)
        let text = String(decoding: ombi.terminal.bytes, as: UTF8.self)
        return text.matches(of: /\u{1B}\[([0-9;]*)m/).flatMap { $0.output.1.split(separator: ";") }.map(String.init)
            .filter { Int($0).map { (30...38).contains($0) || (40...48).contains($0) || $0 >= 90 } ?? false }
    }
}
