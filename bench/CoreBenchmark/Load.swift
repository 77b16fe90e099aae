import Dispatch
import OmbiCore

/// Keeps `width` requests in flight until `count` have ended, each started from the end of another.
final class Load: Sendable {
    typealias Start = @Sendable (_ done: @escaping @Sendable (Bool) -> Void) -> Void

    private let left: Lock<Int>
    private let failures = Lock(0)
    private let group = DispatchGroup()
    private let start: Start

    init(count: Int, _ start: @escaping Start) {
        left = Lock(count)
        self.start = start
    }

    func run(width: Int) -> Int {
        for _ in 0..<width {
            group.enter()
            next()
        }
        group.wait()
        return failures.withLock { $0 }
    }

    private func next() {
        let goesOn = left.withLock { left in
            left -= 1
            return left >= 0
        }
        guard goesOn else { return group.leave() }
        start { passed in
            if !passed { self.failures.withLock { $0 += 1 } }
            self.next()
        }
    }
}
