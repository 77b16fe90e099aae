#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

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
