import Foundation
import OmbiDocument
import Testing

@testable import OmbiTUI

/// What `ombi view` reads.
@Suite struct ViewInputTests {
    private static func read(_ path: String) async throws -> (bytes: Bytes, input: () -> ViewInput?) {
        let input = try ViewInput(path)
        await withCheckedContinuation { done in
            input.read(onMore: { if $0 { done.resume() } }, onFailure: { Issue.record("\($0)") })
        }
        weak let gone = input
        return (input.bytes, { gone })
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["", "hello", String(repeating: "many words ", count: 300_000)])
    func `what was read outlives the input, which nothing holds`(text: String) async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        try Data(text.utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let (bytes, input) = try await Self.read(path)
        while input() != nil { await Task.yield() }
        #expect(bytes.text(0..<bytes.count) == text)
    }
}
