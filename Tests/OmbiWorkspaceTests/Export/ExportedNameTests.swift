import Foundation
import OmbiCore
import Testing

@testable import OmbiWorkspace

/// Names of requests that want to be more than names, in the formats of other tools.
@Suite struct ExportedNameTests {
    @Test(arguments: Exporter.all.map(\.name)) func `a name takes no more lines than another`(_ name: String) throws {
        let exporter = try #require(Exporter.named(name))
        func lines(_ title: String) -> [String.UnicodeScalarView.SubSequence] {
            let request = SavedRequest(name: title, method: .post, path: "/a", body: .text(TextContent("x")))
            let order = RunOrder(
                id: 1, request: request,
                collection: Collection(name: "c", environments: [Environment(name: "e", host: "https://a.test")]),
                environment: "e", file: "c.json")
            return Session.exported([order], as: exporter).text.unicodeScalars
                .split(omittingEmptySubsequences: false) { CharacterSet.newlines.contains($0) }
        }
        let plain = lines("r")
        let titles = [
            "]]> end", "\u{1}\u{1B}[31m\u{7F} end", "100% %0A %s", "\"double\" 'single'", "line\nbreak\r\nagain",
            "</script><script>alert(1)</script>", "*/ a", "a\u{2028}b\u{85}c\u{B}d\u{C}e",
            String(repeating: "x", count: 1 << 20),
        ]
        for title in titles {
            let found = lines(title)
            #expect(found.count == plain.count, "\(title.prefix(40)) in \(name)")
            // A comment, and a name that is made of it.
            let differing = zip(found, plain).count { !$0.elementsEqual($1) }
            #expect(differing <= 2, "\(title.prefix(40)) in \(name)")
        }
    }

    @Test func `a name of an imported file is one word of the command that stores its secret`() {
        let secret = ImportedSecret(name: "a", value: "b", environment: "dev;reboot")
        #expect(
            secret.keyringCommand(service: "$(reboot)")
                == "secret-tool store --label '$(reboot)' service '$(reboot)' account 'dev;reboot/a'")
    }
}
