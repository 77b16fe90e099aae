import Foundation
import Testing

extension EndToEnd {
    /// `ombi filter` as scripts use it.
    @Suite struct FilterTests {
        private static let people = "[{\"n\": \"Ann\", \"a\": 1}, {\"n\": \"Bob\"}]"

        @Test func `a file and standard input give the same`() throws {
            try Scene.play { scene in
                try scene.write("people.json", Self.people)
                let file = try scene.ombi("filter", "$..n", "people.json")
                #expect(file.output == "\"Ann\"\n\"Bob\"\n")
                #expect(file.status == 0)
                #expect(file.errors == "")
                #expect(try scene.shell("\"$0\" filter '$..n' < people.json").output == file.output)
                #expect(try scene.shell("cat people.json | \"$0\" filter '$..n'").output == file.output)
                #expect(try scene.shell("cat people.json | \"$0\" filter '$..n' -").output == file.output)
                #expect(try scene.ombi("filter", "--paths", "$[?@.a]", "people.json").output == "$[0]\n")
            }
        }

        @Test func `the exit status says what came of it`() throws {
            try Scene.play { scene in
                try scene.write("people.json", Self.people)
                try scene.write("bad.json", "[1,\n 2,]")
                #expect(try scene.ombi("filter", "$..x", "people.json").status == 1)
                let query = try scene.ombi("filter", "$.a.", "people.json")
                #expect(query.status == 2)
                #expect(query.errors.hasSuffix("\n  $.a.\n      ^\n"))
                let body = try scene.ombi("filter", "$[0]", "bad.json")
                #expect(body.status == 2)
                #expect(body.output == "")
                #expect(body.errors.hasPrefix("ombi: bad.json: line 2, column 4: expected an element after ','"))
                let missing = try scene.ombi("filter", "$", "missing.json")
                #expect(missing.status == 3)
                #expect(missing.errors == "ombi: cannot read missing.json: no such file or folder\n")
                #expect(try scene.ombi("filter", "$", ".").status == 3)
                #expect(try scene.ombi("filter").status == 2)
            }
        }

        @Test func `nobody is told that a reader has gone`() throws {
            try Scene.play { scene in
                try scene.write("long.json", "[" + (0..<200_000).map { "\"item \($0)\"" }.joined(separator: ",") + "]")
                let outcome = try scene.shell("{ \"$0\" filter '$[*]' long.json; echo $? >&2; } | head -n 1")
                #expect(outcome.output == "\"item 0\"\n")
                #expect(outcome.errors == "0\n")
                let full = try scene.shell("\"$0\" filter '$[*]' long.json > /dev/full; echo $?")
                #expect(full.output == "3\n")
                #expect(full.errors == "ombi: cannot write the output: No space left on device\n")
            }
        }

        @Test func `what a pipe brings is answered while it is open`() throws {
            try Scene.play { scene in
                // The second line is only written once the first has been answered.
                let outcome = try scene.shell(
                    """
                    mkfifo in out; "$0" filter '$.a' < in > out & exec 3> in 4< out
                    echo '{"a": 1}' >&3; read first <&4; echo '{"a": 2}' >&3; read second <&4; echo $first $second
                    """)
                #expect(outcome.output == "1 2\n")
            }
        }

        @Test func `a terminal shows controls and a pipe gets them`() throws {
            try Scene.play { scene in
                try scene.write("controls.json", "[\"a\u{9B}31m\u{7F}b\"]")
                #expect(try scene.ombi("filter", "$[0]", "controls.json").output == "\"a\u{9B}31m\u{7F}b\"\n")
                let session = try scene.start(Program.ombi, ["filter", "$[0]", "controls.json"])
                _ = try session.see("\"a\u{FFFD}31m\u{2421}b\"")
            }
        }
    }
}
