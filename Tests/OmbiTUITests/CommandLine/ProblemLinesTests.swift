import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// Problems of a file as lines for people.
@Suite struct ProblemLinesTests {
    private static func problems(_ count: Int, _ severity: Problem.Severity) -> [Problem] {
        (1...count).map { Problem(file: "a\u{1B}.json", severity: severity, message: "\(severity.rawValue) \($0)") }
    }

    @Test func `20 are all shown`() {
        #expect(ProblemLines(Self.problems(20, .warning)).lines.count == 20)
        #expect(ProblemLines([]).lines.isEmpty)
    }

    @Test func `of more the errors come first, and the last line counts the rest`() {
        let lines = ProblemLines(Self.problems(30, .warning) + Self.problems(2, .error)).lines
        #expect(lines.count == 21)
        #expect(lines.prefix(3).map { $0.suffix(9) } == [": error 1", ": error 2", "warning 1"])
        #expect(lines.last?.hasSuffix(".json: 12 more problems; `ombi check` prints all") == true)
        #expect(!lines.contains { $0.contains("\u{1B}") })
    }
}
