import Foundation
import Testing

/// The documents keep to the length that a reader has time for: what no longer fits replaces something.
@Suite struct LengthTests {
    /// The maximum of a document, or of a folder of documents.
    struct Limit: Sendable, CustomStringConvertible {
        enum Unit: String {
            case words, lines, entries
        }

        let path: String
        let maximum: Int
        var unit = Unit.words

        var description: String { "\(path): at most \(maximum) \(unit.rawValue)" }

        func files() throws -> [Repository.File] {
            guard !path.hasSuffix(".md") else { return [try Repository.file(path)] }
            return try Repository.files(below: path, ending: ".md")
        }
    }

    private static let limits = [
        Limit(path: "README.md", maximum: 1200),
        Limit(path: "ARCHITECTURE.md", maximum: 2000),
        Limit(path: "CONTRIBUTING.md", maximum: 1200),
        Limit(path: "DECISIONS.md", maximum: 7000),
        Limit(path: "DECISIONS.md", maximum: 80, unit: .entries),
        Limit(path: "CHANGELOG.md", maximum: 60, unit: .lines),
        Limit(path: "docs", maximum: 16_000),
    ]
    /// Pages that are written from the sources.
    private static let recorded: Set<String> = ["docs/keys.md"]

    @Test(arguments: limits) func `a document keeps to its maximum`(limit: Limit) throws {
        let files = try limit.files().filter { !Self.recorded.contains($0.path) }
        let count = files.map { Self.count(limit.unit, in: $0.text) }.reduce(0, +)
        #expect(count > 0 && count <= limit.maximum, "\(count) \(limit.unit.rawValue) in \(limit.path)")
    }

    @Test func `each decision says that it holds or what replaces it`() throws {
        let paragraphs = try Repository.file("DECISIONS.md").text.components(separatedBy: "\n\n")
        let silent = paragraphs.filter {
            $0.hasPrefix("**") && !$0.contains("*Holds.*") && !$0.contains("*Replaced by*")
        }
        #expect(silent.isEmpty, "\(silent.joined(separator: "\n"))")
    }

    @Test func `bars of tables and dashes are no words, and an entry begins in bold`() {
        let text = "# One\n\n| two | `three` |\n|---|---|\n\n**Four.** Five – six.\n\n**Seven.**\n"
        #expect(Self.count(.words, in: text) == 7)
        #expect(Self.count(.entries, in: text) == 2)
        #expect(Self.count(.lines, in: text) == 8)
    }

    private static func count(_ unit: Limit.Unit, in text: String) -> Int {
        switch unit {
        case .words: text.split(whereSeparator: \.isWhitespace).filter(isWord).count
        case .lines: text.filter { $0 == "\n" }.count
        case .entries: text.components(separatedBy: "\n").filter { $0.hasPrefix("**") }.count
        }
    }

    private static func isWord(_ text: Substring) -> Bool { text.contains { $0.isLetter || $0.isNumber } }
}
