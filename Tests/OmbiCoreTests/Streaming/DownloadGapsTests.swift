import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// Downloads that servers, limits and earlier downloads get in the way of.
@Suite struct DownloadGapsTests {
    typealias Failure = DownloadTests.Failure
    typealias Tests = DownloadTests

    let folder: DownloadTests.Folder

    init() throws { folder = try DownloadTests.Folder() }

    private func failure(_ body: () async throws(Failure) -> Download) async -> Failure? {
        do throws(Failure) {
            _ = try await body()
            return nil
        } catch {
            return error
        }
    }

    @Test func `a part that nobody asked for is refused`() async throws {
        let folder = folder
        let replies = [Tests.part("4-9/10", "456789"), .ok(Tests.text)]
        try await RealServer.scripted({ replies[min($0.number, 2) - 1] }) { server in
            let manager = RequestManager(host: server.host)
            let error = await failure { () throws(Failure) in
                try await manager.download(TextRequest(), to: folder.path)
            }
            guard case .connectionError(let cause) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(cause.code == .malformedResponse && folder.names.isEmpty)
            let whole = try await manager.download(TextRequest(), to: folder.path)
            #expect(whole.length == 10)
        }
        #expect(folder.contents == Data(Tests.text.utf8))
    }

    @Test func `a part that is longer than it says begins again`() async throws {
        let folder = folder
        let replies = [Tests.broken(), Tests.part("4-6/10", "456789"), .ok(Tests.text)]
        try await RealServer.scripted({ replies[min($0.number, 3) - 1] }) { server in
            let download = try await RequestManager(host: server.host).download(
                TextRequest(), to: folder.path, retry: RetryPolicy(retries: 2))
            #expect(download.length == 10 && server.requests.last?.headers["range"] == nil)
        }
        #expect(folder.contents == Data(Tests.text.utf8) && folder.names == ["file"])
    }

    @Test func `a status in the middle is retried and the file goes on`() async throws {
        let folder = folder
        let replies = [Tests.broken(), .status(503, "later"), Tests.part("4-9/10", "456789")]
        try await RealServer.scripted({ replies[min($0.number, 3) - 1] }) { server in
            _ = try await RequestManager(host: server.host).download(
                TextRequest(), to: folder.path, retry: RetryPolicy(retries: 2))
            #expect(server.requests.map { $0.headers["range"] } == [nil, "bytes=4-", "bytes=4-"])
        }
        #expect(folder.contents == Data(Tests.text.utf8))
    }

    @Test func `the SLA ends a download in the middle and a later call goes on`() async throws {
        let (folder, clock) = (folder, ManualClock())
        let held = Data("HTTP/1.1 200 OK\r\nContent-Length: 10\r\nETag: \"a\"\r\n\r\n0123".utf8)
        let replies = [LoopbackReply.held(held), Tests.part("4-9/10", "456789")]
        try await RealServer.scripted({ replies[min($0.number, 2) - 1] }) { server in
            let manager = RequestManager(host: server.host, transport: CurlTransport.shared, clock: clock)
            let error = await failure { () throws(Failure) in
                try await manager.download(TextRequest(), to: folder.path, resume: true, sla: .seconds(5)) {
                    if $0.bytes == 4 { clock.advance(by: .seconds(6)) }
                }
            }
            guard case .slaExceeded(let details) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(details?.phase == .receive && folder.names == ["file.part", "file.part.json"])
            let rest = try await manager.download(TextRequest(), to: folder.path, resume: true)
            #expect(rest.resumedAt == 4)
        }
        #expect(folder.contents == Data(Tests.text.utf8) && folder.names == ["file"])
    }

    @Test func `a POST is repeated as a whole if the policy says so`() async throws {
        let folder = folder
        let replies = [Tests.broken(), .ok(Tests.text)]
        try await RealServer.scripted({ replies[min($0.number, 2) - 1] }) { server in
            let manager = RequestManager(host: server.host)
            let request = TextRequest(method: .post)
            let error = await failure { () throws(Failure) in
                try await manager.download(request, to: folder.path, retry: Tests.twice)
            }
            #expect(Self.isConnectionError(error) && server.requests.count == 1)
        }
        try await RealServer.scripted({ replies[min($0.number, 2) - 1] }) { server in
            let download = try await RequestManager(host: server.host).download(
                TextRequest(method: .post), to: folder.path,
                retry: RetryPolicy(retries: 1, retriesUnsafeMethods: true))
            #expect(download.length == 10 && server.requests.map(\.method) == ["POST", "POST"])
            #expect(server.requests.allSatisfy { $0.headers["range"] == nil })
        }
        #expect(folder.contents == Data(Tests.text.utf8))
    }

    @Test(arguments: ["Accept", "Accept-Language", "X-Other"]) func `another representation is not continued`(
        _ field: String
    ) async throws {
        let folder = folder
        let replies = [Tests.broken(), Tests.part("4-9/10", "456789")]
        try await RealServer.scripted({ replies[min($0.number, 2) - 1] }) { server in
            let manager = RequestManager(host: server.host)
            _ = try? await manager.download(TextRequest(), to: folder.path, resume: true)
            manager.additionalHeaders = [RequestHeaders.Key(field): "de", "Authorization": "Bearer other"]
            let error = await failure { () throws(Failure) in
                try await manager.download(TextRequest(), to: folder.path, resume: true)
            }
            if field == "X-Other" {
                #expect(error == nil && folder.names == ["file"])
            } else {
                #expect(Self.code(error) == .otherDownload && server.requests.count == 1)
            }
        }
    }

    private static func isConnectionError(_ error: Failure?) -> Bool {
        if case .connectionError = error { true } else { false }
    }

    private static func code(_ error: Failure?) -> UnwritableFile.Code? {
        if case .fileNotWritten(let error, _) = error { error.code } else { nil }
    }

    @Test(arguments: [true, false]) func `what another request has left is not overwritten`(resume: Bool) async throws {
        let folder = folder
        let record = "{\"request\":\"1\",\"validator\":\"\\\"a\\\"\"}"
        try folder.write("0123", to: "file.part")
        try folder.write(record, to: "file.part.json")
        try await RealServer.scripted({ _ in .ok(Tests.text) }) { server in
            let manager = RequestManager(host: server.host)
            let error = await failure { () throws(Failure) in
                try await manager.download(TextRequest(), to: folder.path, resume: resume)
            }
            #expect(Self.code(error) == .otherDownload && server.requests.isEmpty)
            #expect(folder.names == ["file.part", "file.part.json"])
            try FileManager.default.removeItem(atPath: folder.path + ".part")
            _ = try await manager.download(TextRequest(), to: folder.path, resume: resume)
        }
        #expect(folder.contents == Data(Tests.text.utf8) && folder.names == ["file"])
    }
}
