import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// Bodies that are read while they are sent.
@Suite struct BodyStreamTests {
    func url(_ server: LoopbackServer, _ path: String = "/") throws -> URL {
        try #require(URL(string: server.host + path))
    }

    @Test func `it is sent whole in pieces`() async throws {
        let server = try LoopbackServer { _ in .ok("") }
        defer { server.stop() }
        let length = 10_000_019
        let largest = LoopbackLock(0)
        let stream = BodyStream(length: length) {
            PatternReader(length: length) { size in largest.withLock { $0 = max($0, size) } }
        }
        let request = TransportRequest(url: try url(server), method: .put, bodyStream: stream)
        let events = await CurlTransport().events(of: request)
        #expect(events.last?.response?.statusCode == 200)
        let received = try #require(server.requests.first)
        #expect(received.headers["content-length"] == "\(length)")
        #expect(received.headers["transfer-encoding"] == nil)
        let isPattern = received.body.enumerated().allSatisfy { PatternReader.byte(at: $0.offset) == $0.element }
        #expect(received.body.count == length && isPattern)
        #expect(events.sent.last == TransferProgress(bytes: length, expected: length))
        #expect(events.sent.map(\.bytes) == events.sent.map(\.bytes).sorted())
        #expect(events.last?.metrics?.bytesSent == length)
        let size = largest.withLock { $0 }
        #expect(size > 0 && size <= 1 << 20, "the stream was read in pieces of \(size) bytes")
    }

    struct Mismatch: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let length: Int
        let delivered: Int
        var fails = false
        let message: String

