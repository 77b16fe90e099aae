#if canImport(CCurl)
/// Tells the last events of transfers on threads of its own. Their receivers decode, and do what takes time, and neither
/// the loops nor other receivers must wait for that.
final class CurlTeller: Sendable {
    private struct State {
        var ends = Fifo<CurlEnd>()
        var threads = 0
        /// When something was taken last, or a thread was put to work.
        var lastStep = ContinuousClock.now
    }

    private let state = Lock(State())
    private let usualThreads: Int

    /// After that without a step, those that tell are held up by a receiver.
    private static let patience: Duration = .milliseconds(5)

    init(usualThreads: Int) { self.usualThreads = max(usualThreads, 2) }

    /// In order, but several at a time.
    func tell(_ ends: [CurlEnd]) {
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

    /// Puts one more thread to work where the others are held up. Gives the time after which to look again; nil when
    /// nothing is left to be told. Somebody has to call it as long as that is so.
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

    /// Where the system gives no thread, the caller's own has to do.
    private func summon() {
        if !CurlThreads.shared.run({ self.work() }) { work() }
    }

    private func work() {
        while let end = take() { end.tell() }
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
#endif
