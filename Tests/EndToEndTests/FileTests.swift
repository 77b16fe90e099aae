import Foundation
import Testing

extension EndToEnd {
    /// Files that are broken, changed by others, not writable, or edited elsewhere.
    @Suite struct FileTests {
        @Test func `a broken file says where and what, and the good one beside it opens`() throws {
            try Scene.play { scene in
                try scene.write("broken.json", "{\n  \"version\": 1,\n  \"items\": [ { \"request\" \"a\" } ]\n}\n")
                try scene.write("shop.json", Samples.shop(port: 1))
                let ombi = try scene.explore(".")
                try ombi.see("Could not read broken.json", "✗ broken.json", "▾ shop", "› list users")
                ombi.type("g")
                try ombi.see("broken.json could not be read:", "line 3, column 26", "expected")
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
            }
        }

        @Test func `a file that somebody else changed shows at once, and is merged with edits`() throws {
            try Scene.play { scene in
                let mine = Samples.shop(port: 1)
                try scene.write("shop.json", mine)
                let ombi = try scene.explore("shop.json")
                try ombi.see("› list users")
                try scene.write("shop.json", mine.replacing("\"one user\"", with: "\"any user\""))
                try ombi.see("any user", "shop.json changed on disk: any user changed")
                try ombi.editURL(adding: "/mine")
                let theirs = mine.replacing("\"one user\"", with: "\"no user\"")
                try scene.write("shop.json", theirs)
                try ombi.see("no user", "merged with your edits", "/users/mine")
                #expect(try scene.read("shop.json") == theirs)
                ombi.type("w")
                try ombi.see("Saved shop.json")
                #expect(
                    try scene.read("shop.json")
                        == theirs.replacing("\"path\": \"/users\",", with: "\"path\": \"/users/mine\","))
                try scene.write("shop.json", "{ half of it")
                try ombi.see("shop.json:1:3: error:", "still showing the last valid version", "/users/mine")
                try scene.write("shop.json", mine)
                try ombi.see("one user", "shop.json changed on disk: 2 changed")
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
            }
        }

