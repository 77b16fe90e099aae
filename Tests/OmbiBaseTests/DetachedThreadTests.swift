import Foundation
import OmbiBase
import Testing

@Suite struct DetachedThreadTests {
    @Test func `a detached thread works where no signal of the program interrupts it`() async {
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

    @Test func `a detached thread releases its captures when it ends`() async {
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
