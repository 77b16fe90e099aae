/// A response that goes on for as long as it can, over one connection after the other: what its run asks about it. For the
/// run each connection is an attempt, which lasts until the connection ends.
protocol ContinuedStream: Sendable {
    /// Returns the request of the next connection, on the thread that starts the attempt.
    func continued(_ request: TransportRequest) -> TransportRequest

    /// Asked at the end of an attempt; nil where its response was refused, or none came.
    var endedConnection: EndedConnection? { get }
}

/// A connection whose head had been accepted.
struct EndedConnection: Equatable {
    /// The wait before the next one; nil where none follows.
    var wait: Duration?
}