        @Test func `what both changed is asked about, and nothing is overwritten unasked`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: 1))
                let ombi = try scene.explore("shop.json")
                try ombi.editURL(adding: "/mine")
                let theirs = Samples.shop(port: 1).replacing("\"path\": \"/users\",", with: "\"path\": \"/people\",")
                try scene.write("shop.json", theirs)
                try ombi.see("shop.json: changed here and on disk", "users › list users", "/people", "/users/mine")
                ombi.type(Keys.escape)
                try ombi.seeGone("changed here and on disk")
                try ombi.see("/users/mine", "●")
                ombi.type("w")
                try ombi.see("shop.json: changed here and on disk")
                #expect(try scene.read("shop.json") == theirs)
                ombi.type("t", Keys.enter)
                try ombi.see("Conflicts resolved", "/people")
                ombi.type("u")
                try ombi.see("/users/mine", "Undone: resolve conflicts of shop.json")
                ombi.type("w")
                try ombi.see("Saved shop.json")
                #expect(try scene.read("shop.json").contains("/users/mine"))
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
            }
        }

        @Test func `the next start goes on where the last one ended`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: 1))
                var ombi = try scene.explore("shop.json")
                try ombi.see("› list users")
                ombi.type(Keys.down, "E", Keys.down, Keys.enter)
                try ombi.see("› one user", "down ▾")
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
                ombi = try scene.explore("shop.json")
                try ombi.see("› one user", "down ▾")
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
            }
        }

        @Test func `a URL that is typed in an empty folder is sent with one Enter`() throws {
            try Scene.play { scene in
                let ombi = try scene.explore()
                try ombi.see("Type or paste a URL or a curl command; Enter sends it.")
                ombi.type("localhost:1/users")
                try ombi.see("Send a URL or a curl command", "localhost:1/users")
                ombi.type(Keys.enter)
                try ombi.see("GET http://localhost:1/users", "refused")
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
            }
        }

        @Test func `an empty folder becomes a collection with a request`() throws {
            try Scene.play { scene in
                let ombi = try scene.explore()
                try ombi.see("No collections in", "new collection")
                ombi.type("n")
                try ombi.see("Name of the new collection")
                ombi.type("shop", Keys.enter)
                try ombi.see("Base URL of shop")
                ombi.type("127.0.0.1:1", Keys.enter)
                try ombi.see("Name of the first request")
                ombi.type("users", Keys.enter)
                try ombi.see("Params")
                ombi.type("users", Keys.enter, "w")
                try ombi.see("Saved shop.json")
                #expect(try scene.read("shop.json").contains("\"path\": \"/users\""))
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
            }
        }

        @Test func `an empty folder that is named shows its own path`() throws {
            try Scene.play { scene in
                try FileManager.default.createDirectory(
                    atPath: scene.path("inner"), withIntermediateDirectories: true)
                let ombi = try scene.explore("inner/")
                try ombi.see("No collections in", "/inner.")
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
            }
        }

        @Test func `a folder that cannot be written to is told, and the edit stays`() throws {
            try Scene.play { scene in
                let before = Samples.shop(port: 1)
                try scene.write("shop.json", before)
                try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: scene.folder)
                let ombi = try scene.unprivileged(Program.ombi, ["shop.json"])
                try ombi.editURL(adding: "/mine")
                ombi.type("w")
                try ombi.see("nothing was changed on disk", "ermission denied")
                try ombi.see("/users/mine", "●")
                #expect(try scene.read("shop.json") == before)
                ombi.type("q")
                try ombi.see("Not saved: shop.json")
                ombi.type("n")
                #expect(try ombi.waitForExit() == 0)
            }
        }

        @Test func `the editor of the user edits a body`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: try scene.port()))
                try scene.write(
                    "editor", "#!/bin/sh\necho editing on a screen of its own\nsed -i s/before/after/ \"$1\"\n")
                chmod(scene.path("editor"), 0o755)
                let ombi = try scene.explore("shop.json", environment: ["EDITOR": scene.path("editor")])
                try ombi.choose("echo")
                ombi.type("2", "]", "]", "e")
                try ombi.see("› echo ●", "\"word\": \"after\"")
                #expect(ombi.screen.isAlternate)
                ombi.type("s")
                try ombi.see("200 OK", "\"word\": \"after\"")
                ombi.type("w")
                try ombi.see("Saved shop.json")
                #expect(try scene.read("shop.json").contains("\"after\""))
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
                #expect(ombi.screen.contains("editing on a screen of its own"))
            }
        }

        @Test func `an editor that is missing is told, and nothing changes`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: 1))
                let ombi = try scene.explore("shop.json", environment: ["EDITOR": "no-such-editor"])
                try ombi.choose("echo")
                ombi.type("2", "]", "]", "e")
                try ombi.see("Cannot run no-such-editor: set $EDITOR", "\"word\": \"before\"")
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
            }
        }

        @Test func `Ctrl+Z goes to the shell and fg comes back`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: 1))
                let shell = try scene.start(
                    "/bin/bash", ["--norc", "-i"], columns: 100, rows: 30, environment: ["PS1": "shell: "])
                try shell.see("shell:")
                shell.type("\(Program.ombi) shop.json\r")
                try shell.see("1 Requests", "› list users")
                #expect(shell.screen.isAlternate)
                shell.type("2", Keys.enter, "/kept", Keys.enter)
                try shell.see("●")
                shell.type(Keys.controlZ)
                try shell.see("Stopped")
                try shell.look {
                    !$0.isAlternate && $0.cursorIsVisible
                } orSay: {
                    "the shell's own screen"
                }
                shell.type("echo $((40 + 2)) is typed\r")
                try shell.see("42 is typed")
                shell.terminal.resize(columns: 80, rows: 24)
                shell.type("fg\r")
                try shell.see("/users/kept", "●", "q quit")
                try shell.look {
                    $0.isAlternate && $0.line(23).contains("q quit")
                } orSay: {
                    "24 rows"
                }
                shell.type("q")
                try shell.see("n quit without")
                shell.type("n")
                try shell.look {
                    !$0.isAlternate && $0.contains("shell:")
                } orSay: {
                    "the shell"
                }
                shell.type("echo status $?; exit\r")
                try shell.see("status 0")
                #expect(try shell.waitForExit() == 0)
            }
        }
    }
}

extension Session {
    /// Appends to the path of the request that shows.
    func editURL(adding text: String) throws {
        try see("› list users")
        type("2", Keys.enter, text, Keys.enter)
        try see("/users\(text)", "●")
    }
}

extension Scene {
    /// Starts a program in a terminal as somebody whom permissions bind: root without its privileges, where the tests
    /// are root's.
    func unprivileged(_ program: String, _ arguments: [String]) throws -> Session {
        guard getuid() == 0 else { return try start(program, arguments, columns: 160) }
        return try start(
            "/usr/bin/setpriv", ["--bounding-set", "-all", "--inh-caps", "-all", program] + arguments, columns: 160)
    }
}
