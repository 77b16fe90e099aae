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
