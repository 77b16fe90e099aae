import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// Responses without an end of their own: which limits hold for them, and when their parts are told.
@Suite struct OpenEndedResponseTests {
    private static let stream = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n\r\n"

    @Test func `a stream is known by its media type`() {
        #expect(OpenEndedResponse.isAnnounced(by: ["Content-Type": "Text/Event-Stream; charset=utf-8"]))
        #expect(OpenEndedResponse.isAnnounced(by: ["Content-Type": "application/x-ndjson"]))
        #expect(!OpenEndedResponse.isAnnounced(by: ["Content-Type": "application/json"]))
        #expect(!OpenEndedResponse.isAnnounced(by: [:]) && !OpenEndedResponse.isAnnounced(by: nil))
    }

    @Test func `a small part is told before the next one comes, with the time of its arrival`() async throws {
        let server = try ConversationServer { peer, _ in
            guard peer.readHead() != nil else { return }
            peer.write(Self.stream + "data: 1\n\n")
            peer.waitForEnd()
        }
        defer { server.stop() }
        let store = Lock<ResponseStore?>(nil)
        let told = Lock<[Int]>([])
        let url = try #require(URL(string: server.host + "/"))
        let (ends, ended) = AsyncStream<Void>.makeStream()
        let (parts, part) = AsyncStream<Int>.makeStream()
        let task = CurlTransport().start(TransportRequest(url: url)) { event in
            switch event {
            case .body(let body): store.withLock { $0 = body }
            case .received(let bytes, _):
                told.withLock { $0.append(bytes) }
                part.yield(bytes)
            case .finished, .failed: ended.finish()
            default: break
            }
        }
        for await bytes in parts where bytes >= 9 { break }
        #expect(told.withLock { $0.last } == 9)
        let arrivals = try #require(store.withLock { $0 }?.arrivals)
        #expect(arrivals.time(upTo: 9) != nil && arrivals.time(upTo: 10) == nil)
        task.cancel()
        for await _ in ends {}
    }

    @Test func `a limit that is lifted ends with the head of a stream, another one holds`() async throws {
        let server = try ConversationServer { peer, _ in
            guard peer.readHead() != nil else { return }
            peer.write(Self.stream)
            peer.waitForEnd()
        }
        defer { server.stop() }
        let url = try #require(URL(string: server.host + "/"))
        let request = TransportRequest(url: url, attemptTimeout: .milliseconds(50))
        #expect(await CurlTransport().events(of: request).last?.error?.code == .timedOut)
        var lifted = request
        lifted.liftedLimits = .attemptTimeout
        lifted.idleTimeout = .milliseconds(300)
        let error = try #require(await CurlTransport().events(of: lifted).last?.error)
        #expect(error.message.contains("stalled for 300ms"), "\(error.message)")
    }

    @Test func `times are those of the part that an offset lies in`() {
        var arrivals = BodyArrivals()
        arrivals.add(end: 5, at: .seconds(1))
        arrivals.add(end: 5, at: .seconds(2))
        arrivals.add(end: 9, at: .seconds(3))
        #expect(
            [1, 5, 6, 9, 10].map { arrivals.time(upTo: $0) } == [
                .seconds(1), .seconds(1), .seconds(3), .seconds(3), nil,
            ])
    }

    /// Answers with the head of a stream, and nothing more.
    private struct HeadOnly: Transport, TransportTask {
        func start(
            _ request: TransportRequest, onEvent: @escaping @Sendable (TransportEvent) -> Void
        ) -> any TransportTask {
            onEvent(
                .head(ResponseHead(url: request.url, statusCode: 200, headers: ["Content-Type": "text/event-stream"])))
            return self
        }

        func cancel() {}
    }

    private struct StreamRequest: Requestable {
        typealias RequestBody = NoBody
        typealias ResponseBody = Data
        typealias ResponseError = NoError

        let lifted: LiftedLimits
        var path: String { "/" }
        var method: RequestMethod { .get }
        var requestInterceptor: RequestInterceptor {
            let lifted = lifted
            return RequestInterceptor { request in
                var request = request
                request.liftedLimits = lifted
                return request
            }
        }
    }

    @Test func `an SLA that is lifted ends with the head of a stream, another one holds`() async throws {
        let clock = TestClock()
        let manager = RequestManager(host: "http://stub.test", transport: HeadOnly(), clock: clock)
        let lifted = manager.send(StreamRequest(lifted: .sla), sla: .seconds(59))
        let held = manager.send(StreamRequest(lifted: .attemptTimeout), sla: .seconds(60))
        clock.advance(by: .seconds(61))
        #expect(await held.report?.outcome == .slaExceeded)
        lifted.cancel()
        #expect(await lifted.report?.outcome == .cancelled)
    }
}
