import Foundation
import OmbiCore
import Testing

@testable import Hub

@Suite struct StreamingTests {
    let record = StubTransport.Record()
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("hub-\(UUID().uuidString).tar.gz")
    var part: String { file.path + ".part" }
    let bytes = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 * 7) })

    @Test func anArchiveIsWrittenPieceByPiece() async throws {
        defer { try? FileManager.default.removeItem(at: file) }
        let hub = Hub(record: record) { [bytes] _ in .response(data: bytes).inPieces(of: 4096) }
        try await hub.download(Archive(repository: "ada/engine", reference: "v1"), to: file)
        #expect(try Data(contentsOf: file) == bytes)
        #expect(!FileManager.default.fileExists(atPath: part))
        #expect(record.lines == ["GET /repos/ada/engine/tarball/v1"])
    }

    @Test func aDownloadThatBreaksLeavesNoFile() async {
        let hub = Hub(record: record) { [bytes] _ in
            .response(data: bytes).inPieces(of: 4096).failing(with: TransportError(code: .connectionLost))
        }
        let error = await #expect(throws: RequestError<HubError>.self) {
            try await hub.download(Archive(repository: "ada/engine"), to: file)
        }
        #expect(error?.stage == .execution)
        #expect(![file.path, part].contains { FileManager.default.fileExists(atPath: $0) })
    }

    @Test func aRefusedArchiveSaysWhy() async {
        let hub = Hub(record: record) { _ in .json(#"{"message": "No such branch"}"#, statusCode: 404) }
        await #expect(throws: RequestError.validationError(HubError(status: 404, message: "No such branch"))) {
            try await hub.download(Archive(repository: "ada/engine"), to: file)
        }
    }

    @Test func eventsGoOnWhereTheConnectionBroke() async throws {
        let hub = Hub(record: record) { [record] _ in
            switch record.calls.count {
            case 1:
                .events("retry: 0\n\nid: 1\n" + #"data: {"actor": "ada", "action": "starred"}"# + "\n\n")
                    .failing(with: TransportError(code: .connectionLost))
            case 2: .events("id: 2\n" + #"data: {"actor": "bob", "action": "forked"}"# + "\n\n")
            default: .response(statusCode: 204)
            }
        }
        var events: [RepositoryEvent] = []
        for try await event in hub.events(of: "ada/engine") { events.append(event) }
        #expect(events == [.init(actor: "ada", action: "starred"), .init(actor: "bob", action: "forked")])
        #expect(record.calls.map { $0.headers["Last-Event-ID"]?.text } == [nil, "1", "2"])
    }

    @Test func anAssetIsUploadedAsAFormWithProgress() async throws {
        try bytes.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let hub = Hub(record: record) { .json(#"{"id": 1, "name": "asset", "size": \#($0.body?.count ?? 0)}"#) }
        let (counts, progress) = AsyncStream.makeStream(of: TransferProgress.self)
        let request = try UploadAsset(file, label: "Linux", release: 5, of: "ada/engine") { progress.yield($0) }
        let asset = try await hub.value(for: request)
        progress.finish()
        let last = await counts.reduce(TransferProgress?.none) { $1 }
        #expect(last?.bytes == asset.size && last?.expected == asset.size && asset.size > bytes.count)
        let sent = try #require(record.calls.first)
        #expect(sent.url.path == "/repos/ada/engine/releases/5/assets")
        #expect(sent.headers[.contentType] == request.body.contentType)
        #expect(sent.body?.range(of: bytes) != nil)
    }
}

extension StubTransport.Reply {
    static func events(_ text: String) -> Self {
        .response(data: Data(text.utf8), headers: [.contentType: "text/event-stream"])
    }
}
