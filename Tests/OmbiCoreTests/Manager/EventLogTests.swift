import Foundation
import Testing

@testable import OmbiCore

/// What stays of the events of a run, however long it goes on.
@Suite struct EventLogTests {
    static func received(_ bytes: Int) -> RequestEvent {
        .bodyReceived(attempt: 1, bytes: bytes, expected: nil, at: .zero)
    }

    /// Reads on from `number` to the end of what is there.
    static func rest(_ log: EventLog, from number: inout Int) -> [RequestEvent] {
        var events: [RequestEvent] = []
        while case .event(let event, let next) = log.read(number) {
            events.append(event)
            number = next
        }
        return events
    }

    @Test func `of a long transfer the newest count is kept`() {
        var log = EventLog()
        for bytes in 1...1000 { _ = log.add(Self.received(bytes)) }
        _ = log.add(.bodySent(attempt: 1, bytes: 1, expected: 1, at: .zero))
        var number = 0
        #expect(
            Self.rest(log, from: &number) == [
                Self.received(1000), .bodySent(attempt: 1, bytes: 1, expected: 1, at: .zero),
            ])
    }

    /// A reader that keeps up gets every count, and none of them stays.
    @Test func `what a reader has taken does not pile up`() {
        var log = EventLog()
        var number = 0
        _ = log.add(.attemptStarted(number: 1, attempts: 1, at: .zero))
        _ = Self.rest(log, from: &number)
        for bytes in 1...10_000 {
            _ = log.add(Self.received(bytes))
            #expect(Self.rest(log, from: &number) == [Self.received(bytes)])
        }
        #expect(log.count == 2)
        var late = 0
        #expect(
            Self.rest(log, from: &late) == [.attemptStarted(number: 1, attempts: 1, at: .zero), Self.received(10_000)])
    }

    /// As a stream that reconnects for weeks: what is kept does not grow, and the newest is there.
    @Test func `of many attempts the newest are kept`() async throws {
        let transport = ScriptedTransport(.status(503, [:], String(repeating: "x", count: 100)))
        let manager = RequestManager(host: "http://stub.test", transport: transport, clock: ManualClock())
        let task = manager.send(TextRequest(), retries: 29_999)
        let report = try #require(await task.report)
        #expect(report.attemptCount == 30_000 && transport.requests.count == 30_000)
        #expect(report.attempts.map(\.number) == Array(29_901...30_000))
        #expect(report.attempts.allSatisfy { $0.response?.statusCode == 503 && $0.response?.body?.count == 100 })
        var events: [RequestEvent] = []
        for await event in task.events { events.append(event) }
        #expect(events.count < 1000)
        let ended = events.compactMap { if case .attemptFinished(let report) = $0 { report } else { nil } }
        #expect(ended.map(\.number) == Array((30_001 - ended.count)...30_000) && 100...110 ~= ended.count)
        #expect(ended.allSatisfy { $0.response?.body?.count == 100 })
    }
}
