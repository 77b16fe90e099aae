import Dispatch
import OmbiCore
import OmbiWorkspace

extension Session {
    /// Sends a request and returns every event of its run.
    func events(of order: RunOrder) async -> [SessionEvent] {
        let events = Lock<[SessionEvent]>([])
        await withCheckedContinuation { continuation in
            send(order, on: DispatchQueue(label: "test")) { event in
                events.withLock { $0.append(event) }
                if case .ended = event { continuation.resume() }
            }
        }
        return events.withLock { $0 }
    }
}
