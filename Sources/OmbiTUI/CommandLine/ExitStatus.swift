import OmbiTerminal

/// The exit statuses of `ombi`.
enum ExitStatus: Int32, Error {
    case success = 0
    /// A request failed, or an expectation or the SLA was not met.
    case failure = 1
    /// Invalid command line or file; nothing was sent.
    case misuse = 2
    /// A file could not be read or written.
    case inputOutput = 3
    /// Ended by SIGINT, such as Ctrl+C.
    case interrupted = 130
    /// Ended by SIGTERM.
    case terminated = 143

    /// The exit status of a program on the screen: that of a shell where a signal ended it, 128 and its number.
    static func number(after signal: Signal?, else status: ExitStatus) -> Int32 {
        signal.map { 128 + $0.number } ?? status.rawValue
    }
}
