import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The manual pages as a script installs them.
    @Suite struct ManualsTests {
        @Test func `the pages are written where man finds them`() throws {
            try Scene.play { scene in
                let written = try scene.ombi("manuals", "man")
                #expect(written.status == 0 && written.output == "" && written.errors == "")
                for path in ["man1/ombi.1", "man1/ombi-history-list.1", "man5/ombi-collection.5", "man7/ombi-keys.7"] {
                    #expect(try scene.read("man/" + path).hasPrefix(".Dd "))
                }
                let refused = try scene.ombi("manuals", "no/man")
                #expect(refused.status == 3 && refused.errors.contains(": there is no folder no/man/man1; "))
            }
        }

        @Test func `ombi help prints the page of a command, plain in a pipe and with bold headings on a terminal`()
            throws
        {
            try Scene.play { scene in
                let help = try scene.ombi("help", "history", "list")
                #expect(help.status == 0 && help.output.hasPrefix("NAME\n     ombi-history-list - "), "\(help.errors)")
                #expect(!help.output.contains("\u{1B}"))
                #expect(try scene.ombi("help").output.contains("ombi-run(1)"))
                for command in ["run", "check"] {
                    #expect(try scene.ombi("help", command).output.contains("EXIT STATUS"), "\(command)")
                }
                let unknown = try scene.ombi("help", "no", "such")
                #expect(unknown.status == 2 && unknown.errors.contains("There is no command ombi no such; ombi help "))
                #expect(try scene.ombi("help", "rnu").errors.contains("no command ombi rnu; did you mean \"run\"?"))
                let shown = try scene.explore("help", "doctor")
                #expect(try shown.waitForExit() == 0)
                #expect(String(decoding: shown.terminal.bytes, as: UTF8.self).contains("\u{1B}[1mNAME\u{1B}[m"))
            }
        }

        @Test(.enabled(if: ChildProgram.find("mandoc") != nil, "mandoc is not installed: apt-get install mandoc"))
        func `mandoc finds no fault in the pages, nor in their references to each other`() throws {
            try Scene.play { scene in
                #expect(try scene.ombi("manuals", "man").status == 0)
                // Pages that are referred to are looked for among those of MANPATH.
                let lint = try scene.shell("MANPATH=$PWD/man mandoc -T lint -W style man/man*/*")
                #expect(lint.status == 0 && lint.output == "", "\(lint.output)")
                let shown = try scene.shell("mandoc -T ascii man/man1/ombi-filter.1")
                #expect(shown.output.contains("such as '$..name' or '$.users[?@.age >= 18].email'."))
            }
        }
    }
}
