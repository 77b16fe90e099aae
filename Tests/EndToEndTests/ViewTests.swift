import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// `ombi view` as a person uses it.
    @Suite struct ViewTests {
        private static let people = "{\"people\":[{\"name\":\"Ada\",\"age\":36},{\"name\":\"Bob\",\"age\":41}]}"

        @Test func `a file is looked at, searched, filtered and left`() throws {
            try Scene.play { scene in
                try scene.write("people.json", Self.people)
                let ombi = try scene.explore("view", "people.json", columns: 80, rows: 24)
                try ombi.see("people.json", "\"people\": [", "q quit")
                ombi.type("/Bob")
                try ombi.see("1 of 1")
                ombi.type(Keys.enter)
                try ombi.see("$.people[1].name")
                ombi.type("|$..age")
                try ombi.see("$.people[0].age: 36", "2 matches")
                ombi.type(Keys.enter)
                try ombi.see("| $..age · 2 matches")
                ombi.type("!wc -l", Keys.enter)
                try ombi.see("1 2", "| $..age ! wc -l  $")
                ombi.type(Keys.escape)
                try ombi.see("| $..age · 2 matches  $.people[0].age")
                ombi.type("Sages", Keys.enter)
                try ombi.see("Saved 6 B to ages")
                #expect(try scene.read("ages") == "36\n41\n")
                ombi.type(Keys.escape)
                try ombi.see("$.people[1].name")
                ombi.type("!printf '\\033[31mred' >&2; exit 3", Keys.enter)
                try ombi.see("ended with status 3: ␛[31mred")
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
                ombi.expectTerminalRestored()
            }
        }

        @Test func `a command has no terminal to write to, and a folder is no body`() throws {
            try Scene.play { scene in
                try scene.write("a.json", "[1]")
                let ombi = try scene.start(Program.ombi, ["view", "a.json"], columns: 100, rows: 24)
                try ombi.see("1 [1]")
                ombi.type("!echo GARBAGE > /dev/tty", Keys.enter)
                try ombi.see("ended with status", "/dev/tty")
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
                let folder = try scene.start(Program.ombi, ["view", "."], columns: 100, rows: 24)
                try folder.see("cannot read .: it is a folder")
                #expect(try folder.waitForExit() == 3)
            }
        }

        @Test func `a pipe that never ends is stopped, and what had come stays`() throws {
            try Scene.play { scene in
                try scene.write("go", "")
                let script = "(printf '{\"a\": 1,'; while [ -e go ]; do sleep 0.05; done) | \"$0\" view"
                let ombi = try scene.start("/bin/sh", ["-c", script, Program.ombi], columns: 100, rows: 24)
                try ombi.see("reading", "x stop", "\"a\": 1")
                ombi.type("x")
                try ombi.see("stopped: this is what had arrived")
                try ombi.seeGone("reading")
                ombi.type("x")
                try ombi.see("All of it is here already")
                try FileManager.default.removeItem(atPath: scene.path("go"))
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
            }
        }

        @Test func `a pipe is shown while it delivers, and keys come from the terminal`() throws {
            try Scene.play { scene in
                try scene.write("go", "")
                let script =
                    "(printf '[1,'; while [ -e go ]; do sleep 0.05; done; printf '{\"last\": 2}]') | \"$0\" view"
                let ombi = try scene.start("/bin/sh", ["-c", script, Program.ombi], columns: 80, rows: 24)
                try ombi.see("standard input", "reading", "JSON")
                try FileManager.default.removeItem(atPath: scene.path("go"))
                try ombi.see("\"last\": 2")
                try ombi.seeGone("reading")
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
            }
        }

        @Test func `a body is saved and opened in other programs`() throws {
            try Scene.play { scene in
                try scene.write("people.json", Self.people)
                let pager = "sh -c 'cp $0 seen.json; exit 7'"
                let ombi = try scene.explore(
                    "view", "people.json", columns: 80, rows: 24, environment: ["PAGER": pager])
                try ombi.see("\"people\": [")
                ombi.type("S\tout.json", Keys.enter)
                try ombi.see("to out.json")
                let formatted = try scene.read("out.json")
                #expect(formatted.hasPrefix("{\n  \"people\": [\n    {\n"))
                ombi.type("P")
                try ombi.see("ended with status 7")
                #expect(try scene.read("seen.json") == formatted)
                ombi.type("Slast.json", Keys.enter, "q")
                #expect(try ombi.waitForExit() == 0)
                #expect(try scene.read("last.json") == Self.people, "leaving waits for what is written")
                #expect(
                    try FileManager.default.contentsOfDirectory(atPath: scene.folder).allSatisfy {
                        !$0.hasPrefix(".ombi-")
                    })
            }
        }

        @Test(.enabled(if: PictureLibraries.hasPNG, "\(PictureLibraries.withoutPNG)"))
        func `a picture is drawn in colours, and its bytes never reach the terminal`() throws {
            try Scene.play { scene in
                let bytes = PictureSamples.squares(side: 30)
                try Data(bytes).write(to: URL(fileURLWithPath: scene.path("squares.png")))
                let ombi = try scene.explore("view", "squares.png", columns: 80, rows: 24)
                let half = String(repeating: "\u{2580}", count: 30)
                try ombi.see("squares.png", "PNG image, 30×30 pixels", half)
                try ombi.look {
                    $0.cell(column: 0, row: 2).attributes.foreground == "5;196"
                        && $0.cell(column: 29, row: 16).attributes.background == "5;231"
                } orSay: {
                    "red at the top left, white at the bottom right"
                }
                ombi.type("t")
                try ombi.see("00000000  89 50 4e 47 0d 0a 1a 0a")
                ombi.type("t")
                try ombi.see(half)
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
                ombi.expectTerminalRestored()
                #expect(ombi.screen.unknown == [])
                #expect(try scene.shell("\"$0\" view squares.png | cmp - squares.png").status == 0)
            }
        }

        @Test func `without a terminal it copies, and the exit status says what went wrong`() throws {
            try Scene.play { scene in
                try scene.write("people.json", Self.people)
                let copied = try scene.ombi("view", "people.json")
                #expect(copied.output == Self.people)
                #expect(copied.status == 0)
                let missing = try scene.ombi("view", "missing.json")
                #expect(missing.status == 3)
                #expect(missing.errors == "ombi: cannot read missing.json: no such file or folder\n")
            }
        }
    }
}
