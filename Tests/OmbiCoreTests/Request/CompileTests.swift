import Foundation
import OmbiCore
import TestSupport
import Testing

/// What the compiler takes and what it refuses: a member of a request that nearly fits is never dropped in silence.
@Suite struct CompileTests {
    private static let shared = """
        nonisolated struct User: Codable, Sendable, Equatable { var id = 1 }
        nonisolated struct Tree { let height = 1 }
        nonisolated struct OwnError: Error, Decodable {}
        """

    private static let nonisolated = results(of: requests + membersThatFit + membersThatDoNot, .nonisolated)
    private static let onTheMainActor = results(of: isolated, .mainActor)

    private static func results(
        of snippets: [Snippet], _ isolation: Compiler.Isolation
    ) -> Result<[[Compiler.Diagnostic]], any Error>? {
        Compiler.installed.map { compiler in
            Result { try compiler.check(snippets, shared: shared, isolation: isolation) }
        }
    }

    @Test(arguments: Array((requests + membersThatFit + membersThatDoNot).enumerated()))
    func `the compiler says what it should`(index: Int, snippet: Snippet) throws {
        try Self.compare(Self.nonisolated?.get()[index], with: snippet)
    }

    @Test(arguments: Array(isolated.enumerated()))
    func `in a module of the main actor too`(index: Int, snippet: Snippet) throws {
        try Self.compare(Self.onTheMainActor?.get()[index], with: snippet)
    }

    @Test(arguments: [Compiler.Isolation.nonisolated, .mainActor])
    func `the samples of the readme compile`(isolation: Compiler.Isolation) throws {
        guard let compiler = Compiler.installed else { return }
        let readme = try String(contentsOf: Compiler.root.appendingPathComponent("README.md"), encoding: .utf8)
        let blocks = readme.components(separatedBy: "```swift\n").dropFirst()
            .map { $0.components(separatedBy: "\n```")[0] }
        let start = try #require(blocks.firstIndex { $0.hasPrefix("import OmbiCore") })
        let program = blocks[start...].joined(separator: "\n\n")
        #expect(try compiler.check(program: program, isolation: isolation).map(\.description) == [])
    }

    private static func compare(_ diagnostics: [Compiler.Diagnostic]?, with snippet: Snippet) {
        guard let diagnostics else { return }
        let errors = diagnostics.filter(\.isError).map(\.text)
        let warnings = diagnostics.filter { !$0.isError }.map(\.text)
        switch snippet.expectation {
        case .compiles: #expect(errors + warnings == [])
        case .warns(let words):
            #expect(errors == [] && warnings.count == 1)
            #expect(warnings.contains { $0.contains(words) }, "\(warnings)")
        case .fails(let words):
            let causes = errors.filter { !$0.contains("does not conform to protocol 'Requestable'") }
            #expect(!errors.isEmpty && causes.allSatisfy { $0.contains(words) }, "\(errors)")
            #expect(causes.count == 1 || (causes.isEmpty && "does not conform".contains(words)), "\(errors)")
        }
    }
}
