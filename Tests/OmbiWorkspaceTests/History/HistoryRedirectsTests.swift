import Foundation
import OmbiCore
import OmbiDocument
import TestSupport
import Testing

@testable import OmbiWorkspace

/// The redirects that attempts followed.
@Suite struct HistoryRedirectsTests {
    /// Sends a request so many times to a server that redirects it and echoes the secret, and returns its newest run.
    private static func recorded(
        _ sample: HistorySample, to location: String = "/end", _ text: String = "there", times: Int = 1,
        maximum: Int? = nil
    ) async throws -> RecordedRun {
        let server = try LoopbackServer { request in
            guard request.target.hasPrefix("/start") else { return .ok(text) }
            let headers = [("Location", location), ("X-Echo", HistorySample.secret), ("Refresh", "0; url=\(location)")]
            return .status(307, headers: headers, "moved to \(location), \(HistorySample.secret)")
        }
        defer { server.stop() }
        var environment = HistorySample.environment
        environment.host = server.host
        for _ in 0..<times {
            let request = SavedRequest(
                name: "r", path: "/start", connection: SavedConnection { $0.maximumRedirects = maximum })
            await sample.send(sample.order(request, in: environment), CurlTransport.shared)
        }
        let entry = try #require(try await sample.history.entries().first)
        return try #require(try await sample.history.run(entry.id))
    }

    private static func count(_ table: String, _ sample: HistorySample) throws -> Int? {
        try Database(path: sample.path).first("SELECT count(*) FROM \(table)") { $0.integer(0) }
    }

    @Test func `a redirect comes back with its heads and its body, equal bodies are kept once, and no secret is`()
        async throws
    {
        let sample = try HistorySample()
        let run = try await Self.recorded(sample, times: 2)
        let redirect = try #require(run.result.prepared?.redirects.first)
        #expect(redirect.attempt == 1 && redirect.statusCode == 307 && redirect.target.hasSuffix("/end"))
        #expect(redirect.body == Data("moved to /end, ••••••".utf8) && !redirect.isPartial)
        #expect(redirect.headers["X-Echo"]?.text == "••••••")
        #expect(redirect.sent?["X-Custom"]?.text == "••••••")
        #expect(redirect.timings.total > .zero)
        #expect(run.result.response?.body == Data("there".utf8))
        #expect(try Self.count("redirect", sample) == 2)
        // The bodies of the redirect and of the response are the same in both runs.
        let bodies = try Database(path: sample.path).first("SELECT count(DISTINCT body) FROM redirect") {
            $0.integer(0)
        }
        #expect(bodies == 1)
        for file in sample.files {
            #expect(file.bytes.range(of: Data(HistorySample.secret.utf8)) == nil, "\(file.path)")
        }
    }

    @Test func `the JSON of a run has each redirect with its response`() async throws {
        let sample = try HistorySample()
        let run = try await Self.recorded(sample)
        let redirect = try #require(run.json["attempts"]?.elements?.first?["redirects"]?.elements?.first)
        #expect(redirect["status"] == .number(307) && redirect["method"] == .string("GET"))
        #expect(redirect["url"]?.stringValue?.hasSuffix("/start") == true)
        #expect(redirect["target"]?.stringValue?.hasSuffix("/end") == true)
        #expect(redirect["response"]?["body"] == .string("moved to /end, ••••••"))
        #expect(run.result.json(name: "r", row: nil, method: .get)["attempts"]?.elements?.first?["redirects"] != nil)
    }

