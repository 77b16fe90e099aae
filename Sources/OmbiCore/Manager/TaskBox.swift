/// A run that may be cancelled before it has started.
final class TaskBox: Sendable {
    private struct State {
        var task: (any RunControl)?
        var isCancelled = false
    }

    private let state = Lock(State())

    func set(_ task: any RunControl) {
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }
}
