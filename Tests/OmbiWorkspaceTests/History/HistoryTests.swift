import Foundation
import OmbiCore
import OmbiDocument
import TestSupport
import Testing

@testable import OmbiWorkspace

/// What is kept of runs, and what is not.
@Suite struct HistoryTests {
    private static func item(_ sample: HistorySample, _ names: String...) -> HistoryFilter {
        sample.history.resolved(HistoryFilter(item: ItemPath(file: sample.folder + "/c.json", path: names)))
    }

    @Test func `a run comes back with its request, its attempts and its response`() async throws {
        let sample = try HistorySample()
        let answers = Lock(0)
        var request = SavedRequest(
            name: "r", method: .put, path: "/p", body: .json(JSONContent(.object([.init("a", .number(1))]))))
        request.policy = RequestPolicy(retries: 1, sla: .seconds(5))
        request.captures = [Capture("id", .path("$.id"))]
        request.expect = Expectation(status: [.code(201)])
        let sent = await sample.send(
            sample.order(request, folders: [Folder(name: "users")]),
            StubTransport { _ in
                let number = answers.withLock {
                    $0 += 1
                    return $0
                }
                return number == 1
                    ? .response(statusCode: 503, data: Data("busy".utf8))
                    : .response(statusCode: 201, data: Data("{\"id\": 7}".utf8), headers: ["ETag": "x"])
            })
        let entries = try await sample.history.entries()
        let entry = try #require(entries.first)
        #expect(entries.count == 1)
        #expect(entry.request.path == ["users", "r"])
        #expect(entry.environment == "local" && entry.method == "PUT" && entry.status == 201)
        #expect(entry.url == "http://api.test/v1/p" && entry.outcome == .passed && entry.attempts == 2)
        let run = try #require(try await sample.history.run(entry.id))
        #expect(run.result.response?.body == Data("{\"id\": 7}".utf8))
        #expect(run.result.response?.headers?["ETag"]?.text == "x")
        #expect(run.result.prepared?.method == .put && run.result.prepared?.body == sent.prepared?.body)
        #expect(run.result.prepared?.headers == sent.prepared?.headers)
        #expect(run.result.prepared?.sla == sent.prepared?.sla && run.result.prepared?.attempts.value == 2)
        #expect(run.result.expectations == sent.expectations && run.result.captured == sent.captured)
        let kept = run.result.report?.attempts ?? []
        let made = sent.report?.attempts ?? []
        #expect(kept.map { $0.outcome } == made.map { $0.outcome })
        #expect(kept.map { $0.reason } == made.map { $0.reason })
        #expect(kept.map { $0.response?.statusCode } == [503, 201])
        #expect(run.missingBody == nil)
    }

    @Test func `a run that was cancelled while somebody signed in took that time`() async throws {
        let sample = try HistorySample()
        var result = SessionResult(.cancelled)
        result.elapsed = .seconds(3)
        await sample.history.record(sample.order(), result)
        let entry = try #require(try await sample.history.entries().first)
        #expect(entry.outcome == .cancelled && entry.duration == .seconds(3))
    }

    @Test func `of a response that breaks off, what came is kept`() async throws {
        let sample = try HistorySample()
        let part = TransportResponse(
            headers: ["X-Id": "7", "X-Key": .init(HistorySample.secret)], statusCode: 200, body: Data("half".utf8))
        let sent = await sample.send(
            sample.order(),
            StubTransport { _ in
                .failure(TransportError(code: .connectionLost, message: "it broke", response: part))
            })
        #expect(sent.response == nil && sent.partial?.statusCode == 200 && !sent.passed)
        let entry = try #require(try await sample.history.entries().first)
        #expect(entry.outcome == .error && entry.status == 200 && entry.size == 4)
        let run = try #require(try await sample.history.run(entry.id))
        #expect(run.result.response == nil && run.result.partial?.body == Data("half".utf8))
        #expect(run.result.partial?["X-Id"] == "7" && run.result.partial?["X-Key"]?.text == LogMask.mask)
        #expect(run.result.failures == sent.failures && run.missingBody == nil)
        for attempts in [sent.attempts, run.result.attempts] {
            #expect(attempts.count == 1 && attempts[0].response == nil)
            #expect(attempts[0].json["status"] == JSONValue.number(200))
        }
    }

