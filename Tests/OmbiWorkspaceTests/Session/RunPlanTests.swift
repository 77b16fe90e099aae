import Foundation
import OmbiCore
import TestSupport
import Testing

@testable import OmbiWorkspace

/// The pace of a run, and rows of data in it.
@Suite struct RunPlanTests {
    // MARK: Pace

    @Test func `requests start no sooner than the rate and the pause have it`() async {
        let times = Lock<[ContinuousClock.Instant]>([])
        let session = Session(
            transport: StubTransport { _ in
                times.withLock { $0.append(.now) }
                return .response()
            })
        let order = RunOrder(
            id: 1, request: SavedRequest(name: "r", path: "http://api.test/"), collection: Collection(name: "c"),
            environment: nil, file: "/c.json")
        for plan in [
            RunPlan(length: .times(4), concurrency: 4, rate: 100), RunPlan(length: .times(4), delay: .milliseconds(10)),
        ] {
            times.withLock { $0 = [] }
            let begin = ContinuousClock.now
            let tally = await session.run([order], plan) { _, _ in true }
            #expect(tally.passed == 4)
            let last = times.withLock { $0.max() } ?? begin
            #expect(last - begin >= .milliseconds(30))
        }
    }

    @Test func `only the next request of a schedule is begun before its time`() async {
        let (made, sent) = (Lock<[Int]>([]), Lock<[String]>([]))
        let orders = MadeOrders(count: 50, orders: Self.orders(Self.rows)) { index in
            made.withLock { $0.append(index) }
        }
        // The second one is to begin after more than a minute.
        let plan = RunPlan(concurrency: 50, rate: 0.01)
        let tally = await Self.session(sent).run(orders, plan) { _, _ in false }
        #expect(tally.count == 1)
        #expect(made.withLock { $0.max() ?? 0 } <= 1)
    }

    @Test func `the first failure ends a run that fails fast`() async {
        let session = Session(transport: StubTransport { _ in .response(statusCode: 500) })
        let order = RunOrder(
            id: 1, request: SavedRequest(name: "r", path: "http://api.test/"), collection: Collection(name: "c"),
            environment: nil, file: "/c.json")
        let tally = await session.run([order], RunPlan(length: .times(1000), failsFast: true)) { _, _ in true }
        #expect(tally == Tally(passed: 0, failed: 1))
    }

    // MARK: Rows

    private static let collection = Collection(
        name: "c", variables: [Field("greeting", "hello {{name}}")],
        environments: [Environment(name: "local", host: "http://api.test")],
        items: [
            request("log in as one", "/login/{{name}}", captures: "own"),
            request("ask for terms", "/terms", captures: "shared"),
            request("use", "/use/{{own}}/{{shared}}/{{greeting}}"),
        ])

    private static func request(_ name: String, _ path: String, captures: String? = nil) -> CollectionItem {
        var request = SavedRequest(name: name, path: path)
        request.captures = captures.map { [Capture($0, .path("$.token"))] } ?? []
        return .request(request)
    }

    private static func orders(_ rows: [DataRow]) -> [RunOrder] {
        let request = collection.requests[2]
        return rows.map { row in
            var order = RunOrder(
                id: row.number, request: request, collection: collection, environment: "local", file: "/c.json")
            order.row = row
            return order
        }
    }

    private static func session(_ sent: Lock<[String]>, overrides: Overrides = Overrides()) -> Session {
        Session(
            transport: StubTransport { request in
                let path = request.url.path()
                sent.withLock { $0.append(path) }
                return .response(data: Data("{\"token\": \"\(path.split(separator: "/").last ?? "")\"}".utf8))
            }, overrides: overrides, secrets: { _ in .none })
    }

    private static let rows = ["ada", "bob"].enumerated().map { index, name in
        DataRow(number: index + 1, variables: [Field("name", name)])
    }

    @Test(arguments: [1, 2])
    func `what depends on a row is captured for each, what does not is captured once`(concurrency: Int) async {
        let sent = Lock<[String]>([])
        let session = Self.session(sent)
        let tally = await session.run(Self.orders(Self.rows), RunPlan(concurrency: concurrency)) { _, result in
            #expect(result.passed, "\(result.failures)")
            return true
        }
        #expect(tally.passed == 2)
        let paths = sent.withLock { $0 }.sorted()
        #expect(
            paths == [
                "/login/ada", "/login/bob", "/terms", "/use/ada/terms/hello%20ada", "/use/bob/terms/hello%20bob",
            ])
        // Nothing is kept of a row that has ended.
        _ = await session.run(Self.orders([Self.rows[0]])) { _, _ in true }
        #expect(sent.withLock { $0.count { $0 == "/login/ada" } } == 2)
        #expect(sent.withLock { $0.count { $0 == "/terms" } } == 1)
    }

    @Test func `requests of rows are made when their turns come`() async {
        let made = Lock<[Int]>([])
        let ended = Lock(0)
        let sent = Lock<[String]>([])
        let orders = MadeOrders(count: 1000, orders: Self.orders(Self.rows)) { index in
            made.withLock { $0.append(index) }
        }
        let tally = await Self.session(sent).run(orders) { turn, _ in
            // Besides those that ran only their neighbours, which might be of the same row.
            let furthest = made.withLock { $0.max() ?? 0 }
            #expect(furthest <= turn.number + 1, "\(furthest) at \(turn.number)")
            return ended.withLock { count in
                count += 1
                return count < 20
            }
        }
        #expect(tally.count == 20)
    }

    @Test func `the command line wins over a row, and a row over the collection`() async throws {
        let sent = Lock<[String]>([])
        let row = DataRow(number: 1, variables: [Field("name", "ada"), Field("greeting", "hi"), Field("own", "mine")])
        let session = Self.session(sent, overrides: Overrides(variables: [Field("name", "eve")]))
        let read = Lock<[Provenance]>([])
        _ = await session.run(Self.orders([row])) { _, result in
            read.withLock {
                $0 = result.prepared?.variables.filter { $0.name == "greeting" }.map(\.source) ?? []
            }
            return true
        }
        #expect(sent.withLock { $0 } == ["/terms", "/use/mine/terms/hi"])
        #expect(read.withLock { $0 } == [.row(1)])
    }

    // MARK: Preview

    @Test func `a preview sends nothing, and says what would be sent first`() throws {
        let sent = Lock<[String]>([])
        let preview = try Self.session(sent).preview(Self.orders(Self.rows)[0])
        #expect(preview.sentFirst.map(\.request.name) == ["log in as one", "ask for terms"])
        #expect(preview.request.variables.first { $0.name == "greeting" }?.value == "hello ada")
        #expect(preview.retry.retries == 0 && preview.attemptTimeout == .seconds(30))
        #expect(sent.withLock { $0 } == [])
    }
}

/// So many orders, and notes which are asked for.
private struct MadeOrders: RandomAccessCollection, Sendable {
    var count: Int
    var orders: [RunOrder]
    var onMade: @Sendable (Int) -> Void

    var startIndex: Int { 0 }
    var endIndex: Int { count }

    subscript(index: Int) -> RunOrder {
        onMade(index)
        var order = orders[index % orders.count]
        order.row?.number = index + 1
        return order
    }
}
