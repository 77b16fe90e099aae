/// Swift tasks that wait for something, in the order in which they came. Each is resumed once, by whoever takes it out.
struct Waiters<Value: Sendable> {
    typealias Outcome = Result<Value, WebSocketError>
    typealias Continuation = CheckedContinuation<Outcome, Never>

    private var waiting: [(id: Int, continuation: Continuation)] = []

    var count: Int { waiting.count }

    mutating func add(_ id: Int, _ continuation: Continuation) { waiting.append((id, continuation)) }

    /// nil when the task does not wait any more.
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
