import Dispatch
import OmbiCore

/// Keeps requests in flight until `count` have ended.
final class Load: Sendable {
    typealias Start = @Sendable (_ done: @escaping @Sendable (Bool) -> Void) -> Void
    typealias Send = @Sendable () async -> Bool

    private let left: Lock<Int>
    private let failures = Lock(0)
    private let group = DispatchGroup()
    private let start: Start

    /// - Parameter start: Sends a request by a callback; not needed for tasks.
    init(count: Int, _ start: @escaping Start = { $0(false) }) {
        left = Lock(count)
        self.start = start
    }

    /// `width` at a time, each started from the end of another. Returns the number of failures.
    func run(width: Int) -> Int {
        for _ in 0..<width {
            group.enter()
            next()
        }
        group.wait()
        return failures.withLock { $0 }
    }

    /// `width` tasks, each of which sends one request after the other. Returns the number of failures.
    func run(width: Int, on executor: (any TaskExecutor)?, _ send: @escaping Send) -> Int {
        for _ in 0..<width {
            group.enter()
            Task(executorPreference: executor) {
                while self.take() { self.note(await send()) }
                self.group.leave()
            }
        }
        group.wait()
        return failures.withLock { $0 }
    }

    private func next() {
        guard take() else { return group.leave() }
        start { passed in
            self.note(passed)
            self.next()
        }
    }

    private func take() -> Bool {
        left.withLock { left in
            left -= 1
            return left >= 0
        }
    }

    private func note(_ passed: Bool) {
        if !passed { failures.withLock { $0 += 1 } }
    }
}
