import Dispatch
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Handles Ctrl+C and SIGTERM: the first signal cancels the run, the second ends the program.
final class Interrupt {
    private static let signals = [SIGINT, SIGTERM]

    private let sources: [any DispatchSourceSignal]
    private let raised = Atomic<Int32>(0)

    init(_ action: @escaping @Sendable () -> Void) {
        for number in Self.signals { signal(number, SIG_IGN) }
        sources = Self.signals.map { DispatchSource.makeSignalSource(signal: $0, queue: .global()) }
        for (number, source) in zip(Self.signals, sources) {
            source.setEventHandler { [unowned self] in
                _ = raised.compareExchange(expected: 0, desired: number, ordering: .relaxed)
                for number in Self.signals { signal(number, SIG_DFL) }
                action()
            }
            source.activate()
        }
    }

    /// The exit status after the signal; nil while there was none.
    var status: ExitStatus? {
        switch raised.load(ordering: .relaxed) {
        case SIGINT: .interrupted
        case SIGTERM: .terminated
        default: nil
        }
    }
}
