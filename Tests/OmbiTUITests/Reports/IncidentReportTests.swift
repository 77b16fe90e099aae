import Foundation
import OmbiCore
import OmbiDocument
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// What is handed over after an incident.
@Suite struct IncidentReportTests {
    private static let clock = LocalClock(offset: 0)
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)
    private static let range = IncidentRange(start: start, end: start.addingTimeInterval(900))
    private static let nasty =
        "</pre><script>alert('x')</script>| `a` ```` \u{1B}]52;c;aGk=\u{07} \u{202E}[x](http://evil)"

    private static func run(_ id: Int, _ failure: String?, body: String = "", url: String = "http://api.test/v1/p")
        -> RecordedRun
    {
        var prepared = PreparedRequest(
            url: url, method: .get, headers: [.init(name: "Accept", value: "*/*"), .init(name: "Host", value: "api")],
            sla: .init(.seconds(5)), attempts: .init(2))
        prepared.verifiesTLS = true
        var metrics = TransportMetrics(
            timings: Timings(connect: .milliseconds(3), wait: .milliseconds(20)), httpVersion: "2")
        metrics.remoteAddress = "127.0.0.1:8080"
        let failed = AttemptReport(
            number: 1, reason: .first, startedAt: .zero, duration: .milliseconds(23), metrics: metrics,
            outcome: .failed(.status, "503 Service Unavailable"), response: TransportResponse(statusCode: 503),
            willRetry: true, wait: .milliseconds(200), waitReason: .backoff)
        let last = AttemptReport(
            number: 2, reason: .retry, startedAt: .milliseconds(223), duration: .milliseconds(23), metrics: metrics,
            outcome: .succeeded, response: TransportResponse(statusCode: 200), willRetry: false)
        var result = SessionResult(
            .response(
                TransportResponse(
                    headers: ["Content-Type": "text/plain"], statusCode: failure == nil ? 200 : 503,
                    body: Data(body.utf8))), prepared: prepared)
        result.report = RequestReport(
            attempts: [failed, last], attemptCount: 2, duration: .milliseconds(246), sla: .seconds(5),
            outcome: .succeeded)
        result.failures = failure.map { [$0] } ?? []
        let entry = HistoryEntry(
            id: id, request: ItemPath(file: "/home/me/shop.json", path: ["users", nasty]), environment: "local",
            startedAt: start.addingTimeInterval(Double(id)), duration: .milliseconds(246), method: "GET", url: url,
            outcome: failure == nil ? .passed : .failed, status: failure == nil ? 200 : 503, failure: failure,
            attempts: 2, size: body.utf8.count)
        return RecordedRun(entry: entry, result: result)
    }

    private static func incident(_ runs: [RecordedRun]) -> Incident {
        let facts = runs.map {
            HistoryStatistics.Run(
                startedAt: $0.entry.startedAt, duration: $0.entry.duration, outcome: $0.entry.outcome, attempts: 2)
        }
        return Incident(
            range: range, selection: nil,
            during: HistoryStatistics(
                runs: facts, attempts: [.milliseconds(23)], failures: [.init("status 503", 2)], now: range.end),
            before: HistoryStatistics(runs: [], attempts: [], now: start), runs: runs, count: runs.count)
    }

    @Test func `it has the figures, the runs, the attempts and the commands`() {
        let text = MarkdownReport.text(
            Self.incident([Self.run(1, nil), Self.run(2, "503 Service Unavailable", body: "busy")]).blocks(Self.clock))
        for part in [
            "# Incident of 2027-01-15, 08:00 to 08:15", "2 runs, 1 failed, 1 passed after retries. Times are UTC.",
            "| passed eventually | – | 50 % |", "| status 503 | 0 | 2 |",
            "| 1 | 0 ms |  | 503 Service Unavailable | 23 ms |",
            "connect 3 ms, wait 20 ms | 200 ms (backoff) |", "curl http://api.test/v1/p", "-H 'Accept: */*'", "busy",
        ] { #expect(text.contains(part), "\(part)\n\(text)") }
        #expect(!text.contains("Host: api"))
    }

    @Test(arguments: [(0, "08:00", "UTC"), (32_400, "17:00", "UTC+09:00"), (-12_600, "04:30", "UTC−03:30")])
    func `times are by the clock of the place, whose zone is named`(offset: Int, start: String, zone: String) {
        let incident = Self.incident([Self.run(1, "503 Service Unavailable")])
        let text = MarkdownReport.text(incident.blocks(LocalClock(offset: offset)))
        #expect(
            text.contains("# Incident of 2027-01-15, \(start) to") && text.contains("Times are \(zone)."), "\(text)")
        #expect(text.contains("| \(start):01 |"), "\(text)")
    }

    @Test func `what servers and files wrote is no markup and reaches no terminal`() {
        let run = Self.run(1, Self.nasty, body: Self.nasty, url: "http://api.test/<b>?q='\"")
        let (markdown, html) = (
            MarkdownReport.text(Self.incident([run]).blocks(Self.clock)),
            HTMLReport.text(Self.incident([run]).blocks(Self.clock), title: Self.nasty)
        )
        for text in [markdown, html] {
            #expect(
                !text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0 == "\u{202E}" || $0.value == 0x7F })
        }
        #expect(!html.contains("<script") && !html.contains("alert('x')") && !html.contains("<b>"))
        #expect(html.contains("&lt;script&gt;"))
        // Outside of code nothing is a tag, a link or the end of a cell.
        let outside = markdown.split(separator: "\n").filter { $0.hasPrefix("|") || $0.hasPrefix("#") }
        for line in outside {
            #expect(!line.contains("<") && !line.contains("](") || line.contains("\\]("), "\(line)")
        }
        // The body has a fence of four, so its own has five.
        #expect(markdown.contains("\n`````\n"))
    }

    @Test func `the response to an attempt that another one followed is in the report and in the archive`() throws {
        var run = Self.run(7, "503", body: "busy")
        run.result.report?.attempts[0].received = TransportResponse(
            headers: ["X-Node": "b7"], statusCode: 502, body: Data("bad gateway".utf8))
        let markdown = IncidentFormat.markdown.text(Self.incident([run]))
        #expect(markdown.contains("Response to attempt 1:") && markdown.contains("bad gateway"), "\(markdown)")
        let entry = try JSONValue.parse(try #require(ArchiveJSON.entries(run).first))
        #expect(entry["response"]?["status"] == .number("502"))
        #expect(entry["response"]?["content"]?["text"] == .string("bad gateway"))
        run.result.report?.attempts[0].omitBody()
        let cut = try JSONValue.parse(try #require(ArchiveJSON.entries(run).first))
        #expect(cut["response"]?["content"]?["size"] == .number("11"))
        #expect(cut["response"]?["content"]?["comment"] == .string("the body is not kept (11 bytes)"))
    }

    @Test func `a redirect is in the report, and an entry of the archive that leads to the next`() throws {
        var run = Self.run(7, "503", body: "busy")
        run.result.prepared?.redirects = [
            FollowedRedirect(
                attempt: 2, statusCode: 302, headers: ["Location": "/next"], body: Data("gone there".utf8),
                target: "http://api.test/next", duration: .milliseconds(5))
        ]
        let markdown = IncidentFormat.markdown.text(Self.incident([run]))
        #expect(markdown.contains("Attempt 2: 302 Found → GET http://api.test/next, 5 ms."), "\(markdown)")
        #expect(markdown.contains("gone there"), "\(markdown)")
        let root = try JSONValue.parse(IncidentFormat.har.text(Self.incident([run])))
        let entries = try #require(root["log"]?["entries"]?.elements)
        #expect(entries.map { $0["_attempt"]?["number"] ?? .null } == [JSONValue.number(1), .number(2), .number(2)])
        #expect(entries.map { $0["request"]?["url"]?.stringValue?.hasSuffix("/next") } == [false, false, true])
        let statuses = entries.dropFirst().map { $0["response"]?["status"] ?? .null }
        #expect(statuses == [JSONValue.number(302), .number(503)])
        #expect(entries[1]["response"]?["redirectURL"] == .string("http://api.test/next"))
        #expect(entries[1]["response"]?["content"]?["text"] == .string("gone there"))
        #expect(entries[1]["time"] == .number("5") && entries[2]["time"] == .number("18"))
        // The body is decoded: its bytes on the wire are not known.
        #expect(entries[1]["response"]?["bodySize"] == .number(-1))
        #expect(entries[1]["request"]?["bodySize"] == .number(0))
    }

    @Test func `an attempt that failed behind a redirect has no response of its own in the archive`() throws {
        var run = Self.run(7, nil)
        run.result.prepared?.redirects = [FollowedRedirect(statusCode: 302, target: "http://api.test/next")]
        run.result.report?.attempts[0].received = TransportResponse(statusCode: 302)
        run.result.report?.attempts[0].errorCode = .connectionLost
        let root = try JSONValue.parse(IncidentFormat.har.text(Self.incident([run])))
        let statuses = (root["log"]?["entries"]?.elements ?? []).map { $0["response"]?["status"] ?? .null }
        #expect(statuses == [JSONValue.number(302), .number(0), .number(200)])
    }

    @Test func `an archive has the headers of each attempt, where they differ`() throws {
        var run = Self.run(7, "503", body: "busy")
        run.result.report?.attempts[0].sent = ["Accept": "text/plain"]
        let headers = try ArchiveJSON.entries(run).map { try JSONValue.parse($0)["request"]?["headers"]?.compact }
        try #require(headers.count == 2)
        #expect(headers[0] == "[{\"name\":\"Accept\",\"value\":\"text/plain\"}]")
        #expect(headers[1] != headers[0])
    }

    @Test func `a report says for how long a breaker held the attempts of a run`() {
        var run = Self.run(7, "503", body: "busy")
        #expect(!IncidentFormat.markdown.text(Self.incident([run])).contains("held by the breaker"))
        run.result.report?.attempts[1].held = .seconds(2)
        #expect(IncidentFormat.markdown.text(Self.incident([run])).contains("held by the breaker for 2 s"))
    }

    @Test func `the last attempt of an archive has the Server-Timing of the response`() throws {
        var run = Self.run(7, nil)
        run.result.ending = .response(
            TransportResponse(headers: ["Server-Timing": "db;dur=53"], statusCode: 200, body: Data()))
        let timings = try ArchiveJSON.entries(run).map {
            try JSONValue.parse($0)["_attempt"]?["serverTiming"]?.compact
        }
        #expect(timings == [nil, "[{\"name\":\"db\",\"durationMs\":53}]"])
    }

    @Test func `an archive has an entry for each attempt, the last with the response`() throws {
        let text = IncidentFormat.har.text(
            Self.incident([Self.run(7, "503", body: "busy", url: "http://api.test/p?a=1&b=%20")]))
        let root = try JSONValue.parse(text)
        guard case .array(let entries)? = root["log"]?["entries"], root["log"]?["version"] == .string("1.2") else {
            Issue.record("\(text)")
            return
        }
        #expect(entries.count == 2)
        #expect(entries[0]["startedDateTime"] == .string("2027-01-15T08:00:07.000Z"))
        #expect(entries[0]["response"]?["status"] == .number("503"))
        #expect(entries[0]["response"]?["httpVersion"] == .string("HTTP/2"))
        #expect(entries[0]["response"]?["content"]?["size"] == .number("0"))
        #expect(entries[1]["response"]?["content"]?["text"] == .string("busy"))
        #expect(
            entries[1]["request"]?["queryString"]?.compact
                == "[{\"name\":\"a\",\"value\":\"1\"},{\"name\":\"b\",\"value\":\" \"}]")
        #expect(entries[1]["timings"]?["connect"] == .number("3") && entries[1]["timings"]?["dns"] == .number("-1"))
        #expect(entries[1]["serverIPAddress"] == .string("127.0.0.1"))
        #expect(entries[0]["time"] == .number("23"))
    }

    @Test func `an archive has the bytes that were sent, and no text in place of a file`() throws {
        var run = Self.run(7, nil)
        run.result.prepared?.body = "(./two.bin, 2 bytes)"
        run.result.prepared?.namesFiles = true
        run.result.report?.attempts[1].metrics.bytesSent = 2
        let root = try JSONValue.parse(IncidentFormat.har.text(Self.incident([run])))
        guard case .array(let entries)? = root["log"]?["entries"], let request = entries.last?["request"] else {
            Issue.record("\(root.compact)")
            return
        }
        #expect(request["bodySize"] == .number("2") && request["postData"]?["text"] == nil)
        #expect(
            request["postData"]?["comment"] == .string("not recorded, as it was read from files: (./two.bin, 2 bytes)"))
    }

    @Test func `a file is for its user alone, and replaces none unasked`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ombi-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/report.md"
        try FileReplacement.save("one", to: path, overwriting: false, mode: 0o600)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(throws: FileError.self) { try FileReplacement.save("two", to: path, overwriting: false, mode: 0o600) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "one")
        try FileReplacement.save("two", to: path, overwriting: true, mode: 0o600)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "two")
    }
}
