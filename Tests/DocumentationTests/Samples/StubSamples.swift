import OmbiCore

// sample: TestingWithoutANetwork/clock
func waits(_ clock: TestClock, _ transport: any Transport) async -> RequestReport? {
    let manager = RequestManager(host: "https://api.example.com", transport: transport, clock: clock)
    let policy = RetryPolicy(retries: 2, backoff: .exponential(first: .seconds(10)))
    let task = manager.send(UserByID(id: 42), retry: policy, sla: .seconds(60))
    for await case .waiting(_, let until, _, let at) in task.events { clock.advance(by: until - at) }
    return await task.report
}
// end

enum StubSamples {
    static func fixed() -> RequestManager {
        // sample: TestingWithoutANetwork/fixed
        let manager = RequestManager(
            host: "https://api.example.com",
            transport: .stubJSONResponse(statusCode: 200, data: Data(#"{"id": 42, "name": "Ada"}"#.utf8)))
        // end
        return manager
    }

    static func routed() -> RequestManager {
        // sample: TestingWithoutANetwork/routed
        let manager = RequestManager(
            host: "https://api.example.com",
            transport: .stub { request in
                switch (request.method, request.url.path) {
                case (.get, "/users/42"): .json(#"{"id": 42, "name": "Ada"}"#)
                case (.post, "/users"): .response(statusCode: 201, data: request.body ?? Data())
                default: .json("{}", statusCode: 404)
                }
            })
        // end
        return manager
    }

    static func replies() -> RequestManager {
        // sample: TestingWithoutANetwork/replies
        let manager = RequestManager(
            host: "https://api.example.com",
            transport: .stub(replies: [
                .failure(TransportError(code: .connectionLost)), .response(statusCode: 503),
                .json(#"{"id": 42, "name": "Ada"}"#),
            ]))
        // end
        return manager
    }

    static func down() -> RequestManager {
        // sample: TestingWithoutANetwork/down
        let down = TransportError(code: .cannotConnectToHost, message: "could not connect (connection refused)")
        let manager = RequestManager(host: "https://api.example.com", transport: .stub(error: down))
        // end
        return manager
    }

    static func slow(_ archive: Data) -> [StubTransport.Reply] {
        // sample: TestingWithoutANetwork/slow
        let late = StubTransport.Reply.json(#"{"id": 42, "name": "Ada"}"#).delayed(by: .seconds(30))
        let slow = StubTransport.Reply.response(data: archive).inPieces(of: 16_384, every: .milliseconds(100))
        let broken = TransportError(code: .connectionLost)
        let cut = StubTransport.Reply.response(data: archive.prefix(100)).failing(with: broken)
        // end
        return [late, slow, cut]
    }

    static func recorded() async throws -> [String] {
        // sample: TestingWithoutANetwork/record
        let record = StubTransport.Record()
        let stub = StubTransport.stub(replies: [.json(#"{"id": 42, "name": "Ada"}"#)]).recording(in: record)
        let manager = RequestManager(host: "https://api.example.com", transport: stub)
        _ = try await manager.response(for: UserByID(id: 42))
        let paths = record.requests.map(\.url.path)
        // end
        return paths
    }

    static func wire(_ manager: RequestManager) throws -> String {
        // sample: TestingWithoutANetwork/wire
        let request = try manager.buildRequest(for: UserByID(id: 42))
        let line = "\(request.method.rawValue) \(request.url.absoluteString)"
        // end
        return line
    }

    static func prices() async throws -> ([String], [WebSocketMessage]) {
        // sample: TestingWithoutANetwork/webSocket
        let record = StubTransport.Record()
        let stub = StubTransport.webSocket(.receive, .send("tea 3.20"), .close(.normal)).recording(in: record)
        let socket = RequestManager(host: "https://api.example.com", transport: stub).webSocket("/prices")
        try await socket.send("subscribe tea")
        var prices: [String] = []
        for try await message in socket.messages { prices.append(message.text ?? "") }
        let subscriptions = record.messages
        // end
        return (prices, subscriptions)
    }

    // sample: TestingWithoutANetwork/transport
    struct Instant: Transport {
        struct Done: TransportTask {
            func cancel() {}
        }

        func start(
            _ request: TransportRequest, onEvent: @escaping @Sendable (TransportEvent) -> Void
        ) -> any TransportTask {
            onEvent(.finished(TransportResponse(url: request.url, statusCode: 204), TransportMetrics()))
            return Done()
        }
    }
    // end
}
