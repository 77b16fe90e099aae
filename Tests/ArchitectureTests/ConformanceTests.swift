import Foundation
import Testing

@Test func `every row of the seeds is shown by a test that exists`() throws {
    let url = SourceFile.root.appendingPathComponent(ConformanceTable.path)
    let table = ConformanceTable(try String(contentsOf: url, encoding: .utf8))
    let problems = table.problems(tests: try SourceFile.all(below: "Tests/OmbiCoreTests"))
    #expect(table.rows.count == ConformanceTable.expected.count)
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
}

@Test func `a table with a missing, a repeated and an unshown row is found out`() {
    let tests = SourceFile(
        path: "Tests/A.swift",
        text:
            "@Suite struct Some {\n    func other() {}\n    @Test(arguments: [1])\n    func `a real, one's own`(a: Int) {}\n}"
    )
    let table = ConformanceTable(
        """
        | row | what | | test | note |
        |---|---|---|---|---|
        | O1 | one | ✔ | `Some.aRealOnesOwn` | |
        | O1 | again | ✔ | `Some.aRealOnesOwn`, `Some.other` | a `Code` note |
        | O2 | two | | `Some.aRealOnesOwn` | |
        | C99 | odd | ✔ | | |
        """)
    let problems = table.problems(tests: [tests])
    #expect(problems.contains("O3: there is no such row") && !problems.contains("O2: there is no such row"))
    #expect(
        problems.suffix(5) == [
            "O1: stands there more than once", "C99: the seeds have no such row", "O2: no test shows it",
            "C99: no test shows it", "O1: there is no test Some.other",
        ])
}

@Test func `the samples of the documents import nothing but OmbiCore`() throws {
    let samples = try SourceFile.all(below: "Tests/OmbiCoreTests/Seeds").filter { $0.name.hasSuffix("Samples") }
    #expect(samples.count == 5)
    for sample in samples {
        #expect(Set(sample.imports.map(\.module)) == ["OmbiCore", "Testing"], "\(sample.path)")
    }
}
