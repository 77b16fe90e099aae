#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Brings signals into the main loop: the handler writes the signal's number into a pipe, the loop reads it.
/// Handlers, unlike ignored or blocked signals, are not inherited by the programs that Ombi starts.
@MainActor
struct SignalPipe {
    let input: Int32

    // Safe to share: allocated once and never freed, written on the main thread before any handler is
    // installed, then only read.
    private nonisolated(unsafe) static let output: UnsafeMutablePointer<Int32> = {
        let pointer = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
        pointer.initialize(to: -1)
        return pointer
    }()

    init?() {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        input = ends[0]
        Self.output.pointee = ends[1]
        Self.install(Signal.allCases.map(\.number)) { number in
            let before = errno
            var byte = UInt8(truncatingIfNeeded: number)
            _ = write(SignalPipe.output.pointee, &byte, 1)
            errno = before
        }
        // The error of a write reports a closed pipe.
        Self.install([SIGPIPE]) { _ in }
    }

    /// Returns the signals since the last call, each once, in the order of their first arrival.
    func take() -> [Signal] {
        var bytes = [UInt8](repeating: 0, count: 256)
        var found: [Signal] = []
        while true {
            let count = read(input, &bytes, bytes.count)
            if count <= 0 { return found }
            for byte in bytes.prefix(count) {
                guard let signal = Signal.allCases.first(where: { $0.number == Int32(byte) }) else { continue }
                if !found.contains(signal) { found.append(signal) }
            }
        }
    }

    private static func install(_ numbers: [Int32], _ handler: @convention(c) (Int32) -> Void) {
        var action = sigaction()
        #if canImport(Glibc)
        action.__sigaction_handler.sa_handler = handler
        #else
        action.__sigaction_u.__sa_handler = handler
        #endif
        action.sa_flags = Int32(SA_RESTART)
        for number in numbers { sigaction(number, &action, nil) }
    }
}

/// The signals that a terminal program handles.
package enum Signal: CaseIterable, Equatable, Sendable {
    /// The terminal was resized.
    case windowChanged
    case terminate, hangUp, interrupt, quit
    /// A request to stop: the program restores the terminal first.
    case stop
    /// Running again after a stop.
    case `continue`

    package var number: Int32 {
        switch self {
        case .windowChanged: SIGWINCH
        case .terminate: SIGTERM
        case .hangUp: SIGHUP
        case .interrupt: SIGINT
        case .quit: SIGQUIT
        case .stop: SIGTSTP
        case .continue: SIGCONT
        }
    }
}
