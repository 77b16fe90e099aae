import OmbiCore
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// The requests of a folder: which one is next, and what is counted.
@Suite struct BatchTests {
    @Test func `the requests come in the order of the file, so many at a time`() throws {
        var batch = try Self.batch(requests: 5, concurrency: 2)
        let first = batch.takeAll()
        #expect(first == ["r0", "r1"])
        #expect(batch.counts == Batch.Counts(waiting: 3, running: 2))
        _ = batch.end(2, .passed, at: .zero)
        let next = batch.takeAll()
        #expect(next == ["r2"])
        #expect(batch.latest == 2)
    }

    @Test func `a folder has its own requests, with the folders below it`() throws {
        let file = OpenFile(Story.loaded(Self.nested))
        let folder = try #require(file.collection?.items.first)
        let inner = try #require(Batch(BatchPlan(node: .folder(folder.id)), in: file, at: .zero))
        #expect(inner.rows.map(\.name) == ["one", "two"])
        #expect(inner.rows.map(\.parents) == ["", "deep"])
        #expect(inner.names == ["nested", "outer"])
        let all = try #require(Batch(BatchPlan(node: .file("demo.json")), in: file, at: .zero))
        #expect(all.rows.map(\.parents) == ["outer", "outer › deep", ""])
    }

    @Test func `a request that runs by itself holds up those behind it`() throws {
        var batch = try Self.batch(requests: 3, concurrency: 3)
        let busy: Set = [batch.rows[1].item]
        let orders = [
            batch.takeOrder(id: 1, busy: busy), batch.takeOrder(id: 2, busy: busy), batch.takeOrder(id: 2),
        ]
        #expect(orders.map { $0?.request.name } == ["r0", nil, "r1"])
    }

    @Test func `what ends is counted, and the last one ends the batch`() throws {
        var batch = try Self.batch(requests: 3, concurrency: 3)
        _ = batch.takeAll()
        _ = batch.end(1, .passed, at: .seconds(1))
        _ = batch.end(2, .failed, at: .seconds(2))
        #expect(!batch.isEnded)
        let isOfBatch = batch.end(3, SessionResult(.cancelled), at: .seconds(3)) != nil
        #expect(isOfBatch)
        #expect(batch.counts == Batch.Counts(passed: 1, failed: 1, cancelled: 1))
        #expect(batch.endedAt == .seconds(3))
        #expect(batch.elapsed(now: .seconds(9)) == .seconds(3))
        let others = [batch.end(3, .passed, at: .zero), batch.end(77, .passed, at: .zero)]
        #expect(others == [nil, nil], "an end comes once, and of its own runs only")
    }

    @Test func `a row keeps its result in short`() throws {
        var batch = try Self.batch(requests: 1)
        _ = batch.takeAll()
        let result = SessionResult(
            .response(SampleRun.response(503, "busy")), prepared: SampleRun.sent, report: SampleRun.report)
        _ = batch.end(1, result, at: .zero)
        guard case .ended(let kept) = batch.rows[0].state else { return }
        #expect(kept.statusCode == 503)
        #expect(kept.attempts == 2)
        #expect(kept.duration == .milliseconds(705))
        #expect(kept.size == 4)
        #expect(kept.failures == ["503 Service Unavailable"])
        #expect(kept.wasPrepared)
    }

    @Test func `cancelling takes out what waits, and names what runs`() throws {
        var batch = try Self.batch(requests: 4, concurrency: 2)
        _ = batch.takeAll()
        let cancelled = [3, 3, 0].map { batch.cancelWaiting($0, at: .zero) }
        #expect(cancelled == [true, false, false], "what runs is cancelled by its run")
        let running = batch.cancelAll(at: .zero)
        #expect(running == [1, 2])
        #expect(batch.counts == Batch.Counts(running: 2, cancelled: 2))
        let rest = batch.takeAll()
        #expect(rest.isEmpty)
        let again = batch.cancelAll(at: .zero)
        #expect(again == [1, 2], "while they have not ended")
    }

    @Test func `what failed is run again as it is then, and the rest keeps its result`() throws {
        var batch = try Self.batch(requests: 3, concurrency: 3)
        _ = batch.takeAll()
        _ = batch.end(1, .passed, at: .seconds(1))
        _ = batch.end(2, .failed, at: .seconds(1))
        _ = batch.end(3, .failed, at: .seconds(1))
        var edited = try #require(Story.loaded(Story.file(requests: 3)).collection)
        edited.items = batch.rows.dropLast().map { row in
            .request(SavedRequest(id: row.item, name: row.name, path: "/mended"))
        }
        #expect(batch.failed(in: edited).map(\.name) == ["r1"])
        batch.restartFailed(in: edited, at: .seconds(5))
        #expect(batch.counts == Batch.Counts(waiting: 1, passed: 1, failed: 1), "a deleted request cannot be run")
        let order = batch.takeOrder(id: 9)
        #expect(order?.request.path == "/mended")
        _ = batch.end(9, .passed, at: .seconds(6))
        #expect(batch.isEnded)
        #expect(batch.elapsed(now: .zero) == .seconds(1))
    }

    @Test func `the changes tell which rows are new`() throws {
        var batch = try Self.batch(requests: 2)
        _ = batch.takeAll()
        _ = batch.end(1, .passed, at: .zero)
        _ = batch.cancelAll(at: .zero)
        #expect(batch.changes == [0, 0, 1])
    }

