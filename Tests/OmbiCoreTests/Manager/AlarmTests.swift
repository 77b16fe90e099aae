import Foundation
import Testing

@testable import OmbiCore

@Suite struct AlarmTests {
    @Test func `deadlines come out in order`() {
        var heap = DeadlineHeap()
        let fired = Lock<[Int]>([])
        var ids: [DeadlineHeap.ID] = []
        for deadline in [50, 20, 40, 10, 30, 20, 60] {
            ids.append(heap.add(.seconds(deadline)) { fired.withLock { $0.append(deadline) } })
        }
        #expect(heap.remove(ids[2]) != nil)
        #expect(heap.remove(ids[2]) == nil)
        #expect(heap.earliest == .seconds(10))
        for block in heap.takeDue(.seconds(50)) { block() }
        #expect(fired.withLock { $0 } == [10, 20, 20, 30, 50])
        #expect(heap.count == 1)
        #expect(heap.takeDue(.seconds(59)).isEmpty)
    }

    @Test func `the ID of an entry that is gone finds no other`() {
        var heap = DeadlineHeap()
        let gone = heap.add(.seconds(1)) {}
        _ = heap.takeDue(.seconds(1))
        let other = heap.add(.seconds(2)) {}
        #expect(heap.remove(gone) == nil && heap.count == 1)
        #expect(heap.remove(other) != nil && heap.count == 0)
    }

    /// Against a list that is sorted anew each time.
    @Test func `any order of adding and removing keeps the order`() {
        var random = SystemRandomNumberGenerator()
        var heap = DeadlineHeap()
        var expected: [DeadlineHeap.ID: Int] = [:]
        for _ in 0..<2000 {
            if Int.random(in: 0..<3, using: &random) > 0 || expected.isEmpty {
                let deadline = Int.random(in: 0..<100, using: &random)
                expected[heap.add(.seconds(deadline)) {}] = deadline
            } else if let id = expected.keys.randomElement(using: &random) {
                _ = heap.remove(id)
                expected[id] = nil
            }
            #expect(heap.earliest == expected.values.min().map { .seconds($0) })
        }
        #expect(heap.count == expected.count)
    }

    @Test func `many timers share one and each fires once`() async {
        let clock = SystemClock()
        let fired = Lock<[Int: Int]>([:])
        await withCheckedContinuation { continuation in
            for number in 0..<100 {
                clock.schedule(after: .seconds(3600)) { fired.withLock { $0[-1, default: 0] += 1 } }.cancel()
                _ = clock.schedule(after: .milliseconds(number % 20)) {
                    let isLast = fired.withLock { fired in
                        fired[number, default: 0] += 1
                        return fired.count == 100
                    }
                    if isLast { continuation.resume() }
                }
            }
        }
        #expect(fired.withLock { $0 } == Dictionary(uniqueKeysWithValues: (0..<100).map { ($0, 1) }))
    }
}
