import Foundation
import OmbiCore
import TestSupport
import Testing

@testable import OmbiWorkspace

/// Requests that are sent again and again in a batch.
@Suite struct RepeatedRequestTests {
    /// Reads a collection of one request and prepares it: as it is kept for the next time, nil where it is not.
    private static func kept(_ members: String, environment: String = "") async throws -> ResolvedRequest? {
        let order = try order(members, environment: environment)
        let repeated = RepeatedRequest(order)
        let session = session()
        let chain = RunChain(order: order, start: .now, repeated: repeated)
        let first = try await session.prepare(chain)?.value
        let values = repeated.values(CapturedScope(), session.reader(for: order))
        let kept = values.flatMap { repeated.request(with: $0)?.value }
        #expect(kept == nil || kept == first)
        if kept != nil { #expect(try await session.prepare(chain)?.value == first) }
        return kept
    }

    private static func order(_ members: String, environment: String = "") throws -> RunOrder {
        let text = """
            { "version": 1, "name": "c", "variables": { "id": "7", "now": "{{$uuid}}" },
              "environments": [{ "name": "e", "host": "http://api.test" \(environment) }],
              "items": [{ "request": "r", \(members) }] }
            """
        let read = CollectionFile.read(Array(text.utf8), file: "c.json")
        let collection = try #require(read.collection, "\(read.problems)")
        return RunOrder(
            id: 1, request: collection.requests[0], collection: collection, environment: "e", file: "c.json",
            folders: nil)
    }

    private static func session(_ transport: any Transport = StubTransport { _ in .response() }) -> Session {
        Session(
            transport: transport, secrets: { _ in SecretReader(environment: { _ in "s" }, file: { _ in [] }) })
    }

    @Test(arguments: [
        #""path": "/users""#, #""path": "/users/{{id}}""#,
        #""path": "/", "method": "POST", "body": { "json": { "id": "{{id:number}}" } }, "headers": [{ "name": "X-A", "value": "{{id}}" }]"#,
        #""path": "/", "authentication": { "bearer": "{{id}}" }, "expect": { "status": 200 }"#,
    ])
    func `what cannot change is resolved once`(members: String) async throws {
        #expect(try await Self.kept(members) != nil)
    }

    @Test(arguments: [
        #""path": "/{{$timestamp}}""#, #""path": "/{{now}}""#,
        #""path": "/", "query": [{ "name": "q", "value": "{{$base64(now)}}" }]"#,
        #""path": "/", "method": "POST", "body": { "file": "\#(#filePath)" }"#,
        #""path": "/", "method": "POST", "body": { "multipart": [{ "name": "f", "file": "\#(#filePath)" }] }"#,
        #""path": "/", "expect": { "schema": { "type": "object" } }"#,
    ])
    func `what reads the time, a random number or a file is resolved anew`(members: String) async throws {
        #expect(try await Self.kept(members) == nil)
    }

    @Test func `a request with secrets is resolved once while they are the same, but for those in files`() async throws
    {
        let secrets = #", "secrets": { "key": { "env": "KEY" } }"#
        #expect(try await Self.kept(#""path": "/{{key}}""#, environment: secrets) != nil)
        #expect(try await Self.kept(#""path": "/""#, environment: secrets) != nil)
        let inFile = #", "secrets": { "key": { "env": "KEY" }, "other": { "file": "other.txt" } }"#
        #expect(try await Self.kept(#""path": "/{{key}}""#, environment: inFile) == nil)
    }

    @Test func `a secret that changes during a batch goes into the next request, and is masked`() async throws {
        let sent = StubTransport.Record()
        let key = Lock("first-key")
        let session = Session(
            transport: StubTransport { .json("\"\($0.headers["X-Key"] ?? "")\"") }.recording(in: sent),
            secrets: { _ in SecretReader(environment: { _ in key.withLock { $0 } }, file: { _ in [] }) })
        let order = try Self.order(
            #""path": "/", "headers": [{ "name": "X-Key", "value": "{{key}}" }]"#,
            environment: #", "secrets": { "key": { "env": "KEY" } }"#)
        let shown = Lock<[String]>([])
        _ = await session.run([order], RunPlan(length: .times(4))) { turn, result in
            shown.withLock { $0.append("\(result)") }
            if turn.number == 1 { key.withLock { $0 = "second-key" } }
            return true
        }
        #expect(sent.requests.map { $0.headers["X-Key"] } == ["first-key", "first-key", "second-key", "second-key"])
        #expect(shown.withLock { $0.count { $0.contains("-key") } } == 0)
    }

    @Test func `every run of a batch has its own random value`() async throws {
        let sent = StubTransport.Record()
        let session = Self.session(StubTransport { _ in .response() }.recording(in: sent))
        let orders = [try Self.order(#""path": "/same/{{id}}""#), try Self.order(#""path": "/{{now}}""#)]
        let tally = await session.run(orders, RunPlan(length: .times(20), concurrency: 3)) { _, _ in true }
        #expect(tally == Tally(passed: 40))
        let paths = sent.requests.map(\.url.path)
        #expect(paths.count { $0 == "/same/7" } == 20)
        #expect(Set(paths).count == 21)
    }

    @Test func `a value that each response brings goes into the next request`() async throws {
        let sent = StubTransport.Record()
        let transport = StubTransport { request in
            let number = Int(request.url.lastPathComponent) ?? 0
            return .json("\(number + 1)")
        }
        let session = Self.session(transport.recording(in: sent))
        let order = try Self.order(#""path": "/{{id}}", "capture": { "id": { "path": "$" } }"#)
        _ = await session.run([order], RunPlan(length: .times(4))) { _, result in result.passed }
        #expect(sent.requests.map(\.url.path) == ["/7", "/8", "/9", "/10"])
    }

    @Test func `requests that come once are not kept, nor are rows of data`() throws {
        let order = try Self.order(#""path": "/""#)
        var rowed = order
        rowed.row = DataRow(number: 1, variables: [])
        let turn = { RunTurn(number: 0, order: $0, start: .zero) }
        var once = RepeatedRequests(RunPlan())
        #expect(once[turn(0), of: order] == nil)
        var often = RepeatedRequests(RunPlan(length: .times(2)))
        let first = try #require(often[turn(0), of: order])
        #expect(often[turn(0), of: order] === first)
        #expect(often[turn(1), of: rowed] == nil)
        #expect(often[turn(1), of: order] !== first)
        #expect(often[turn(0), of: order] !== first, "its turns have gone by")
        var inTurn = RepeatedRequests(RunPlan(length: .duration(.seconds(1))))
        let kept = try #require(inTurn[turn(0), of: order])
        _ = inTurn[turn(1), of: order]
        #expect(inTurn[turn(0), of: order] === kept)
    }
}
