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

    /// The descriptors of what standard input is that a started program would get.
    private static var inherited: [Int32] {
        var (input, other) = (stat(), stat())
        fstat(0, &input)
        return (3..<1024).filter { descriptor in
            let flags = fcntl(descriptor, F_GETFD)
            guard flags >= 0, flags & FD_CLOEXEC == 0, fstat(descriptor, &other) == 0 else { return false }
            return input.st_dev == other.st_dev && input.st_ino == other.st_ino
        }
    }

    @Test func `no program that is started gets the pipe that is looked at`() throws {
        let before = Self.inherited
        let input = try ViewInput("-")
        withExtendedLifetime(input) { #expect(Self.inherited == before) }
    }

    @Test func `a stream for which there is no room is said to be too large to be shown`() throws {
        let input = try ViewInput("/dev/zero", capacity: 1 << 13)
        let error = #expect(throws: FilterInputError.self) { try input.all() }
        #expect(error?.description == "cannot read /dev/zero: more than 8192 bytes cannot be shown")
    }

    @Test func `what a pipe delivers beyond a limit is kept in a file, in one piece`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        let path = folder + "/pipe"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try #require(mkfifo(path, 0o600) == 0)
        let text = String(repeating: "many words ", count: 500_000)
        Thread.detachNewThread {
            let descriptor = open(path, O_WRONLY)
            let bytes = Array(text.utf8)
            _ = bytes.withUnsafeBytes { Descriptor.write($0, to: descriptor) }
            close(descriptor)
        }
        let all = try ViewInput(path, memoryLimit: 1 << 16).all()
        #expect(all.text(0..<all.count) == text)
    }

    @Test(.timeLimit(.minutes(10)), arguments: ["", "hello", String(repeating: "many words ", count: 300_000)])
    func `what was read outlives the input, which nothing holds`(text: String) async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        try Data(text.utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let (bytes, input) = try await Self.read(path)
        while input() != nil { await Task.yield() }
        #expect(bytes.text(0..<bytes.count) == text)
    }
}
