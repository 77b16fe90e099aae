import Foundation
import OmbiCore
import Testing

@testable import OmbiWorkspace

/// Runs that wait to be written, in batches.
@Suite struct HistoryStateTests {
    private static let request = PreparedRequest(
        url: "http://a.test/", method: .get, headers: [], sla: .init(.seconds(5)), attempts: .init(1))

    private static func add(
        _ body: Data? = nil, sent: String? = nil, header: String = "", at second: Int = 7,
        to pending: inout PendingRuns
    ) {
        var result = SessionResult(.failure("no answer"))
        if let body {
            var request = request
            request.body = sent
            let response = TransportResponse(headers: ["X-Note": .init(header)], statusCode: 200, body: body)
            result = SessionResult(.response(response), prepared: request)
        }
        let run = RunToRecord(
            request: ItemPath(file: "/c.json", path: ["r"]), startedAt: Date(timeIntervalSince1970: Double(second)),
            method: "GET", of: result)
        pending.add(run, result)
    }

    private static let large = Data(repeating: 7, count: 100_000)

    /// As the thread that writes does it.
    private static func putIntoForm(
        _ raw: (batch: RunBatch, runs: [EndedRun]), _ pending: inout PendingRuns
    ) {
        var batch = raw.batch
        let full = batch.add(raw.runs)
        pending.put(batch, full)
    }

    private static func putRawIntoForm(_ pending: inout PendingRuns) {
        if let raw = pending.takeRaw() { putIntoForm(raw, &pending) }
    }

    private static func seconds(_ batch: ExcerptBytes) throws -> [Int] {
        try batch.excerpt.runs.map { $0.startedAt / 1_000_000 }
    }

    @Test func `many runs are written in batches, the oldest first`() throws {
        var pending = PendingRuns(limits: HistoryLimits())
        for second in 0..<450 { Self.add(at: second, to: &pending) }
        let batches = try (0..<4).map { _ in try Self.seconds(pending.takeBatch()) }
        #expect(batches.map(\.count) == [200, 200, 50, 0] && Array(batches.joined()) == Array(0..<450))
    }

    @Test func `there is room for a thousand runs`() {
        var pending = PendingRuns(limits: HistoryLimits())
        for _ in 0..<1000 { Self.add(to: &pending) }
        #expect(pending.hasRoom)
        Self.add(to: &pending)
        #expect(!pending.hasRoom)
        _ = pending.takeBatch()
        #expect(pending.hasRoom)
    }

    @Test func `a batch gets no more runs once its bodies are large`() throws {
        var pending = PendingRuns(limits: HistoryLimits())
        let body = Data(repeating: 7, count: 3 << 20)
        for number in 0..<12 { Self.add(body + Data("\(number)".utf8), to: &pending) }
        #expect(!pending.hasRoom)
        Self.putRawIntoForm(&pending)
        #expect(!pending.hasRoom)
        var sizes: [Int] = []
        while true {
            let batch = pending.takeBatch()
            if batch.count == 0 { break }
            sizes.append(batch.size)
            let runs = try batch.excerpt.runs
            #expect(runs.compactMap(\.body).count == runs.count)
        }
        #expect(sizes.allSatisfy { $0 < 12 << 20 } && sizes.reduce(0, +) > 36 << 20)
        #expect(pending.hasRoom)
    }

    @Test(arguments: [(100_000, 0, 0), (2, 100_000, 0), (2, 0, 100_000)])
    func `large bodies, received or sent, and large headers are left to the thread that writes`(
        body: Int, sent: Int, header: Int
    ) {
        var pending = PendingRuns(limits: HistoryLimits())
        Self.add(Data(count: 2), to: &pending)
        #expect(!pending.hasRaw)
        let (sent, header) = (String(repeating: "a", count: sent), String(repeating: "a", count: header))
        Self.add(Data(count: body), sent: sent, header: header, to: &pending)
        #expect(pending.hasRaw)
        #expect(pending.takeBatch().count == 1 && pending.takeBatch().count == 0 && pending.hasRaw)
        Self.putRawIntoForm(&pending)
        #expect(!pending.hasRaw)
        #expect(pending.takeBatch().count == 1)
    }

    @Test func `runs stay in the order in which they ended, also those that end while others get their form`() throws {
        var pending = PendingRuns(limits: HistoryLimits())
        for second in 0..<250 { Self.add(at: second, to: &pending) }
        for second in 250..<500 { Self.add(second == 250 ? Self.large : nil, at: second, to: &pending) }
        let taken = pending.takeRaw()
        let raw = try #require(taken)
        for second in 500..<900 { Self.add(second == 600 ? Self.large : nil, at: second, to: &pending) }
        #expect(pending.takeRaw() == nil)
        Self.putIntoForm(raw, &pending)
        Self.add(at: 900, to: &pending)
        var seconds: [Int] = []
        while true {
            Self.putRawIntoForm(&pending)
            let batch = pending.takeBatch()
            if batch.count == 0 { break }
            seconds += try Self.seconds(batch)
        }
        #expect(seconds == Array(0...900))
    }

    @Test func `runs that are given up are counted, with those after them`() {
        var pending = PendingRuns(limits: HistoryLimits())
        for _ in 0..<450 { Self.add(to: &pending) }
        _ = pending.takeBatch()
        pending.lose(withRest: false, "the disk is full")
        #expect(pending.takeNotice() == "200 runs are not in the history: the disk is full")
        _ = pending.takeBatch()
        Self.add(Self.large, to: &pending)
        pending.lose(withRest: true, "it is busy")
        #expect(pending.takeNotice() == "451 runs in all are not in the history: it is busy")
        #expect(pending.takeBatch().count == 0 && !pending.hasRaw && pending.takeNotice() == nil)
    }

    @Test func `a run that could not be read back is counted as lost, and the others are written`() throws {
        var pending = PendingRuns(limits: HistoryLimits())
        Self.add(at: 1, to: &pending)
        let attempt = AttemptReport(number: 1, startedAt: .zero, duration: .zero, outcome: .succeeded)
        let report = RequestReport(attempts: [attempt, attempt], duration: .zero, sla: nil, outcome: .succeeded)
        let result = SessionResult(.failure("no answer"), prepared: Self.request, report: report)
        let path = ItemPath(file: "/c.json", path: ["r"])
        pending.add(RunToRecord(request: path, startedAt: Date(), method: "GET", of: result), result)
        Self.add(at: 2, to: &pending)
        #expect(try Self.seconds(pending.takeBatch()) == [1, 2])
        #expect(pending.takeNotice() == "the run is not in the history: its attempts cannot be told apart")
    }

    @Test func `runs that get their form just then are given up with the rest, and stay so`() throws {
        var pending = PendingRuns(limits: HistoryLimits())
        Self.add(to: &pending)
        Self.add(Self.large, to: &pending)
        let taken = pending.takeRaw()
        let raw = try #require(taken)
        pending.lose(withRest: true, "it does not answer")
        #expect(pending.takeNotice() == "2 runs are not in the history: it does not answer")
        Self.putIntoForm(raw, &pending)
        #expect(pending.takeBatch().count == 0)
        Self.add(at: 3, to: &pending)
        #expect(try Self.seconds(pending.takeBatch()) == [3])
    }
}
