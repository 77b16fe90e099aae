import Foundation
import OmbiDocument
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
        #expect(second == Notice(.warning, "\(path) is there already; \(path)! overwrites it"))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "[1]")
        #expect(BodyFile.save(Self.document("[2]"), .formatted, to: path + "!").kind == .success)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "[2]\n")
        let nowhere = folder.path + "/no/body"
        #expect(
            BodyFile.save(Self.document("[2]"), .raw, to: nowhere)
                == Notice(.failure, "cannot write \(nowhere): No such file or directory"))
    }

    @Test func `a command gets the body and gives its output`() {
        let answer = ShellCommand.run("tr a-z A-Z", input: Bytes("hello\n".utf8), flag: CancelFlag())
        #expect(answer.status == 0)
        #expect(Self.text(answer.output.raw) == "HELLO\n")
        #expect(answer.complaint.isEmpty)
    }

    @Test func `a large body goes through a command that answers meanwhile`() {
        let body = Bytes([UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20))
        let answer = ShellCommand.run("cat", input: body, flag: CancelFlag())
        #expect(answer.output.raw.count == 1 << 20)
    }

    @Test func `what a command complains about is told with its status`() {
        let answer = ShellCommand.run("echo one >&2; echo two >&2; exit 3", input: .empty, flag: CancelFlag())
        #expect(answer.status == 3)
        #expect(answer.complaint == "one · two")
        #expect(answer.output.kind == .empty)
    }

    @Test func `a command that does not read its input does no harm`() {
        let body = Bytes([UInt8](repeating: 0x41, count: 1 << 20))
        #expect(ShellCommand.run("echo done", input: body, flag: CancelFlag()).status == 0)
    }

    @Test func `a command that nobody waits for any more is ended`() {
        let flag = CancelFlag()
        flag.cancel()
        #expect(ShellCommand.run("sleep 60", input: .empty, flag: flag).status == nil)
    }

    @Test func `a body is the same whether it is read at once or in pieces`() {
        let text = "[" + (0..<2000).map { "{\"n\": \($0), \"s\": \"é\"}" }.joined(separator: ",\n") + "]"
        let bytes = Bytes(text.utf8)
        let indexer = BodyIndexer(contentType: "application/json")
        var document = indexer.read(bytes, isComplete: true, budget: 100)
        #expect(!document.isComplete)
        while indexer.isBehind(bytes) { document = indexer.read(bytes, isComplete: true, budget: 777) }
        let whole = BodyDocument(bytes, contentType: "application/json")
        #expect(document == whole)
        #expect(document.json?.entryCount == whole.json?.entryCount)
        #expect(document.lines.lineCount(in: document.text) == 2000)
    }

    @Test func `a text in another encoding is indexed while it arrives`() {
        let text = "[" + (0..<10_000).map { "{\"n\": \($0), \"s\": \"é\"}" }.joined(separator: ",\n") + "]"
        let bytes = Bytes([0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
        let indexer = BodyIndexer(contentType: "application/json")
        var counts: [Int] = []
        var bases: Set<UnsafePointer<UInt8>> = []
        while indexer.isBehind(bytes) {
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
