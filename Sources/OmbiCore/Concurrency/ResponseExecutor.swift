import OmbiPlatform

/// An executor that runs tasks on the threads that deliver their responses.
///
/// A task that waits for a response otherwise changes threads twice for each request: from the transport's thread to
/// the global executor, and back with the next request. With this executor as its preference, it continues on the
/// thread of the response:
///
///     Task(executorPreference: ResponseExecutor.shared) {
///         for id in ids { try await store(manager.value(for: GetUser(id: id))) }
///     }
///
/// Use it for tasks that send one request after another and do little in between. Every other part of such a task runs
/// on OmbiCore's own threads.
public final class ResponseExecutor: TaskExecutor {
    /// The only executor.
    public static let shared = ResponseExecutor()

    private init() {}

    /// Called by Swift for each part of a task between two suspensions. A part that continues with the response of the
    /// current thread's turn runs at the end of that turn; any other runs on one of OmbiCore's own threads.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if ResponseTurn.takes(job) { return }
        WorkPool.shared.run { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// The turn in which a thread delivers the end of an attempt, and the job that continues with it afterwards.
///
/// One job only: a second one may deserve another thread.
enum ResponseTurn {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// Keeps a job for the end of the calling thread's turn. Returns false if there is no turn, or it has a job.
    static func takes(_ job: UnownedJob) -> Bool {
        guard let slot = pthread_getspecific(key)?.assumingMemoryBound(to: UnownedJob?.self), slot.pointee == nil
        else { return false }
        slot.pointee = job
        return true
    }

    static func perform(_ report: () -> Void) {
        var job: UnownedJob?
        withUnsafeMutablePointer(to: &job) { slot in
            let before = pthread_getspecific(key)
            pthread_setspecific(key, slot)
            report()
            pthread_setspecific(key, before)
        }
        job?.runSynchronously(on: ResponseExecutor.shared.asUnownedTaskExecutor())
    }
}

/// The thread or scheduler that receives results.
enum Delivery: Sendable {
    /// A thread of the `WorkPool`.
    case pool
    case queue(DispatchQueue)
    /// On the thread that brings the result.
    case immediate
    case scheduler(Lock<Schedule>)

    /// A closure by itself would be wrapped once more each time that it is read through a generic type.
    struct Schedule {
        let run: (@escaping @Sendable () -> Void) -> Void
    }

    /// Takes the scheduler of a call, or else the queue of the manager.
    ///
    /// Schedulers may be called from any thread, although the protocol does not declare it in a form that the compiler
    /// checks.
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
    /// Returns a closure of the main actor in a form that the main queue accepts.
    static func handler<Value>(_ handler: @escaping @MainActor (Value) -> Void) -> @Sendable (Value) -> Void {
        { value in
            let box = Lock(value)
            MainActor.assumeIsolated { handler(box.withLock { $0 }) }
        }
    }
}
