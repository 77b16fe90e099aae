import Foundation

/// The tables in docs/seed-conformance.md: which test shows what the seeds ask for.
struct ConformanceTable {
    struct Row: Equatable {
        let id: String
        let isShown: Bool
        /// "Suite.aTestPasses" for the test `a test passes`, as a table has no room for sentences.
        let tests: [String]
    }

    static let path = "docs/seed-conformance.md"

    /// Every row that the seeds have.
    static let expected: [String] =
        [("O", 1...16), ("O", 20...28), ("O", 30...41), ("O", 50...65), ("O", 70...76), ("C", 1...19), ("A", 1...20)]
        .flatMap { letter, numbers in numbers.map { "\(letter)\($0)" } }

    let rows: [Row]

    init(_ text: String) {
        rows = text.components(separatedBy: "\n").compactMap { line in
            let cells = line.components(separatedBy: " | ").map { $0.trimmingCharacters(in: ["|", " "]) }
            guard line.hasPrefix("| "), cells.count >= 4,
                cells[0].range(of: "^[OCA][0-9]+$", options: .regularExpression) != nil
            else { return nil }
            let tests = cells[3].components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }
            return Row(id: cells[0], isShown: cells[2] == "✔", tests: tests.map(\.element))
        }
    }

    /// What is wrong with the table, given the test sources.
    func problems(tests files: [SourceFile]) -> [String] {
        let counts = Dictionary(grouping: rows, by: \.id).mapValues(\.count)
        let missing = Self.expected.filter { counts[$0] == nil }.map { "\($0): there is no such row" }
        let repeated = counts.filter { $0.value > 1 }.keys.sorted().map { "\($0): stands there more than once" }
        let unknown = counts.keys.filter { !Self.expected.contains($0) }.sorted().map {
            "\($0): the seeds have no such row"
        }
        let existing = Set(files.flatMap(Self.tests).map { $0.lowercased() })
        let unshown = rows.filter { !$0.isShown || $0.tests.isEmpty }.map { "\($0.id): no test shows it" }
        let dangling = rows.flatMap { row in
            row.tests.filter { !existing.contains($0.lowercased()) }.map { "\(row.id): there is no test \($0)" }
        }
        return missing + repeated + unknown + unshown + dangling
    }

    /// "Suite.test" for each function behind `@Test`, of a sentence its letters and digits alone.
    private static func tests(in file: SourceFile) -> [String] {
        var suite = ""
        var isTest = false
        var names: [String] = []
        for line in file.text.components(separatedBy: "\n") {
            if line.hasPrefix("@Suite"), let name = word(after: "struct ", in: line) { suite = name }
            if line.hasPrefix("    @Test") { isTest = true }
            if isTest, let name = word(after: "func ", in: line) {
                names.append("\(suite).\(name)")
                isTest = false
            }
        }
        return names
    }

    private static func word(after marker: String, in line: String) -> String? {
        guard let range = line.range(of: marker) else { return nil }
        let rest = line[range.upperBound...]
        if rest.hasPrefix("`") {
            return String(rest.dropFirst().prefix { $0 != "`" }.filter { $0.isLetter || $0.isNumber })
        }
        return String(rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }
}
