import Dispatch
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Handles Ctrl+C: the first cancels the run, the second ends the program.
final class Interrupt {
    private let source: any DispatchSourceSignal
    private let raised = Atomic(false)

    init(_ action: @escaping @Sendable () -> Void) {
        signal(SIGINT, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler { [unowned self] in
            raised.store(true, ordering: .relaxed)
            signal(SIGINT, SIG_DFL)
            action()
        }
        source.activate()
    }

    var wasRaised: Bool { raised.load(ordering: .relaxed) }
}
