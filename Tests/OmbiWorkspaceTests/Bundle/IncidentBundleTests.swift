import Foundation
import OmbiCore
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Recorded runs that leave one machine and come to another.
@Suite struct IncidentBundleTests {
    private static let token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"

    private static let facts = IncidentBundle.Facts(
        start: Date(timeIntervalSince1970: 1_800_000_000), end: Date(timeIntervalSince1970: 1_800_000_900), count: 7,
        statistics: ["during": [:]])

    private static func transport(_ replies: [StubTransport.Reply]) -> StubTransport {
        let count = Lock(0)
        return StubTransport { _ in
            let index = count.withLock {
                $0 += 1
                return $0 - 1
            }
            return replies[min(index, replies.count - 1)]
        }
    }

    /// A history with a run of three attempts, of which the second broke off, and one that expects its 404.
    private static func record(_ sample: HistorySample) async throws {
        let secret = HistorySample.secret
        let part = TransportResponse(headers: ["X-Id": "7"], statusCode: 200, body: Data("half".utf8))
        let broken = TransportError(code: .connectionLost, message: "it broke", response: part)
        var retried = SavedRequest(name: "r", path: "/p")
        retried.policy = RequestPolicy(retries: 2, sla: .seconds(30))
        await sample.send(
            sample.order(retried),
            transport([
                .response(statusCode: 503, data: Data("you sent \(secret)".utf8), headers: ["X-Node": "b7"]),
                .failure(broken), .response(statusCode: 200, data: Data([0, 1, 2, 255])),
            ]))
        var missing = SavedRequest(name: "missing", path: "/none")
        missing.expect = Expectation(status: [.code(404)])
        await sample.send(
            sample.order(missing, folders: [Folder(name: "f")]), transport([.response(statusCode: 404)]))
        _ = try await sample.history.mark("deploy 1.4.2", at: Date(timeIntervalSince1970: 1_800_000_000))
    }

    private static func excerpt(_ history: History) async throws -> HistoryExcerpt {
        try await history.excerpt(HistoryFilter(), marksSince: .distantPast, until: .distantFuture)
    }

    private static let collection: Collection = {
        var request = SavedRequest(name: "r", path: "/p")
        request.authentication = .bearer(BearerAuthentication(token: token))
        let folder = Folder(
            name: "f", items: [.request(SavedRequest(name: "missing", path: "/none"))])
        return Collection(
            name: "c", environments: [HistorySample.environment],
            items: [.request(request), .folder(folder), .request(SavedRequest(name: "other", path: "/o"))])
    }()

    private static func text(_ excerpt: HistoryExcerpt) throws -> String {
        try IncidentBundle(of: excerpt, load: { _ in collection }).text(facts)
    }

    @Test func `every run arrives with all its attempts, their bodies, the marks and the same statistics`() async throws
    {
        let sample = try HistorySample()
        try await Self.record(sample)
        let text = try Self.text(try await Self.excerpt(sample.history))
        let bundle = try IncidentBundle(reading: Array(text.utf8), path: "incident.json")
        let other = History(path: sample.folder + "/other/history.sqlite")
        try await other.add(bundle.excerpt, file: sample.folder + "/incident.json")
        let (kept, copied) = (try await sample.history.entries(), try await other.entries())
        #expect(copied.count == 2 && kept.map(\.startedAt) == copied.map(\.startedAt))
        #expect(copied.map(\.request.path) == kept.map(\.request.path))
        #expect(Set(copied.map(\.request.file)) == [sample.folder + "/incident.json"])
        for (old, new) in zip(kept, copied) {
            let (old, new) = (try await sample.history.run(old.id), try await other.run(new.id))
            #expect(old?.result == new?.result && new?.missingBody == nil)
        }
        let attempts = try #require(try await other.run(copied[1].id)?.result.report?.attempts)
        #expect(attempts.map { $0.received?.body } == [Data("you sent ••••••".utf8), Data("half".utf8), nil])
        #expect(attempts.map(\.isPartial) == [false, true, false])
        #expect(try await other.marks().map(\.name) == ["deploy 1.4.2"])
        let (before, after) = (
            try await sample.history.statistics(HistoryFilter()), try await other.statistics(HistoryFilter())
        )
        #expect(before.failures == after.failures && before.ofRuns == after.ofRuns)
        #expect(before.passedAtOnce == after.passedAtOnce && before.runs == after.runs)
    }

