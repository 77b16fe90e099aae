import Foundation
import Testing

/// Files and folders that the documents name, by their whole path or by its end, are there.
@Suite struct NamedFilesTests {
    private static let documents = [
        "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "DECISIONS.md", "CHANGELOG.md", "Examples/README.md",
    ]
    private static let folders = [
        "Sources", "Tests", "docs", "scripts", "Examples", "bench", "collections", "packaging", "schema",
    ]
    /// It stands for any name.
    private static let placeholders: Set<String> = ["Type+Topic.swift"]

    @Test(arguments: documents) func `what a document names is there`(document: String) throws {
        let paths = try Self.paths()
        let missing = Self.named(in: try Repository.file(document).text).filter { name in
            !paths.contains { $0 == name || $0.hasSuffix("/\(name)") }
        }
        #expect(missing.isEmpty, "\(document) names \(missing.joined(separator: ", "))")
    }

    @Test func `names are found between backticks and in links`() {
        let text =
            "`scripts/run`, `A.swift` and `Body/`; `a b/c`, `/etc/x`, `.build/x`, `{{a}}/b`; [a](docs/a.md), [b](http://b/c)"
        #expect(Self.named(in: text) == ["scripts/run", "A.swift", "Body", "docs/a.md"])
    }

    private static func named(in text: String) -> [String] {
        let spans = text.components(separatedBy: "\n").flatMap { line in
            line.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        }
        let links = text.components(separatedBy: "](").dropFirst().map { String($0.prefix { $0 != ")" }) }
        let names = spans.filter { $0.contains("/") || $0.hasSuffix(".swift") } + links.filter { !$0.hasPrefix("http") }
        return names.filter { isPath($0) && !placeholders.contains($0) }
            .map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
    }

    private static func isPath(_ text: String) -> Bool {
        text.allSatisfy { $0.isLetter || $0.isNumber || "_+-./".contains($0) } && !"/.".contains(text.first ?? "/")
    }

    private static func paths() throws -> [String] {
        try folders.flatMap { folder in
            let place = Repository.root.appendingPathComponent(folder).resolvingSymlinksInPath()
            return [folder]
                + (try FileManager.default.subpathsOfDirectory(atPath: place.path)).map { "\(folder)/\($0)" }
        } + FileManager.default.contentsOfDirectory(atPath: Repository.root.path)
    }
}
