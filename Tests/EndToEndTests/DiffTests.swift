import Foundation
import Testing

extension EndToEnd {
    /// `ombi diff` as scripts and persons use it.
    @Suite struct DiffTests {
        private static let old = "{\"id\": 1, \"tags\": [\"a\"], \"name\": \"Ada\"}\n"
        private static let new = "{\"name\":\"Ada\",\n\"id\":2,\"tags\":[\"a\"]}"
        private static let shown = """
            --- old.json
            +++ new.json
            @@ $.id
             {
               "name": "Ada",
            -  "id": 1,
            +  "id": 2,
               "tags": ["a"]
             }

            """

        @Test func `JSON is compared by its values, and the exit status says whether they differ`() throws {
            try Scene.play { scene in
                try scene.write("old.json", Self.old)
                try scene.write("new.json", Self.new)
                let differ = try scene.ombi("diff", "old.json", "new.json")
                #expect(differ.output == Self.shown)
                #expect(differ.status == 1)
                #expect(differ.errors == "")
                let narrow = try scene.ombi("diff", "--context", "0", "old.json", "new.json")
                #expect(
                    narrow.output.split(separator: "\n").dropFirst(2) == ["@@ $.id", "-  \"id\": 1,", "+  \"id\": 2,"])
                try scene.write("same.json", " { \"tags\":[\"\\u0061\"], \"id\":1,\"name\":\"Ada\" }")
                let same = try scene.ombi("diff", "old.json", "same.json")
                #expect(same.output == "" && same.errors == "")
                #expect(same.status == 0)
            }
        }

        @Test func `standard input is one of the two, and text is compared by lines`() throws {
            try Scene.play { scene in
                try scene.write("old", "one\ntwo\nthree\n")
                let piped = try scene.shell("sed s/two/2/ old | \"$0\" diff old -")
                #expect(piped.output == "--- old\n+++ standard input\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n")
                #expect(try scene.shell("\"$0\" diff - old < old").status == 0)
                let twice = try scene.ombi("diff", "-", "-")
                #expect(twice.status == 2)
                #expect(twice.errors.contains("only one of the two can be standard input"))
            }
        }

        @Test func `JSON with a mistake is compared by lines, and what cannot be read is told`() throws {
            try Scene.play { scene in
                try scene.write("old.json", "{\"a\": 1,\n\"b\": 2}\n")
                try scene.write("bad.json", "{\"a\": 1,\n\"b\": }\n")
                let broken = try scene.ombi("diff", "old.json", "bad.json")
                #expect(broken.output.hasSuffix("@@ -1,2 +1,2 @@\n {\"a\": 1,\n-\"b\": 2}\n+\"b\": }\n"))
                #expect(broken.status == 1)
                #expect(
                    broken.errors.hasPrefix(
                        "ombi: compared by lines: bad.json is not valid JSON: line 2, column 6: expected a value"),
                    "\(broken.errors)")
                let missing = try scene.ombi("diff", "old.json", "missing.json")
                #expect(missing.status == 3)
                #expect(missing.errors == "ombi: cannot read missing.json: no such file or folder\n")
                #expect(try scene.ombi("diff", "old.json").status == 2)
                #expect(try scene.ombi("diff", "--context", "-1", "old.json", "bad.json").status == 2)
                #expect(try scene.shell("\"$0\" diff old.json bad.json > /dev/full; echo $?").output == "3\n")
            }
        }

        @Test func `on a terminal the comparison opens in the pager`() throws {
            try Scene.play { scene in
                try scene.write("old.json", Self.old)
                try scene.write("new.json", Self.new)
                let ombi = try scene.explore("diff", "old.json", "new.json", columns: 80, rows: 24)
                try ombi.see("old.json -> new.json", "1 difference", "-  \"id\": 1,", "+  \"id\": 2,", "q quit")
                ombi.type("/tags")
                try ombi.see("1 of 1")
                ombi.type(Keys.enter, "q")
                #expect(try ombi.waitForExit() == 1)
                ombi.expectTerminalRestored()
                let same = try scene.explore("diff", "old.json", "old.json", columns: 80, rows: 24)
                try same.see("the same, byte for byte")
                #expect(try same.waitForExit() == 0)
            }
        }

        @Test func `in the viewer a body is marked, and what a command makes of it is compared with that`() throws {
            try Scene.play { scene in
                try scene.write("old.json", Self.old)
                let ombi = try scene.explore("view", "old.json", columns: 80, rows: 24)
                try ombi.see("\"tags\"")
                ombi.type("M")
                try ombi.see("Marked; D compares another body with old.json")
                ombi.type("!sed s/Ada/Bob/", Keys.enter)
                try ombi.see("! sed", "Bob")
                ombi.type("D")
                try ombi.see("-  \"name\": \"Ada\"", "+  \"name\": \"Bob\"", "D 1 difference")
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
            }
        }
    }
}
