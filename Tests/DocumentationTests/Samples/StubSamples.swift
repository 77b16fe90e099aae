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
        let stub = StubTransport.stubJSONResponse(statusCode: 200, data: Data(#"{"id": 42, "name": "Ada"}"#.utf8))
        let manager = RequestManager(host: "https://api.example.com", transport: stub)
        // end
        return manager
    }

    static func routed() -> RequestManager {
        // sample: TestingWithoutANetwork/routed
        let stub = StubTransport { request in
            switch (request.method, request.url.path) {
            case (.get, "/users/42"):
                .success(
                    TransportResponse(url: request.url, statusCode: 200, body: Data(#"{"id": 42, "name": "Ada"}"#.utf8))
                )
            case (.post, "/users"):
                .success(TransportResponse(url: request.url, statusCode: 201, body: request.body))
            default:
                .success(TransportResponse(url: request.url, statusCode: 404, body: Data("{}".utf8)))
            }
        }
        let manager = RequestManager(host: "https://api.example.com", transport: stub)
        // end
        return manager
    }

    static func down() -> RequestManager {
        // sample: TestingWithoutANetwork/down
        let down = TransportError(code: .cannotConnectToHost, message: "could not connect (connection refused)")
        let manager = RequestManager(host: "https://api.example.com", transport: StubTransport.stub(error: down))
        // end
        return manager
    }

    static func wire(_ manager: RequestManager) throws -> String {
        // sample: TestingWithoutANetwork/wire
        let request = try manager.buildRequest(for: UserByID(id: 42))
        let line = "\(request.method.rawValue) \(request.url.absoluteString)"
        // end
        return line
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
