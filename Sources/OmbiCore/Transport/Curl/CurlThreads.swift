#if canImport(CCurl)
import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

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
        guard let seat = idle.withLock({ $0.popLast() }) else { return start(Seat(work)) }
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

    /// Starts a thread with all signals blocked, which leaves them to the program's own threads.
    private func start(_ seat: Seat) -> Bool {
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let start = Unmanaged.passRetained(Start(threads: self, seat: seat))
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
        #if canImport(Darwin)
        var thread: pthread_t?
        #else
        var thread = pthread_t()
        #endif
        let code = pthread_create(&thread, &attributes, Self.main, start.toOpaque())
        if code != 0 { start.release() }
        return code == 0
    }

    private final class Start {
        let threads: CurlThreads
        let seat: Seat

        init(threads: CurlThreads, seat: Seat) {
            self.threads = threads
            self.seat = seat
        }
    }

    #if canImport(Darwin)
    private static let main: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = { enter($0) }
    #else
    private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { enter($0) }
    #endif

    private static func enter(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let pointer else { return nil }
        let start = Unmanaged<Start>.fromOpaque(pointer).takeRetainedValue()
        start.threads.live(start.seat)
        return nil
    }
}
#endif
