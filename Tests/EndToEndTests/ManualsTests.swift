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
                #expect(refused.status == 3 && refused.errors.contains("no/man/man1/ombi.1: no such file or folder"))
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
