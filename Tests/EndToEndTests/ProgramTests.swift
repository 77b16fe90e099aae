import Foundation
import Testing

extension EndToEnd {
    /// The user's own programs, given a body: `$EDITOR` and `$PAGER`.
    @Suite struct ProgramTests {
        private static let body = "{\"name\":\"Ada\",\"tags\":[\"a\",\"b\"]}"
        private static let formatted = "{\n  \"name\": \"Ada\",\n  \"tags\": [\"a\", \"b\"]\n}\n"

        /// A program that notes what it is given, and then does something with it.
        private static func program(_ scene: Scene, _ name: String, then more: String = "") throws -> String {
            let script = """
                #!/bin/sh
                cp "$1" "$HOME/seen"; stat -c '%a %n' "$1" > "$HOME/mode"; echo "on a screen of its own"
                \(more)

                """
            try scene.write(name, script)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: scene.path(name))
            return scene.path(name)
        }

        /// Looks at the body with a key, and waits for words on the screen that came back.
        private static func look(
            _ scene: Scene, key: String, environment: [String: String], _ words: String...
        ) throws -> Session {
            try scene.write("body.json", body)
            let own = ["TMPDIR": scene.folder].merging(environment) { $1 }
            let ombi = try scene.explore("view", "body.json", columns: 80, rows: 24, environment: own)
            try ombi.see("\"name\": \"Ada\"", "q quit")
            ombi.type(key)
            for word in words { try ombi.see(word) }
            return ombi
        }

        private static func leave(_ ombi: Session) throws {
            ombi.type("q")
            #expect(try ombi.waitForExit() == 0)
            ombi.expectTerminalRestored()
        }

        /// Nothing of what was written for a program is left.
        private static func expectNothingLeft(_ scene: Scene) throws {
            let left = try FileManager.default.contentsOfDirectory(atPath: scene.folder).filter {
                $0.hasPrefix("ombi-")
            }
            #expect(left.isEmpty, "left behind: \(left)")
        }

        @Test(arguments: [("e", "EDITOR"), ("P", "PAGER")])
        func `a program gets the formatted body in a private file, and the screen comes back`(
            key: String, variable: String
        ) throws {
            try Scene.play { scene in
                let program = try Self.program(
                    scene, "program", then: "touch \"$HOME/done\"; cat \"$HOME/go\" > /dev/null")
                _ = try scene.shell("mkfifo \"$HOME/go\"")
                let ombi = try Self.look(scene, key: key, environment: [variable: program], "on a screen of its own")
                // It waits, so what shows is its own; then it ends.
                _ = try scene.shell("echo > \"$HOME/go\"")
                try ombi.see("\"name\": \"Ada\"", "q quit")
                #expect(try scene.read("seen") == Self.formatted)
                let mode = try scene.read("mode")
                #expect(mode.hasPrefix("600 ") && mode.hasSuffix("body.json\n"), "\(mode)")
                try Self.expectNothingLeft(scene)
                ombi.type("j")
                try ombi.see(".name")
                try Self.leave(ombi)
            }
        }

        @Test func `what is changed in an editor is not kept, and that is said`() throws {
            try Scene.play { scene in
                let editor = try Self.program(scene, "editor", then: "echo more >> \"$1\"")
                let ombi = try Self.look(
                    scene, key: "e", environment: ["VISUAL": editor, "EDITOR": "no-such-editor"],
                    "Changes are not kept; S saves the body")
                #expect(try scene.read("body.json") == Self.body)
                try Self.leave(ombi)
            }
        }

        @Test(arguments: [
            ("e", "VISUAL", "no-such-program", "Cannot run no-such-program: set $VISUAL"),
            ("P", "PAGER", "no-such-program", "Cannot run no-such-program: set $PAGER"),
            ("e", "EDITOR", "exit 3;", "exit 3; ended with status 3"),
        ])
        func `a program that fails or is missing is told, and everything goes on`(
            key: String, variable: String, program: String, message: String
        ) throws {
            try Scene.play { scene in
                let ombi = try Self.look(scene, key: key, environment: [variable: program], message)
                try ombi.see("\"name\": \"Ada\"")
                try Self.expectNothingLeft(scene)
                try Self.leave(ombi)
            }
        }

        @Test func `what is copied goes to the terminal, and that is said`() throws {
            try Scene.play { scene in
                let sent = "3 bytes, to the terminal's clipboard (OSC 52)"
                let ombi = try Self.look(scene, key: "jy", environment: [:], sent)
                try Self.leave(ombi)
            }
        }

        @Test func `a large body that is copied goes to a private file, and where is said`() throws {
            try Scene.play { scene in
                let numbers = (0..<20_000).map(String.init).joined(separator: ",")
                try scene.write("large.json", "[\(numbers)]")
                let ombi = try scene.explore(
                    "view", "large.json", columns: 120, rows: 24, environment: ["TMPDIR": scene.folder])
                try ombi.see("JSON", "q quit")
                ombi.type("Y")
                try ombi.see("Wrote the body, ")
                let found = try FileManager.default.contentsOfDirectory(atPath: scene.folder)
                let copy = try #require(found.first { $0.hasPrefix("ombi-copy-") && $0.hasSuffix(".json") }, "\(found)")
                #expect(try scene.read(copy) == "[\(numbers)]")
                try Self.leave(ombi)
            }
        }
    }
}
