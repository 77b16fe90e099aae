import Foundation
import OmbiCore
import TestSupport
import Testing

@testable import OmbiWorkspace

/// Requests of one run that need what others of it capture: what is sent first has had its turn.
@Suite struct RunGroupTests {
    private static let item = "/items/new"

    /// `read` needs what `create` captures, which is in a folder with a variable of its own.
    private static func orders(_ names: [String], at host: String, rows: [Int] = []) -> [RunOrder] {
        var create = SavedRequest(name: "create", path: "/{{kind}}/new")
        create.captures = [Capture("id", .path("$.id"))]
        let folder = Folder(
            name: "make", settings: SharedSettings(variables: [Field("kind", "items")]), items: [.request(create)])
        let collection = Collection(
            name: "c", environments: [Environment(name: "local", host: host)],
            items: [
                .request(SavedRequest(name: "read", path: "/read/{{id}}")), .folder(folder),
                .request(SavedRequest(name: "list", path: "/list")),
            ])
        let orders = collection.requests.filter { names.contains($0.name) }.map {
            RunOrder(id: 1, request: $0, collection: collection, environment: "local", file: "/c.json")
        }
        guard !rows.isEmpty else { return orders }
        return rows.flatMap { number in
            orders.map { order in
                var order = order
                order.row = DataRow(number: number, variables: [Field("unused", "\(number)")])
                return order
            }
        }
    }

    private static func server(_ status: Int = 200) throws -> LoopbackServer {
        try LoopbackServer { request in
            request.target == Self.item && status != 200 ? .status(status) : .ok(#"{"id": 7}"#)
        }
    }

    @Test(arguments: [(1, 1), (1, 2), (3, 1), (3, 3)])
    func `a request that was sent first counts as its own run`(times: Int, concurrency: Int) async throws {
        let server = try Self.server()
        defer { server.stop() }
        let (results, recorded) = (Lock<[SessionResult]>([]), Lock<[String]>([]))
        var steps = SessionSteps()
        steps.record = { order, _ in recorded.withLock { $0.append(order.itemPath.path.joined(separator: "/")) } }
        let plan = RunPlan(length: .times(times), concurrency: concurrency)
        let tally = await Session(secrets: { _ in .none }, steps: steps).run(
            Self.orders(["read", "create", "list"], at: server.host), plan
        ) { _, result in
            results.withLock { $0.append(result) }
            return true
        }
        #expect(tally == Tally(passed: 3 * times), "\(results.withLock { $0.flatMap(\.failures) })")
        let targets = server.requests.map(\.target)
        #expect(targets.count == 3 * times, "\(targets)")
        #expect(targets.count { $0 == Self.item } == times && targets.count { $0 == "/read/7" } == times)
        #expect(recorded.withLock { $0.count } == 3 * times, "each is recorded once")
        #expect(recorded.withLock { $0.count { $0 == "make/create" } } == times)
        #expect(results.withLock { $0.count { $0.prepared?.url.hasSuffix(Self.item) == true } } == times)
    }

    @Test func `what is sent once for all rows takes the turn of one of them`() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let orders = Self.orders(["read", "create"], at: server.host, rows: [1, 2])
        let tally = await Session(secrets: { _ in .none }).run(orders) { _, _ in true }
        #expect(tally == Tally(passed: 4))
        #expect(server.requests.map(\.target) == [Self.item, "/read/7", "/read/7", Self.item])
    }

    @Test func `a request that failed when it was sent first is not sent again`() async throws {
        let server = try Self.server(500)
        defer { server.stop() }
        let tally = await Session(secrets: { _ in .none }).run(Self.orders(["read", "create"], at: server.host)) {
            _, _ in true
        }
        #expect(tally == Tally(passed: 0, failed: 2))
        #expect(server.requests.map(\.target) == [Self.item])
    }

    @Test func `requests of a group that are sent one by one share a run and its steps`() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let session = Session(secrets: { _ in .none })
        var orders = Self.orders(["read", "create"], at: server.host)
        let group = RunGroup(orders.map(\.request.id))
        for index in orders.indices { orders[index].group = group }
        _ = await session.events(of: orders[0])
        let events = await session.events(of: orders[1])
        #expect(server.requests.map(\.target) == [Self.item, "/read/7"])
        #expect(events.contains { if case .prepared = $0 { true } else { false } })
        #expect(events.count { if case .ended = $0 { true } else { false } } == 1)
        guard case .ended(let result)? = events.last else { return #expect(Bool(false), "\(events)") }
        #expect(result.passed && result.response?.statusCode == 200)
        _ = await session.events(of: orders[1])
        #expect(server.requests.count == 3, "it had its turn")
    }

    @Test func `a preview says for which request it would have been sent already`() throws {
        let session = Session(secrets: { _ in .none })
        var orders = Self.orders(["read", "create", "list"], at: "http://127.0.0.1:1")
        let group = RunGroup(orders.map(\.request.id))
        for index in orders.indices { orders[index].group = group }
        let previews = try orders.map { order throws(ResolveError) in try session.preview(order) }
        #expect(previews.map { $0.sentFirst.map(\.request.name) } == [["create"], [], []])
        #expect(previews.map(\.sentFor) == [nil, "read", nil])
    }
}
