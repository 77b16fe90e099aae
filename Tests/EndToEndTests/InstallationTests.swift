import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The files below a prefix, as `scripts/install` and `scripts/package` put them there.
    @Suite(.enabled(if: ChildProgram.find("bash") != nil, "bash is not installed: apt-get install bash"))
    struct InstallationTests {
        private static let library = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("scripts/lib.sh").path
        private static let programs = URL(fileURLWithPath: Program.ombi).deletingLastPathComponent().path

        @Test func `an installation finds its files after a move to another folder`() throws {
            try Scene.play { scene in
                let (prefix, moved) = (scene.path("first"), scene.path("moved to"))
                let installed = try scene.shell(
                    "bash -euc '. \"$1\"; install_tree \"$2\" \"$3\"' install "
                        + "\"\(Self.library)\" \"\(prefix)\" \"\(Self.programs)\" && mv \"\(prefix)\" \"\(moved)\"")
                #expect(installed.status == 0, "\(installed.errors)")
                // One of the pages is made from the schema among the files.
                let manuals = try scene.shell("\"\(moved)/bin/ombi\" manuals pages")
                #expect(manuals.status == 0, "\(manuals.errors)")
                for file in [
                    "man/man5/ombi-collection.5", "bash-completion/completions/ombi", "zsh/site-functions/_ombi",
                    "fish/vendor_completions.d/ombi.fish", "ombi/docs/tour.md", "ombi/collections/demo.json",
                ] {
                    #expect(try !scene.read("moved to/share/" + file).isEmpty, "\(file)")
                }
            }
        }
    }
}
