import Foundation
import OmbiCore
import TestSupport
import Testing

@testable import OmbiWorkspace

/// Requests that are sent again and again.
@Suite struct WatchTests {
    private static let request = SavedRequest(name: "stock", path: "/stock")

    /// What a watch of the answers says, and the waits between its rounds.
    private static func watch(
        _ answers: [(status: Int, body: String)], until end: WatchEnd? = nil, requests: [SavedRequest] = [request],
        taking time: Duration = .zero
    ) async -> (changes: [[String]?], waits: [Duration], summary: WatchSummary) {
        let left = Lock(answers)
        let clock = Lock(Duration.zero)
        let session = Session(
            transport: StubTransport { _ in
                clock.withLock { $0 += time }
                return left.withLock { left in
                    let next = left.count > 1 ? left.removeFirst() : left[0]
                    return .response(statusCode: next.status, data: Data(next.body.utf8))
                }
            })
        let collection = Collection(name: "c", environments: [Environment(name: "local", host: "http://api.test")])
        let orders = requests.enumerated().map { index, request in
            RunOrder(id: index, request: request, collection: collection, environment: "local", file: "c.json")
        }
        let waits = Lock<[Duration]>([])
        let changes = Lock<[[String]?]>([])
        let summary = await session.watch(
            orders, every: .seconds(5), until: end, now: { clock.withLock { $0 } },
            sleep: { wait in
                clock.withLock { $0 += wait }
                // As many rounds as there are answers.
                let count = waits.withLock { waits in
                    waits.append(wait)
                    return waits.count
                }
                if count >= answers.count { throw CancellationError() }
            }
        ) { change in
            changes.withLock { $0.append(change.changes) }
            return true
        }
        return (changes.withLock { $0 }, waits.withLock { $0 }, summary)
    }

    @Test func `only what changes is passed on, after the first result`() async {
        let watched = await Self.watch([
            (200, "{\"stock\": 3}"), (200, "{ \"stock\": 3 }"), (200, "{\"stock\": 2}"), (503, "busy"), (503, "busy"),
        ])
        #expect(watched.changes.count == 3)
        #expect(watched.changes.first == .some(nil))
        #expect(watched.changes[1] == ["$.stock changed"])
        #expect(watched.changes[2]?.first == "200 OK → 503 Service Unavailable")
        #expect(watched.summary.rounds == 5 && watched.summary.changes == 2 && !watched.summary.isReached)
        #expect(watched.waits == Array(repeating: .seconds(5), count: 5))
    }

    @Test func `the interval counts from start to start, and a slow round is followed at once`() async {
        let quick = await Self.watch([(200, ""), (200, "")], taking: .seconds(2))
        #expect(quick.waits == [.seconds(3), .seconds(3)])
        let slow = await Self.watch([(200, ""), (200, ""), (503, "")], until: .fails, taking: .seconds(9))
        #expect(slow.waits.isEmpty && slow.summary.isReached && slow.summary.rounds == 3)
    }

    @Test func `it ends once all pass, or once one fails`() async {
        let passes = await Self.watch([(503, ""), (503, ""), (200, "")], until: .passes)
        #expect(passes.summary.isReached && passes.summary.rounds == 3)
        let fails = await Self.watch([(200, ""), (404, "")], until: .fails)
        #expect(fails.summary.isReached && fails.summary.rounds == 2)
        let two = [Self.request, SavedRequest(name: "price", path: "/price")]
        let both = await Self.watch([(200, ""), (503, ""), (200, ""), (200, "")], until: .passes, requests: two)
        #expect(both.summary.isReached && both.summary.rounds == 2)
    }

    private static func result(_ body: String, _ milliseconds: Int = 10, status: Int = 200) -> WatchedResult {
        var result = SessionResult(.response(TransportResponse(statusCode: status, body: Data(body.utf8))))
        result.report = RequestReport(
            attempts: [], duration: .milliseconds(milliseconds), sla: nil, outcome: .succeeded)
        return WatchedResult(result)
    }

    @Test func `a change names the paths that differ`() {
        let before = Self.result("{\"a\": 1, \"b\": [1, 2], \"c\": 1, \"d\": 1, \"e\": 1}")
        #expect(Self.result("{\"b\": [1, 2], \"a\": 1, \"c\": 1, \"d\": 1, \"e\": 1}").changes(since: before).isEmpty)
        #expect(
            Self.result("{\"a\": 2, \"b\": [1, 3], \"c\": 2, \"d\": 2}").changes(since: before)
                == ["$.a, $.b[1], $.c and 2 more changed"])
        #expect(Self.result("text").changes(since: before) == ["the body changed"])
    }

    @Test func `twice the time is a change, a few milliseconds are none`() {
        let before = Self.result("", 100)
        #expect(Self.result("", 400).changes(since: before) == ["slower: 100ms → 400ms"])
        #expect(before.changes(since: Self.result("", 400)) == ["faster: 400ms → 100ms"])
        #expect(Self.result("", 150).changes(since: before).isEmpty)
        #expect(Self.result("", 30).changes(since: Self.result("", 10)).isEmpty)
    }
}
