#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The signals a terminal program is told of.
enum Signal: CaseIterable, Equatable, Sendable {
    /// The terminal has another size.
    case windowChanged
    case terminate, hangUp, interrupt, quit
    /// Someone asks to stop: the program gives the terminal back first.
    case stop
    /// Running again after a stop.
    case `continue`

    var number: Int32 {
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