    @Test func `of a redirect to a URL with a secret the body is not kept, and no file has the secret`() async throws {
        let sample = try HistorySample()
        let run = try await Self.recorded(sample, to: "/end?access_token=hunter2hunter2")
        let redirect = try #require(run.result.prepared?.redirects.first)
        #expect(redirect.body == nil && redirect.target.hasSuffix("/end?access_token=••••••"))
        #expect(try Self.count("redirect", sample) == 0)
        for file in sample.files { #expect(file.bytes.range(of: Data("hunter2".utf8)) == nil, "\(file.path)") }
    }

    @Test(arguments: [("/end", 0), ("ftp://x/y", nil), ("/start", 1)] as [(String, Int?)])
    func `a redirect that is not followed comes back with its body, and without the secrets of its target`(
        target: String, maximum: Int?
    ) async throws {
        let sample = try HistorySample()
        let run = try await Self.recorded(sample, to: target + "?access_token=hunter2hunter2", maximum: maximum)
        let response = try #require(run.result.receivedResponse)
        #expect(response.statusCode == 307 && response[.location]?.text == "\(target)?access_token=••••••")
        #expect(response.body == Data("moved to \(target)?access_token=••••••, ••••••".utf8))
        for file in sample.files { #expect(file.bytes.range(of: Data("hunter2".utf8)) == nil, "\(file.path)") }
    }

    @Test(arguments: ["/end?access_token=hunter2hunter2", "/end?access_token=hunter2%2Fhunter2&page=2"])
    func `what is secret in the target of a redirect is masked where the response repeats it`(
        location: String
    ) async throws {
        let sample = try HistorySample()
        let run = try await Self.recorded(sample, to: location, "at hunter2hunter2 or hunter2/hunter2, page=2")
        let body = try #require(run.result.response?.body.map { String(decoding: $0, as: UTF8.self) })
        #expect(body.contains("••••••") && body.hasSuffix(", page=2"))
        #expect(body.contains("hunter2/hunter2") != location.contains("%2F"))
        #expect(run.result.prepared?.redirects.first?.target.contains("hunter2") == false)
        let secret = location.contains("%2F") ? "hunter2/hunter2" : "hunter2hunter2"
        for file in sample.files { #expect(file.bytes.range(of: Data(secret.utf8)) == nil, "\(file.path)") }
    }

    @Test func `where a secret is captured from the response, the body of a redirect is not kept`() throws {
        let url = try #require(URL(string: "http://a.test/"))
        var report = RedirectReport(
            head: ResponseHead(url: url, statusCode: 302, headers: [:]), target: url, method: .get)
        report.body = Data("session".utf8)
        var redactor = Redactor(["s3cr3t-value"])
        #expect(FollowedRedirect(report, of: 1, redactor).body == report.body)
        redactor.hidesEarlierResponses = true
        #expect(FollowedRedirect(report, of: 1, redactor).body == nil)
    }

    @Test func `the name of a withheld header has no secret`() throws {
        let url = try #require(URL(string: "http://a.test/"))
        let report = RedirectReport(
            head: ResponseHead(url: url, statusCode: 302, headers: [:]), target: url, method: .get,
            withheld: ["X-s3cr3t-value", "Authorization"])
        let redirect = FollowedRedirect(report, of: 1, Redactor(["s3cr3t-value"]))
        #expect(redirect.withheld == ["X-••••••", "Authorization"])
    }

    @Test func `each attempt has its own redirects, and the requests that they led to`() async throws {
        let count = Lock(0)
        let server = try LoopbackServer { request in
            guard request.target != "/start" else { return .redirect(303, to: "/end") }
            let isFirst = count.withLock {
                $0 += 1
                return $0 == 1
            }
            return isFirst ? .status(503) : .ok("there")
        }
        defer { server.stop() }
        let sample = try HistorySample()
        var environment = HistorySample.environment
        environment.host = server.host
        var request = SavedRequest(name: "r", path: "/start")
        request.policy = RequestPolicy(retries: 1, sla: .seconds(30))
        await sample.send(sample.order(request, in: environment), CurlTransport.shared)
        let entry = try #require(try await sample.history.entries().first)
        let run = try #require(try await sample.history.run(entry.id))
        let (sent, attempts) = (try #require(run.result.prepared), run.result.attempts)
        #expect(sent.redirects.map(\.attempt) == [1, 2] && attempts.count == 2)
        for attempt in attempts {
            #expect(sent.redirected(by: attempt).map(\.request.url) == [server.host + "/start"])
            #expect(sent.last(of: attempt).url == server.host + "/end")
        }
        #expect(attempts[0].received?.statusCode == 503)
    }

    private static func redirects(_ counts: [Int]) -> [FollowedRedirect] {
        counts.enumerated().flatMap { index, count in
            (0..<count).map { FollowedRedirect(attempt: index + 1, statusCode: 302, target: "http://a.test/\($0)") }
        }
    }

    @Test(
        arguments: [
            // Of the second attempt the end would be left.
            ([20, 90, 100, 40], 110..<250), ([100, 100], 0..<200), ([10, 250], 10..<210), ([250], 0..<200),
            ([], 0..<0),
        ] as [([Int], Range<Int>)])
    func `of many redirects those of the newest attempts are kept, each attempt from its start`(
        counts: [Int], kept: Range<Int>
    ) {
        var redirects = Self.redirects(counts)
        FollowedRedirect.limit(&redirects)
        #expect(redirects == Array(Self.redirects(counts)[kept]))
    }

    @Test func `no more redirects are read of a file than are kept in one`() {
        let redirect: JSONValue = ["status": 302, "target": "http://a.test/"]
        let details: JSONValue = ["redirects": .array(Array(repeating: redirect, count: 300))]
        var result = SessionResult(.cancelled, prepared: Self.request)
        RecordedDetails.read(details, into: &result)
        #expect(result.prepared?.redirects.count == 200)
    }

    private static let request = PreparedRequest(
        url: "http://a.test/", method: .get, headers: [], sla: .init(.seconds(5)), attempts: .init(1))

    @Test func `bodies of redirects count among the bytes that wait to be written`() {
        var request = Self.request
        request.redirects = [
            FollowedRedirect(statusCode: 302, body: Data(repeating: 7, count: 1000), target: "http://a.test/"),
            FollowedRedirect(statusCode: 302, target: "http://a.test/"),
        ]
        let response = TransportResponse(statusCode: 200, body: Data(repeating: 7, count: 20))
        let result = SessionResult(.response(response), prepared: request)
        let run = RunToRecord(
            request: ItemPath(file: "/c.json", path: ["r"]), startedAt: Date(), method: "GET", of: result)
        #expect((2020..<3000).contains(run.size))
    }

    @Test func `a content that a redirect shares with a response stays for the run that has it still`() async throws {
        let sample = try HistorySample()
        let server = try LoopbackServer { request in
            request.target == "/start"
                ? .status(307, headers: [("Location", "/end")], "the same text") : .ok("the same text")
        }
        defer { server.stop() }
        var environment = HistorySample.environment
        environment.host = server.host
        for path in ["/end", "/start"] {
            await sample.send(sample.order(SavedRequest(name: "r", path: path), in: environment), CurlTransport.shared)
        }
        var filter = HistoryFilter()
        filter.ids = [1]
        #expect(try await sample.history.delete(filter) == 1)
        let run = try #require(try await sample.history.run(2))
        #expect(run.result.prepared?.redirects.first?.body == Data("the same text".utf8))
        #expect(run.result.response?.body == Data("the same text".utf8))
        let light = try #require(try await sample.history.run(2, includesBody: false))
        #expect(light.result.prepared?.redirects.map(\.body) == [nil])
    }

    @Test func `bodies of redirects go with their run`() async throws {
        let sample = try HistorySample()
        _ = try await Self.recorded(sample)
        #expect(try await sample.history.delete(HistoryFilter()) == 1)
        #expect(try Self.count("redirect", sample) == 0)
        #expect(try Self.count("content", sample) == 0)
    }

    @Test func `a bundle has the redirects of its runs`() async throws {
        let sample = try HistorySample()
        let run = try await Self.recorded(sample)
        let excerpt = try await sample.history.excerpt(
            HistoryFilter(), marksSince: .distantPast, until: .distantFuture)
        let facts = IncidentBundle.Facts(
            start: Date(timeIntervalSince1970: 1_800_000_000), end: Date(timeIntervalSince1970: 1_800_000_900),
            count: 1,
            statistics: ["during": [:]])
        let text = try IncidentBundle(of: excerpt, load: { _ in nil }).text(facts)
        let bundle = try IncidentBundle(reading: Array(text.utf8), path: "incident.json")
        let other = History(path: sample.folder + "/other/history.sqlite")
        try await other.add(bundle.excerpt, file: sample.folder + "/incident.json")
        let entry = try #require(try await other.entries().first)
        let copied = try #require(try await other.run(entry.id))
        #expect(copied.result.prepared?.redirects == run.result.prepared?.redirects)
        #expect(copied.result.prepared?.redirects.first?.body != nil)
    }

    @Test func `a file of before gets the table, and its redirects are of the last attempt`() async throws {
        let sample = try HistorySample()
        let run = try await Self.recorded(sample)
        let database = try Database(path: sample.path)
        try database.execute("DROP TABLE redirect; DROP TABLE load; DROP TABLE journal; PRAGMA user_version = 6")
        try HistorySchema.check(database)
        try HistorySchema.prepare(database)
        let contents = HistoryContents(database: database, folder: sample.path + ".bodies")
        let reader = HistoryReader(database: database, contents: contents, limits: HistoryLimits())
        let read = try #require(try reader.run(run.entry.id))
        #expect(read.result.prepared?.redirects.map(\.statusCode) == [307])
        #expect(read.result.prepared?.redirects.first?.body == nil)
        let old: JSONValue = [
            "status": 302, "headers": [], "target": "http://a.test/", "method": "GET", "duration": 5000,
        ]
        let redirect = try #require(RecordedDetails.redirect(old, attempt: 3))
        #expect(redirect.attempt == 3 && redirect.duration == .milliseconds(5) && redirect.sent == nil)
    }
}