        static let all = [
            Mismatch(testDescription: "short", length: 10, delivered: 4, message: "the body ended after 4 of 10 bytes"),
            Mismatch(
                testDescription: "long", length: 100_000, delivered: 100_001,
                message: "the body is longer than the 100000 bytes that were announced"),
            Mismatch(
                testDescription: "not empty", length: 0, delivered: 1,
                message: "the body is longer than the 0 bytes that were announced"),
            Mismatch(
                testDescription: "broken", length: 100_000, delivered: 70_000, fails: true,
                message: "the body could not be read: the disk is gone"),
        ]
    }

    @Test(arguments: Mismatch.all, BothTransportsTests.Kind.allCases)
    func `a stream of another length fails`(mismatch: Mismatch, kind: BothTransportsTests.Kind) async throws {
        let server = try LoopbackServer { _ in .ok("") }
        defer { server.stop() }
        let stream = BodyStream(length: mismatch.length) {
            PatternReader(length: mismatch.delivered, fails: mismatch.fails)
        }
        let transport: any Transport =
            kind == .curl ? CurlTransport() : StubTransport.stubResponse(statusCode: 200, data: Data())
        let request = TransportRequest(url: try url(server), method: .post, bodyStream: stream)
        let error = await transport.events(of: request).last?.error
        #expect(error == TransportError(code: .requestBodyFailed, message: mismatch.message))
        #expect(server.requests.isEmpty, "the server took the body for whole")
    }

    @Test func `a transport that failed a body goes on`() async throws {
        let server = try LoopbackServer { .echo($0) }
        defer { server.stop() }
        let transport = CurlTransport()
        let stream = BodyStream(length: 10) { PatternReader(length: 3) }
        _ = await transport.events(of: TransportRequest(url: try url(server), method: .post, bodyStream: stream))
        let last = await transport.events(of: TransportRequest(url: try url(server))).last
        #expect(last?.response?.statusCode == 200)
        #expect(server.requests.map(\.method) == ["GET"])
        #expect(server.requests.first?.headers["content-length"] == nil)
    }

    @Test(arguments: [0, 1, 70_000]) func `the memory of a stream is any data`(length: Int) async throws {
        let server = try LoopbackServer { _ in .ok("") }
        defer { server.stop() }
        let data = Data((0..<length + 2).map { PatternReader.byte(at: $0) })[2...]
        let request = TransportRequest(url: try url(server), method: .patch, bodyStream: BodyStream(data: data))
        let events = await CurlTransport().events(of: request)
        #expect(events.last?.response?.statusCode == 200)
        expectSame(server.requests.first?.body, data)
        #expect(server.requests.first?.headers["content-length"] == "\(length)")
        #expect(events.sent.map(\.bytes).last == (length == 0 ? nil : length))
    }

    @Test(arguments: [(307, 2), (308, 2), (303, 1), (301, 1)])
    func `a redirect opens it again`(status: Int, times: Int) async throws {
        let server = try LoopbackServer { $0.target == "/a" ? .redirect(status, to: "/b") : .ok("") }
        defer { server.stop() }
        let opened = Counter()
        let stream = BodyStream(length: 5) {
            _ = opened.next()
            return PatternReader(length: 5)
        }
        let request = TransportRequest(url: try url(server, "/a"), method: .post, bodyStream: stream)
        #expect(await CurlTransport().events(of: request).last?.response?.statusCode == 200)
        #expect(opened.value == times)
        #expect(server.requests.map(\.body.count) == (times == 2 ? [5, 5] : [5, 0]))
    }

    struct Upload: Request {
        typealias RequestBody = String
        typealias ResponseBody = Data
        let path = "/"
        let method = RequestMethod.put
        let body: String? = "not sent"
        let stream: @Sendable () throws -> BodyStream
        var bodyStream: BodyStream? { get throws { try stream() } }
    }

    @Test(arguments: BothTransportsTests.Kind.allCases)
    func `every attempt opens it again`(kind: BothTransportsTests.Kind) async throws {
        let opened = Counter()
        let stream = BodyStream(length: 5) {
            _ = opened.next()
            return PatternReader(length: 5)
        }
        try await BothTransportsTests().withManager(kind, [503, 503, 200]) { manager in
            let (recorder, _) = manager.record(Upload { stream }, retry: RetryPolicy(retries: 2))
            #expect(await recorder.report?.outcome == .succeeded)
        }
        #expect(opened.value == 3)
    }

    @Test func `it wins over the body`() async throws {
        let server = try LoopbackServer { _ in .ok("") }
        defer { server.stop() }
        let manager = RequestManager(host: server.host)
        _ = try await manager.response(for: Upload { BodyStream(data: Data("stream".utf8)) })
        _ = try await manager.response(for: AnyRequestable(Upload { BodyStream(data: Data("hidden".utf8)) }))
        let composed = ComposableRequest<Data, Data, NoError>()
            .method(.post).body(Data("not sent".utf8)).bodyStream { BodyStream(data: Data("composed".utf8)) }
        _ = try await manager.response(for: composed)
        #expect(server.requests.map(\.text) == ["stream", "hidden", "composed"])
    }

    @Test func `a file that is missing is named`() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "ombi-\(UUID()).bin")
        let manager = RequestManager(host: "http://stub.test", transport: StubTransport.stub(with: .empty))
        await #expect(
            performing: {
                try await manager.response(for: Upload { try BodyStream(fileURL: file) })
            },
            throws: { error in
                guard case RequestError<NoError>.malformedRequest(let error) = error else { return false }
                return "\(error)" == "the file \(file.path) cannot be read (No such file or directory)"
            })
    }

    @Test func `a folder is no body`() throws {
        let folder = FileManager.default.temporaryDirectory
        #expect(throws: UnreadableFile(path: folder.path, reason: "not a regular file")) {
            try BodyStream(fileURL: URL(filePath: folder.path))
        }
    }

    @Test func `a file is read when it is sent`() async throws {
        let server = try LoopbackServer { _ in .ok("") }
        defer { server.stop() }
        let file = FileManager.default.temporaryDirectory.appending(path: "ombi-\(UUID()).bin")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("first".utf8).write(to: file)
        let stream = try BodyStream(fileURL: file)
        try Data("other".utf8).write(to: file)
        let request = TransportRequest(url: try url(server), method: .post, bodyStream: stream)
        #expect(await CurlTransport().events(of: request).last?.response?.statusCode == 200)
        #expect(server.requests.first?.text == "other")
        try FileManager.default.removeItem(at: file)
        #expect(
            await CurlTransport().events(of: request).last?.error
                == TransportError(
                    code: .requestBodyFailed,
                    message:
                        "the body could not be read: the file \(file.path) cannot be read (No such file or directory)"))
    }
}
