import Dispatch

/// Where results are delivered: a scheduler, as a function.
enum Delivery {
    typealias Function = @Sendable (@escaping @Sendable () -> Void) -> Void

    static func onGlobalQueue(_ block: @escaping @Sendable () -> Void) {
        DispatchQueue.global().async(execute: block)
    }

    /// Schedulers may be called from any thread; the protocol only does not say so in a way that the compiler checks.
    static func on<S: Scheduler>(_ scheduler: S) -> Function {
        let schedule = Handover<(@escaping @Sendable () -> Void) -> Void>({ scheduler.schedule($0) })
        return { schedule.value($0) }
    }
}

extension Duration {
    /// The time that a scheduler's stride stands for. Strides can only be compared, so the value is searched for;
    /// a scheduler that knows no time (`ImmediateScheduler`) has no limit.
    init<Stride: SchedulerTimeIntervalConvertible & Comparable>(stride: Stride) {
        var low = 0
        var high = 1_000_000_000_000_000
        while low < high {
            let middle = low + (high - low + 1) / 2
            if Stride.microseconds(middle) <= stride { low = middle } else { high = middle - 1 }
        }
        self = .microseconds(low)
    }
}
