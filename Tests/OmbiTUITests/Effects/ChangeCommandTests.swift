import Dispatch
import Foundation
import OmbiCore
import Testing

@testable import OmbiTUI

/// The command that a change runs.
@Suite struct ChangeCommandTests {
    @Test func `it gets each change as a line, in order, and no shell reads it`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "ombi-\(UUID().uuidString)").path()
        defer { try? FileManager.default.removeItem(atPath: file) }
        let problems = Lock<[String]>([])
        let command = try #require(
            ChangeCommand(["/bin/sh", "-c", "cat >> \(file)"]) { problem in problems.withLock { $0.append(problem) } })
        command.run("stock: $(touch \(file).no) `false`")
        command.run("stock: 200 OK → 503")
        command.finish()
        #expect(
            try String(contentsOfFile: file, encoding: .utf8)
                == "stock: $(touch \(file).no) `false`\nstock: 200 OK → 503\n")
        #expect(!FileManager.default.fileExists(atPath: file + ".no"))
        #expect(problems.withLock { $0 } == [])
    }

    @Test(arguments: [
        (["/bin/sh", "-c", "exit 3"], "failed with status 3"), (["/no/such/program"], "cannot run /no/such/program"),
    ])
    func `one that fails says so`(words: [String], problem: String) throws {
        let problems = Lock<[String]>([])
        let command = try #require(ChangeCommand(words) { problem in problems.withLock { $0.append(problem) } })
        command.run("a")
        command.finish()
        let found = problems.withLock { $0 }
        #expect(found.count == 1 && found[0].hasPrefix("the command of the watch failed") && found[0].contains(problem))
    }

    @Test func `one that takes too long is ended with all that it has started`() throws {
        let problems = Lock<[String]>([])
        let command = try #require(
            ChangeCommand(["/bin/sh", "-c", "sleep 60; true"], limit: .milliseconds(50)) { problem in
                problems.withLock { $0.append(problem) }
            })
        let start = ContinuousClock.now
        command.run("a")
        command.finish()
        #expect(problems.withLock { $0 } == ["the command of the watch took longer than 0 s and was stopped"])
        #expect(ContinuousClock.now - start < .seconds(30))
    }

    @Test func `without words there is none`() { #expect(ChangeCommand([], onProblem: { _ in }) == nil) }
}
