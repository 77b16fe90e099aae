import OmbiCore

/// Counts objects that are alive.
final class LiveCount: Sendable {
    private let count = Lock(0)

    /// An object that counts as long as it lives.
    final class Token: Sendable {
        private let counter: LiveCount

        fileprivate init(_ counter: LiveCount) {
            self.counter = counter
            counter.count.withLock { $0 += 1 }
        }

        deinit { counter.count.withLock { $0 -= 1 } }
    }

    var value: Int { count.withLock { $0 } }

    func token() -> Token { Token(self) }
}
