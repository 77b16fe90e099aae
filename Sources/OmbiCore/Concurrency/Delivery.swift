import Dispatch

/// The thread or scheduler that receives results.
enum Delivery: Sendable {
    /// On a thread that belongs to nobody else.
    case pool
    case queue(DispatchQueue)
    /// On the thread that brings the result.
    case immediate
    case scheduler(Lock<Schedule>)

    /// A closure by itself would be wrapped once more each time that it is read through a generic type.
    struct Schedule {
        let run: (@escaping @Sendable () -> Void) -> Void
    }

    /// The scheduler of a call, or else the queue of the manager.
    ///
    /// Schedulers may be called from any thread; the protocol only does not say so in a way that the compiler checks.
    init<S: Scheduler>(_ scheduler: S?, default queue: DispatchQueue?) {
        switch scheduler {
        case nil: self = queue.map(Delivery.queue) ?? .pool
        case let queue as DispatchQueue: self = .queue(queue)
        case is ImmediateScheduler: self = .immediate
        case let scheduler?: self = .scheduler(Lock(Schedule(run: { scheduler.schedule($0) })))
        }
    }

    func callAsFunction(_ block: @escaping @Sendable () -> Void) {
        switch self {
        case .pool: WorkPool.shared.run(block)
        case .queue(let queue): queue.async(execute: block)
        case .immediate: block()
        case .scheduler(let schedule):
            let schedule = schedule.withLock { $0 }
            schedule.run(block)
        }
    }

    /// Hands a value over: nobody here keeps anything of it, so no two threads ever see it at the same time.
    func handOver<Value>(_ value: Value, to handler: @escaping @Sendable (Value) -> Void) {
        if case .immediate = self { return handler(value) }
        let box = Lock(value)
        self { handler(box.withLock { $0 }) }
    }
}

/// The main queue, for closures that are code of the main actor: `on: .main`.
public enum MainQueue: Sendable {
    /// The queue of the main thread.
    case main
}

extension MainQueue {
    /// A closure of the main actor as one that the main queue may be given.
    static func handler<Value>(_ handler: @escaping @MainActor (Value) -> Void) -> @Sendable (Value) -> Void {
        { value in
            let box = Lock(value)
            MainActor.assumeIsolated { handler(box.withLock { $0 }) }
        }
    }
}
