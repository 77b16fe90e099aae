import Foundation
import Testing

@Suite struct DocumentsTests {
    private static func catalogue(_ module: String) -> String { "Sources/\(module)/\(module).docc" }

    private static func documents() throws -> [Repository.File] {
        try LibrarySymbols.catalogues.flatMap { try Repository.files(below: catalogue($0), ending: ".md") }
            + [Repository.file("README.md")]
    }

    private static func sampleFiles() throws -> [Repository.File] {
        try Repository.files(below: "Tests/DocumentationTests/Samples", ending: ".swift")
    }

    @Test func `every block of Swift in a document is compiled, and every sample stands in a document`() throws {
        let blocks = try Self.documents().flatMap(Sample.blocks)
        let regions = try Self.sampleFiles().flatMap(Sample.regions)
        let uncompiled = blocks.filter { !regions.contains($0) }
        let unused = regions.filter { !blocks.contains($0) }
        #expect(blocks.count > 20 && regions.count == blocks.count)
        #expect(uncompiled.isEmpty, "not in Samples:\n\(uncompiled.map(\.description).joined(separator: "\n\n"))")
        #expect(unused.isEmpty, "in no document:\n\(unused.map(\.description).joined(separator: "\n\n"))")
    }

    @Test func `a block that is not as its sample is found`() {
        let document = Repository.File(
            path: "Some.md",
            text: "```swift\nimport OmbiCore\n\nlet a = 1\n```\n```swift\nlet b = 1\n```\n```json\n1\n```")
        let source = Repository.File(
            path: "Samples/Some.swift",
            text:
                "// sample: Some/a\n    let a = 1\n// end\n// sample: Some/b\nlet b = 2\n// end\n// sample: Other/b\nlet b = 1\n// end"
        )
        let blocks = Sample.blocks(in: document)
        let regions = Sample.regions(in: source)
        #expect(blocks.count == 2 && regions.count == 3)
        #expect(blocks.filter { !regions.contains($0) }.map(\.lines) == [["let b = 1"]])
        #expect(regions.filter { !blocks.contains($0) }.map(\.document) == ["Some", "Other"])
    }

    @Test func `the samples import nothing but the libraries`() throws {
        for file in try Self.sampleFiles() {
            let imports = Set(file.lines.filter { $0.contains("import ") })
            let libraries = Set(LibrarySymbols.modules.map { "import \($0)" })
            #expect(!imports.isEmpty && imports.isSubset(of: libraries), "\(file.path)")
        }
    }

    @Test(arguments: LibrarySymbols.catalogues)
    func `every link of a catalogue leads to something`(module: String) throws {
        let documents = try Repository.files(below: Self.catalogue(module), ending: ".md")
        let articles = Set(documents.map(\.name))
        let symbols = Set(try LibrarySymbols.declarations(of: module).map(\.symbol))
        var broken: [String] = []
        for document in documents {
            broken += Self.spans(between: "``", and: "``", in: document.text)
                .filter { !symbols.contains($0) && $0 != module }.map { "\(document.path): ``\($0)``" }
            broken += Self.spans(between: "<doc:", and: ">", in: document.text)
                .filter { !articles.contains($0) }.map { "\(document.path): <doc:\($0)>" }
        }
        #expect(broken.isEmpty, "\(broken.joined(separator: "\n"))")
    }

    @Test(arguments: zip(LibrarySymbols.catalogues, [40, 10]))
    func `a landing page lists every type and every article`(module: String, types atLeast: Int) throws {
        let text = try Repository.file("\(Self.catalogue(module))/\(module).md").text
        let symbols = try LibrarySymbols.declarations(of: module)
        let listed = Set(Self.spans(between: "- ``", and: "``", in: text))
        let types = symbols.filter { !$0.symbol.contains("/") && $0.kind != "typealias" }.map(\.symbol)
        #expect(types.filter { !listed.contains($0) }.isEmpty && types.count > atLeast)
        let articles = try Repository.files(below: Self.catalogue(module), ending: ".md").map(\.name).filter {
            $0 != module
        }
        #expect(Set(Self.spans(between: "- <doc:", and: ">", in: text)) == Set(articles))
    }

    /// Links only: blocks of code are left out.
    private static func spans(between start: String, and end: String, in text: String) -> [String] {
        var isCode = false
        return text.components(separatedBy: "\n").flatMap { line -> [String] in
            if line.hasPrefix("```") {
                isCode.toggle()
                return []
            }
            if isCode { return [] }
            return line.components(separatedBy: start).dropFirst().enumerated().compactMap { index, piece in
                if start == end, index % 2 == 1 { return nil }
                return piece.range(of: end).map { String(piece[..<$0.lowerBound]) } ?? (start == end ? piece : nil)
            }
        }
    }
}