    @Test func `a file that could not be read has no requests to run`() {
        let file = OpenFile(Story.loaded("{"))
        #expect(Batch(BatchPlan(node: .file("demo.json")), in: file, at: .zero) == nil)
    }

    // MARK: Pace and data

    @Test func `a rate asks for one clock at a time`() throws {
        var batch = try Self.batch(requests: 3, run: RunPlan(concurrency: 3, rate: 2))
        let steps = [0, 0, 100].enumerated().map { index, time in
            batch.takeNext(id: index + 1, busy: [], at: .milliseconds(time))
        }
        #expect(steps[0] != nil && steps[2] == nil)
        #expect(steps[1] == Batch.Next.wait(.milliseconds(500)))
        batch.wake()
        let order = batch.takeOrder(id: 2, at: .milliseconds(500))
        #expect(order?.request.name == "r1")
        #expect(batch.latest == 1)
    }

    @Test func `requests that begin behind the schedule say by how much`() throws {
        var batch = try Self.batch(requests: 2, run: RunPlan(rate: 10))
        let first = batch.takeOrder(id: 1, at: .zero)
        _ = batch.end(1, .passed, at: .seconds(2))
        let second = batch.takeOrder(id: 2, at: .seconds(2))
        #expect(first != nil && second != nil && batch.lateness == .milliseconds(1900))
        let summary = batch.summary(now: .seconds(2), matching: nil, columns: 200).map(\.text).joined()
        #expect(summary.contains(" · began up to 1.9 s late · "), "\(summary)")
    }

    @Test func `a request that is repeated has a row for each time, one after the other`() throws {
        var batch = try Self.batch(requests: 2, run: RunPlan(length: .times(2), concurrency: 4))
        #expect(batch.rows.map(\.label) == ["r0 (1 of 2)", "r0 (2 of 2)", "r1 (1 of 2)", "r1 (2 of 2)"])
        let names = batch.takeAll()
        #expect(names == ["r0", "r0", "r1", "r1"] && batch.running == [1, 2, 3, 4])
    }

    @Test func `all requests are sent for each row of data, with its values`() throws {
        let rows = try DataFile.rows(of: Array("name\nada\nbob\n".utf8), file: "d.csv")
        let file = OpenFile(Story.loaded(Story.file(requests: 2)))
        let plan = BatchPlan(
            node: .file("demo.json"), run: RunPlan(concurrency: 4), dataPath: "d.csv", data: BatchData(rows))
        var batch = try #require(Batch(plan, in: file, at: .zero))
        #expect(batch.rows.map(\.label) == ["r0 (row 1)", "r1 (row 1)", "r0 (row 2)", "r1 (row 2)"])
        let orders = (1...4).compactMap { batch.takeOrder(id: $0) }
        #expect(orders.map { $0.row?.number } == [1, 1, 2, 2])
        #expect(orders.map { $0.row?.variables.first?.value } == ["ada", "ada", "bob", "bob"])
        let checked = batch.orders(of: batch.rows.map(\.item), in: batch.collection)
        #expect(checked.map(\.request.name) == ["r0", "r1"] && checked.allSatisfy { $0.row?.number == 1 })
    }

    @Test func `the first failure cancels the rest of a run that fails fast, a cancelled request does not`() throws {
        var batch = try Self.batch(requests: 5, run: RunPlan(concurrency: 2, failsFast: true))
        _ = batch.takeAll()
        let afterCancel = batch.end(1, SessionResult(.cancelled), at: .zero)
        #expect(afterCancel == [] && batch.counts.waiting == 3)
        _ = batch.takeAll()
        let afterFailure = batch.end(2, .failed, at: .zero)
        #expect(afterFailure == [3])
        #expect(batch.counts == Batch.Counts(running: 1, failed: 1, cancelled: 3))
        _ = batch.end(3, SessionResult(.cancelled), at: .seconds(1))
        #expect(batch.isEnded)
    }

    // MARK: Samples

    private static func batch(requests: Int, concurrency: Int = 1) throws -> Batch {
        try batch(requests: requests, run: RunPlan(concurrency: concurrency))
    }

    private static func batch(requests: Int, run: RunPlan) throws -> Batch {
        let file = OpenFile(Story.loaded(Story.file(requests: requests)))
        return try #require(Batch(BatchPlan(node: .file("demo.json"), run: run), in: file, at: .zero))
    }

    private static let nested = """
        {"version": 1, "name": "nested", "items": [
          {"folder": "outer", "items": [{"request": "one", "path": "/1"},
            {"folder": "deep", "items": [{"request": "two", "path": "/2"}]}]},
          {"request": "three", "path": "/3"}]}
        """
}

extension SessionResult {
    fileprivate static let passed = SessionResult(.response(SampleRun.response(200, "")))
    fileprivate static let failed = SessionResult(.failure("no route"))
}

extension Batch {
    /// Takes the next order; nil where something has to come first.
    fileprivate mutating func takeOrder(id: RunID, busy: Set<ItemID> = [], at time: Duration = .zero) -> RunOrder? {
        guard case .begin(let order)? = takeNext(id: id, busy: busy, at: time) else { return nil }
        return order
    }

    /// Takes as many requests as may run, and returns their names. Their runs are numbered on.
    fileprivate mutating func takeAll() -> [String] {
        var names: [String] = []
        while let order = takeOrder(id: rows.count - counts.waiting + 1) { names.append(order.request.name) }
        return names
    }
}
