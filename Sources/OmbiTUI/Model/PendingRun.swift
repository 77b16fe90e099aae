import OmbiWorkspace

/// A run that has not ended when the terminal goes away, and how long it may still take.
struct PendingRun: Equatable, Sendable {
    var id: RunID
    var remaining: Duration

    /// The maximum time for which runs are waited for without a terminal.
    static let maximumWait = Duration.seconds(300)
}
