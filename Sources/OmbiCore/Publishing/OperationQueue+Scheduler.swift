#if FoundationSchedulers && !canImport(Combine)
import Foundation

/// The conformance that Combine provides on Apple's systems. Under the package trait `FoundationSchedulers` (on by
/// default), because it links all of Foundation; a program that needs a fast start disables the trait.
extension OperationQueue: @retroactive Scheduler {
    public typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType
    public typealias SchedulerOptions = Never

    public var now: SchedulerTimeType { DispatchQueue.main.now }
    public var minimumTolerance: SchedulerTimeType.Stride { DispatchQueue.main.minimumTolerance }

    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        addOperation(Self.handedOver(action))
    }

    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        let action = Self.handedOver(action)
        DispatchQueue.global().asyncAfter(deadline: date.dispatchTime) { self.addOperation(action) }
    }

    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        let action = Self.handedOver(action)
        let timer = DispatchSource.makeTimerSource()
        timer.schedule(deadline: date.dispatchTime, repeating: interval.timeInterval)
        timer.setEventHandler { self.addOperation(action) }
        timer.activate()
        return AnyCancellable { timer.cancel() }
    }

    /// A scheduler accepts any closure; it is called on the queue only.
    private static func handedOver(_ action: @escaping () -> Void) -> @Sendable () -> Void {
        let box = Lock(Action(run: action))
        return {
            let action = box.withLock { $0 }
            action.run()
        }
    }

    /// A bare closure would be wrapped once more each time that it is read through a generic type.
    private struct Action {
        let run: () -> Void
    }
}
#endif
