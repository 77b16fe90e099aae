import Dispatch

/// Runs tasks one at a time, in the order in which they were made: each up to where it waits.
public final class SerialTasks: TaskExecutor {
    private let queue = DispatchQueue(label: "serial tasks")

    public init() {}

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
