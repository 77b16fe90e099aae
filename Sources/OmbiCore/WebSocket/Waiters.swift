/// A list of suspended Swift tasks in order of arrival. Each is resumed once, by the code that removes it.
struct Waiters<Value: Sendable> {
    typealias Outcome = Result<Value, WebSocketError>
    typealias Continuation = CheckedContinuation<Outcome, Never>

    private var waiting: [(id: Int, continuation: Continuation)] = []

    var count: Int { waiting.count }

    mutating func add(_ id: Int, _ continuation: Continuation) { waiting.append((id, continuation)) }

    /// Returns nil if the task is not waiting any more.
    mutating func remove(_ id: Int) -> Continuation? {
        waiting.firstIndex { $0.id == id }.map { waiting.remove(at: $0).continuation }
    }

    mutating func removeFirst() -> Continuation? { waiting.isEmpty ? nil : waiting.removeFirst().continuation }

    mutating func removeAll() -> [Continuation] {
        guard !waiting.isEmpty else { return [] }
        defer { waiting = [] }
        return waiting.map { $0.continuation }
    }
}
