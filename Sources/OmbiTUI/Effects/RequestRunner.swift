import Dispatch
import OmbiCore
import OmbiWorkspace

/// Sends requests through OmbiCore: resolves them, keeps one manager for each way of sending, and holds the handles.
@MainActor
final class RequestRunner {
    private let overrides: Overrides
    private let secure = CurlTransport()
    private let insecure = CurlTransport(configuration: CurlTransport.Configuration(verifiesTLS: false))
    private var tasks: [RunID: RequestTask<ResolvedRequest>] = [:]

    init(overrides: Overrides) {
        self.overrides = overrides
    }

    func task(_ id: RunID) -> RequestTask<ResolvedRequest>? { tasks[id] }

    func send(_ order: RunOrder, emit: @escaping @Sendable (Event) -> Void) {
        let id = order.id
        do throws(ResolveError) {
            let resolved = try order.resolve(overrides: overrides)
            emit(.runPrepared(id, SentRequest(resolved)))
            tasks[id] = start(resolved, id, emit: emit)
        } catch {
            emit(.runEnded(id, .failure("\(error)")))
        }
    }

    private func start(
        _ resolved: ResolvedRequest, _ id: RunID, emit: @escaping @Sendable (Event) -> Void
    ) -> RequestTask<ResolvedRequest> {
        let manager = RequestManager(host: resolved.host, transport: resolved.verifyTLS ? secure : insecure)
        manager.additionalHeaders = resolved.additionalHeaders
        return manager.send(resolved, retry: resolved.retry, sla: resolved.sla, on: .main) { [weak self] result in
            emit(.runEnded(id, RunResult(result)))
            self?.tasks[id] = nil
        } onEvent: { event in
            if case .finished(let report) = event, let wire = report.request {
                emit(.runSent(id, SentRequest(resolved, wire)))
            }
            emit(.run(id, event))
        }
    }
}

extension RunResult {
    init(_ result: Result<TransportResponse, RequestError<NoError>>) {
        switch result {
        case .success(let response): self = .response(response)
        case .failure(.cancelled): self = .cancelled
        case .failure(let error): self = .failure(error.description)
        }
    }
}
