import Foundation
import OmbiDocument
import OmbiTerminal
import Testing

@testable import OmbiTUI

/// Saving bodies and running commands on them.
@Suite struct BodyEffectTests {
    private static func document(_ text: String) -> BodyDocument {
        BodyDocument(Bytes(text.utf8), contentType: "application/json")
    }

    private static func text(_ bytes: Bytes) -> String { bytes.text(0..<bytes.count) }

    @Test func `a body is saved, and no file is overwritten by accident`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "body.json").path
        #expect(BodyFile.save(Self.document("[1]"), .raw, to: path) == Notice(.success, "saved 3 B to \(path)"))
        let second = BodyFile.save(Self.document("[2]"), .formatted, to: path)
        #expect(second == nil)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "[1]")
        #expect(BodyFile.save(Self.document("[2]"), .formatted, to: path + "!")?.kind == .success)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "[2]\n")
        let nowhere = folder.path + "/no/body"
        #expect(
            BodyFile.save(Self.document("[2]"), .raw, to: nowhere)
                == Notice(.failure, "cannot write \(nowhere): no such file or folder"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["body.json"])
    }

    @Test func `a save that is cancelled leaves what was there`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "body.json").path
        #expect(BodyFile.save(Self.document("[1]"), .raw, to: path)?.kind == .success)
        let flag = CancelFlag()
        flag.cancel()
        #expect(
            BodyFile.save(Self.document("[2]"), .raw, to: path + "!", flag) == Notice(.info, "not saved: cancelled"))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "[1]")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["body.json"])
    }

    @Test func `a save tells how far it is, and stops in the middle`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "body").path
        let body = BodyDocument(Bytes([UInt8](repeating: 0x61, count: 5 << 20)), contentType: "text/plain")
        let flag = CancelFlag()
        var told: [String] = []
        let notice = BodyFile.save(body, .raw, to: path, flag, every: .zero) { progress in
            told.append(progress.words)
            #expect(!FileManager.default.fileExists(atPath: path), "no half of it is under its name")
            if told.count == 3 { flag.cancel() }
        }
        #expect(told == ["0 B of 5.2 MB", "1.0 MB of 5.2 MB", "2.1 MB of 5.2 MB"])
        #expect(notice == Notice(.info, "not saved: cancelled"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func `a copy for a program goes away with it`() throws {
        var path = ""
        do {
            let copy = try BodyCopy.make(of: Self.document("[1]"), for: .pager, CancelFlag()) { _ in }.get()
            path = copy.path
            #expect(path.hasSuffix("/body.json"))
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "[1]\n")
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    private static func run(
        _ command: String, input: String = "", flag: CancelFlag = CancelFlag(), mostOutput: Int = 1 << 20,
        limit: Duration = .seconds(60), now: () -> ContinuousClock.Instant = { .now }
    ) -> CommandAnswer {
        let body = BodyDocument(Bytes(input.utf8), contentType: "text/plain")
        return ShellCommand.run(
            command, input: BodyWriter(body, .raw), flag: flag, mostOutput: mostOutput, limit: limit, now: now)
    }

    @Test func `a command gets the body and gives its output`() {
        let answer = Self.run("tr a-z A-Z", input: "hello\n")
        #expect(answer.ending == .exited(0))
        #expect(Self.text(answer.output.raw) == "HELLO\n")
        #expect(answer.complaint.isEmpty && answer.note == nil)
    }

    @Test func `a command gets the bytes as they came`() {
        let body = BodyDocument(Bytes([0xFF, 0xFE, 0x61, 0]), contentType: "text/plain")
        let answer = ShellCommand.run("od -An -tx1", input: BodyWriter(body, .raw), flag: CancelFlag())
        #expect(Self.text(answer.output.raw) == " ff fe 61 00\n")
    }

    @Test func `a large body goes through a command that answers meanwhile`() {
        let answer = Self.run("cat", input: String(repeating: "a", count: 1 << 20), mostOutput: 1 << 21)
        #expect(answer.output.raw.count == 1 << 20)
    }

    @Test func `what a command complains about is told with its status`() {
        let answer = Self.run("echo one >&2; echo two >&2; exit 3")
        #expect(answer.ending == .exited(3))
        #expect(answer.complaint == "one · two")
        #expect(answer.note == "it ended with status 3: one · two")
        #expect(answer.output.kind == .empty)
        #expect(Self.run("kill -9 $$").ending == .exited(137))
    }

    @Test func `of many complaints the last are told`() {
        #expect(Self.run("seq 1 100000 >&2").complaint == "99998 · 99999 · 100000")
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
        let answer = Self.run("yes", mostOutput: 100_000)
        #expect(answer.ending == .wroteTooMuch)
        #expect(answer.output.raw.count == 100_000)
        #expect(answer.note == "it wrote more than 256 MiB, and was ended")
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

    /// What each row of JSON that is laid out says.
    private static func rows(_ document: BodyDocument) -> [String] {
        guard case .json(let tree) = document.shape else { return [] }
        let rows = JSONRows(tree, bytes: document.text, columns: 12)
        var position = rows.aligned(.start)
        var texts: [String] = []
        while true {
            let spans = rows.spans(at: position, skipping: 0, columns: 80, finder: nil)
            texts.append((rows.label(at: position) ?? "") + " " + spans.map(\.text).joined())
            guard position < rows.last else { return texts }
            position = rows.position(position, movedBy: 1)
        }
    }

    @Test func `a body is the same whether it is read at once or in pieces`() {
        let text = "[" + (0..<2000).map { "{\"n\": \($0), \"s\": \"é\"}" }.joined(separator: ",\n") + "]"
        let bytes = Bytes(text.utf8)
        let indexer = BodyIndexer(contentType: "application/json")
        var document = indexer.read(bytes, isComplete: true, budget: 100)
        #expect(!document.isComplete)
        while indexer.left(of: bytes) > 0 { document = indexer.read(bytes, isComplete: true, budget: 777) }
        let whole = BodyDocument(bytes, contentType: "application/json")
        #expect(document == whole)
        #expect(Self.rows(document) == Self.rows(whole))
        #expect(Self.rows(whole).count > 2000)
        #expect(document.json?.entryCount == whole.json?.entryCount)
        #expect(document.lines.lineCount(in: document.text) == 2000)
    }

    @Test func `a text in another encoding is indexed while it arrives`() {
        let text = "[" + (0..<10_000).map { "{\"n\": \($0), \"s\": \"é\"}" }.joined(separator: ",\n") + "]"
        let bytes = Bytes([0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
        let indexer = BodyIndexer(contentType: "application/json")
        var counts: [Int] = []
        var bases: Set<UnsafePointer<UInt8>> = []
        while indexer.left(of: bytes) > 0 {
            let document = indexer.read(bytes, isComplete: true, budget: 77_777)
            counts.append(document.json?.entryCount ?? 0)
            bases.insert(document.text.base)
        }
        #expect(counts.count > 4)
        #expect(zip(counts, counts.dropFirst()).allSatisfy { $0 < $1 }, "\(counts)")
        #expect(counts.last == 40_002)
        #expect(bases.count == 1, "the text does not move")
    }

    @Test func `a text in an encoding that nobody knows is shown as UTF-8`() {
        let document = BodyDocument(Bytes("größe".utf8), contentType: "text/plain; charset=klingon")
        #expect(Self.text(document.text) == "größe")
        #expect(document.note == "the charset \"klingon\" of the Content-Type is not known")
    }

    @Test func `markup is indexed while it arrives`() throws {
        let text = "<feed>\n" + (0..<2000).map { "<item><n>\($0)</n>\n</item>\n" }.joined() + "</feed>"
        let bytes = Bytes(text.utf8)
        let indexer = BodyIndexer(contentType: "application/xml")
        guard case .markup(let early) = indexer.read(bytes, isComplete: true, budget: 20_000).shape,
            case .markup(let index) = indexer.read(bytes, isComplete: true, budget: .max).shape
        else {
            Issue.record("it is not shown as markup")
            return
        }
        #expect(early.rows.count > 1500)
        #expect(index.rows.count == 6002)
        #expect(index.problem == nil)
    }

    @Test func `a text in another encoding is decoded and its encoding told`() {
        let bytes: [UInt8] = [0xFF, 0xFE] + "[\"é\"]".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let document = BodyDocument(Bytes(bytes), contentType: nil)
        #expect(document.kind == .json)
        #expect(Self.text(document.text) == "[\"é\"]")
        #expect(document.note?.contains("UTF-16") == true, "\(document.note ?? "no note")")
    }
}
