import OmbiCore

/// What closures told, in order, and a way to wait for the last of it.
final class Transcript: Sendable {
    private struct State {
        var lines: [String] = []
        var hasEnded = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Lock(State())

    func add(_ line: String) { state.withLock { $0.lines.append(line) } }

    /// Adds a line on the way to a value.
    func note<Value>(_ line: String, _ value: Value) -> Value {
        add(line)
        return value
    }

    /// Adds the last line.
    func end(_ line: String) {
        let waiters = state.withLock { state in
            state.lines.append(line)
            state.hasEnded = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// What has been told so far.
    var soFar: [String] { state.withLock { $0.lines } }

    /// Everything, once the last line is there.
    var lines: [String] {
        get async {
            await withCheckedContinuation { continuation in
                let hasEnded = state.withLock { state in
                    if !state.hasEnded { state.waiters.append(continuation) }
                    return state.hasEnded
                }
                if hasEnded { continuation.resume() }
            }
            return soFar
        }
    }
}
