import Foundation
import OmbiDocument
import Testing

@testable import OmbiViewer

/// Running commands on bodies.
@Suite struct ShellCommandTests {
    private static func text(_ bytes: Bytes) -> String { bytes.text(0..<bytes.count) }

    private static func run(
        _ command: String, input: String = "", flag: CancelFlag = CancelFlag(), maximumOutput: Int = 1 << 20,
        limit: Duration = .seconds(60), now: () -> ContinuousClock.Instant = { .now }
    ) -> CommandAnswer {
        let body = BodyDocument(Bytes(input.utf8), contentType: "text/plain")
        return ShellCommand.run(
            command, input: BodyWriter(body, .raw), flag: flag, maximumOutput: maximumOutput, limit: limit, now: now)
    }

    @Test func `a command gets the body and gives its output`() {
        let answer = Self.run("tr a-z A-Z", input: "hello\n")
        #expect(answer.ending == .exited(0))
        #expect(Self.text(answer.output.raw) == "HELLO\n")
        #expect(answer.errorOutput.isEmpty && answer.note == nil)
    }

    @Test func `a command gets the bytes as they came`() {
        let body = BodyDocument(Bytes([0xFF, 0xFE, 0x61, 0]), contentType: "text/plain")
        let answer = ShellCommand.run("od -An -tx1", input: BodyWriter(body, .raw), flag: CancelFlag())
        #expect(Self.text(answer.output.raw) == " ff fe 61 00\n")
    }

    @Test func `a large body goes through a command that answers meanwhile`() {
        let answer = Self.run("cat", input: String(repeating: "a", count: 1 << 20), maximumOutput: 1 << 21)
        #expect(answer.output.raw.count == 1 << 20)
    }

    @Test func `what a command complains about is told with its status`() {
        let answer = Self.run("echo one >&2; echo two >&2; exit 3")
        #expect(answer.ending == .exited(3))
        #expect(answer.errorOutput == "one · two")
        #expect(answer.note == "it ended with status 3: one · two")
        #expect(answer.output.kind == .empty)
        #expect(Self.run("kill -9 $$").ending == .exited(137))
    }

    @Test func `of many complaints the last are told`() {
        #expect(Self.run("seq 1 100000 >&2").errorOutput == "99998 · 99999 · 100000")
    }

    @Test func `a command that does not read its input does no harm`() {
        #expect(Self.run("echo done", input: String(repeating: "A", count: 1 << 20)).ending == .exited(0))
    }

    @Test func `a command that nobody waits for any more is ended`() {
        let flag = CancelFlag()
        flag.cancel()
        #expect(Self.run("sleep 60", flag: flag).ending == .failed)
    }

    @Test func `output without end is cut at a limit`() {
        let answer = Self.run("yes", maximumOutput: 100_000)
        #expect(answer.ending == .wroteTooMuch)
        #expect(answer.output.raw.count == 100_000)
        #expect(answer.note == "it wrote more than 256 MiB and was stopped")
    }

    @Test(arguments: ["sleep 60", "exec >&- 2>&-; sleep 60", "yes >&2"])
    func `a command has so much time`(command: String) {
        let marker = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: marker) }
        // The time is over when what it wrote has been there for once around.
        var looks = 0
        let answer = Self.run("echo begun; : >\(marker); \(command)", limit: .seconds(60)) {
            if FileManager.default.fileExists(atPath: marker) { looks += 1 }
            return looks > 1 ? .now + .seconds(120) : .now
        }
        #expect(answer.ending == .tookTooLong)
        #expect(Self.text(answer.output.raw) == "begun\n")
    }

    @Test func `what a command leaves in the background is not waited for`() throws {
        let answer = Self.run("sleep 60 & echo $!")
        #expect(answer.ending == .exited(0))
        let pid = try #require(Int32(Self.text(answer.output.raw).dropLast()))
        #expect(kill(pid, SIGKILL) == 0)
    }
}