    @Test func `a failed run is kept, too, and one that was never sent is not`() async throws {
        let sample = try HistorySample()
        await sample.send(
            sample.order(),
            StubTransport { _ in .failure(TransportError(code: .cannotConnectToHost, message: "refused")) })
        await sample.send(
            sample.order(SavedRequest(name: "r", path: "/{{missing}}")),
            StubTransport { _ in .response(statusCode: 200) })
        let entries = try await sample.history.entries()
        #expect(entries.map(\.outcome) == [.error] && entries.map(\.attempts) == [1])
        let entry = try #require(entries.first)
        let run = try #require(try await sample.history.run(entry.id))
        #expect(run.result.response == nil && run.result.report?.attempts.count == 1)
        guard case .failure(let message) = run.result.ending else { return #expect(Bool(false)) }
        #expect(message.contains("refused"))
    }

    @Test func `no secret is in any file, in no form`() async throws {
        let sample = try HistorySample()
        let secret = HistorySample.secret
        var request = SavedRequest(
            name: "r", method: .post, path: "/p", body: .json(JSONContent(.object([.init("note", .string("{{key}}"))])))
        )
        request.query = [Field("q", "{{key}}")]
        request.captures = [Capture("token", .path("$.session.value"), isSecret: true)]
        let captured = "captured-0123456789abcdef"
        await sample.send(
            sample.order(request),
            StubTransport { _ in
                let echo = JSONValue.object([
                    .init("echo", .string(secret)), .init("base64", .string(Data(secret.utf8).base64EncodedString())),
                    .init("session", .object([.init("value", .string(captured))])),
                    .init("access_token", .string("not-known-before")),
                ])
                return .response(
                    statusCode: 200, data: Data(echo.compact.utf8),
                    headers: ["Content-Type": "application/json", "Set-Cookie": "sid=cookie-value-1"])
            })
        let entry = try #require(try await sample.history.entries().first)
        let run = try #require(try await sample.history.run(entry.id))
        let body = String(decoding: run.result.response?.body ?? Data(), as: UTF8.self)
        #expect(body.contains("echo") && body.contains("••••••"))
        let forms = [
            secret, captured, "not-known-before", "cookie-value-1", Data(secret.utf8).base64EncodedString(),
            JSONValue.string(secret).compact, secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "",
        ]
        // Compressed contents hide a leak from a search of the files, so all that can be read is searched, too.
        let readable = "\(run)" + body + RecordedDetails.text(run.result)
        for form in forms {
            #expect(!readable.contains(form))
            for file in sample.files where file.path.contains("history") {
                #expect(file.bytes.range(of: Data(form.utf8)) == nil, "\(form) in \(file.path)")
            }
        }
    }

    @Test func `a request or an environment can be left out`() async throws {
        let sample = try HistorySample()
        var request = SavedRequest(name: "r", path: "/p")
        request.isRecorded = false
        var environment = HistorySample.environment
        environment.isRecorded = false
        let transport = StubTransport { _ in .response(statusCode: 200) }
        await sample.send(sample.order(request), transport)
        await sample.send(sample.order(in: environment), transport)
        #expect(try await sample.history.count() == 0)
        await sample.send(sample.order(), transport)
        #expect(try await sample.history.count() == 1)
    }

    @Test func `the file belongs to its owner alone`() async throws {
        let sample = try HistorySample()
        await sample.send(sample.order(), StubTransport { _ in .response(statusCode: 200, data: Self.noise(600_000)) })
        // The log is there while the file is open.
        _ = try await sample.history.count()
        for path in [sample.path, sample.path + "-wal"] {
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(path)")
        }
        let bodies = sample.files.filter { $0.path.contains("history.sqlite.bodies/") }
        #expect(bodies.count == 1)
        let mode = try FileManager.default.attributesOfItem(atPath: sample.folder + "/" + bodies[0].path)
        #expect(mode[.posixPermissions] as? Int == 0o600)
    }

    /// Bytes that do not get smaller.
    static func noise(_ count: Int) -> Data {
        var random = SeededRandom(seed: 7)
        return Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
    }

    @Test func `equal bodies are kept once, large ones as files, too large ones not at all`() async throws {
        let sample = try HistorySample(limits: HistoryLimits(maximumBody: 1_000_000))
        let large = Self.noise(600_000)
        let bodies = [large, large, Self.noise(1_000_001), Data(repeating: 0x41, count: 900_000)]
        let next = Lock(0)
        for _ in bodies {
            await sample.send(
                sample.order(),
                StubTransport { _ in
                    .response(
                        statusCode: 200,
                        data: bodies[
                            next.withLock {
                                $0 += 1
                                return $0 - 1
                            }])
                })
        }
        #expect(sample.files.filter { $0.path.contains(".bodies/") }.count == 1)
        let entries = try await sample.history.entries()
        var kept: [Data?] = []
        var missing: [String?] = []
        for entry in entries.reversed() {
            let run = try await sample.history.run(entry.id)
            kept.append(run?.result.response?.body)
            missing.append(run?.missingBody)
        }
        #expect(kept == [bodies[0], bodies[1], nil, bodies[3]])
        #expect(missing[2] == "the body was too large to be kept (1000001 bytes)")
        #expect(entries[1].size == 1_000_001)
    }

    @Test func `what is selected is found, and nothing else`() async throws {
        let sample = try HistorySample()
        let users = [Folder(name: "users")]
        let transport = StubTransport { request in
            .response(statusCode: request.url.path().contains("bad") ? 503 : 200)
        }
        await sample.send(sample.order(SavedRequest(name: "list", path: "/100%_ok"), folders: users), transport)
        sample.pass(100)
        await sample.send(sample.order(SavedRequest(name: "list all", path: "/bad"), folders: users), transport)
        sample.pass(100)
        await sample.send(sample.order(SavedRequest(name: "users", path: "/Ähre")), transport)
        func names(_ change: (inout HistoryFilter) -> Void) async throws -> [String] {
            var filter = HistoryFilter()
            change(&filter)
            return try await sample.history.entries(sample.history.resolved(filter)).map {
                $0.request.path.joined(separator: "/")
            }
        }
        let file = sample.folder + "/c.json"
        #expect(try await names { $0.text = "100%25_ok" } == ["users/list"])
        // Neither is a wildcard.
        #expect(try await names { $0.text = "1_" } == [])
        #expect(try await names { $0.text = "/1%ok" } == [])
        #expect(try await names { $0.text = "BAD" } == ["users/list all"])
        #expect(try await names { $0.text = "users" } == ["users", "users/list all", "users/list"])
        #expect(try await names { $0.status = StatusPattern("5xx") } == ["users/list all"])
        #expect(try await names { $0.outcomes = [.failed] } == ["users/list all"])
        #expect(try await names { $0.environment = "production" } == [])
        #expect(try await names { $0.item = ItemPath(file: file, path: ["users"]) } == ["users"])
        #expect(
            try await names {
                $0.item = ItemPath(file: file, path: ["users"])
                $0.includesContents = true
            } == ["users", "users/list all", "users/list"])
        #expect(
            try await names {
                $0.item = ItemPath(file: file, path: ["users", "list"])
                $0.includesContents = true
            } == ["users/list"])
        #expect(
            try await names {
                $0.item = ItemPath(file: file)
                $0.includesContents = true
            }.count == 3)
        let middle = sample.time.withLock { $0.addingTimeInterval(-101) }
        #expect(try await names { $0.since = middle } == ["users", "users/list all"])
        #expect(try await names { $0.until = middle } == ["users/list"])
    }

    @Test func `a run has a place among those of its request`() async throws {
        let sample = try HistorySample()
        let transport = StubTransport { _ in .response(statusCode: 200) }
        for name in ["a", "b", "a", "a"] {
            await sample.send(sample.order(SavedRequest(name: name, path: "/")), transport)
        }
        let filter = Self.item(sample, "a")
        let newest = try #require(try await sample.history.neighbor(of: nil, isOlder: true, in: filter))
        #expect(newest.place == HistoryPlace(number: 1, count: 3))
        let second = try #require(
            try await sample.history.neighbor(of: newest.run.entry.id, isOlder: true, in: filter))
        #expect(second.place == HistoryPlace(number: 2, count: 3))
        let skipped = try await sample.history.neighbor(of: nil, isOlder: true, skipping: 1, in: filter)
        #expect(skipped?.run.entry.id == second.run.entry.id)
        let back = try await sample.history.neighbor(of: second.run.entry.id, isOlder: false, in: filter)
        #expect(back?.run.entry.id == newest.run.entry.id)
        #expect(try await sample.history.neighbor(of: newest.run.entry.id, isOlder: false, in: filter) == nil)
    }

    @Test func `a value is followed through the responses`() async throws {
        let sample = try HistorySample()
        let bodies = ["{\"stock\": 12}", "{\"stock\": 12}", "{\"stock\": 9}", "not JSON", "{\"stock\": 9}"]
        let next = Lock(0)
        for _ in bodies {
            await sample.send(
                sample.order(),
                StubTransport { _ in
                    .response(
                        statusCode: 200,
                        data: Data(
                            bodies[
                                next.withLock {
                                    $0 += 1
                                    return $0 - 1
                                }
                            ].utf8))
                })
            sample.pass(60)
        }
        let values = try await sample.history.values(at: "$.stock", Self.item(sample, "r"))
        #expect(values.periods.map(\.value) == ["9", nil, "9", "12"])
        #expect(values.periods.map(\.runs) == [1, 1, 1, 2])
        #expect(values.runs == 5 && !values.isCut && values.numbers == [])
        #expect(values.periods[3].last.timeIntervalSince(values.periods[3].first) > 59)
        let numbers = ValueHistory(path: "$", periods: Array(values.periods.suffix(2)), runs: 3, isCut: false).numbers
        #expect(numbers == [12, 12, 9])
    }

    @Test func `runs are found by a value in their bodies`() async throws {
        let sample = try HistorySample()
        for stock in [3, 0, 0] {
            await sample.send(
                sample.order(SavedRequest(name: "r", path: "/p")),
                StubTransport { _ in
                    .response(
                        statusCode: 200, data: Data("{\"items\":[{\"stock\":\(stock)}]}".utf8),
                        headers: ["Content-Type": "application/json"])
                })
        }
        await sample.send(
            sample.order(SavedRequest(name: "r", path: "/p")), StubTransport { _ in .response(statusCode: 204) })
        var filter = HistoryFilter()
        filter.bodyPath = "$.items[?@.stock == 0]"
        let found = try await sample.history.entries(try await sample.history.selected(filter))
        #expect(found.map(\.id) == [3, 2])
        filter.bodyPath = "$.missing"
        #expect(try await sample.history.count(try await sample.history.selected(filter)) == 0)
    }

    @Test func `a run that timed out has the kind of its failure`() async throws {
        let sample = try HistorySample()
        await sample.send(sample.order(), StubTransport { _ in .failure(TransportError(code: .timedOut)) })
        await sample.send(sample.order(), StubTransport { _ in .response(statusCode: 200) })
        #expect(try await sample.history.entries().map(\.failureKind) == [nil, .timeout])
    }

    @Test func `a clock that jumps back does not change the order`() async throws {
        let sample = try HistorySample()
        let transport = StubTransport { _ in .response(statusCode: 200) }
        for name in ["first", "second"] {
            await sample.send(sample.order(SavedRequest(name: name, path: "/")), transport)
            sample.pass(-86_400)
        }
        #expect(try await sample.history.entries().map { $0.request.path.last } == ["second", "first"])
    }

    @Test func `a rename takes the runs along, and joins those that are there`() async throws {
        let sample = try HistorySample()
        let transport = StubTransport { _ in .response(statusCode: 200) }
        let old = [Folder(name: "old")]
        await sample.send(sample.order(SavedRequest(name: "a", path: "/"), folders: old), transport)
        await sample.send(sample.order(SavedRequest(name: "a", path: "/"), folders: [Folder(name: "new")]), transport)
        let file = sample.folder + "/c.json"
        sample.history.rename(ItemPath(file: file, path: ["old"]), to: ItemPath(file: file, path: ["new"]))
        sample.history.finish()
        #expect(try await sample.history.entries(Self.item(sample, "new", "a")).count == 2)
        #expect(try await sample.history.count(Self.item(sample, "old", "a")) == 0)
        #expect(sample.problems.withLock { $0 } == [])
    }

    @Test(arguments: [0, 100_000])
    func `a run that is under way when its request is renamed goes along, and no later one`(size: Int) async throws {
        let sample = try HistorySample()
        let file = sample.folder + "/c.json"
        let order = sample.order(SavedRequest(name: "old", path: "/"))
        var result = SessionResult(.response(TransportResponse(statusCode: 200, body: Data(count: size))))
        result.elapsed = .seconds(10)
        sample.history.rename(ItemPath(file: file, path: ["old"]), to: ItemPath(file: file, path: ["new"]))
        sample.pass(5)
        await sample.history.record(order, result)
        sample.pass(10)
        await sample.history.record(order, result)
        sample.history.finish()
        for name in ["old", "new"] {
            #expect(try await sample.history.count(Self.item(sample, name)) == 1, "\(name)")
        }
    }

    @Test func `runs with large bodies among small ones wait for room, and all are recorded in order`() async throws {
        let sample = try HistorySample()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<12 {
                group.addTask {
                    for size in [1 << 20, 100, 1 << 20, 100, 1 << 20, 100] {
                        let response = TransportResponse(
                            statusCode: 200 + number, body: Data(repeating: 0xF0, count: size + number))
                        await sample.history.record(sample.order(), SessionResult(.response(response)))
                    }
                }
            }
        }
        sample.history.finish()
        let sizes = try await sample.history.entries().reduce(into: [:]) { $0[$1.status, default: []].append($1.size) }
        #expect(sizes.count == 12)
        for (status, found) in sizes {
            let number = (status ?? 0) - 200
            #expect(found == [100, 1 << 20, 100, 1 << 20, 100, 1 << 20].map { $0 + number }, "\(number)")
        }
    }

    @Test func `a run is recorded under the path that its order names`() async throws {
        let sample = try HistorySample()
        var order = sample.order(SavedRequest(name: "edited", path: "/"))
        order.recordedPath = ItemPath(file: sample.folder + "/c.json", path: ["saved"])
        await sample.send(order, StubTransport { _ in .response(statusCode: 200) })
        #expect(try await sample.history.count(Self.item(sample, "saved")) == 1)
    }
}
