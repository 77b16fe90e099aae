import Dispatch

/// Where results are delivered: a scheduler, as a function.
enum Delivery {
    typealias Function = @Sendable (@escaping @Sendable () -> Void) -> Void

    /// On a thread that belongs to nobody else.
    static func onPool(_ block: @escaping @Sendable () -> Void) { WorkPool.shared.run(block) }

    /// Whether code of the user runs because an `ImmediateScheduler` delivers to it: on the thread that brought the response.
    @TaskLocal static var isImmediate = false

    /// Schedulers may be called from any thread; the protocol only does not say so in a way that the compiler checks.
    static func on<S: Scheduler>(_ scheduler: S) -> Function {
        if scheduler is ImmediateScheduler { return { block in $isImmediate.withValue(true, operation: block) } }
        let box = Lock(Schedule(run: { scheduler.schedule($0) }))
        return { block in
            let schedule = box.withLock { $0 }
            schedule.run(block)
        }
    }

    /// A closure by itself would be wrapped once more each time that it is read through a generic type.
    private struct Schedule {
        let run: (@escaping @Sendable () -> Void) -> Void
    }

    /// Hands the result over: the run keeps nothing of it, so no two threads ever see it at the same time.
    static func handler<Result>(
        _ handler: @escaping @Sendable (Result) -> Void, _ deliver: @escaping Function
    ) -> @Sendable (Result) -> Void {
        { result in
            let box = Lock(result)
            deliver { handler(box.withLock { $0 }) }
        }
    }
}
