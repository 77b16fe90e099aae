#if canImport(CCurl)
import Dispatch
internal import OmbiBase

/// Threads that start on demand, wait some seconds for more work, and then end.
///
/// Not those of Dispatch: it has a limited number, which blocked foreign code can exhaust, and if the system cannot
/// create a thread it waits silently.
final class CurlThreads: Sendable {
    typealias Work = @Sendable () -> Void

    static let shared = CurlThreads()

    /// A thread and its assigned work.
    private final class Seat: Sendable {
        let work: Lock<Work?>
        let hasWork = DispatchSemaphore(value: 0)

        init(_ work: @escaping Work) { self.work = Lock(work) }

        /// Returns false if there is no work. The captures of the work are released before this returns.
        func perform() -> Bool {
            let work = work.withLock { work in
                defer { work = nil }
                return work
            }
            work?()
            return work != nil
        }
    }

    private let idle = Lock<[Seat]>([])
    private static let patience = DispatchTimeInterval.seconds(5)

    /// Returns false, without running the work, if the system cannot create a thread.
    func run(_ work: @escaping Work) -> Bool {
        guard let seat = idle.withLock({ $0.popLast() }) else {
            let seat = Seat(work)
            return DetachedThread.run { self.live(seat) }
        }
        seat.work.withLock { $0 = work }
        seat.hasWork.signal()
        return true
    }

    private func live(_ seat: Seat) {
        while seat.perform() {
            idle.withLock { $0.append(seat) }
            if seat.hasWork.wait(timeout: .now() + Self.patience) == .success { continue }
            let isLeft = idle.withLock { idle in
                guard let index = idle.firstIndex(where: { $0 === seat }) else { return false }
                idle.remove(at: index)
                return true
            }
            if isLeft { return }
            // Another thread has just removed it from the list to assign work.
            seat.hasWork.wait()
        }
    }
}
#endif
