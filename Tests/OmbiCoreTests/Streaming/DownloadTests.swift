import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// Responses that go into a file.
@Suite struct DownloadTests {
    typealias Failure = RequestError<HTTPError>

    /// A folder of its own for each test.
    final class Folder: Sendable {
        let url = FileManager.default.temporaryDirectory.appending(path: "ombi-download-\(UUID().uuidString)")
        init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
        deinit { try? FileManager.default.removeItem(at: url) }
        var path: String { url.appending(path: "file").path }
        var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() }
        var contents: Data? { FileManager.default.contents(atPath: path) }
        func write(_ text: String, to name: String) throws {
            try Data(text.utf8).write(to: url.appending(path: name))
        }
    }

    let folder: Folder
    static let text = "0123456789"
    static let tag = [("ETag", "\"a\"")]
    static let twice = RetryPolicy(retries: 1)

    init() throws { folder = try Folder() }

    /// The whole is announced, four bytes come.
    static func broken(_ headers: [(String, String)] = tag, _ text: String = text, at end: Int = 4) -> LoopbackReply {
        let fields = headers.map { "\($0.0): \($0.1)\r\n" }.joined()
        return .raw(
            Data("HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\(fields)\r\n\(text.prefix(end))".utf8))
    }

    static func part(_ range: String, _ text: String, _ headers: [(String, String)] = tag) -> LoopbackReply {
        .status(206, headers: headers + [("Content-Range", "bytes \(range)")], text)
    }

    /// Downloads from a server that answers so, in order.
    func download(
        _ replies: [LoopbackReply], resume: Bool = false, retry: RetryPolicy = twice, path: String? = nil
    ) async throws -> (Result<Download, Failure>, [LoopbackRequest]) {
        try await RealServer.scripted({ replies[min($0.number, replies.count) - 1] }) { server in
            let manager = RequestManager(host: server.host)
            let result: Result<Download, Failure>
            do throws(Failure) {
                result = .success(
                    try await manager.download(TextRequest(), to: path ?? folder.path, resume: resume, retry: retry))
            } catch {
                result = .failure(error)
            }
            return (result, server.requests)
        }
    }

    @Test func `the body goes into the file`() async throws {
        try folder.write("before", to: "file")
        let (result, requests) = try await download([.ok(Self.text)])
        let download = try result.get()
        #expect(download.length == 10 && download.resumedAt == 0 && download.head.statusCode == 200)
        #expect(folder.contents == Data(Self.text.utf8) && folder.names == ["file"])
        #expect(requests.first?.headers["accept-encoding"] == "identity" && requests.first?.headers["range"] == nil)
    }

    @Test func `a broken attempt is continued`() async throws {
        let (result, requests) = try await download([Self.broken(), Self.part("4-9/10", "456789")])
        #expect(try result.get().head.statusCode == 206)
        #expect(folder.contents == Data(Self.text.utf8) && folder.names == ["file"])
        #expect(requests.last?.headers["range"] == "bytes=4-" && requests.last?.headers["if-range"] == "\"a\"")
    }

    @Test func `a part of the rest is continued without a retry`() async throws {
        let (result, requests) = try await download([
            Self.broken(), Self.part("4-6/10", "456"), Self.part("7-9/*", "789"),
            .status(416, headers: [("Content-Range", "bytes */10")]),
        ])
        _ = try result.get()
        #expect(folder.contents == Data(Self.text.utf8))
        #expect(requests.compactMap { $0.headers["range"] } == ["bytes=4-", "bytes=7-"])
    }

    @Test(arguments: [
        part("5-9/10", "56789"), part("4-9/11", "456789"), part("4-9/10", "456789", [("ETag", "\"b\"")]),
        part("nonsense", "456789"), .status(206, headers: tag, "456789"),
        .status(416, headers: [("Content-Range", "bytes */9")]), .status(416),
        part("4-9/10", "456789", [("Content-Encoding", "x-unknown")]),
    ])
    func `a range that does not continue the file begins again`(_ reply: LoopbackReply) async throws {
        let (result, requests) = try await download([Self.broken(), reply, .ok("another")])
        #expect(try result.get().length == 7)
        #expect(folder.contents == Data("another".utf8))
        #expect(requests.count == 3 && requests.last?.headers["range"] == nil)
    }

    @Test func `a server without ranges or with another version sends the whole`() async throws {
        let (result, _) = try await download([Self.broken(), .ok("changed", headers: [("ETag", "\"b\"")])])
        #expect(try result.get().head.statusCode == 200)
        #expect(folder.contents == Data("changed".utf8))
    }

    @Test(arguments: [
        [], [("ETag", "W/\"a\"")], [("ETag", "W/\"a\""), ("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")],
        [("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT"), ("Date", "Sun, 06 Nov 1994 08:49:37 GMT")],
    ])
    func `without a strong validator the file begins again`(_ headers: [(String, String)]) async throws {
        let (result, requests) = try await download([Self.broken(headers), .ok(Self.text)])
        _ = try result.get()
        #expect(folder.contents == Data(Self.text.utf8))
        #expect(requests.last?.headers["range"] == nil)
    }

    @Test func `a time of change counts as a tag`() async throws {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        let headers = [("Last-Modified", date), ("Date", "Sun, 06 Nov 1994 08:49:38 GMT")]
        let (result, requests) = try await download([Self.broken(headers), Self.part("4-9/10", "456789", headers)])
        _ = try result.get()
        #expect(folder.contents == Data(Self.text.utf8))
        #expect(requests.last?.headers["if-range"] == date)
    }

    @Test func `nothing is left behind unless asked for`() async throws {
        let (result, _) = try await download([Self.broken()], retry: .never)
        guard case .failure(.connectionError) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(folder.names.isEmpty)
    }

    @Test func `a later call goes on`() async throws {
        let folder = folder
        let replies = [Self.broken(), Self.part("4-9/10", "456789")]
        let requests = try await RealServer.scripted({ replies[$0.number - 1] }) { server in
            let manager = RequestManager(host: server.host)
            await #expect(throws: Failure.self) {
                _ = try await manager.download(TextRequest(), to: folder.path, resume: true)
            }
            #expect(folder.names == ["file.part", "file.part.json"])
            let progress = Lock<[TransferProgress]>([])
            let download = try await manager.download(TextRequest(), to: folder.path, resume: true) { counts in
                progress.withLock { $0.append(counts) }
            }
            #expect(download.resumedAt == 4 && download.length == 10)
            #expect(progress.withLock { $0.last } == TransferProgress(bytes: 10, expected: 10))
            #expect(progress.withLock { $0.allSatisfy { $0.bytes >= 4 } })
            return server.requests
        }
        #expect(folder.contents == Data(Self.text.utf8) && folder.names == ["file"])
        #expect(requests.last?.headers["range"] == "bytes=4-")
    }

    @Test func `what is there already is the end`() async throws {
        let folder = folder
        let replies = [Self.broken(), .status(416, headers: [("Content-Range", "bytes */10")])]
        try await RealServer.scripted({ replies[$0.number - 1] }) { server in
            let manager = RequestManager(host: server.host)
            _ = try? await manager.download(TextRequest(), to: folder.path, resume: true)
            try folder.write(Self.text, to: "file.part")
            #expect(try await manager.download(TextRequest(), to: folder.path, resume: true).resumedAt == 10)
        }
        #expect(folder.contents == Data(Self.text.utf8) && folder.names == ["file"])
    }

    @Test(arguments: ["", "{", "{\"request\":1}"])
    func `a record of something else is not used`(_ record: String) async throws {
        try folder.write("0123", to: "file.part")
        try folder.write(record, to: "file.part.json")
        let (result, requests) = try await download([.ok(Self.text)], resume: true)
        #expect(try result.get().resumedAt == 0)
        #expect(requests.first?.headers["range"] == nil)
        #expect(folder.contents == Data(Self.text.utf8) && folder.names == ["file"])
    }

    @Test func `cancelling keeps what can be continued`() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\nETag: \"a\"\r\n\r\n0123"
        let server = try ConversationServer { peer, _ in
            guard peer.readHead() != nil, peer.write(head) else { return }
            peer.waitForEnd()
        }
        defer { server.stop() }
        for resume in [true, false] {
            let (folder, reached) = (folder, Lock(false))
            let task = Task {
                try await RequestManager(host: server.host).download(TextRequest(), to: folder.path, resume: resume) {
                    if $0.bytes == 4 { reached.withLock { $0 = true } }
                }
            }
            #expect(await eventually { reached.withLock { $0 } })
            task.cancel()
            await #expect(throws: Failure.cancelled) { _ = try await task.value }
            #expect(folder.names == (resume ? ["file.part", "file.part.json"] : []))
        }
    }

    @Test func `a refused response leaves the file as it was`() async throws {
        try folder.write("before", to: "file")
        let (result, _) = try await download([.status(404, "gone")])
        guard case .failure(let error) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(error == .validationError(.notFound) && error.response?.body == Data("gone".utf8))
        #expect(folder.contents == Data("before".utf8) && folder.names == ["file"])
    }

    @Test func `a response that is no file is an error`() async throws {
        let path = folder.path
        try await RealServer.scripted({ _ in .status(404, "gone") }) { server in
            do {
                _ = try await RequestManager(host: server.host).download(PlainRequest(), to: path)
                Issue.record("a 404 became a file")
            } catch {
                #expect("\(error)".contains("the response is no file: its status is 404 Not Found"), "\(error)")
            }
        }
        #expect(folder.names.isEmpty)
    }

    @Test func `what is wrong with the path is known before anything is sent`() async throws {
        try folder.write("", to: "plain")
        let paths: [(String, UnwritableFile.Code)] = [
            ("/nowhere/at/all", .folderNotFound), (folder.url.path, .notAFile), ("", .notAFile), ("a\0b", .notAFile),
            (folder.url.path + "/plain/file", .folderNotFound), ("/dev/null", .notAFile),
        ]
        for (path, code) in paths {
            let (result, requests) = try await download([.ok("")], path: path)
            guard case .failure(.fileNotWritten(let error, nil)) = result else {
                Issue.record("\(result)")
                return
            }
            #expect(error.code == code && error.path.hasPrefix(path) && requests.isEmpty, "\(error)")
        }
    }

    @Test func `a failure of the disk is named and not repeated`() async throws {
        #expect(UnwritableFile(path: "/a", errno: ENOSPC).code == .noSpace)
        let record = StubTransport.Record()
        let stub = StubTransport.stub(replies: [.response(data: Data("x".utf8))]).recording(in: record)
        let manager = RequestManager(host: "http://stub.test", transport: stub)
        let folder = folder
        manager.middlewares = [
            MiddlewareTests.Around { request, next in
                let response = try await next(request)
                try FileManager.default.removeItem(at: folder.url)
                return response
            }
        ]
        do {
            _ = try await manager.download(TextRequest(), to: folder.path, retry: RetryPolicy(retries: 3))
            Issue.record("there is a file")
        } catch {
            guard case .fileNotWritten(let cause, _) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(cause.code == .folderNotFound && cause.path == folder.path && record.requests.count == 1)
        }
    }

    @Test func `two downloads into one file exclude each other`() async throws {
        let first = try await PartialFile.open(folder.path, for: "", isKept: false)
        let (result, requests) = try await download([.ok(Self.text)])
        guard case .failure(.fileNotWritten(let error, _)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(error.code == .inUse && requests.isEmpty)
        await first.giveUp()
    }

    @Test func `a middleware may give the file`() async throws {
        let manager = RequestManager(host: "http://stub.test", transport: PieceTransport())
        manager.middlewares = [
            MiddlewareTests.Around { request, _ in
                TransportResponse(url: request.url, statusCode: 200, body: Data("cached".utf8))
            }
        ]
        #expect(try await manager.download(TextRequest(), to: folder.path).length == 6)
        #expect(folder.contents == Data("cached".utf8))
    }

    /// A cancelled attempt may still hold the file, with pieces to write.
    @Test func `a file that was given up belongs to the next download`() async throws {
        let first = try await PartialFile.open(folder.path, for: "a", isKept: true)
        try await first.startOver(validator: "\"1\"", total: 10)
        try await first.append([Data("0123".utf8)])
        await first.giveUp()
        let second = try await PartialFile.open(folder.path, for: "a", isKept: true)
        #expect(second.resumePoint?.offset == 4)
        await #expect(throws: UnwritableFile.self) { try await first.append([Data("zombie".utf8)]) }
        try await second.append([Data("456789".utf8)])
        try await second.finish()
        #expect(folder.contents == Data("0123456789".utf8))
    }

    @Test(.enabled(if: NginxServer.isInstalled)) func `nginx continues a long file`() async throws {
        let data = Data((0..<(20 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) })
        let server = try NginxServer(file: data)
        defer { server.stop() }
        let manager = RequestManager(host: server.host)
        manager.connection.tls.caFile = server.authorityFile
        let (path, reached) = (folder.path, Lock(false))
        let first = Task {
            try await manager.download(TextRequest(path: "/file"), to: path, resume: true) {
                if $0.bytes > 0 { reached.withLock { $0 = true } }
            }
        }
        #expect(await eventually { reached.withLock { $0 } })
        first.cancel()
        _ = try? await first.value
        let left = (try? FileManager.default.attributesOfItem(atPath: path + ".part")[.size] as? Int) ?? 0
        let second = try await manager.download(TextRequest(path: "/file"), to: path, resume: true)
        #expect(second.resumedAt == left && second.length == data.count)
        expectSame(folder.contents, data)
        #expect(folder.names == ["file"])
    }
}

/// What a 206 and a 416 say of the bytes.
@Suite struct ContentRangeTests {
    @Test func `ranges are parsed`() throws {
        let part = try #require(ContentRange("bytes 4-9/10"))
        #expect(part.range == 4...9 && part.total == 10)
        let open = try #require(ContentRange("Bytes 0-0/*"))
        #expect(open.range == 0...0 && open.total == nil)
        let none = try #require(ContentRange("bytes */10"))
        #expect(none.range == nil && none.total == 10)
    }

    @Test(arguments: [
        "", "bytes", "bytes */*", "bytes 4-3/10", "bytes 4-10/10", "bytes -1-3/10", "bytes 4-/10", "lines 4-9/10",
        "bytes 4-9", "bytes 4-9/10/11", "bytes 4-99999999999999999999/*", "bytes ٤-٩/10", "bytes 4-9/",
    ])
    func `anything else is none`(_ text: String) { #expect(ContentRange(text) == nil) }
}
