#if canImport(CCurl)
internal import OmbiBase
import OmbiPlatform

/// A dispatcher that delivers the last events of transfers on its own threads. Their receivers decode and do other slow
/// work, which must delay neither the loops nor other receivers.
final class CurlNotifier: Sendable {
    private struct State {
        var ends = Fifo<CurlEnd>()
        var threads = 0
        /// The time of the last delivery, or of the last start of a thread.
        var lastStep = ContinuousClock.now
    }

    private let state = Lock(State())
    private let usualThreads: Int

    /// The time without a delivery after which the threads are considered blocked by receivers.
    private static let patience: Duration = .milliseconds(5)

    init(usualThreads: Int) { self.usualThreads = max(usualThreads, 2) }

    /// Delivers events in order, but several at a time.
    func notify(_ ends: [CurlEnd]) {
        let wanted = state.withLock { state in
            if state.ends.isEmpty { state.lastStep = .now }
            for end in ends { state.ends.append(end) }
            let wanted = max(min((state.ends.count + 1) / 2, usualThreads) - state.threads, 0)
            state.threads += wanted
            return wanted
        }
        for _ in 0..<wanted { summon() }
    }

    var isIdle: Bool { state.withLock { $0.ends.isEmpty } }

    /// Starts another thread if the others are blocked. Returns the time after which to call it again; nil if no event
    /// is left. It has to be called until then.
    func relieve() -> Duration? {
        let (isStuck, rest) = state.withLock { state -> (Bool, Duration?) in
            guard !state.ends.isEmpty else { return (false, nil) }
            let now = ContinuousClock.now
            let rest = state.lastStep + Self.patience - now
            guard rest <= .zero else { return (false, rest) }
            state.lastStep = now
            state.threads += 1
            return (true, Self.patience)
        }
        if isStuck { summon() }
        return rest
    }

    /// Starts a thread; if the system has none, the caller's thread does the work.
    private func summon() {
        if !CurlThreads.shared.run({ self.work() }) { work() }
    }

    private func work() {
        while let end = take() { end.notify() }
    }

    private func take() -> CurlEnd? {
        state.withLock { state in
            guard let end = state.ends.popFirst() else {
                state.threads -= 1
                return nil
            }
            if !state.ends.isEmpty { state.lastStep = .now }
            return end
        }
    }
}

/// The file descriptors of this process.
enum Descriptors {
    /// The maximum number of connections for the process: half of the descriptors within its limit, after a reserve for
    /// files and the rest of the program. A connection takes two during setup (IPv6 and IPv4, or a name lookup).
    static var connectionLimit: Int {
        var limit = rlimit()
        #if canImport(Glibc)
        let code = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #else
        let code = getrlimit(RLIMIT_NOFILE, &limit)
        #endif
        guard code == 0, let count = Int(exactly: limit.rlim_cur), count < 1 << 20 else { return 1 << 19 }
        return max((count - min(count / 2, 64)) / 2, 1)
    }

    /// True if fewer than two are left.
    static var areUsedUp: Bool {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { return errno == EMFILE || errno == ENFILE }
        for end in ends { close(end) }
        return false
    }
}

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
            let work = work.withLock { $0.take() }
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
