import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// The same cases on the stub and on the real transport.
@Suite struct BothTransportsTests {
    enum Kind: String, CaseIterable { case stub, curl }

    /// Answers with these statuses in turn; the last one repeats.
    func withManager(
        _ kind: Kind, _ statuses: [Int], body: String = "[1, 2]", _ use: (RequestManager) async throws -> Void
    ) async throws {
        switch kind {
        case .stub:
            let steps = Counter()
            let transport = StubTransport { request in
                let status = statuses[min(steps.next(), statuses.count - 1)]
                return .success(
                    TransportResponse(url: request.url, headers: [:], statusCode: status, body: Data(body.utf8)))
            }
            try await use(RequestManager(host: "http://stub.test", transport: transport))
        case .curl:
            let server = try LoopbackServer { request in
                .status(statuses[min(request.number - 1, statuses.count - 1)], body)
            }
            defer { server.stop() }
            try await use(RequestManager(host: server.host))
        }
    }

    struct ListRequest: HTTPRequest {
        typealias ResponseBody = [Int]
        let path = "/list"
        let method = RequestMethod.get
    }

    @Test(arguments: Kind.allCases) func `a body is decoded`(kind: Kind) async throws {
        try await withManager(kind, [200]) { manager in
            let response = try await manager.response(for: ListRequest())
            #expect(response.body == [1, 2])
            #expect(response.statusCode == 200)
            #expect(response.url?.path == "/list")
        }
    }

    @Test(arguments: Kind.allCases) func `a status is validated`(kind: Kind) async throws {
        try await withManager(kind, [404]) { manager in
            await #expect(throws: RequestError<HTTPError>.self) { try await manager.response(for: ListRequest()) }
        }
    }

    @Test(arguments: Kind.allCases) func `a retry succeeds`(kind: Kind) async throws {
        try await withManager(kind, [503, 500, 200]) { manager in
            let response = try await manager.response(for: ListRequest(), retries: 2)
            #expect(response.body == [1, 2])
        }
    }

    @Test(arguments: Kind.allCases) func `an undecodable body is a decoding error`(kind: Kind) async throws {
        try await withManager(kind, [200], body: "{}") { manager in
            await #expect(
                performing: { try await manager.response(for: ListRequest()) },
                throws: { error in
                    (error as? RequestError<HTTPError>)?.stage == .parsing
                })
        }
    }

    @Test(arguments: Kind.allCases) func `the front end hears every step`(kind: Kind) async throws {
        try await withManager(kind, [503, 200]) { manager in
            let (recorder, _) = manager.record(PlainRequest(), retry: RetryPolicy(retries: 1))
            let report = await recorder.report
            #expect(report?.outcome == .succeeded)
            #expect(report?.attempts.allSatisfy { $0.metrics.timings.total <= $0.duration } == true)
            #expect(report?.attempts.map(\.outcome) == [.failed(.status, "503 Service Unavailable"), .succeeded])
            #expect(recorder.events.filter { $0.name == "head" }.count == 2)
            #expect(recorder.events.filter { $0.name == "finished" }.count == 1)
            #expect(recorder.events.last?.name == "finished")
            #expect(recorder.eventsAfterEnd == 0)
        }
    }
}
