/// The task-local values of the place where it was created, for tasks that other threads start later.
///
/// Swift copies the values only into tasks that start where they are set. A task of its own therefore waits there, and
/// starts the others. It retains nothing, and ends when the context is released.
final class TaskContext: Sendable {
    private let jobs: AsyncStream<@Sendable () -> Void>.Continuation

    init() {
        let (stream, jobs) = AsyncStream.makeStream(of: (@Sendable () -> Void).self)
        self.jobs = jobs
        Task { for await job in stream { job() } }
    }

    deinit { jobs.finish() }

    fileprivate func run(_ job: @escaping @Sendable () -> Void) { jobs.yield(job) }
}

/// A Swift task that can be cancelled before it starts.
final class LaterTask: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var isCancelled = false
    }

    private let state = Lock(State())

    /// - Parameter context: The task-local values of the task; nil for those of the caller.
    init(in context: TaskContext?, _ body: @escaping @Sendable () async -> Void) {
        if let context { context.run { self.begin(body) } } else { begin(body) }
    }

    /// A task that is cancelled before runs nothing.
    private func begin(_ body: @escaping @Sendable () async -> Void) {
        guard !state.withLock({ $0.isCancelled }) else { return }
        let task = Task { await body() }
        let isCancelled = state.withLock { state in
            if !state.isCancelled { state.task = task }
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            defer { state.task = nil }
            return state.task
        }
        task?.cancel()
    }
}
