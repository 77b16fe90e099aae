/// The time limit of a query, a schema or a pattern over a body: a file or a server may supply one that never ends. It
/// belongs to one thread.
package final class EvaluationTime {
    /// The limit for all evaluations over one body.
    package static let limit = Duration.seconds(10)

    /// The reason why an evaluation was not completed.
    package enum Interruption: Error, Equatable, Sendable {
        case tooLong, cancelled

        /// To follow a subject and a colon.
        package var reason: String {
            self == .cancelled ? "cancelled" : "no result within \(EvaluationTime.limit.components.seconds) s"
        }
    }

    /// The reason to stop; nil while the evaluation may continue.
    package private(set) var interruption: Interruption?
    private let end: ContinuousClock.Instant?
    private let isCancelled: () -> Bool
    private var left = EvaluationTime.interval

    /// The steps between two checks of the clock.
    static let interval = 4096

    /// - Parameters:
    ///   - limit: nil for none.
    ///   - isCancelled: Polled every `interval` steps; by default, the cancellation of the current task.
    package init(_ limit: Duration? = EvaluationTime.limit, isCancelled: @escaping () -> Bool = { Task.isCancelled }) {
        end = limit.map { .now + $0 }
        self.isCancelled = isCancelled
    }

    /// Counts steps of some ten nanoseconds each. Returns false once the evaluation is interrupted.
    @inline(__always) package func step(_ count: Int = 1) -> Bool {
        left &-= count
        return left > 0 ? interruption == nil : poll()
    }

    /// Returns false once the evaluation is interrupted.
    func poll() -> Bool {
        left = Self.interval
        guard interruption == nil else { return false }
        if isCancelled() { interruption = .cancelled } else if let end, .now > end { interruption = .tooLong }
        return interruption == nil
    }
}
