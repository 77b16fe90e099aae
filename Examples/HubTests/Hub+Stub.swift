import OmbiCore

@testable import Hub

extension Hub {
    /// A hub on a stub, with a token that needs no refresh for an hour. Time stands still.
    init(_ clock: TestClock = TestClock(), record: StubTransport.Record, _ reply: @escaping StubTransport.Handler) {
        let stub = StubTransport(clock: clock) { request in
            request.url.path.hasPrefix("/login") ? .token("first") : reply(request)
        }
        self.init(refreshToken: "r0", transport: stub.recording(in: record), clock: clock, now: { .start })
    }
}

extension Date {
    static let start = Date(timeIntervalSince1970: 1_000_000)
}

extension StubTransport.Reply {
    static func token(_ name: String, lifetime: Int = 3600) -> Self {
        .json(#"{"access_token": "\#(name)", "refresh_token": "r-\#(name)", "expires_in": \#(lifetime)}"#)
    }
}

extension StubTransport.Record {
    /// What was sent to the hub itself, as "GET /users/ada".
    var lines: [String] { calls.map { "\($0.method.rawValue) \($0.url.path)" } }
    /// Without the requests for tokens.
    var calls: [TransportRequest] { requests.filter { !$0.url.path.hasPrefix("/login") } }
}
