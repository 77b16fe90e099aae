import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// Streams, events and downloads in the list of requests under way.
@Suite struct RunningStreamTests {
    typealias Failure = RequestError<HTTPError>

    /// The head and a part of the body come, and then nothing more.
    static func stalled(_ type: String = "text/plain", _ text: String) -> LoopbackServer.Handler {
        { _ in .stalled("Content-Type: \(type)", text) }
    }

    @Test func `a stream is listed while its body flows`() async throws {
        try await RealServer.scripted({ _ in .ok("abc") }) { server in
            let manager = RequestManager(host: server.host)
            let stream = try await manager.stream(TextRequest())
            let running = try #require(manager.runningRequests.first)
            #expect(running.request is TextRequest && running.attempt == 1 && manager.runCount == 1)
            for try await _ in stream.body {}
            #expect(manager.runningRequests.isEmpty && manager.runCount == 0)
        }
    }

    @Test func `a stream that is dropped is not listed any more`() async throws {
        try await RealServer.scripted(Self.stalled("text/plain", "abc")) { server in
            let manager = RequestManager(host: server.host)
            var stream: ResponseStream? = try await manager.stream(TextRequest())
            #expect(stream?.head.statusCode == 200 && manager.runCount == 1)
            stream = nil
            #expect(manager.runCount == 0)
        }
    }

    @Test func `a stream without a head is listed and cancelled`() async throws {
        try await RealServer.scripted({ _ in .silence }) { server in
            let manager = RequestManager(host: server.host)
            let task = Task { try await manager.stream(TextRequest()) }
            #expect(await eventually { server.requests.count == 1 })
            #expect(manager.runningRequests.count == 1)
            manager.cancelRequests(with: TextRequest.self)
            await #expect(throws: Failure.cancelled) { _ = try await task.value }
            #expect(manager.runCount == 0)
        }
    }

    @Test func `cancelling a stream ends its reader`() async throws {
        try await RealServer.scripted(Self.stalled("text/plain", "abc")) { server in
            let manager = RequestManager(host: server.host)
            let stream = try await manager.stream(TextRequest())
            var body = stream.body.makeAsyncIterator()
            #expect(try await body.next() == Data("abc".utf8))
            let rest = Task { [body] in
                var body = body
                return try await body.next()
            }
            manager.cancelRequests(with: TextRequest.self) { _ in false }
            #expect(manager.runningRequests.count == 1)
            manager.cancelRequests(with: TextRequest.self)
            await #expect(throws: Failure.cancelled) { _ = try await rest.value }
            #expect(manager.runCount == 0)
            await server.waitForLastConnection()
        }
    }

    @Test func `cancelling events ends their reader`() async throws {
        try await RealServer.scripted(Self.stalled("text/event-stream", "data: a\n\n")) { server in
            let manager = RequestManager(host: server.host)
            let events = manager.events(TextRequest())
            var iterator = events.makeAsyncIterator()
            let first = try await iterator.next()
            #expect(first?.data == "a")
            #expect(manager.runningRequests.first?.request is TextRequest)
            manager.runningRequests.first?.cancel()
            do throws(Failure) {
                _ = try await iterator.next()
                Issue.record("the events went on")
            } catch {
                #expect(error == .cancelled)
            }
            #expect(manager.runCount == 0)
            await server.waitForLastConnection()
        }
    }

    @Test func `cancelling a download ends it`() async throws {
        let folder = try DownloadTests.Folder()
        try await RealServer.scripted(Self.stalled("text/plain", "abc")) { server in
            let manager = RequestManager(host: server.host)
            let (progress, report) = AsyncStream.makeStream(of: TransferProgress.self)
            let task = Task {
                try await manager.download(TextRequest(), to: folder.path) { report.yield($0) }
            }
            for await count in progress where count.bytes == 3 { break }
            #expect(manager.runningRequests.first?.request is TextRequest)
            manager.cancelRequests(with: TextRequest.self)
            await #expect(throws: Failure.cancelled) { _ = try await task.value }
            #expect(manager.runCount == 0 && folder.names.isEmpty)
        }
    }

    @Test func `a task that was cancelled before leaves nothing behind`() async throws {
        let manager = RequestManager(host: "http://stub.test", transport: StubTransport.stub(replies: []))
        let gate = Transcript()
        let task = Task {
            _ = await gate.lines
            return try await manager.response(for: TextRequest())
        }
        task.cancel()
        gate.end("open")
        await #expect(throws: Failure.cancelled) { _ = try await task.value }
        #expect(manager.runCount == 0)
    }
}

extension LoopbackReply {
    /// Announces more than it sends, and stays open.
    fileprivate static func stalled(_ header: String, _ text: String) -> LoopbackReply {
        .held(Data("HTTP/1.1 200 OK\r\n\(header)\r\nContent-Length: 999\r\n\r\n\(text)".utf8))
    }
}
