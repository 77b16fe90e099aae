import Dispatch
import Foundation
import Testing

@testable import OmbiCore

@Suite("A thread that ends with its work")
struct DetachedThreadTests {
    @Test("Work is done on another thread, which no signal of the program interrupts")
    func work() async {
        let blocked = await withCheckedContinuation { continuation in
            let hasBegun = DetachedThread.run {
                var signals = sigset_t()
                pthread_sigmask(SIG_SETMASK, nil, &signals)
                continuation.resume(
                    returning: sigismember(&signals, SIGTERM) == 1 && sigismember(&signals, SIGINT) == 1
                        && sigismember(&signals, SIGSEGV) == 0 && sigismember(&signals, SIGTRAP) == 0)
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
            BriefWork(on: queue).add {
                log.withLock { $0.append("second") }
                continuation.resume()
            }
            gate.signal()
        }
        #expect(log.withLock { $0 } == ["first", "second"])
    }

    @Test("Ten thousand pieces of brief work are done in order, by one thread at a time")
    func oneThread() async {
        let work = BriefWork(on: DispatchQueue(label: "brief"))
        let log = Lock<(numbers: [Int], threads: Set<String>)>(([], []))
        let gate = DispatchSemaphore(value: 0)
        work.add { gate.wait() }
        await withCheckedContinuation { continuation in
            for number in 0..<10_000 {
                work.add {
                    log.withLock {
                        $0.numbers.append(number)
                        $0.threads.insert("\(pthread_self())")
                    }
                    if number == 9_999 { continuation.resume() }
                }
            }
            gate.signal()
        }
        #expect(log.withLock { $0.numbers == Array(0..<10_000) })
        #expect(log.withLock { $0.threads.count } == 1)
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
