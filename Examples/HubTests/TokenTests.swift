import OmbiCore
import Testing

@testable import Hub

@Suite struct TokenTests {
    let record = StubTransport.Record()

    /// Refuses the first token. The requests that carry it wait for each other, so that all are refused at once.
    private func hub(together count: Int) -> Hub {
        let arrivals = DispatchGroup()
        for _ in 0..<count { arrivals.enter() }
        let stub = StubTransport { [record] request in
            if request.url.path.hasPrefix("/login") { return .token("t\(record.refreshes.count)") }
            guard request.headers[.authorization]?.text == "Bearer t1" else { return .ada }
            arrivals.leave()
            arrivals.wait()
            return .json(#"{"message": "Bad credentials"}"#, statusCode: 401)
        }
        return Hub(refreshToken: "r0", transport: stub.recording(in: record), now: { .start })
    }

    @Test func concurrentRequestsShareOneRefresh() async throws {
        let hub = hub(together: 8)
        let logins = try await withThrowingTaskGroup(of: String.self, returning: [String].self) { group in
            for _ in 0..<8 { group.addTask { try await hub.value(for: UserByLogin(login: "ada")).login } }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(logins == Array(repeating: "ada", count: 8))
        #expect(record.refreshes.count == 2)
        #expect(record.calls.count == 16)
        #expect(record.calls.suffix(8).allSatisfy { $0.headers[.authorization]?.text == "Bearer t2" })
    }

    @Test func aRefreshTokenIsUsedOnce() async throws {
        _ = try await hub(together: 1).value(for: UserByLogin(login: "ada"))
        let sent = record.refreshes.map {
            RequestParameters(encoded: String(decoding: $0.body ?? Data(), as: UTF8.self))
        }
        #expect(sent.map { $0["refresh_token"]?.text } == ["r0", "r-t1"])
        #expect(record.refreshes.allSatisfy { $0.headers[.authorization] == nil })
    }

    @Test func aTokenIsRefreshedBeforeItExpires() async throws {
        let stub = StubTransport { [record] request in
            request.url.path.hasPrefix("/login") ? .token("t\(record.refreshes.count)", lifetime: 20) : .ada
        }
        let hub = Hub(refreshToken: "r0", transport: stub.recording(in: record), now: { .start })
        for _ in 0..<2 { _ = try await hub.value(for: UserByLogin(login: "ada")) }
        #expect(record.calls.map { $0.headers[.authorization]?.text } == ["Bearer t1", "Bearer t2"])
    }

    @Test func aRefusedRefreshIsTheErrorOfTheRequest() async {
        let stub = StubTransport { _ in .json(#"{"message": "Revoked"}"#, statusCode: 400) }
        let hub = Hub(refreshToken: "r0", transport: stub.recording(in: record))
        let error = await #expect(throws: RequestError<HubError>.self) {
            try await hub.value(for: UserByLogin(login: "ada"))
        }
        #expect(
            error?.underlyingError as? RequestError<HubError>
                == .validationError(.init(status: 400, message: "Revoked")))
        #expect(record.calls.isEmpty)
    }
}

extension StubTransport.Record {
    /// The requests for tokens.
    var refreshes: [TransportRequest] { requests.filter { $0.url.path.hasPrefix("/login") } }
}
