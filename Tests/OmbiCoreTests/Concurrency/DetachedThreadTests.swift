import Dispatch
import Foundation
import Testing

@testable import OmbiCore

@Suite("A thread that ends with its work")
struct DetachedThreadTests {
    @Test("Work is done on another thread, with all signals blocked")
    func work() async {
        let blocked = await withCheckedContinuation { continuation in
            let hasBegun = DetachedThread.run {
                var signals = sigset_t()
                pthread_sigmask(SIG_SETMASK, nil, &signals)
                continuation.resume(
                    returning: sigismember(&signals, SIGTERM) == 1 && sigismember(&signals, SIGINT) == 1)
            }
            #expect(hasBegun)
        }
        #expect(blocked)
    }

    @Test("Brief work keeps to the order of its queue")
    func order() async {
        let queue = DispatchQueue(label: "brief")
        let log = Lock<[String]>([])
        let gate = DispatchSemaphore(value: 0)
        queue.async {
            gate.wait()
            log.withLock { $0.append("first") }
        }
        await withCheckedContinuation { continuation in
            queue.briefly {
                log.withLock { $0.append("second") }
                continuation.resume()
            }
            gate.signal()
        }
        #expect(log.withLock { $0 } == ["first", "second"])
    }

    @Test("Its captures are released with it")
    func captures() async {
        final class Witness: Sendable {
            let onEnd: @Sendable () -> Void
            init(_ onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
            deinit { onEnd() }
        }
        await withCheckedContinuation { continuation in
            let witness = Witness { continuation.resume() }
            _ = DetachedThread.run { _ = witness }
        }
    }
}
