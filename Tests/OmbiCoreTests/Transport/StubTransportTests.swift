import Dispatch
import Foundation
import OmbiCore
import Testing

@Suite struct StubTransportTests {
    let request = TransportRequest(url: URL(fileURLWithPath: "/p"))

    @Test func `attempts run at the same time`() async throws {
        let second = DispatchSemaphore(value: 0)
        let manager = RequestManager(
            host: "http://h",
            transport: .stub { request in
                if request.url.path == "/first" { second.wait() } else { second.signal() }
                return .json("{}")
            })
        async let first = manager.response(for: PlainRequest(path: "/first"))
        _ = try await manager.response(for: PlainRequest(path: "/second"))
        #expect(try await first.statusCode == 200)
    }

    @Test func `a serial stub answers in the order of the starts`() async {
        let log = Transcript()
        let running = Lock(0)
        let stub = StubTransport(isSerial: true) { request in
            let count = running.withLock { running in
                running += 1
                return running
            }
            log.add("\(request.url.path) \(count)")
            running.withLock { $0 -= 1 }
            return .response()
        }
        await withTaskGroup { group in
            for index in 0..<200 {
                let events = Recording()
                let request = TransportRequest(url: URL(fileURLWithPath: "/\(index)"))
                _ = stub.start(request, onEvent: events.add)
                group.addTask { _ = await events.all }
            }
        }
        #expect(log.soFar == (0..<200).map { "/\($0) 1" })
    }

    @Test func `replies come in the order of the attempts and the last one repeats`() async throws {
        let manager = RequestManager(
            host: "http://h",
            transport: .stub(replies: [
                .failure(TransportError(code: .connectionLost)), .response(statusCode: 503), .json("[1]"),
            ]))
        let request = ComposableRequest<NoBody, [Int], HTTPError>()
        #expect(try await manager.response(for: request, retries: 2).body == [1])
        #expect(try await manager.response(for: request).body == [1])
        let none = RequestManager(host: "http://h", transport: .stub(replies: []))
        await #expect(throws: RequestError<HTTPError>.self) { try await none.response(for: request) }
    }

    @Test func `a delay passes on the clock`() async throws {
        let clock = TestClock()
        let stub = StubTransport.stub(replies: [.json("{}").delayed(by: .seconds(100))], clock: clock)
        let events = Recording()
        _ = stub.start(request, onEvent: events.add)
        await clock.waitForSleepers()
        #expect(events.soFar == [.phase(.wait)])
        clock.advance(by: .seconds(100))
        let all = await events.all
        guard case .finished(let response, _) = all.last else {
            Issue.record("\(all)")
            return
        }
        #expect(response.statusCode == 200 && response.body == Data("{}".utf8) && response.url == request.url)
    }

    @Test func `a cancelled attempt ends at once`() async {
        let clock = TestClock()
        let stub = StubTransport.stub(replies: [.silence], clock: clock)
        let events = Recording()
        let task = stub.start(request, onEvent: events.add)
        await clock.waitForSleepers()
        task.cancel()
        task.cancel()
        #expect(await events.all.map(\.failure?.code) == [.cancelled])
    }

    @Test(arguments: [
        (Duration.seconds(2), Duration?.none, Duration.seconds(2)), (.seconds(2), .seconds(1), .seconds(1)),
        (.seconds(30), .seconds(7), .seconds(7)),
    ])
    func `the timeouts of a request hold`(idle: Duration, attempt: Duration?, after: Duration) async {
        let clock = TestClock()
        let stub = StubTransport.stub(replies: [.silence], clock: clock)
        var request = request
        (request.idleTimeout, request.attemptTimeout) = (idle, attempt)
        let events = Recording()
        _ = stub.start(request, onEvent: events.add)
        await clock.waitForSleepers()
        clock.advance(by: after)
        #expect(await events.all.last?.failure?.code == .timedOut)
    }

    @Test func `a body that drips times out as a whole only`() async {
        let clock = TestClock()
        let reply = StubTransport.Reply.response(data: Data("abcdef".utf8)).inPieces(of: 2, every: .seconds(4))
        var request = request
        request.idleTimeout = .seconds(5)
        for (limit, bytes) in [(nil, 6), (.seconds(7), 4)] as [(Duration?, Int)] {
            request.attemptTimeout = limit
            let events = Recording()
            _ = StubTransport.stub(replies: [reply], clock: clock).start(request, onEvent: events.add)
            for _ in 0..<2 {
                await clock.waitForSleepers()
                clock.advance(by: .seconds(4))
            }
            let all = await events.all
            #expect(all.compactMap(\.bytesReceived).last == bytes)
            #expect(all.last?.failure?.code == (limit == nil ? nil : .timedOut))
            #expect(all.last?.failure?.response?.body == (limit == nil ? nil : Data("abcd".utf8)))
        }
    }