    @Test func `the requests of the runs come along, and no secret does`() async throws {
        let sample = try HistorySample()
        try await Self.record(sample)
        let text = try Self.text(try await Self.excerpt(sample.history))
        let encoded = Data(HistorySample.secret.utf8).base64EncodedString()
        for secret in [HistorySample.secret, encoded, Self.token, "\"KEY\""] {
            #expect(!text.contains(secret), "\(secret)")
        }
        let bundle = try IncidentBundle(reading: Array(text.utf8), path: "incident.json")
        #expect(bundle.collection.requests.map(\.name) == ["r", "missing"])
        let environment = try #require(bundle.collection.environments.first)
        #expect(environment.name == "local" && environment.host == "http://api.test/v1")
        #expect(environment.secrets.allSatisfy { $0.source == .prompt("") } && environment.secrets.count == 2)
    }

    @Test func `a bundle has the form that its schema describes`() async throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "schema/bundle.schema.json"), encoding: .utf8)
        let schema = try JSONSchema(try JSONValue.parse(text))
        let sample = try HistorySample()
        try await Self.record(sample)
        for bundle in [try Self.text(try await Self.excerpt(sample.history)), HostileBundleTests.valid] {
            let document = try JSONDocument(checking: Bytes(bundle.utf8))
            let failures = try schema.failures(in: document, at: try #require(document.firstRoot))
            #expect(failures.map { "\(document.path(of: $0.node)): \($0.expected)" } == [])
        }
    }

    @Test func `requests whose file is gone come as they were recorded`() async throws {
        let sample = try HistorySample()
        try await Self.record(sample)
        let bundle = try IncidentBundle(of: try await Self.excerpt(sample.history), load: { _ in nil })
        #expect(bundle.collection.requests.map(\.path) == ["http://api.test/v1/p", "http://api.test/v1/none"])
        #expect(bundle.excerpt.requests.map(\.path) == [["r"], ["missing"]])
        #expect(bundle.collection.environments.map(\.name) == ["local"])
        #expect(bundle.collection.environments.map(\.host) == ["http://api.test"])
    }

    @Test func `several collections are folders, and their environments keep apart`() async throws {
        var excerpt = HistoryExcerpt()
        for file in ["/a.json", "/b.json"] {
            var run = HistoryExcerpt.Run(request: ItemPath(file: file, path: ["r"]))
            run.environment = "local"
            excerpt.runs.append(run)
        }
        let bundle = try IncidentBundle(of: excerpt, load: { _ in Self.collection })
        #expect(bundle.excerpt.requests.map(\.path) == [["c", "r"], ["c 2", "r"]])
        #expect(bundle.excerpt.runs.map(\.environment) == ["local", "local of c 2"])
        #expect(bundle.collection.environments.map(\.name) == ["local", "local of c 2"])
    }

    @Test func `where there is not room for all runs, the newest are kept`() async throws {
        let sample = try HistorySample()
        for _ in 0..<3 {
            await sample.send(sample.order(), Self.transport([.response(statusCode: 200)]))
            sample.pass(60)
        }
        let database = try await sample.database()
        let reader = HistoryReader(
            database: database, contents: HistoryContents(database: database, folder: sample.path + ".bodies"),
            limits: HistoryLimits())
        let starts = try reader.excerpt(HistoryFilter(), .standard).runs.map(\.startedAt)
        try #require(starts.count == 3)
        for limits in [ExcerptLimits(runs: 2), ExcerptLimits(attempts: 2), ExcerptLimits(span: 90_000_000)] {
            let kept = try reader.excerpt(HistoryFilter(), limits).runs.map(\.startedAt)
            #expect(kept == Array(starts.suffix(2)), "\(limits)")
        }
    }

    @Test func `of contents beyond the limit the size is kept, and failed runs come first`() async throws {
        let sample = try HistorySample()
        await sample.send(
            sample.order(), Self.transport([.response(statusCode: 200, data: Data(repeating: 65, count: 1000))]))
        await sample.send(
            sample.order(), Self.transport([.response(statusCode: 500, data: Data(repeating: 66, count: 1000))]))
        let database = try await sample.database()
        let reader = HistoryReader(
            database: database, contents: HistoryContents(database: database, folder: sample.path + ".bodies"),
            limits: HistoryLimits())
        let excerpt = try reader.excerpt(HistoryFilter(), ExcerptLimits(contents: 1900))
        #expect(excerpt.runs.map { $0.body == nil } == [true, false] && excerpt.runs.map(\.size) == [1000, 1000])
        let other = History(path: sample.folder + "/other/history.sqlite")
        try await other.add(excerpt, file: "/x.json")
        let run = try await other.run(1)
        #expect(run?.missingBody == "the body was too large to be kept (1000 bytes)")
    }
}
