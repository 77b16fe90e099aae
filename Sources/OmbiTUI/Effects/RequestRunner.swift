import Dispatch
import OmbiCore
import OmbiWorkspace

/// Sends requests through OmbiCore: resolves them, keeps one manager for each way of sending, and holds the handles.
@MainActor
final class RequestRunner {
    private let overrides: Overrides
    private let transport = CurlTransport()
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
        let manager = RequestManager(resolved, transport: transport)
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

extension RequestManager {
    /// Reaches the server as the request's environment says.
    convenience init(_ resolved: ResolvedRequest, transport: any Transport) {
        self.init(host: resolved.host, transport: transport)
        additionalHeaders = resolved.additionalHeaders
        if !resolved.verifyTLS { connection.tls.verifiesServer = false }
    }
}

extension RunResult {
    init(_ result: Result<TransportResponse, RequestError<NoError>>) {
        switch result {
        case .success(let response): self = .response(response)
        case .failure(.cancelled): self = .cancelled
        case .failure(let error): self = .failure(Self.words(error))
        }
    }

    /// With advice that names what a collection has, and not the library's members.
    private static func words(_ error: RequestError<NoError>) -> String {
        guard case .connectionError(let cause) = error, cause.advice != nil else { return error.description }
        guard cause.code == .certificateNotTrusted else { return cause.message }
        return "\(cause.message); name the file of its authority in SSL_CERT_FILE, or set verifyTLS to false"
    }
}