    @Test func `pieces are delivered and held back`() async {
        var request = request
        request.responseDelivery = .pieces
        let stub = StubTransport.stub(replies: [.response(data: Data("abcde".utf8)).inPieces(of: 2)])
        let events = Recording()
        let paused = Transcript()
        let box = Lock<(any TransportTask)?>(nil)
        let started = DispatchSemaphore(value: 0)
        let task = stub.start(request) { event in
            started.wait()
            started.signal()
            events.add(event)
            guard case .received(2, _) = event else { return }
            box.withLock { $0 }?.pause()
            paused.end("paused")
        }
        box.withLock { $0 = task }
        started.signal()
        #expect(await paused.lines == ["paused"])
        #expect(events.soFar.compactMap(\.piece) == [Data("ab".utf8)])
        task.resume()
        let all = await events.all
        #expect(all.compactMap(\.piece) == ["ab", "cd", "e"].map { Data($0.utf8) })
        #expect(all.compactMap(\.bytesReceived) == [2, 4, 5])
        guard case .finished(let response, let metrics) = all.last else {
            Issue.record("\(all)")
            return
        }
        #expect(response.body == nil && response.statusCode == 200 && metrics.bytesReceived == 5)
    }

    @Test func `a body is cut off by a failure`() async throws {
        let broken = TransportError(code: .connectionLost, message: "the connection broke")
        let manager = RequestManager(
            host: "http://h",
            transport: .stub(replies: [
                .response(data: Data("half".utf8), headers: [.contentLength: 8]).failing(with: broken)
            ]))
        let (recorder, _) = manager.record(PlainRequest())
        guard case .failure(.connectionError(let error)) = await recorder.outcome else {
            Issue.record("\(String(describing: await recorder.outcome))")
            return
        }
        #expect(error.code == .connectionLost && error.response?.statusCode == 200)
        #expect(error.response?.body == Data("half".utf8))
        #expect(recorder.events.contains { if case .bodyReceived(_, 4, 8, _) = $0 { true } else { false } })
    }

    struct Upload: HTTPRequest {
        typealias ResponseBody = Data
        let path = "/upload"
        let method = RequestMethod.put
        var bodyStream: BodyStream { BodyStream(data: Data("streamed".utf8)) }
    }

    @Test func `every request is recorded`() async throws {
        let record = StubTransport.Record()
        let stub = StubTransport { .success(TransportResponse(statusCode: 200, body: $0.body)) }.recording(in: record)
        let manager = RequestManager(host: "http://h", transport: stub)
        #expect(try await manager.response(for: Upload()).body == Data("streamed".utf8))
        _ = try await RequestManager(host: "http://other", transport: stub)
            .response(for: PlainRequest(method: .post, body: Data([1])))
        #expect(record.requests.map(\.url.absoluteString) == ["http://h/upload", "http://other/"])
        #expect(record.requests.map(\.body) == [Data("streamed".utf8), Data([1])])
    }

    /// Cancelled from another thread at any moment, an attempt ends once, and nothing comes behind its end.
    @Test func `an attempt ends once whatever happens meanwhile`() async {
        let reply = StubTransport.Reply.response(data: Data(repeating: 1, count: 64)).inPieces(of: 8)
        for delivery in [ResponseDelivery.whole, .pieces] {
            var request = request
            request.responseDelivery = delivery
            await withTaskGroup { [request] group in
                for index in 0..<500 {
                    group.addTask {
                        let events = Recording()
                        let task = StubTransport.stub(replies: [reply]).start(request, onEvent: events.add)
                        for _ in 0..<(index % 7) { await Task.yield() }
                        task.pause()
                        task.resume()
                        if index % 2 == 0 { task.cancel() }
                        let all = await events.all
                        #expect(all.filter(\.endsTheAttempt).count == 1 && all.last?.endsTheAttempt == true)
                    }
                }
            }
        }
    }
}

/// The events of one attempt, and a way to wait for the last.
private final class Recording: Sendable {
    private struct State {
        var events: [TransportEvent] = []
        var waiter: CheckedContinuation<[TransportEvent], Never>?
    }

    private let state = Lock(State())

    var soFar: [TransportEvent] { state.withLock { $0.events } }

    @Sendable func add(_ event: TransportEvent) {
        let (waiter, events) = state.withLock { state in
            state.events.append(event)
            guard event.endsTheAttempt else {
                return (CheckedContinuation<[TransportEvent], Never>?.none, state.events)
            }
            defer { state.waiter = nil }
            return (state.waiter, state.events)
        }
        waiter?.resume(returning: events)
    }

    var all: [TransportEvent] {
        get async {
            await withCheckedContinuation { continuation in
                let ended: [TransportEvent]? = state.withLock { state in
                    if state.events.last?.endsTheAttempt == true { return state.events }
                    state.waiter = continuation
                    return nil
                }
                if let ended { continuation.resume(returning: ended) }
            }
        }
    }
}

extension TransportEvent {
    fileprivate var endsTheAttempt: Bool {
        switch self {
        case .finished, .failed: true
        default: false
        }
    }

    fileprivate var failure: TransportError? {
        if case .failed(let error, _) = self { error } else { nil }
    }

    fileprivate var piece: Data? {
        if case .data(let data) = self { data } else { nil }
    }

    fileprivate var bytesReceived: Int? {
        if case .received(let bytes, _) = self { bytes } else { nil }
    }
}
