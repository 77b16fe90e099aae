import Dispatch
import OmbiCore
import OmbiWorkspace

/// Resolves requests, sends them, and holds the handles of those that run.
@MainActor
final class RequestRunner {
    private let overrides: Overrides
    private let transport = CurlTransport()
    private var tasks: [RunID: RunHandle] = [:]

    init(overrides: Overrides) {
        self.overrides = overrides
    }

    func task(_ id: RunID) -> RunHandle? { tasks[id] }

    func canSend(_ order: RunOrder) -> Bool { (try? order.resolve(overrides: overrides)) != nil }

    func send(_ order: RunOrder, emit: @escaping @Sendable (Event) -> Void) {
        let id = order.id
        do throws(ResolveError) {
            let resolved = try order.resolve(overrides: overrides)
            emit(.runPrepared(id, resolved.sent))
            tasks[id] = resolved.send(through: transport, on: .main) { [weak self] result in
                emit(.runEnded(id, result))
                MainActor.assumeIsolated { self?.tasks[id] = nil }
            } onEvent: {
                emit(.run(id, $0))
            }
        } catch {
            emit(.runEnded(id, .failure("\(error)")))
        }
    }
}
