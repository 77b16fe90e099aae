import Foundation
import Testing

@testable import OmbiCore

@Suite struct WorkPoolTests {
    @Test func `blocks of one thread run in order`() async {
        let pool = WorkPool(width: 1, patience: .never)
        let order = Lock<[Int]>([])
        await withCheckedContinuation { continuation in
            for number in 0..<5000 {
                pool.run { order.withLock { $0.append(number) } }
            }
            pool.run { continuation.resume() }
        }
        #expect(order.withLock { $0 } == Array(0..<5000))
    }

    @Test func `every block runs once whichever thread brings it`() async {
        let pool = WorkPool(width: 3)
        let counts = Lock([Int: Int]())
        let left = Lock(8000)
        await withCheckedContinuation { continuation in
            for thread in 0..<8 {
                Thread.detachNewThread {
                    for number in 0..<1000 {
                        pool.run {
                            counts.withLock { $0[thread * 1000 + number, default: 0] += 1 }
                            let isLast = left.withLock { left in
                                left -= 1
                                return left == 0
                            }
                            if isLast { continuation.resume() }
                        }
                    }
                }
            }
        }
        #expect(counts.withLock { $0.count } == 8000 && counts.withLock { $0.values.allSatisfy { $0 == 1 } })
    }

    /// As many as threads, and some more behind them, of which the last one lets all go on.
    @Test func `another thread joins where all are blocked`() async {
        let pool = WorkPool(width: 2)
        let gate = DispatchSemaphore(value: 0)
        await withCheckedContinuation { continuation in
            let left = Counter()
            for _ in 0..<5 {
                pool.run {
                    gate.wait()
                    gate.signal()
                    if left.next() == 4 { continuation.resume() }
                }
            }
            pool.run { gate.signal() }
        }
    }
}
