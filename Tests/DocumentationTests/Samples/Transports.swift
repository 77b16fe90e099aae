import OmbiCore
import OmbiURLSession

enum TransportSamples {
    static func shared() -> RequestManager {
        // sample: Transports/shared
        let manager = RequestManager(host: "https://api.example.com", transport: URLSessionTransport.shared)
        // end
        return manager
    }

    static func onResponses(_ manager: RequestManager) async throws -> [String] {
        // sample: Transports/executor
        let items = try await Task(executorPreference: ResponseExecutor.shared) {
            var items: [String] = []
            for id in 1...1000 { items.append(try await manager.value(for: OrderByID(id: id)).item) }
            return items
        }.value
        // end
        return items
    }

    static func adjusted() -> RequestManager {
        // sample: Transports/adjusted
        let transport = URLSessionTransport { session in
            session.allowsCellularAccess = false
        }
        let manager = RequestManager(host: "https://api.example.com", transport: transport)
        // end
        return manager
    }
}

// sample: Transports/fuse
struct Fuse<Base: Transport>: Transport {
    let base: Base
    let isBlown: @Sendable () -> Bool

    struct NoTask: TransportTask {
        func cancel() {}
    }

    var acceptedEncodings: String? { base.acceptedEncodings }

    func start(
        _ request: TransportRequest, onEvent: @escaping @Sendable (TransportEvent) -> Void
    ) -> any TransportTask {
        guard isBlown() else { return base.start(request, onEvent: onEvent) }
        let error = TransportError(code: .cannotConnectToHost, message: "the fuse has blown")
        onEvent(.failed(error, TransportMetrics()))
        return NoTask()
    }
}
// end
