import Dispatch
import Foundation
import OmbiCore
import Testing

@testable import OmbiTUI

@Suite struct BriefWorkTests {
    @Test func `brief work keeps to the order of its queue`() async {
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

    @Test func `ten thousand pieces of brief work are done in order, by one thread`() async {
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
}
